import Raster

/// Blurs horizontally: computes the grid cells `target` of `output` from `grid`, the memory of
/// `tiles`. If `isHalved`, first reduces the cells to grid cells with the filter 1 3 3 1. Uses up
/// to `threads` threads.
func blurAcross(
  _ grid: Span<UInt16>, _ tiles: TileLayout, isHalved: Bool, taps: [Int16], _ target: Rect,
  into output: inout Plane, threads: Int
) {
  let kernel = Kernel(taps)
  let columns = target.columns.lowerBound - taps.count..<target.columns.upperBound + taps.count
  _ = output.update(target, threads: threads) { band, shape, out in
    var rows = GridRows(tiles, isHalved: isHalved, columns: columns)
    var line = PlaneLine(count: columns.count)
    for y in band.rows {
      rows.read(y, of: grid, into: &line)
      for half in 0..<2 {
        blurRow(
          line.values.span, at: half * line.pitch + 2 * taps.count, step: 2, kernel, into: &out,
          at: shape.index(x: band.x, y: y) + half * shape.pitch, count: 2 * band.width)
      }
    }
  }
}

/// Blurs vertically: computes the grid cells `target` of `output` from `input`, which must contain
/// the neighbours up to `taps.count` rows away. Uses up to `threads` threads.
func blurDown(
  _ input: borrowing Plane, taps: [Int16], _ target: Rect, into output: inout Plane, threads: Int
) {
  let values = input.values.span
  let shape = input.shape
  let kernel = Kernel(taps)
  _ = output.update(target, threads: threads) { band, outputShape, out in
    for y in band.rows {
      for half in 0..<2 {
        blurRow(
          values, at: shape.index(x: band.x, y: y) + half * shape.pitch, step: shape.rowStride,
          kernel, into: &out,
          at: outputShape.index(x: band.x, y: y) + half * outputShape.pitch, count: 2 * band.width)
      }
    }
  }
}

/// Blurs `count` values of a half row; the neighbours of a value are `step` values apart.
@inline(__always)
@_lifetime(out: copy out)
private func blurRow(
  _ values: Span<UInt16>, at from: Int, step: Int, _ kernel: Kernel,
  into out: inout MutableSpan<UInt16>, at to: Int, count: Int
) {
  let reach = step * kernel.tapCount
  let pairs = kernel.pairs.span
  let startsAlone = kernel.startsAlone
  precondition(from >= reach && from + reach + count + 16 <= values.count)
  precondition(to >= 0 && to + count + 16 <= out.count)
  var i = 0
  while i < count {
    blurBlock(
      values, at: from &+ i, step: step, pairs, startsAlone: startsAlone, into: &out, at: to &+ i)
    i &+= 16
  }
}

/// Blurs sixteen values: v + sum of taps[j] * (left + right - 2v), in units of 2^-16, rounded half
/// up.
///
/// A constant input is unchanged. The sum is exact and rounded once, so no result leaves the range
/// of its inputs.
@inline(__always)
@_lifetime(output: copy output)
private func blurBlock(
  _ input: Span<UInt16>, at: Int, step: Int, _ pairs: Span<SIMD16<Int16>>, startsAlone: Bool,
  into output: inout MutableSpan<UInt16>, at to: Int
) {
  let value: SIMD16<Int16> = input.load(at: at)
  var sums = WideSums(1 << 15)
  var reach = 0
  @inline(__always)
  func nextNeighbours() -> SIMD16<Int16> {
    reach &+= step
    return input.load(SIMD16<Int16>.self, at: at &- reach) &+ input.load(at: at &+ reach)
  }
  let second = startsAlone ? SIMD16<Int16>() : nextNeighbours()
  sums.add(value &+ value, second, times: pairs[0])
  var i = 1
  while i < pairs.count {
    let near = nextNeighbours()
    sums.add(near, nextNeighbours(), times: pairs[i])
    i &+= 1
  }
  output.store(value &+ sums.shifted(by: 16), at: to)
}

/// The weights of the terms of a blur, in pairs for `WideSums.add`. The first term is twice the
/// centre value; the others are sums of the two neighbours at distance 1, 2, ... If the number of
/// terms is odd, the centre is paired with a weight of zero.
private struct Kernel {
  let pairs: [SIMD16<Int16>]
  let startsAlone: Bool
  let tapCount: Int

  init(_ taps: [Int16]) {
    tapCount = taps.count
    startsAlone = taps.count % 2 == 0
    // The taps may sum to 2^15. An Int16 holds only the negative of that.
    let centre = taps.reduce(0, &-)
    let weights = startsAlone ? [centre, 0] + taps : [centre] + taps
    pairs = stride(from: 0, to: weights.count, by: 2).map {
      let pair = Signed(repeating: weights[$0], and: weights[$0 + 1])
      return SIMD16(lowHalf: pair, highHalf: pair)
    }
  }
}
