/// The decoration that a user declares, independent of the size of the pane.
package struct DecorationStyle: Equatable, Sendable {
  /// The shape of the corners.
  package var corner: Corner
  /// The line inside the edge.
  package var border: Border
  /// The shadow around the pane.
  package var shadow: Shadow

  package init(corner: Corner = .square, border: Border = .none, shadow: Shadow = .none) {
    self.corner = corner
    self.border = border
    self.shadow = shadow
  }

  /// Whether the pane covers exactly its rectangle: square corners and no shadow.
  package var isSharp: Bool { !(corner.radius > 0) && !shadow.isVisible }
}
