package import Raster

/// What `recoverBackdrop` found.
package struct RecoveredBackdrop: Equatable, Sendable {
  /// Rectangles that contain every pixel of the backdrop which changed. They are disjoint.
  package var changed: [Rect] = []
  /// The number of pixels that cannot be those of the overlay over any backdrop: something else is above it.
  package var foreignCount = 0
}

/// Updates the part `target` of a backdrop (BGRX) from the screen (BGRX), on which a compositor shows an overlay
/// (premultiplied BGRA) over it. Pixels stay as they are where the overlay is opaque, where something else is above it, and
/// where the screen is what it would be over the same backdrop.
///
/// A leak is a whole number of levels, so it tells only in which range its channel is, and a small change of the backdrop
/// changes only some leaks. If the others kept their backdrop, the mean would follow too little. So the pixels of `target`
/// in a block, 8x8 pixels from multiples of 8 on, stay or change together. Each result is a backdrop of its leak:
/// without another change the next call reports none.
/// - The channel of a block, or else of each quarter of it, gets one value if one is in all ranges: their middle. It is
///   black if all ranges contain black, else white if all contain white. A middle of two levels becomes a checkerboard.
/// - Otherwise each pixel gets the colour that its leak would be of if it were not rounded.
/// Traps if a layout does not cover `target`.
package func recoverBackdrop(
  _ target: Rect, fromScreen screen: Span<UInt32>, _ screenLayout: PixelLayout,
  below overlay: Span<UInt32>, _ overlayLayout: PixelLayout,
  into backdrop: inout MutableSpan<UInt32>, _ layout: PixelLayout
) -> RecoveredBackdrop {
  var result = RecoveredBackdrop()
  if target.isEmpty { return result }
  precondition(screenLayout.bounds.contains(target) && screen.count >= screenLayout.pixelCount)
  precondition(overlayLayout.bounds.contains(target) && overlay.count >= overlayLayout.pixelCount)
  precondition(layout.bounds.contains(target) && backdrop.count >= layout.pixelCount)
  let rows = LeakRows(
    screen: PixelIndexing(screenLayout), overlay: PixelIndexing(overlayLayout),
    backdrop: PixelIndexing(layout), columns: target.columns)
  let factors = LeakFactors.all
  // Whether each block of a row of blocks changed.
  var flags = [Bool](repeating: false, count: (target.maxX - 1) >> 3 - target.x >> 3 + 1)
  var y = target.y
  while y < target.maxY {
    let part = y..<min((y & ~7) &+ 8, target.maxY)
    y = part.upperBound
    var isSame = true
    for y in part {
      let isRowSame = rows.test(
        y, screen, overlay, backdrop, &flags, foreignCount: &result.foreignCount)
      if !isRowSame { isSame = false }
    }
    if isSame { continue }
    let changed = rows.recover(part, screen, overlay, &backdrop, &flags, factors.span)
    result.changed.append(Rect(changed, part))
  }
  return result
}

/// Where the pixels of a picture are.
struct PixelIndexing {
  private let origin, stride: Int

  init(_ layout: PixelLayout) { (origin, stride) = (layout.index(x: 0, y: 0), layout.stride) }

  @inline(__always)
  func index(x: Int, y: Int) -> Int { origin &+ y &* stride &+ x }
}

/// The columns of a recovery in its three pictures.
private struct LeakRows {
  let screen, overlay, backdrop: PixelIndexing
  let columns: Range<Int>

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

  /// Sets the flags of the blocks that changed in row `y`. Returns whether none did.
  func test(
    _ y: Int, _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>,
    _ pixels: borrowing MutableSpan<UInt32>, _ flags: inout [Bool], foreignCount: inout Int
  ) -> Bool {
    let (from, above) = (screen.index(x: 0, y: y), overlay.index(x: 0, y: y))
    let to = backdrop.index(x: 0, y: y)
    var isSame = true
    func note(_ leaks: Leaks, _ x: Int) {
      let changes = leaks.changes()
      foreignCount &+= changes.foreignCount
      if !changes.isChanged { return }
      flags[x >> 3 &- columns.lowerBound >> 3] = true
      isSame = false
    }
    var x = columns.lowerBound
    while x < columns.upperBound {
      if x & 7 == 0, x &+ 8 <= columns.upperBound {
        let leaks = Leaks(
          screen: screenPixels.load(at: from &+ x), overlay: overlayPixels.load(at: above &+ x),
          backdrop: pixels.load(at: to &+ x))
        if !leaks.isSame { note(leaks, x) }
        x &+= 8
      } else {
        let leaks = Leaks(
          screen: SIMD8(repeating: screenPixels[from &+ x]),
          overlay: SIMD8(repeating: overlayPixels[above &+ x]),
          backdrop: SIMD8(repeating: pixels[to &+ x]), count: 1)
        if !leaks.isSame { note(leaks, x) }
        x &+= 1
      }
    }
    return isSame
  }

  /// Recovers the blocks with flags, and clears these. Returns the columns from the first to the last of them.
  func recover(
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
      block.recover(screenPixels, overlayPixels, &pixels, factors)
    }
    return changed
  }
}
