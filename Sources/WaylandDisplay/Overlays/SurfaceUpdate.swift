import Engine
import Raster

/// An update of an overlay that is being drawn.
struct SurfaceUpdate {
  let overlay: OverlayID
  let state: OverlayState
  let rects: [Rect]
  private var rest: [Rect]

  init(overlay: OverlayID, state: OverlayState, rects: [Rect]) {
    self.overlay = overlay
    self.state = state
    self.rects = rects
    rest = rects
  }

  var isDrawn: Bool { rest.isEmpty }

  /// The next parts, of about `pixelCount` pixels together.
  mutating func next(_ pixelCount: Int) -> [Rect] {
    var parts: [Rect] = []
    var count = 0
    while count < pixelCount, let rect = rest.popLast() {
      let height = min(rect.height, max(1, (pixelCount - count) / max(1, rect.width)))
      parts.append(Rect(rect.columns, rect.y..<rect.y + height))
      count += rect.width * height
      if height < rect.height { rest.append(Rect(rect.columns, rect.y + height..<rect.maxY)) }
    }
    return parts
  }
}

extension OverlayState {
  /// The same without what is outside a rectangle.
  func clipped(to bounds: Rect) -> OverlayState {
    var clipped = self
    clipped.rect = rect.intersection(bounds)
    clipped.opaque = opaque.intersection(bounds)
    clipped.inputRegion = inputRegion.intersection(bounds)
    return clipped
  }
}
