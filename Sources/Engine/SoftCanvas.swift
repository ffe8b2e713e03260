import Frost
import Raster

/// The pixels of a region of the screen without blending by the display: first the backdrop, then
/// panes that are drawn over it, from the lowest to the highest. BGRX.
final class SoftCanvas {
  private let parts: [Part]
  /// The pixels of all parts, one part after the other.
  private var pixels: [UInt32]
  /// The pixels of a soft part of one pane, before they are composed.
  private var scratch: [UInt32]

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
    scratch = Array(repeating: 0, count: parts.map(\.range.count).max() ?? 0)
  }

  /// Draws a part of a pane over the pixels: replaces them by its glass, and composes its soft parts over them.
  /// `visible` must be inside the pane.
  func draw(_ pane: Appearance, in visible: Region) {
    if visible.isEmpty { return }
    let reached = parts.filter { $0.layout.bounds.intersects(visible.bounds) }
    Self.draw(pane, visible, over: reached, of: &pixels, &scratch)
  }

  private static func draw(
    _ pane: Appearance, _ visible: Region, over parts: [Part], of pixels: inout [UInt32],
    _ scratch: inout [UInt32]
  ) {
    var above = scratch.mutableSpan
    var below = pixels.mutableSpan
    for part in parts {
      let region = visible.intersection(part.layout.bounds)
      var own = below._mutatingExtracting(part.range)
      let soft = pane.layout.softRegion.intersection(region)
      for rect in region.subtracting(soft).rects {
        pane.draw(rect, into: &own, part.layout)
      }
      for rect in soft.rects {
        let layout = PixelLayout(rect)
        pane.draw(rect, into: &above, layout)
        compose(rect, of: above.span, layout, onto: &own, part.layout)
      }
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
