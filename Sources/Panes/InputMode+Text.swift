extension InputMode {
  /// Reads `pass` or `grab`.
  package init(parsing text: String) throws(PaneError) {
    guard let mode = InputMode(rawValue: text) else {
      throw .unreadable(
        setting: "input", text: text,
        expected: Self.allCases.map(\.rawValue).joined(separator: " or "))
    }
    self = mode
  }
}
