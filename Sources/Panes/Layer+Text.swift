package import Frost

extension Layer {
  /// Reads `MODE:#RRGGBB[AA]`.
  package init(parsing text: String) throws(PaneError) {
    let modes = BlendMode.allCases.map(\.rawValue)
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, let mode = BlendMode(rawValue: parts[0]) else {
      throw .unreadable(
        setting: "blend", text: text,
        expected: "MODE:#RRGGBB[AA], where MODE is \(modes.joined(separator: ", "))")
    }
    self.init(mode, try Color(parsing: parts[1], as: "blend"))
  }

  package var text: String { "\(mode.rawValue):\(color.text)" }
}
