// Red and blue are in the lower bytes of 16-bit lanes, green and alpha in the upper bytes. The
// kernels sum whole lanes modulo 2^16 and shifted lanes (green and alpha only), and subtract the
// contribution of the upper bytes once at the end. That is cheaper than masking every row.

/// How many pixels ahead a row is loaded into the caches: 512 bytes, the best of 256, 512 and 1024.
private let prefetchDistance = 128

/// Sums the `reduction.cell` rows of pixels that start at the indices `starts` with the falling weights of the
/// triangle, such as 4 3 2 1, and adds `carried`, the contribution of the row of cells above. Then sets `carried`
/// to the sum with the rising weights, such as 0 1 2 3, for the next call.
func sumDown(
  _ pixels: Span<UInt32>, _ starts: [Int], _ reduction: Reduction, count: Int,
  carried: inout PlaneLine, into sums: inout PlaneLine, at first: Int
) {
  let pitch = sums.pitch
  let carriedPitch = carried.pitch
  var out = sums.values.mutableSpan
  var carry = carried.values.mutableSpan
  precondition(pitch >= 2 * (first + count) && out.count >= pitch + 2 * (first + count))
  precondition(carriedPitch >= 2 * count && carry.count >= carriedPitch + 2 * count)
  precondition(starts.count == reduction.cell)
  for start in starts { precondition(start >= 0 && start + count <= pixels.count) }
  let starts = starts.span
  let columns = SummedColumns(
    first: first, pitch: pitch, carriedPitch: carriedPitch, step: reduction.step)
  var x = 0
  while x &+ 16 <= count {
    if reduction.step > 1 {
      columns.sumSteps(pixels, starts, at: x, carried: &carry, into: &out)
    } else {
      for i in starts.indices { pixels.prefetch(at: starts[i] &+ x &+ prefetchDistance) }
      columns.sum(Lanes.self, pixels, starts, at: x, carried: &carry, into: &out)
      columns.sum(Lanes.self, pixels, starts, at: x &+ 8, carried: &carry, into: &out)
    }
    x &+= 16
  }
  while x < count {
    columns.sum(SIMD2<UInt16>.self, pixels, starts, at: x, carried: &carry, into: &out)
    x &+= 1
  }
}

/// The layout of the lines to which columns are summed.
private struct SummedColumns {
  let first, pitch, carriedPitch, step: Int

  /// Sums a vector of columns from column `x` on.
  @inline(__always)
  @_lifetime(out: copy out)
  @_lifetime(carried: copy carried)
  func sum<V: SIMD & BitwiseCopyable>(
    _: V.Type, _ pixels: Span<UInt32>, _ starts: Span<Int>, at x: Int,
    carried: inout MutableSpan<UInt16>, into out: inout MutableSpan<UInt16>
  ) where V.Scalar == UInt16 {
    let sum = TriangleSum<V>(pixels, starts, step: step, at: x)
    let (at, to) = (2 &* x, 2 &* (first &+ x))
    out.store(sum.fallingBR &+ carried.load(at: at), at: to)
    out.store(sum.fallingGA &+ carried.load(at: carriedPitch &+ at), at: pitch &+ to)
    carried.store(sum.risingBR, at: at)
    carried.store(sum.risingGA, at: carriedPitch &+ at)
  }

  /// Sums 16 columns from column `x` on, for a triangle of two steps. One loop for two vectors is faster than
  /// `sum` for each.
  @inline(__always)
  @_lifetime(out: copy out)
  @_lifetime(carried: copy carried)
  func sumSteps(
    _ pixels: Span<UInt32>, _ starts: Span<Int>, at x: Int, carried: inout MutableSpan<UInt16>,
    into out: inout MutableSpan<UInt16>
  ) {
    let upper = SixteenSums(pixels, starts, 0, step, at: x)
    let lower = SixteenSums(pixels, starts, step, 2 &* step, at: x)
    let (at, to) = (2 &* x, 2 &* (first &+ x))
    @inline(__always)
    @_lifetime(carried: copy carried)
    func store(
      _ upper: (br: Lanes, ga: Lanes), _ lower: (br: Lanes, ga: Lanes), _ part: Int,
      _ carried: inout MutableSpan<UInt16>, _ out: inout MutableSpan<UInt16>
    ) {
      let (at, to) = (at &+ part, to &+ part)
      out.store(upper.br &+ upper.br &+ lower.br &+ carried.load(at: at), at: to)
      out.store(
        upper.ga &+ upper.ga &+ lower.ga &+ carried.load(at: carriedPitch &+ at), at: pitch &+ to)
      carried.store(lower.br, at: at)
      carried.store(lower.ga, at: carriedPitch &+ at)
    }
    store(upper.left, lower.left, 0, &carried, &out)
    store(upper.right, lower.right, 16, &carried, &out)
  }
}

/// The sums of 16 columns over some rows.
private struct SixteenSums {
  let left, right: (br: Lanes, ga: Lanes)

  /// Sums the rows `from` to `end`.
  @inline(__always)
  init(_ pixels: Span<UInt32>, _ starts: Span<Int>, _ from: Int, _ end: Int, at x: Int) {
    var all0 = Lanes(), all1 = Lanes(), ga0 = Lanes(), ga1 = Lanes()
    var i = from
    while i < end {
      let start = starts[i] &+ x
      pixels.prefetch(at: start &+ prefetchDistance)
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

/// The sums of columns of pixels with falling and with rising weights. In both together every row
/// has the same weight.
private struct TriangleSum<V: SIMD & BitwiseCopyable> where V.Scalar == UInt16 {
  let fallingBR, fallingGA, risingBR, risingGA: V

  /// The branches go the same way for a whole frame.
  @inline(__always)
  init(_ pixels: Span<UInt32>, _ starts: Span<Int>, step: Int, at x: Int) {
    let falling, rising: V
    if starts.count == 4 {
      let p0: V = pixels.load(at: starts[0] &+ x)
      let p1: V = pixels.load(at: starts[1] &+ x)
      let p2: V = pixels.load(at: starts[2] &+ x)
      let p3: V = pixels.load(at: starts[3] &+ x)
      (falling, rising) = Self.sums(p0, p1, p2, p3)
      (fallingGA, risingGA) = Self.sums(p0 &>> 8, p1 &>> 8, p2 &>> 8, p3 &>> 8)
    } else if starts.count == 1 {
      let p: V = pixels.load(at: starts[0] &+ x)
      (falling, rising) = (p, V())
      (fallingGA, risingGA) = (p &>> 8, V())
    } else {
      let upper = Self.rows(pixels, starts, 0, step, at: x)
      let lower = Self.rows(pixels, starts, step, 2 &* step, at: x)
      (falling, rising) = (upper.all &+ upper.all &+ lower.all, lower.all)
      (fallingGA, risingGA) = (upper.ga &+ upper.ga &+ lower.ga, lower.ga)
    }
    fallingBR = falling &- fallingGA &<< 8
    risingBR = rising &- risingGA &<< 8
  }

  @inline(__always)
  private static func sums(_ p0: V, _ p1: V, _ p2: V, _ p3: V) -> (falling: V, rising: V) {
    let upper = p0 &+ p1
    let lower = p2 &+ p3
    let rising = p1 &+ p3 &+ lower &+ lower
    return ((upper &+ lower) &<< 2 &- rising, rising)
  }

  /// The sums of the rows `from` to `end`.
  @inline(__always)
  private static func rows(
    _ pixels: Span<UInt32>, _ starts: Span<Int>, _ from: Int, _ end: Int, at x: Int
  ) -> (all: V, ga: V) {
    var (all, ga) = (V(), V())
    var i = from
    while i < end {
      let p: V = pixels.load(at: starts[i] &+ x)
      all &+= p
      ga &+= p &>> 8
      i &+= 1
    }
    return (all, ga)
  }
}
