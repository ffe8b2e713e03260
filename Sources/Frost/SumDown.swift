/// Sums pixels over the rows that start at `starts`.
func sumBox(
  _ pixels: Span<UInt32>, _ starts: [Int], count: Int, into sums: inout LineBuffer, at first: Int
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
    var br0 = Lanes(), br1 = Lanes(), ga0 = Lanes(), ga1 = Lanes()
    for i in starts.indices {
      let from = starts[i] &+ x
      let p0: Lanes = pixels.load(at: from)
      let p1: Lanes = pixels.load(at: from &+ 8)
      br0 &+= p0 & 0xff
      br1 &+= p1 & 0xff
      ga0 &+= p0 &>> 8
      ga1 &+= p1 &>> 8
    }
    let at = 2 &* (first &+ x)
    out.store(br0, at: at)
    out.store(br1, at: at &+ 16)
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

/// Sums the rows r_0 ... r_(k-1) that start at `starts` with falling weights k, k - 1, ..., 1, and
/// adds what the row of cells above has carried over; carries over the rising weights 0, 1, ...,
/// k - 1. By running sums: U = sum of i * r_i, S = sum of r_i, and the falling sum is k * S - U.
func sumTent(
  _ pixels: Span<UInt32>, _ starts: [Int], count: Int, carried: inout LineBuffer,
  into sums: inout LineBuffer, at first: Int
) {
  let starts = starts.span
  let pitch = sums.pitch
  let carriedPitch = carried.pitch
  var out = sums.values.mutableSpan
  var carry = carried.values.mutableSpan
  precondition(pitch >= 2 * (first + count) && out.count >= pitch + 2 * (first + count))
  precondition(carriedPitch >= 2 * count && carry.count >= carriedPitch + 2 * count)
  for i in starts.indices {
    precondition(starts[i] >= 0 && starts[i] + count <= pixels.count)
  }
  var x = 0
  while x &+ 16 <= count {
    for part in 0..<2 {
      let at = x &+ 8 &* part
      let sum = TentSum<Lanes>(pixels, starts, at: at)
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
    let sum = TentSum<SIMD2<UInt16>>(pixels, starts, at: x)
    out.store(sum.fallingBR &+ carry.load(at: 2 &* x), at: 2 &* (first &+ x))
    out.store(
      sum.fallingGA &+ carry.load(at: carriedPitch &+ 2 &* x), at: pitch &+ 2 &* (first &+ x))
    carry.store(sum.risingBR, at: 2 &* x)
    carry.store(sum.risingGA, at: carriedPitch &+ 2 &* x)
    x &+= 1
  }
}

/// The falling and the rising sum of a column of pixels.
private struct TentSum<V: SIMD & BitwiseCopyable> where V.Scalar == UInt16 {
  var fallingBR = V(), fallingGA = V(), risingBR = V(), risingGA = V()

  @inline(__always)
  init(_ pixels: Span<UInt32>, _ starts: Span<Int>, at x: Int) {
    var sumBR = V(), sumGA = V()
    var i = starts.count &- 1
    while i > 0 {
      let p: V = pixels.load(at: starts[i] &+ x)
      sumBR &+= p & 0xff
      sumGA &+= p &>> 8
      risingBR &+= sumBR
      risingGA &+= sumGA
      i &-= 1
    }
    let p: V = pixels.load(at: starts[0] &+ x)
    let k = UInt16(truncatingIfNeeded: starts.count)
    fallingBR = (sumBR &+ (p & 0xff)) &* k &- risingBR
    fallingGA = (sumGA &+ (p &>> 8)) &* k &- risingGA
  }
}
