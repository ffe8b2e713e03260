// The subdivision of a cubic B-spline; see `SmoothRows` for the formula.

/// (a + 6b + c) / 8 by means of two, each rounded up.
@inline(__always)
func spline(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes {
  roundedMean(b, roundedMean(b, roundedMean(a, c)))
}

/// The pixels between the cells of a line, from pixel `first` on. Pixel 2c is at the centre of the cell in column c + 1.
struct SplinePixels: PixelSource {
  private let first, pitch: Int

  /// Traps if the line has not the cells of `count` pixels from `first` on.
  init(_ cells: borrowing PlaneLine, from first: Int, count: Int) {
    precondition(first >= 0 && first + count + 4 <= cells.pitch - Plane.slack)
    precondition(cells.pitch + first + count + 40 <= cells.values.count)
    (self.first, pitch) = (first, cells.pitch)
  }

  @inline(__always)
  func sixteen(_ cells: Span<UInt16>, at x: Int) -> SixteenPixels {
    let br = halves(cells, at: first &+ x)
    let ga = halves(cells, at: pitch &+ first &+ x)
    return (Ramp(br: br.left, ga: ga.left), Ramp(br: br.right, ga: ga.right))
  }

  /// Half of sixteen pixels, of which the first is at the centre of the cell after the one at `index`, or if `index` is odd,
  /// after that centre. The branch goes the same way for a whole row.
  @inline(__always)
  private func halves(_ cells: Span<UInt16>, at index: Int) -> (left: Lanes, right: Lanes) {
    let isOdd = index & 1 != 0
    let at = isOdd ? index &+ 1 : index
    let a: Lanes = cells.load(at: at)
    let b: Lanes = cells.load(at: at &+ 2)
    let c: Lanes = cells.load(at: at &+ 4)
    let centres = spline(a, b, c)
    return isOdd
      ? interleavedPairs(roundedMean(a, b), centres) : interleavedPairs(centres, roundedMean(b, c))
  }

  @inline(__always)
  func pixel(_ cells: Span<UInt16>, at x: Int) -> Ramp<SIMD2<UInt16>> {
    Ramp(br: half(cells, at: first &+ x), ga: half(cells, at: pitch &+ first &+ x))
  }

  private func half(_ cells: Span<UInt16>, at index: Int) -> SIMD2<UInt16> {
    func mean(_ a: SIMD2<UInt16>, _ b: SIMD2<UInt16>) -> SIMD2<UInt16> {
      (a | b) &- ((a ^ b) &>> 1)
    }
    let at = index & ~1
    let b: SIMD2<UInt16> = cells.load(at: at &+ 2)
    let c: SIMD2<UInt16> = cells.load(at: at &+ 4)
    if index & 1 != 0 { return mean(b, c) }
    return mean(b, mean(b, mean(cells.load(at: at), c)))
  }
}
