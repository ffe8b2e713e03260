// The subdivision of a cubic B-spline, of which SmoothRows has the formula.

/// (a + 6b + c) / 8 by means of two, each rounded up.
@inline(__always)
func spline(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes {
  roundedMean(b, roundedMean(b, roundedMean(a, c)))
}

/// Draws a row of pixels between the cells of a line, in units of 1/256 level. Pixel 2c is at the centre of the cell in column
/// c + 1; the first one that is drawn is pixel `first`.
func drawSpline(
  _ cells: borrowing PlaneLine, at first: Int, grain: Grain, _ kind: Grain.Kind,
  to row: PixelRows, into pixels: inout MutableSpan<UInt32>
) {
  let values = cells.values.span
  precondition(row.areInside(pixels) && row.rows == 1 && first >= 0)
  precondition(first + row.count + 4 <= cells.pitch - Plane.slack)
  precondition(cells.pitch + first + row.count + 40 <= values.count)
  var x = 0
  while x < row.count {
    let part = row.part(from: x, grain, pixels)
    let spline = SplineRow(first: first + x, pitch: cells.pitch, row: part)
    switch kind {
    case .half: spline.draw(values, grain, HalfUp.self, into: &pixels)
    case .thresholds: spline.draw(values, grain, Thresholds.self, into: &pixels)
    case .noise: spline.draw(values, grain, Noise.self, into: &pixels)
    case .noiseInRange: spline.draw(values, grain, NoiseInRange.self, into: &pixels)
    case .noiseWithinAlpha: spline.draw(values, grain, NoiseWithinAlpha.self, into: &pixels)
    }
    x += part.count
  }
}

/// A part of a row of pixels between cells.
private struct SplineRow {
  /// The first pixel between the cells, and the distance of the half rows of cells.
  let first, pitch: Int
  let row: PixelRows

  /// Not inlined, because the loop would need more registers than there are in a larger function.
  @inline(never)
  @_lifetime(pixels: copy pixels)
  func draw<R: Rounding>(
    _ cells: Span<UInt16>, _ grain: Grain, _ rounding: R.Type,
    into pixels: inout MutableSpan<UInt32>
  ) {
    let table = grain.values.span
    let isOdd = first & 1 != 0
    // The values of the cell before the one at or before the first pixel, and of the one after that if the pixel is odd.
    let start = isOdd ? first &+ 1 : first
    var x = 0
    while x &+ 16 <= row.count {
      let at = R.usesTable ? grain.index(x: row.grainAt.x &+ x, y: row.grainAt.y) : 0
      let br = interpolated(cells, at: start &+ x, isOdd)
      let ga = interpolated(cells, at: pitch &+ start &+ x, isOdd)
      var left = Ramp<Lanes>(br: br.left, ga: ga.left)
      var right = Ramp<Lanes>(br: br.right, ga: ga.right)
      R.prepare(&left, grain)
      R.prepare(&right, grain)
      let eight = R.pixels(left, table, at: at, grain)
      let nextEight = R.pixels(right, table, at: at &+ 16, grain)
      // The branch goes the same way for a whole frame.
      if row.isStreaming {
        pixels.storeStreaming(eight, at: row.start &+ x)
        pixels.storeStreaming(nextEight, at: row.start &+ x &+ 8)
      } else {
        pixels.store(eight, at: row.start &+ x)
        pixels.store(nextEight, at: row.start &+ x &+ 8)
      }
      x &+= 16
    }
    if x == row.count { return }
    let br = interpolated(cells, at: start &+ x, isOdd)
    let ga = interpolated(cells, at: pitch &+ start &+ x, isOdd)
    for i in 0..<row.count &- x {
      let at = R.usesTable ? grain.index(x: row.grainAt.x &+ x &+ i, y: row.grainAt.y) : 0
      var pixel = Ramp<SIMD2<UInt16>>(br: br.pair(i), ga: ga.pair(i))
      R.prepare(&pixel, grain)
      pixels.store(R.pixels(pixel, table, at: at, grain), at: row.start &+ x &+ i)
    }
  }

  /// Half of sixteen pixels between the cells from index `at` on, of which the first pixel is odd or not.
  @inline(__always)
  private func interpolated(_ cells: Span<UInt16>, at: Int, _ isOdd: Bool) -> SixteenHalves {
    let a: Lanes = cells.load(at: at)
    let b: Lanes = cells.load(at: at &+ 2)
    let c: Lanes = cells.load(at: at &+ 4)
    let centres = spline(a, b, c)
    return isOdd
      ? SixteenHalves(roundedMean(a, b), centres) : SixteenHalves(centres, roundedMean(b, c))
  }
}

/// Two channels of sixteen pixels.
private struct SixteenHalves {
  let left, right: Lanes

  /// Pixels that are in turn one of `even` and one of `odd`.
  @inline(__always)
  init(_ even: Lanes, _ odd: Lanes) {
    (left, right) = interleavedPairs(even, odd)
  }

  /// The channels of one pixel.
  func pair(_ i: Int) -> SIMD2<UInt16> {
    i < 8 ? SIMD2(left[2 * i], left[2 * i + 1]) : SIMD2(right[2 * i - 16], right[2 * i - 15])
  }
}
