package import Raster

/// Whether something covers an overlay at a pixel: the screen shows there what no backdrop below it can cause.
@inline(__always)
private func isCovered(_ shown: UInt32, _ overlay: UInt32) -> Bool {
  let share = 255 - Int(overlay >> 24)
  for shift: UInt32 in [0, 8, 16] {
    let leak = Int(shown >> shift & 255) - Int(overlay >> shift & 255)
    if leak < 0 || leak > share { return true }
  }
  return false
}

/// Counts the pixels at which something covers an overlay (premultiplied BGRA). Tests the pixels of `target` in every `step`th
/// row and column; `all` is the number of tested pixels. `screen` is what is shown (BGRX). Traps if a layout does not cover
/// `target`.
package func countCovered(
  _ target: Rect, every step: Int, onScreen screen: Span<UInt32>, _ screenLayout: PixelLayout,
  overlay: Span<UInt32>, _ overlayLayout: PixelLayout
) -> (covered: Int, all: Int) {
  var (covered, all) = (0, 0)
  for y in stride(from: target.y, to: target.maxY, by: step) {
    for x in stride(from: target.x, to: target.maxX, by: step) {
      all += 1
      let shown = screen[screenLayout.index(x: x, y: y)]
      if isCovered(shown, overlay[overlayLayout.index(x: x, y: y)]) { covered += 1 }
    }
  }
  return (covered, all)
}

/// Copies the part `target` of what is below other overlays (BGRX). Where a window covers `overlay` (premultiplied BGRA), which
/// is below windows, the pixels are those of the screen; elsewhere they are those of `below` (BGRX). Returns a rectangle with the
/// pixels that changed. Traps if a layout does not cover `target`.
@_lifetime(pixels: copy pixels)
package func copyWithoutOverlay(
  _ target: Rect, ofScreen screen: Span<UInt32>, _ screenLayout: PixelLayout,
  overlay: Span<UInt32>, _ overlayLayout: PixelLayout,
  below: Span<UInt32>, _ belowLayout: PixelLayout,
  into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
) -> Rect {
  var changed = Rect.zero
  for y in target.rows {
    var difference: UInt32 = 0
    for x in target.columns {
      let shown = screen[screenLayout.index(x: x, y: y)]
      let isWindow = isCovered(shown, overlay[overlayLayout.index(x: x, y: y)])
      let pixel = isWindow ? shown : below[belowLayout.index(x: x, y: y)]
      let to = layout.index(x: x, y: y)
      difference |= pixels[to] ^ pixel
      pixels[to] = pixel
    }
    if difference & 0x00ff_ffff != 0 { changed = changed.hull(Rect(target.columns, y..<y + 1)) }
  }
  return changed
}

/// Copies the pixels of `target` for which `isCopied`, without gaps between rows, is true. Returns a rectangle with those that
/// changed. Traps if a layout does not cover `target`.
@_lifetime(pixels: copy pixels)
package func copyPixels(
  of target: Rect, from source: Span<UInt32>, _ sourceLayout: PixelLayout, where isCopied: [Bool],
  to pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
) -> Rect {
  var changed = Rect.zero
  for y in target.rows {
    for x in target.columns where isCopied[(y - target.y) * target.width + x - target.x] {
      let pixel = source[sourceLayout.index(x: x, y: y)]
      let to = layout.index(x: x, y: y)
      if (pixels[to] ^ pixel) & 0x00ff_ffff != 0 {
        changed = changed.hull(Rect(x: x, y: y, width: 1, height: 1))
      }
      pixels[to] = pixel
    }
  }
  return changed
}

/// A colour (BGRX) that differs by one level in each channel, towards the middle. An overlay that shows this colour instead of
/// the pixel below it can be distinguished from that pixel, but is hardly visible.
package func tinted(_ pixel: UInt32) -> UInt32 { shifted(pixel, by: 1) }

/// A colour (BGRX) that differs by `distance` levels, at most 127, in each channel, towards the middle.
package func shifted(_ pixel: UInt32, by distance: UInt32) -> UInt32 {
  var result = pixel
  for shift: UInt32 in [0, 8, 16] {
    let isDark = pixel >> shift & 128 == 0
    result = isDark ? result &+ distance << shift : result &- distance << shift
  }
  return result
}

/// The part of `target` in which a screen (BGRX) shows the tinted colours of `pixels` (BGRX), in whole blocks of 8x8 pixels
/// from multiples of 8 on. Traps if a layout does not cover `target`.
package func tintedRegion(
  of target: Rect, onScreen screen: Span<UInt32>, _ screenLayout: PixelLayout,
  _ pixels: Span<UInt32>, _ layout: PixelLayout
) -> Region {
  func isTinted(_ x: Int, _ y: Int) -> Bool {
    let wanted = tinted(pixels[layout.index(x: x, y: y)])
    return (screen[screenLayout.index(x: x, y: y)] ^ wanted) & 0x00ff_ffff == 0
  }
  return blocks(of: target) { block in
    block.rows.allSatisfy { y in block.columns.allSatisfy { isTinted($0, y) } }
  }
}

/// The part of `target` in which two pictures (BGRX) differ by at most `tolerance` levels in three of four pixels, in whole
/// blocks of 8x8 pixels from multiples of 8 on. Traps if a layout does not cover `target`.
package func similarRegion(
  of target: Rect, _ one: Span<UInt32>, _ oneLayout: PixelLayout,
  _ other: Span<UInt32>, _ otherLayout: PixelLayout, tolerance: Int
) -> Region {
  blocks(of: target) { block in
    let count = block.rows.reduce(0) { sum, y in
      sum
        + block.columns.count { x in
          areNear(
            one[oneLayout.index(x: x, y: y)], other[otherLayout.index(x: x, y: y)], tolerance)
        }
    }
    return 4 * count >= 3 * block.area
  }
}

/// The blocks of 8x8 pixels of `target` for which a condition is true.
private func blocks(of target: Rect, where condition: (Rect) -> Bool) -> Region {
  var found: [Rect] = []
  for top in stride(from: target.y & ~7, to: target.maxY, by: 8) {
    var run = Rect.zero
    for left in stride(from: target.x & ~7, to: target.maxX, by: 8) {
      let block = Rect(x: left, y: top, width: 8, height: 8).intersection(target)
      if condition(block) {
        run = run.hull(block)
      } else if !run.isEmpty {
        found.append(run)
        run = .zero
      }
    }
    if !run.isEmpty { found.append(run) }
  }
  return Region(found)
}

/// Whether two pixels differ by at most `tolerance` levels in each channel.
private func areNear(_ one: UInt32, _ other: UInt32, _ tolerance: Int) -> Bool {
  for shift: UInt32 in [0, 8, 16] {
    if abs(Int(one >> shift & 255) - Int(other >> shift & 255)) > tolerance { return false }
  }
  return true
}
