/// How long a change of a pane takes, in milliseconds.
package struct Fade: Equatable, Sendable {
  package let milliseconds: Double

  package static let none = Fade(unchecked: 0)
  package static let range = 0.0...10_000.0

  private init(unchecked milliseconds: Double) { self.milliseconds = milliseconds }

  package init(milliseconds: Double) throws(PaneError) {
    guard Self.range.contains(milliseconds) else {
      throw .outOfRange(
        setting: "fade", text: "\(milliseconds)", expected: "0 to 10000 milliseconds")
    }
    self.init(unchecked: milliseconds)
  }

  package var duration: Duration { .milliseconds(1) * milliseconds }
}
