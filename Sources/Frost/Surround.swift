package import Raster

/// The backdrop's own pixels, where the outline of a pane lets them through: to be kept while the pane
/// is shown by a window that nobody blends with what lies below it.
package struct Surround: Sendable {
  private var parts: [Part]
  /// Where it is.
  package let region: Region
  /// What has not been taken in yet; screen coordinates.
  package private(set) var missing: Region

  fileprivate struct Part {
    let layout: PixelLayout
    var pixels: [UInt32]
  }

  /// Nothing is known yet of the backdrop in `rects`, which are disjoint and in screen coordinates.
  package init(_ rects: [Rect]) {
    parts = rects.filter { !$0.isEmpty }.map { rect in
      Part(layout: PixelLayout(rect), pixels: Array(repeating: 0, count: rect.area))
    }
    region = Region(rects)
    missing = region
  }

  /// What covers a region as far as it lies within: at most one rectangle a part, disjoint.
  package func hulls(of region: Region) -> [Rect] {
    parts.map { region.intersection($0.layout.bounds).bounds }.filter { !$0.isEmpty }
  }

  /// Takes in the backdrop's pixels within `damage`, which `layout` must cover. Returns where they differ
  /// from those before.
  package mutating func absorb(
    _ pixels: Span<UInt32>, _ layout: PixelLayout, damage: Rect
  ) -> Region {
    precondition(layout.bounds.contains(damage) && pixels.count >= layout.pixelCount)
    var changed = Region()
    for i in parts.indices {
      let target = parts[i].layout.bounds.intersection(damage)
      if target.isEmpty { continue }
      let rows = parts[i].absorb(target, pixels, layout)
      changed.form(union: Rect(target.columns, rows))
      changed.form(union: missing.intersection(target))
    }
    missing.subtract(damage)
    return changed
  }

  /// Calls `body` for every part of it within `target`, with pixels that cover it.
  package func forEachPart(of target: Rect, _ body: (Rect, Span<UInt32>, PixelLayout) -> Void) {
    for part in parts {
      let rect = part.layout.bounds.intersection(target)
      if !rect.isEmpty { body(rect, part.pixels.span, part.layout) }
    }
  }
}

extension Surround.Part {
  /// Returns the rows that have changed, from the first to the last.
  fileprivate mutating func absorb(
    _ target: Rect, _ source: Span<UInt32>, _ from: PixelLayout
  ) -> Range<Int> {
    var changed = 0..<0
    let layout = layout
    var own = pixels.mutableSpan
    for y in target.rows {
      let to = layout.index(x: target.x, y: y)
      let first = from.index(x: target.x, y: y)
      var difference: UInt32 = 0
      for i in 0..<target.width {
        let pixel = source[first &+ i]
        difference |= pixel ^ own[to &+ i]
        own[to &+ i] = pixel
      }
      // The fourth byte of a screen's pixel means nothing.
      if difference & 0x00ff_ffff == 0 { continue }
      changed = changed.isEmpty ? y..<y + 1 : changed.lowerBound..<y + 1
    }
    return changed
  }
}
