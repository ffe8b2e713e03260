import Frost
import Raster

/// The pixels of a region of the screen without blending by the display: first the backdrop, then
/// panes that are drawn over it, from the lowest to the highest. BGRX.
final class SoftCanvas {
  private let parts: [Part]
  /// The pixels of all parts, one part after the other.
  private var pixels: [UInt32]

  /// One rectangle of the region, and the range of its pixels.
  private struct Part {
    let layout: PixelLayout
    let range: Range<Int>
  }

  /// The backdrop in a region of the output of `grid`.
  init(_ region: Region, over grid: PixelGrid) {
    var parts: [Part] = []
    var count = 0
    for rect in region.rects {
      parts.append(Part(layout: PixelLayout(rect), range: count..<count + rect.area))
      count += rect.area
    }
    var pixels = [UInt32](repeating: 0, count: count)
    var span = pixels.mutableSpan
    for part in parts {
      var own = span._mutatingExtracting(part.range)
      grid.copy(part.layout.bounds, into: &own, part.layout)
    }
    self.parts = parts
    self.pixels = pixels
  }

  /// Draws a part of a pane over the pixels. `visible` must be inside the pane.
  func draw(_ pane: Appearance, in visible: Region) {
    if visible.isEmpty { return }
    let reached = parts.filter { $0.layout.bounds.intersects(visible.bounds) }
    Self.draw(pane, visible, over: reached, of: &pixels)
  }

  private static func draw(
    _ pane: Appearance, _ visible: Region, over parts: [Part], of pixels: inout [UInt32]
  ) {
    var below = pixels.mutableSpan
    for part in parts {
      var own = below._mutatingExtracting(part.range)
      pane.draw(visible.intersection(part.layout.bounds), over: &own, part.layout)
    }
  }

  /// Copies the pixels of `rect`. The region must contain `rect`, and `layout` must cover it.
  func copy(_ rect: Rect, into target: inout MutableSpan<UInt32>, _ layout: PixelLayout) {
    let pixels = pixels
    for part in parts {
      let shared = part.layout.bounds.intersection(rect)
      copyPixels(
        of: shared, from: pixels.span.extracting(part.range), part.layout, to: &target, layout)
    }
  }
}

extension Appearance {
  /// Draws a region over pixels, BGRX: replaces them by its glass, and composes its translucent parts over them. Traps if
  /// `layout` does not cover the region.
  func draw(_ region: Region, over pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout) {
    let translucent = self.layout.translucentRegion.intersection(region)
    for rect in region.subtracting(translucent).rects { draw(rect, into: &pixels, layout) }
    for rect in translucent.rects {
      let own = PixelLayout(rect)
      var picture = [UInt32](repeating: 0, count: rect.area)
      var above = picture.mutableSpan
      draw(rect, into: &above, own)
      compose(rect, of: above.span, own, onto: &pixels, layout)
    }
  }
}
