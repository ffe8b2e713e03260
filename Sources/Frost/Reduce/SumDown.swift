// Red and blue are in the lower bytes of 16-bit lanes, green and alpha in the upper bytes. The
// kernels sum whole lanes modulo 2^16 and shifted lanes (green and alpha only), and subtract the
// contribution of the upper bytes once at the end. That is cheaper than masking every row.

/// Sums the `reduction.cell` rows of pixels that start at the indices `starts` with the falling weights of the
/// triangle, such as 4 3 2 1, and adds `carried`, the contribution of the row of cells above. Then sets `carried`
/// to the sum with the rising weights, such as 0 1 2 3, for the next call. Loads the pixels that are `ahead` further into the
/// caches.
func sumDown(
  _ pixels: Span<UInt32>, _ starts: [Int], _ reduction: Reduction, count: Int, ahead: Int,
  carried: inout PlaneLine, into sums: inout PlaneLine, at first: Int
) {
  let columns = SummedColumns(
    first: first, count: count, pitch: sums.pitch, carriedPitch: carried.pitch, ahead: ahead)
  var out = sums.values.mutableSpan
  var carry = carried.values.mutableSpan
  precondition(columns.areInside(carry, out))
  precondition(starts.count == reduction.cell)
  for start in starts { precondition(start >= 0 && start + count <= pixels.count) }
  switch starts.count {
  case 1:
    columns.sum(pixels, OneRow(row: starts[0]), carried: &carry, into: &out)
  case 2:
    columns.sum(pixels, TwoRows(first: starts[0], second: starts[1]), carried: &carry, into: &out)
  case 4 where reduction.step == 1:
    let rows = FourRows(first: starts[0], second: starts[1], third: starts[2], fourth: starts[3])
    columns.sum(pixels, rows, carried: &carry, into: &out)
  default:
    columns.sum(pixels, starts.span, step: reduction.step, carried: &carry, into: &out)
  }
}

/// The lines to which columns are summed.
private struct SummedColumns {
  let first, count, pitch, carriedPitch, ahead: Int

  func areInside(
    _ carried: borrowing MutableSpan<UInt16>, _ sums: borrowing MutableSpan<UInt16>
  ) -> Bool {
    first >= 0 && pitch >= 2 * (first + count) && sums.count >= pitch + 2 * (first + count)
      && carriedPitch >= 2 * count && carried.count >= carriedPitch + 2 * count
  }

  /// Sums all columns of up to four rows. Not inlined, because the loop would need more registers than there are in a larger
  /// function.
  @inline(never)
  @_lifetime(out: copy out)
  @_lifetime(carried: copy carried)
  func sum<Rows: SummedRows>(
    _ pixels: Span<UInt32>, _ rows: Rows, carried: inout MutableSpan<UInt16>,
    into out: inout MutableSpan<UInt16>
  ) {
    var x = 0
    while x &+ 16 <= count {
      rows.prefetch(pixels, at: x &+ ahead)
      store(rows.sum(pixels, at: x) as TriangleSum<Lanes>, at: x, &carried, &out)
      store(rows.sum(pixels, at: x &+ 8) as TriangleSum<Lanes>, at: x &+ 8, &carried, &out)
      x &+= 16
    }
    while x < count {
      store(rows.sum(pixels, at: x) as TriangleSum<SIMD2<UInt16>>, at: x, &carried, &out)
      x &+= 1
    }
  }

  /// Sums all columns of rows with a triangle of two steps of `step` rows.
  @inline(never)
  @_lifetime(out: copy out)
  @_lifetime(carried: copy carried)
  func sum(
    _ pixels: Span<UInt32>, _ starts: Span<Int>, step: Int, carried: inout MutableSpan<UInt16>,
    into out: inout MutableSpan<UInt16>
  ) {
    var x = 0
    while x &+ 16 <= count {
      let upper = SixteenSums(pixels, starts, 0, step, at: x, ahead: ahead)
      let lower = SixteenSums(pixels, starts, step, 2 &* step, at: x, ahead: ahead)
      store(TriangleSum(upper: upper.left, lower: lower.left), at: x, &carried, &out)
      store(TriangleSum(upper: upper.right, lower: lower.right), at: x &+ 8, &carried, &out)
      x &+= 16
    }
    while x < count {
      let upper = columnSum(pixels, starts, 0, step, at: x)
      let lower = columnSum(pixels, starts, step, 2 &* step, at: x)
      store(TriangleSum(upper: upper, lower: lower), at: x, &carried, &out)
      x &+= 1
    }
  }

  /// Stores the sums of a vector of columns from column `x` on.
  @inline(__always)
  @_lifetime(out: copy out)
  @_lifetime(carried: copy carried)
  private func store<V: SIMD & BitwiseCopyable>(
    _ sum: TriangleSum<V>, at x: Int, _ carried: inout MutableSpan<UInt16>,
    _ out: inout MutableSpan<UInt16>
  ) where V.Scalar == UInt16 {
    let (at, to) = (2 &* x, 2 &* (first &+ x))
    out.store(sum.fallingBR &+ carried.load(at: at), at: to)
    out.store(sum.fallingGA &+ carried.load(at: carriedPitch &+ at), at: pitch &+ to)
    carried.store(sum.risingBR, at: at)
    carried.store(sum.risingGA, at: carriedPitch &+ at)
  }
}

/// The sums of columns of pixels with falling and with rising weights. In both together every row
/// has the same weight.
private struct TriangleSum<V: SIMD & BitwiseCopyable> where V.Scalar == UInt16 {
  let fallingBR, fallingGA, risingBR, risingGA: V

  /// Separates blue and red from the sums of whole lanes; the other arguments are the sums of green and alpha.
  @inline(__always)
  init(falling: V, _ fallingGA: V, rising: V, _ risingGA: V) {
    (self.fallingGA, self.risingGA) = (fallingGA, risingGA)
    fallingBR = falling &- fallingGA &<< 8
    risingBR = rising &- risingGA &<< 8
  }

  /// Makes the weighted sums from the sums of the rows of the upper and of the lower step.
  @inline(__always)
  init(upper: (br: V, ga: V), lower: (br: V, ga: V)) {
    fallingBR = upper.br &+ upper.br &+ lower.br
    fallingGA = upper.ga &+ upper.ga &+ lower.ga
    (risingBR, risingGA) = (lower.br, lower.ga)
  }
}

// MARK: Up to four rows

/// The indices of the first pixels of rows that are summed.
private protocol SummedRows {
  /// Starts to load the pixels in column `x` of all rows.
  func prefetch(_ pixels: Span<UInt32>, at x: Int)
  /// The sums of a vector of columns from column `x` on.
  func sum<V: SIMD & BitwiseCopyable>(_ pixels: Span<UInt32>, at x: Int) -> TriangleSum<V>
  where V.Scalar == UInt16
}

private struct OneRow: SummedRows {
  let row: Int

  @inline(__always)
  func prefetch(_ pixels: Span<UInt32>, at x: Int) { pixels.prefetch(at: row &+ x) }

  @inline(__always)
  func sum<V: SIMD & BitwiseCopyable>(_ pixels: Span<UInt32>, at x: Int) -> TriangleSum<V>
  where V.Scalar == UInt16 {
    let p: V = pixels.load(at: row &+ x)
    return TriangleSum(falling: p, p &>> 8, rising: V(), V())
  }
}

/// Weights 2 1 and 0 1.
private struct TwoRows: SummedRows {
  let first, second: Int

  @inline(__always)
  func prefetch(_ pixels: Span<UInt32>, at x: Int) {
    pixels.prefetch(at: first &+ x)
    pixels.prefetch(at: second &+ x)
  }

  @inline(__always)
  func sum<V: SIMD & BitwiseCopyable>(_ pixels: Span<UInt32>, at x: Int) -> TriangleSum<V>
  where V.Scalar == UInt16 {
    let p0: V = pixels.load(at: first &+ x)
    let p1: V = pixels.load(at: second &+ x)
    let (ga0, ga1) = (p0 &>> 8, p1 &>> 8)
    return TriangleSum(falling: p0 &+ p0 &+ p1, ga0 &+ ga0 &+ ga1, rising: p1, ga1)
  }
}

/// Weights 4 3 2 1 and 0 1 2 3.
private struct FourRows: SummedRows {
  let first, second, third, fourth: Int

  @inline(__always)
  func prefetch(_ pixels: Span<UInt32>, at x: Int) {
    pixels.prefetch(at: first &+ x)
    pixels.prefetch(at: second &+ x)
    pixels.prefetch(at: third &+ x)
    pixels.prefetch(at: fourth &+ x)
  }

  @inline(__always)
  func sum<V: SIMD & BitwiseCopyable>(_ pixels: Span<UInt32>, at x: Int) -> TriangleSum<V>
  where V.Scalar == UInt16 {
    let p0: V = pixels.load(at: first &+ x)
    let p1: V = pixels.load(at: second &+ x)
    let p2: V = pixels.load(at: third &+ x)
    let p3: V = pixels.load(at: fourth &+ x)
    let all = Self.sums(p0, p1, p2, p3)
    let ga = Self.sums(p0 &>> 8, p1 &>> 8, p2 &>> 8, p3 &>> 8)
    return TriangleSum(falling: all.falling, ga.falling, rising: all.rising, ga.rising)
  }

  @inline(__always)
  private static func sums<V: SIMD>(
    _ p0: V, _ p1: V, _ p2: V, _ p3: V
  ) -> (falling: V, rising: V) where V.Scalar == UInt16 {
    let upper = p0 &+ p1
    let lower = p2 &+ p3
    let rising = p1 &+ p3 &+ lower &+ lower
    return ((upper &+ lower) &<< 2 &- rising, rising)
  }
}

// MARK: Steps

/// The sums of 16 columns over some rows. One loop for two vectors is faster than one for each.
private struct SixteenSums {
  let left, right: (br: Lanes, ga: Lanes)

  /// Sums the rows `from` to `end`.
  @inline(__always)
  init(
    _ pixels: Span<UInt32>, _ starts: Span<Int>, _ from: Int, _ end: Int, at x: Int, ahead: Int
  ) {
    var all0 = Lanes(), all1 = Lanes(), ga0 = Lanes(), ga1 = Lanes()
    var i = from
    while i < end {
      let start = starts[i] &+ x
      pixels.prefetch(at: start &+ ahead)
      let p0: Lanes = pixels.load(at: start)
      let p1: Lanes = pixels.load(at: start &+ 8)
      all0 &+= p0
      all1 &+= p1
      ga0 &+= p0 &>> 8
      ga1 &+= p1 &>> 8
      i &+= 1
    }
    left = (all0 &- ga0 &<< 8, ga0)
    right = (all1 &- ga1 &<< 8, ga1)
  }
}

/// The sums of a column of the rows `from` to `end`.
private func columnSum(
  _ pixels: Span<UInt32>, _ starts: Span<Int>, _ from: Int, _ end: Int, at x: Int
) -> (br: SIMD2<UInt16>, ga: SIMD2<UInt16>) {
  var (all, ga) = (SIMD2<UInt16>(), SIMD2<UInt16>())
  for i in from..<end {
    let p: SIMD2<UInt16> = pixels.load(at: starts[i] &+ x)
    all &+= p
    ga &+= p &>> 8
  }
  return (all &- ga &<< 8, ga)
}
