import Raster

/// Up to 8x8 pixels of a backdrop that are recovered together.
struct LeakBlock {
  let columns, rows: Range<Int>
  let screen, overlay, backdrop: PixelIndexing

  @inline(__always)
  @_lifetime(pixels: copy pixels)
  func recover(
    _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>,
    _ pixels: inout MutableSpan<UInt32>, _ factors: Span<LeakFactors>
  ) {
    if columns.count == 8, recoverFast(screenPixels, overlayPixels, &pixels, factors) { return }
    recoverEach(screenPixels, overlayPixels, &pixels)
  }
}

// MARK: All pixels at once

extension LeakBlock {
  /// Recovers eight columns. Returns false if a pixel is unusual: then nothing is changed.
  @inline(__always)
  @_lifetime(pixels: copy pixels)
  private func recoverFast(
    _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>,
    _ pixels: inout MutableSpan<UInt32>, _ factors: Span<LeakFactors>
  ) -> Bool {
    let x = columns.lowerBound
    let middle = min(max(rows.lowerBound & ~7 &+ 4, rows.lowerBound), rows.upperBound)
    let (upper, lower) = (rows.lowerBound..<middle, middle..<rows.upperBound)
    var unusual = UnusualPixels()
    let quarters = (
      ranges(x, upper, screenPixels, overlayPixels, factors, &unusual),
      ranges(x &+ 4, upper, screenPixels, overlayPixels, factors, &unusual),
      ranges(x, lower, screenPixels, overlayPixels, factors, &unusual),
      ranges(x &+ 4, lower, screenPixels, overlayPixels, factors, &unusual)
    )
    if !unusual.isEmpty { return false }
    let block = BlockFill(quarters)
    fill(x, upper, block.quarter(0), screenPixels, overlayPixels, &pixels, factors)
    fill(x &+ 4, upper, block.quarter(1), screenPixels, overlayPixels, &pixels, factors)
    fill(x, lower, block.quarter(2), screenPixels, overlayPixels, &pixels, factors)
    fill(x &+ 4, lower, block.quarter(3), screenPixels, overlayPixels, &pixels, factors)
    return true
  }

  /// The ranges of some rows of four columns.
  @inline(__always)
  private func ranges(
    _ x: Int, _ rows: Range<Int>, _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>,
    _ factors: Span<LeakFactors>, _ unusual: inout UnusualPixels
  ) -> QuarterRanges {
    var result = QuarterRanges()
    for y in rows {
      let above: SIMD4<UInt32> = overlayPixels.load(at: overlay.index(x: x, y: y))
      let leaks = FourColors(
        screen: screenPixels.load(at: screen.index(x: x, y: y)), overlay: above)
      let factors = factors[(y & 7) &* 2 &+ (x >> 2 & 1)]
      result.restrict(to: leaks, factors)
      unusual.accumulate(overlay: above, leaks, factors)
    }
    return result
  }

  /// Fills some rows of four columns.
  @inline(__always)
  @_lifetime(pixels: copy pixels)
  private func fill(
    _ x: Int, _ rows: Range<Int>, _ fill: QuarterFill, _ screenPixels: Span<UInt32>,
    _ overlayPixels: Span<UInt32>, _ pixels: inout MutableSpan<UInt32>,
    _ factors: Span<LeakFactors>
  ) {
    let (isFlat, change) = (fill.isFlat, fill.evenRow ^ fill.oddRow)
    var row = rows.lowerBound & 1 == 0 ? fill.evenRow : fill.oddRow
    for y in rows {
      let to = backdrop.index(x: x, y: y)
      let old: SIMD4<UInt32> = pixels.load(at: to)
      var new = old & 0xff00_0000 | row
      row ^= change
      if !isFlat {
        let leaks = FourColors(
          screen: screenPixels.load(at: screen.index(x: x, y: y)),
          overlay: overlayPixels.load(at: overlay.index(x: x, y: y)))
        new |= fill.pixels(of: leaks, factors[(y & 7) &* 2 &+ (x >> 2 & 1)])
      }
      pixels.store(new, at: to)
    }
  }
}

// MARK: One pixel after the other

extension LeakBlock {
  /// Recovers the block one pixel after the other, including unusual pixels.
  @inline(never)
  @_lifetime(pixels: copy pixels)
  private func recoverEach(
    _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>, _ pixels: inout MutableSpan<UInt32>
  ) {
    var quarters = InlineArray<4, LeakRange>(repeating: LeakRange())
    for y in rows {
      for x in columns {
        guard let leak = leak(x, y, screenPixels, overlayPixels) else { continue }
        quarters[quarter(x, y)].formIntersection(LeakRange(of: leak.values, share: leak.share))
      }
    }
    var block = LeakRange()
    for i in quarters.indices { block.formIntersection(quarters[i]) }
    for i in quarters.indices { quarters[i] = block.orWhereEmpty(quarters[i]) }
    for y in rows {
      for x in columns {
        guard let leak = leak(x, y, screenPixels, overlayPixels) else { continue }
        let range = quarters[quarter(x, y)]
        var values = range.value(isOdd: (x ^ y) & 1 == 1)
        if range.hasEmpty {
          let own = LeakRange(of: leak.values, share: leak.share)
          values.replace(
            with: own.value(of: leak.values, share: leak.share), where: range.isEmpty)
        }
        let bytes = SIMD4<UInt8>(truncatingIfNeeded: values)
        let color = unsafe unsafeBitCast(bytes, to: UInt32.self)
        let i = backdrop.index(x: x, y: y)
        pixels[i] = pixels[i] & 0xff00_0000 | color & 0x00ff_ffff
      }
    }
  }

  private func quarter(_ x: Int, _ y: Int) -> Int { (x >> 2 & 1) | (y >> 1 & 2) }

  /// The leaks of a pixel; nil if the overlay is opaque, or if something else is above it.
  @inline(__always)
  private func leak(
    _ x: Int, _ y: Int, _ screenPixels: Span<UInt32>, _ overlayPixels: Span<UInt32>
  ) -> (values: SIMD4<Int32>, share: Int32)? {
    @inline(__always)
    func channels(_ pixel: UInt32) -> SIMD4<Int32> {
      SIMD4(truncatingIfNeeded: unsafe unsafeBitCast(pixel & 0x00ff_ffff, to: SIMD4<UInt8>.self))
    }
    let own = overlayPixels[overlay.index(x: x, y: y)]
    let share = Int32(255 - own >> 24)
    let values = channels(screenPixels[screen.index(x: x, y: y)]) &- channels(own)
    let outside = values | (share &- values)
    return share == 0 || outside[0] | outside[1] | outside[2] < 0 ? nil : (values, share)
  }
}
