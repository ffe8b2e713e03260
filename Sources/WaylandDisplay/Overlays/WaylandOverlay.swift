import Panes

/// An overlay of the engine.
struct WaylandOverlay {
  var layer: StackingLayer
  /// Nil while it is hidden.
  var surface: PaneSurface?
  /// Whether an update was refused, so that `.released` must follow.
  var isAwaited = false
  /// When a surface may be made.
  var opening = SurfaceOpening()

  init(layer: StackingLayer) { self.layer = layer }

  /// Records that the compositor has closed its surface.
  mutating func recordClosure(now: Duration) {
    surface = nil
    isAwaited = false
    opening.recordClosure(now: now)
  }
}
