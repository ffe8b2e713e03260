/// What of its backdrop a pane shows.
package enum Sight: String, CaseIterable, Sendable {
  /// All that lies below it.
  case windows
  /// Only what lies below all windows: nothing that moves.
  case wallpaper

  package init(parsing text: String) throws(PaneError) {
    guard let sight = Sight(rawValue: text) else {
      throw .unreadable(
        setting: "sees", text: text,
        expected: Sight.allCases.map(\.rawValue).joined(separator: " or "))
    }
    self = sight
  }
}
