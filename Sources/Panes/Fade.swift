/// The duration of a transition of a pane.
package struct Fade: Equatable, Sendable {
  /// In `range`.
  package let milliseconds: Double

  /// An immediate change.
  package static let none = Fade(unchecked: 0)
  /// The change of a pane between its light and its dark look.
  package static let schemeChange = Fade(unchecked: 300)
  /// The cross-fade of a pane after a change of its output.
  package static let rotation = Fade(unchecked: 350)
  /// The valid durations, in milliseconds.
  package static let range = 0.0...10_000.0

  private init(unchecked milliseconds: Double) { self.milliseconds = milliseconds }

  /// Throws `outOfRange` if the duration is not in `range`.
  package init(milliseconds: Double) throws(PaneError) {
    try self.init("\(milliseconds)", milliseconds, of: "fade")
  }

  /// Parses the value of the option `name`, in milliseconds. Throws `outOfRange` if it is not a number in `range`.
  package init(parsing text: String, of name: String) throws(PaneError) {
    try self.init(text, Double(text), of: name)
  }

  private init(_ text: String, _ milliseconds: Double?, of name: String) throws(PaneError) {
    guard let milliseconds, Self.range.contains(milliseconds) else {
      throw .outOfRange(setting: name, text: text, expected: "0 to 10000 milliseconds")
    }
    self.init(unchecked: milliseconds)
  }

  /// The same as a `Duration`.
  package var duration: Duration { .milliseconds(1) * milliseconds }
}
