import Raster

/// The direction of one pass of a separable filter.
enum Direction {
  case across, down
}

/// Blurs the cells `target` of `input` in one direction. The neighbours up to `taps.count` away must
/// lie in `input`.
func blur(
  _ input: borrowing Plane, _ direction: Direction, taps: [Int16], _ target: Rect,
  into output: inout Plane, threads: Int
) {
  let values = input.values.span
  let shape = input.shape
  let step = direction == .across ? 2 : shape.rowStride
  let reach = step * taps.count
  _ = output.update(target, threads: threads) { band, outputShape, out in
    let count = 2 * band.width
    for y in band.rows {
      for half in [0, 1] {
        let from = shape.index(x: band.x, y: y) + half * shape.pitch
        let to = outputShape.index(x: band.x, y: y) + half * outputShape.pitch
        precondition(from >= reach && from + reach + count + 32 <= values.count)
        precondition(to >= 0 && to + count + 32 <= out.count)
        var i = 0
        while i < count {
          blurBlock(values, at: from &+ i, step: step, taps: taps.span, into: &out, at: to &+ i)
          i &+= 32
        }
      }
    }
  }
}

private typealias Signed = SIMD8<Int16>

/// The upper half of each 32-bit product: one instruction on x86, also without AVX.
@inline(__always)
private func multiplyHigh(_ a: Signed, _ b: Signed) -> Signed {
  let product = SIMD8<Int32>(truncatingIfNeeded: a) &* SIMD8<Int32>(truncatingIfNeeded: b)
  return Signed(truncatingIfNeeded: product &>> 16)
}

/// Thirty-two values: v + sum of taps[j] * (left + right - 2v), in units of 2^-16.
///
/// Written with differences, a constant stays exactly what it is. Each product is rounded down; every
/// other one is negated on both sides, so that the roundings cancel instead of adding up.
@inline(__always)
private func blurBlock(
  _ input: Span<UInt16>, at: Int, step: Int, taps: Span<Int16>,
  into output: inout MutableSpan<UInt16>, at to: Int
) {
  let v0: Signed = input.load(at: at)
  let v1: Signed = input.load(at: at &+ 8)
  let v2: Signed = input.load(at: at &+ 16)
  let v3: Signed = input.load(at: at &+ 24)
  let w0 = v0 &+ v0, w1 = v1 &+ v1, w2 = v2 &+ v2, w3 = v3 &+ v3
  var a0 = v0, a1 = v1, a2 = v2, a3 = v3
  var left = at &- step
  var right = at &+ step
  var j = 0
  while j < taps.count {
    let tap = Signed(repeating: taps[j])
    @inline(__always)
    func pair(_ offset: Int) -> Signed {
      input.load(Signed.self, at: left &+ offset) &+ input.load(Signed.self, at: right &+ offset)
    }
    if j & 1 == 0 {
      a0 &+= multiplyHigh(pair(0) &- w0, tap)
      a1 &+= multiplyHigh(pair(8) &- w1, tap)
      a2 &+= multiplyHigh(pair(16) &- w2, tap)
      a3 &+= multiplyHigh(pair(24) &- w3, tap)
    } else {
      a0 &-= multiplyHigh(w0 &- pair(0), tap)
      a1 &-= multiplyHigh(w1 &- pair(8), tap)
      a2 &-= multiplyHigh(w2 &- pair(16), tap)
      a3 &-= multiplyHigh(w3 &- pair(24), tap)
    }
    left &-= step
    right &+= step
    j &+= 1
  }
  output.store(inRange(a0), at: to)
  output.store(inRange(a1), at: to &+ 8)
  output.store(inRange(a2), at: to &+ 16)
  output.store(inRange(a3), at: to &+ 24)
}

/// The roundings may carry a value a hair past black or white.
@inline(__always)
private func inRange(_ v: Signed) -> Signed {
  let full = Signed(repeating: Int16(Plane.full))
  let positive = v.replacing(with: 0, where: v .< 0)
  return positive.replacing(with: full, where: positive .> full)
}
