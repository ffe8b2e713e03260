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
    let weights = taps.span
    for y in band.rows {
      for half in 0..<2 {
        let from = shape.index(x: band.x, y: y) + half * shape.pitch
        let to = outputShape.index(x: band.x, y: y) + half * outputShape.pitch
        precondition(from >= reach && from + reach + count + 32 <= values.count)
        precondition(to >= 0 && to + count + 32 <= out.count)
        var i = 0
        while i < count {
          blurBlock(values, at: from &+ i, step: step, taps: weights, into: &out, at: to &+ i)
          i &+= 32
        }
      }
    }
  }
}

/// Thirty-two values: v + sum of taps[j] * (left + right - 2v), in units of 2^-16.
///
/// Written with differences, a constant stays exactly what it is. Each product is rounded down; every
/// other one is negated on both sides, so that the roundings cancel instead of adding up. They may
/// carry a value a hair past black or white.
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
    let p0 = input.load(Signed.self, at: left) &+ input.load(Signed.self, at: right)
    let p1 = input.load(Signed.self, at: left &+ 8) &+ input.load(Signed.self, at: right &+ 8)
    let p2 = input.load(Signed.self, at: left &+ 16) &+ input.load(Signed.self, at: right &+ 16)
    let p3 = input.load(Signed.self, at: left &+ 24) &+ input.load(Signed.self, at: right &+ 24)
    if j & 1 == 0 {
      a0 &+= multiplyHigh(p0 &- w0, tap)
      a1 &+= multiplyHigh(p1 &- w1, tap)
      a2 &+= multiplyHigh(p2 &- w2, tap)
      a3 &+= multiplyHigh(p3 &- w3, tap)
    } else {
      a0 &-= multiplyHigh(w0 &- p0, tap)
      a1 &-= multiplyHigh(w1 &- p1, tap)
      a2 &-= multiplyHigh(w2 &- p2, tap)
      a3 &-= multiplyHigh(w3 &- p3, tap)
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
