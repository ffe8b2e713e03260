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
  let kernel = Kernel(taps)
  let step = direction == .across ? 2 : shape.rowStride
  let reach = step * taps.count
  _ = output.update(target, threads: threads) { band, outputShape, out in
    let count = 2 * band.width
    let pairs = kernel.pairs.span
    let startsAlone = kernel.startsAlone
    for y in band.rows {
      for half in 0..<2 {
        let from = shape.index(x: band.x, y: y) + half * shape.pitch
        let to = outputShape.index(x: band.x, y: y) + half * outputShape.pitch
        precondition(from >= reach && from + reach + count + 16 <= values.count)
        precondition(to >= 0 && to + count + 16 <= out.count)
        var i = 0
        while i < count {
          blurBlock(
            values, at: from &+ i, step: step, pairs, startsAlone: startsAlone, into: &out,
            at: to &+ i)
          i &+= 16
        }
      }
    }
  }
}

/// Sixteen values: v + sum of taps[j] * (left + right - 2v), in units of 2^-16, rounded half up.
///
/// A constant stays exactly what it is; the sum is exact and is rounded once, so no value leaves the
/// range of those it is made of.
@inline(__always)
private func blurBlock(
  _ input: Span<UInt16>, at: Int, step: Int, _ pairs: Span<Signed>, startsAlone: Bool,
  into output: inout MutableSpan<UInt16>, at to: Int
) {
  let v0: Signed = input.load(at: at)
  let v1: Signed = input.load(at: at &+ 8)
  let half = SIMD4<Int32>(repeating: 1 << 15)
  var sum0 = WideSum(half)
  var sum1 = WideSum(half)
  var reach = 0
  @inline(__always)
  func nextNeighbours() -> (Signed, Signed) {
    reach &+= step
    let left = at &- reach
    let right = at &+ reach
    return (
      input.load(Signed.self, at: left) &+ input.load(at: right),
      input.load(Signed.self, at: left &+ 8) &+ input.load(at: right &+ 8)
    )
  }
  let second = startsAlone ? (Signed(), Signed()) : nextNeighbours()
  sum0.add(v0 &+ v0, second.0, times: pairs[0])
  sum1.add(v1 &+ v1, second.1, times: pairs[0])
  var i = 1
  while i < pairs.count {
    let near = nextNeighbours()
    let far = nextNeighbours()
    sum0.add(near.0, far.0, times: pairs[i])
    sum1.add(near.1, far.1, times: pairs[i])
    i &+= 1
  }
  output.store(v0 &+ sum0.shifted(by: 16), at: to)
  output.store(v1 &+ sum1.shifted(by: 16), at: to &+ 8)
}

/// The weights of a blur's terms, two by two: of twice the centre, then of the sums of two neighbours,
/// nearest first. Where their number is odd, the centre stands alone.
private struct Kernel {
  let pairs: [Signed]
  let startsAlone: Bool

  init(_ taps: [Int16]) {
    startsAlone = taps.count % 2 == 0
    // The taps may sum to 2^15, for which only the negative has room.
    let centre = taps.reduce(0, &-)
    let weights = startsAlone ? [centre, 0] + taps : [centre] + taps
    pairs = stride(from: 0, to: weights.count, by: 2).map {
      Signed(repeating: weights[$0], and: weights[$0 + 1])
    }
  }
}
