// Red and blue are in the lower bytes of 16-bit lanes, green and alpha in the upper bytes. The
// kernels sum whole lanes modulo 2^16 and shifted lanes (green and alpha only), and subtract the
// contribution of the upper bytes once at the end. That is cheaper than masking every row.

/// How many pixels ahead a row is loaded into the caches: 512 bytes, the best of 256, 512 and 1024.
private let prefetchDistance = 128

/// Sums `count` columns of pixels over the rows that start at the indices `starts`, into `sums`
/// from column `first` on.
func sumBox(
  _ pixels: Span<UInt32>, _ starts: [Int], count: Int, into sums: inout PlaneLine, at first: Int
) {
  let starts = starts.span
  let pitch = sums.pitch
  var out = sums.values.mutableSpan
  precondition(pitch >= 2 * (first + count) && out.count >= pitch + 2 * (first + count))
  for i in starts.indices {
    precondition(starts[i] >= 0 && starts[i] + count <= pixels.count)
  }
  var x = 0
  while x &+ 16 <= count {
    var all0 = Lanes(), all1 = Lanes(), ga0 = Lanes(), ga1 = Lanes()
    for i in starts.indices {
      let from = starts[i] &+ x
      pixels.prefetch(at: from &+ prefetchDistance)
      let p0: Lanes = pixels.load(at: from)
      let p1: Lanes = pixels.load(at: from &+ 8)
      all0 &+= p0
      all1 &+= p1
      ga0 &+= p0 &>> 8
      ga1 &+= p1 &>> 8
    }
    let at = 2 &* (first &+ x)
    out.store(all0 &- ga0 &<< 8, at: at)
    out.store(all1 &- ga1 &<< 8, at: at &+ 16)
    out.store(ga0, at: pitch &+ at)
    out.store(ga1, at: pitch &+ at &+ 16)
    x &+= 16
  }
  while x < count {
    var br = SIMD2<UInt16>(), ga = SIMD2<UInt16>()
    for i in starts.indices {
      let p: SIMD2<UInt16> = pixels.load(at: starts[i] &+ x)
      br &+= p & 0xff
      ga &+= p &>> 8
    }
    let at = 2 &* (first &+ x)
    out.store(br, at: at)
    out.store(ga, at: pitch &+ at)
    x &+= 1
  }
}

/// Sums the two or four rows r_0 ... r_(k-1) that start at the indices `starts` with the falling
/// weights k, k - 1, ..., 1 and adds `carried`, the contribution of the row of cells above. Then
/// sets `carried` to the sum with the rising weights 0, 1, ..., k - 1, for the next call.
func sumTriangle(
  _ pixels: Span<UInt32>, _ starts: [Int], count: Int, carried: inout PlaneLine,
  into sums: inout PlaneLine, at first: Int
) {
  let pitch = sums.pitch
  let carriedPitch = carried.pitch
  var out = sums.values.mutableSpan
  var carry = carried.values.mutableSpan
  precondition(pitch >= 2 * (first + count) && out.count >= pitch + 2 * (first + count))
  precondition(carriedPitch >= 2 * count && carry.count >= carriedPitch + 2 * count)
  for start in starts { precondition(start >= 0 && start + count <= pixels.count) }
  let rows = TriangleRows(starts)
  var x = 0
  while x &+ 16 <= count {
    rows.prefetch(pixels, at: x &+ prefetchDistance)
    for part in 0..<2 {
      let at = x &+ 8 &* part
      let sum = TriangleSum<Lanes>(pixels, rows, at: at)
      out.store(sum.fallingBR &+ carry.load(at: 2 &* at), at: 2 &* (first &+ at))
      out.store(
        sum.fallingGA &+ carry.load(at: carriedPitch &+ 2 &* at),
        at: pitch &+ 2 &* (first &+ at))
      carry.store(sum.risingBR, at: 2 &* at)
      carry.store(sum.risingGA, at: carriedPitch &+ 2 &* at)
    }
    x &+= 16
  }
  while x < count {
    let sum = TriangleSum<SIMD2<UInt16>>(pixels, rows, at: x)
    out.store(sum.fallingBR &+ carry.load(at: 2 &* x), at: 2 &* (first &+ x))
    out.store(
      sum.fallingGA &+ carry.load(at: carriedPitch &+ 2 &* x), at: pitch &+ 2 &* (first &+ x))
    carry.store(sum.risingBR, at: 2 &* x)
    carry.store(sum.risingGA, at: carriedPitch &+ 2 &* x)
    x &+= 1
  }
}

/// The indices of the first pixels of two or four rows.
private struct TriangleRows {
  let r0, r1, r2, r3: Int
  let areFour: Bool

  init(_ starts: [Int]) {
    precondition(starts.count == 2 || starts.count == 4)
    areFour = starts.count == 4
    (r0, r1) = (starts[0], starts[1])
    (r2, r3) = areFour ? (starts[2], starts[3]) : (0, 0)
  }

  @inline(__always)
  func prefetch(_ pixels: Span<UInt32>, at x: Int) {
    pixels.prefetch(at: r0 &+ x)
    pixels.prefetch(at: r1 &+ x)
    if !areFour { return }
    pixels.prefetch(at: r2 &+ x)
    pixels.prefetch(at: r3 &+ x)
  }
}

/// The sums of columns of pixels with falling and with rising weights. In both together every row
/// has the weight k.
private struct TriangleSum<V: SIMD & BitwiseCopyable> where V.Scalar == UInt16 {
  let fallingBR, fallingGA, risingBR, risingGA: V

  @inline(__always)
  init(_ pixels: Span<UInt32>, _ rows: TriangleRows, at x: Int) {
    let p0: V = pixels.load(at: rows.r0 &+ x)
    let p1: V = pixels.load(at: rows.r1 &+ x)
    let falling, rising: V
    if rows.areFour {
      let p2: V = pixels.load(at: rows.r2 &+ x)
      let p3: V = pixels.load(at: rows.r3 &+ x)
      (falling, rising) = Self.sums(p0, p1, p2, p3)
      (fallingGA, risingGA) = Self.sums(p0 &>> 8, p1 &>> 8, p2 &>> 8, p3 &>> 8)
    } else {
      (falling, rising) = (p0 &+ p0 &+ p1, p1)
      (fallingGA, risingGA) = (p0 &>> 8 &+ p0 &>> 8 &+ p1 &>> 8, p1 &>> 8)
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
}
