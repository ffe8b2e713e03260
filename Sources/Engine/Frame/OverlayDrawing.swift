import Raster

/// The parts of a pane that a frame draws.
final class OverlayDrawing {
  let entry: PaneEntry
  let drawn: Appearance
  let parts: UndrawnParts
  /// The undrawn region of the overlay that the parts complete.
  let undrawn: Region
  /// The pixels of the shared parts.
  let canvas: SoftCanvas?
  /// Whether the display has begun to update the overlay.
  var isBegun = false

  init(
    _ entry: PaneEntry, _ drawn: Appearance, _ parts: UndrawnParts, undrawn: Region,
    _ canvas: SoftCanvas?
  ) {
    self.entry = entry
    self.drawn = drawn
    self.parts = parts
    self.undrawn = undrawn
    self.canvas = canvas
  }
}

/// The undrawn region of a pane as disjoint rectangles, divided by what they need from below.
struct UndrawnParts {
  enum Kind {
    /// The pane covers what is below.
    case glass
    /// Soft parts over the backdrop alone.
    case soft
    /// Soft parts over the backdrop and lower panes.
    case shared
  }

  var glass, soft, shared: [Rect]

  /// All rectangles, in the order of their kinds.
  var rects: [Rect] { glass + soft + shared }

  /// The kind of a part of an element of `rects`.
  func kind(of part: Rect) -> Kind {
    if glass.contains(where: { $0.contains(part) }) { return .glass }
    return soft.contains { $0.contains(part) } ? .soft : .shared
  }
}
