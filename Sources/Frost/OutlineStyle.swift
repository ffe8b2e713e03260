/// How panes are made of their glass, whatever their size.
package struct OutlineStyle: Equatable, Sendable {
  package var corner: Corner
  package var border: Border
  package var shadow: Shadow

  package init(corner: Corner = .square, border: Border = .none, shadow: Shadow = .none) {
    self.corner = corner
    self.border = border
    self.shadow = shadow
  }

  /// Whether the glass of a pane covers all of its rectangle, and nothing is drawn around it.
  package var isSharp: Bool { !(corner.radius > 0) && !shadow.isVisible }
}
