package import Raster

/// Updates the part `target` of a backdrop (BGRX) from the screen (BGRX), on which a compositor shows an overlay
/// (premultiplied BGRA) over it. Pixels stay as they are where the overlay is opaque, where something else is above it, and
/// where the screen is what it would be over the same backdrop.
///
/// A leak is a whole number of levels, so it tells only in which range its channel is, and a small change of the backdrop
/// changes only some leaks. If the others kept their backdrop, the mean would follow too little. So the pixels of `target`
/// in a block, 8x8 pixels from multiples of 8 on, stay or change together. Each result causes the leak from which it was
/// computed, so without another change the next call reports none.
/// - The channel of a block, or else of each quarter of it, gets one value if one is in all ranges: their middle. It is
///   black if all ranges contain black, else white if all contain white. A middle of two levels becomes a checkerboard.
/// - Otherwise each pixel gets the colour whose leak, without rounding, is its leak.
/// Returns disjoint rectangles that contain every pixel which changed. Traps if a layout does not cover `target`.
@_lifetime(backdrop: copy backdrop)
package func recoverBackdrop(
  _ target: Rect, fromScreen screen: Span<UInt32>, _ screenLayout: PixelLayout,
  below overlay: Span<UInt32>, _ overlayLayout: PixelLayout,
  into backdrop: inout MutableSpan<UInt32>, _ layout: PixelLayout, threads: Int = 1
) -> [Rect] {
  if target.isEmpty { return [] }
  precondition(screenLayout.bounds.contains(target) && screen.count >= screenLayout.pixelCount)
  precondition(overlayLayout.bounds.contains(target) && overlay.count >= overlayLayout.pixelCount)
  precondition(layout.bounds.contains(target) && backdrop.count >= layout.pixelCount)
  /// Recovers whole blocks, or the parts of blocks at the upper and lower edge of `target`.
  func recover(
    _ rows: Range<Int>, _ part: inout MutableSpan<UInt32>, _ partLayout: PixelLayout
  ) -> [Rect] {
    let columns = LeakColumns(
      target.columns, screen: PixelIndexing(screenLayout), overlay: PixelIndexing(overlayLayout),
      backdrop: PixelIndexing(partLayout))
    return columns.recover(rows, screen, overlay, &part)
  }
  // The first band begins with a whole block.
  let first = target.y..<min((target.y + 7) & ~7, target.maxY)
  var changed = recover(first, &backdrop, layout)
  if first.upperBound == target.maxY { return changed }
  let bands = forEachBand(
    of: first.upperBound >> 3..<(target.maxY + 7) >> 3, threads: threads, in: &backdrop,
    at: layout.index(x: layout.bounds.x, y: first.upperBound), stride: 8 * layout.stride
  ) { blocks, part in
    let rows = 8 * blocks.lowerBound..<min(8 * blocks.upperBound, target.maxY)
    return recover(rows, &part, layout.from(row: rows.lowerBound))
  }
  for band in bands { changed += band }
  return changed
}

/// Where the pixels of a picture are.
struct PixelIndexing {
  private let origin, stride: Int

  init(_ layout: PixelLayout) { (origin, stride) = (layout.index(x: 0, y: 0), layout.stride) }

  @inline(__always)
  func index(x: Int, y: Int) -> Int { origin &+ y &* stride &+ x }
}

/// The columns of a recovery in its three pictures.
private struct LeakColumns {
  private let columns: Range<Int>
  private let screen, overlay, backdrop: PixelIndexing

  init(
    _ columns: Range<Int>, screen: PixelIndexing, overlay: PixelIndexing, backdrop: PixelIndexing
  ) {
    self.columns = columns
    (self.screen, self.overlay, self.backdrop) = (screen, overlay, backdrop)
  }

  /// Recovers all blocks of some rows. Returns rectangles with those that changed.
  @_lifetime(pixels: copy pixels)
  func recover(
    _ rows: Range<Int>, _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>,
    _ pixels: inout MutableSpan<UInt32>
  ) -> [Rect] {
    let factors = LeakFactors.all
    var changed: [Rect] = []
    // Whether each block of a row of blocks changed.
    var flags = [Bool](
      repeating: false, count: (columns.upperBound - 1) >> 3 - columns.lowerBound >> 3 + 1)
    var y = rows.lowerBound
    while y < rows.upperBound {
      let part = y..<min((y & ~7) &+ 8, rows.upperBound)
      y = part.upperBound
      var isSame = true
      for y in part {
        let isRowSame = test(
          y, screenPixels, overlayPixels, pixels, &flags, skipsChanged: !isSame)
        if !isRowSame { isSame = false }
      }
      if isSame { continue }
      let blocks = recoverBlocks(
        part, screenPixels, overlayPixels, &pixels, &flags, factors.span)
      changed.append(Rect(blocks, part))
    }
    return changed
  }

  /// Calls `body` with the columns of each block.
  @inline(__always)
  private func forEachBlock(_ body: (_ number: Int, Range<Int>) -> Void) {
    var (number, x) = (0, columns.lowerBound)
    while x < columns.upperBound {
      let end = min((x & ~7) &+ 8, columns.upperBound)
      body(number, x..<end)
      number &+= 1
      x = end
    }
  }

  /// Sets the flags of the blocks that changed in row `y`. Returns whether none did. If `skipsChanged` is set, blocks with
  /// flags are not read.
  private func test(
    _ y: Int, _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>,
    _ pixels: borrowing MutableSpan<UInt32>, _ flags: inout [Bool], skipsChanged: Bool
  ) -> Bool {
    let (from, above) = (screen.index(x: 0, y: y), overlay.index(x: 0, y: y))
    let to = backdrop.index(x: 0, y: y)
    var isSame = true
    func flag(_ leaks: Leaks, _ x: Int) {
      if !leaks.isChanged { return }
      flags[x >> 3 &- columns.lowerBound >> 3] = true
      isSame = false
    }
    var x = columns.lowerBound
    while x < columns.upperBound {
      if skipsChanged, flags[x >> 3 &- columns.lowerBound >> 3] {
        x = (x & ~7) &+ 8
        continue
      }
      if x & 7 == 0, x &+ 8 <= columns.upperBound {
        let leaks = Leaks(
          screen: screenPixels.load(at: from &+ x), overlay: overlayPixels.load(at: above &+ x),
          backdrop: pixels.load(at: to &+ x))
        if !leaks.isSame { flag(leaks, x) }
        x &+= 8
      } else {
        let leaks = Leaks(
          screen: SIMD8(repeating: screenPixels[from &+ x]),
          overlay: SIMD8(repeating: overlayPixels[above &+ x]),
          backdrop: SIMD8(repeating: pixels[to &+ x]), count: 1)
        if !leaks.isSame { flag(leaks, x) }
        x &+= 1
      }
    }
    return isSame
  }

  /// Recovers the blocks with flags, and clears these. Returns the columns from the first to the last of them.
  @_lifetime(pixels: copy pixels)
  private func recoverBlocks(
    _ rows: Range<Int>, _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>,
    _ pixels: inout MutableSpan<UInt32>, _ flags: inout [Bool], _ factors: Span<LeakFactors>
  ) -> Range<Int> {
    var changed = 0..<0
    forEachBlock { number, columns in
      if !flags[number] { return }
      flags[number] = false
      changed = (changed.isEmpty ? columns : changed).lowerBound..<columns.upperBound
      let block = LeakBlock(
        columns: columns, rows: rows, screen: screen, overlay: overlay, backdrop: backdrop)
      // Often all blocks change. Without these prefetches most of the time would then be spent waiting for memory.
      if columns.lowerBound & 8 == 0 {
        for y in rows {
          screenPixels.prefetch(at: screen.index(x: columns.lowerBound, y: y &+ 8))
          overlayPixels.prefetch(at: overlay.index(x: columns.lowerBound, y: y &+ 8))
          pixels.span.prefetch(at: backdrop.index(x: columns.lowerBound, y: y &+ 8))
        }
      }
      block.recover(screenPixels, overlayPixels, &pixels, factors)
    }
    return changed
  }
}
