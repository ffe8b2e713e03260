/// A thin line along the inside of a pane's outline.
package struct Border: Equatable, Sendable {
  /// In pixels, also a fraction. What does not fit into a pane fills it.
  package var width: Double
  package var color: Color

  package init(width: Double, color: Color) {
    self.width = width
    self.color = color
  }

  package static let none = Border(width: 0, color: .none)

  var isVisible: Bool { width > 0 && color.alpha > 0 }
}
