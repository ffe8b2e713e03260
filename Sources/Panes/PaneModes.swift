/// The part of its backdrop that a pane shows.
package enum BackdropSource: String, CaseIterable, Sendable {
  /// Everything below the pane.
  case windows
  /// Only the wallpaper, which is below all windows.
  case wallpaper

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "sees")
  }
}

/// The handling of clicks on a pane.
package enum InputMode: String, CaseIterable, Sendable {
  /// The window below the pane receives it.
  case pass
  /// The pane receives it.
  case grab

  /// Parses the name of a case. Throws `unreadable`.
  package init(parsing text: String) throws(PaneError) {
    self = try choice(text, setting: "input")
  }
}

/// The case whose raw value is `text`.
private func choice<Choice: RawRepresentable & CaseIterable>(
  _ text: String, setting: String
) throws(PaneError) -> Choice where Choice.RawValue == String {
  guard let choice = Choice(rawValue: text) else {
    throw .unreadable(
      setting: setting, text: text,
      expected: Choice.allCases.map(\.rawValue).joined(separator: " or "))
  }
  return choice
}
