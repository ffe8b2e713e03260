/// A line along the inside of a pane's edge, which follows its rounded corners.
package struct Border: Equatable, Sendable {
  /// In pixels; may be fractional. A border wider than half the pane fills the pane.
  package var width: Double
  /// The colour; its alpha is the opacity of the border.
  package var color: Color

  package init(width: Double, color: Color) {
    self.width = width
    self.color = color
  }

  /// No border.
  package static let none = Border(width: 0, color: .none)

  var isVisible: Bool { width > 0 && color.alpha > 0 }
}
