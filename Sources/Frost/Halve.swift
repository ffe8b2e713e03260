import Raster

/// Makes the cells `target` of the Gaussian's grid from twice as many cells each way: 1 3 3 1, over 8.
///
/// The cells 2C - 1 ... 2C + 2 must lie in `cells`.
func halve(_ cells: borrowing Plane, _ target: Rect, into grid: inout Plane, threads: Int) {
  let input = cells.values.span
  let shape = cells.shape
  _ = grid.update(target, threads: threads) { band, gridShape, output in
    var line = [UInt16](repeating: 0, count: 4 * band.width + 2 * Plane.slack)
    for y in band.rows {
      for half in 0..<2 {
        let first = shape.index(x: 2 * band.x - 1, y: 2 * y - 1) + half * shape.pitch
        var span = line.mutableSpan
        halveDown(
          input, at: first, stride: shape.rowStride, count: 4 * band.width + 4, into: &span)
        halveAcross(
          line.span, into: &output,
          at: gridShape.index(x: band.x, y: y) + half * gridShape.pitch, count: 2 * band.width)
      }
    }
  }
}

/// (a + 3b + 3c + d) / 8 without a 17th bit: by the mean of the outer and the inner pair.
@inline(__always)
private func blend(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Lanes {
  let inner = b &+ c
  let all = (inner &+ a &+ d &+ 1) &>> 1
  return (inner &+ all &+ 2) &>> 2
}

private func halveDown(
  _ cells: Span<UInt16>, at first: Int, stride: Int, count: Int,
  into line: inout MutableSpan<UInt16>
) {
  precondition(first >= 0 && first + 3 * stride + count <= cells.count)
  precondition(line.count >= count + 16 && cells.count >= first + 3 * stride + count + 16)
  var i = 0
  while i < count {
    let at = first &+ i
    line.store(
      blend(
        cells.load(at: at), cells.load(at: at &+ stride), cells.load(at: at &+ 2 &* stride),
        cells.load(at: at &+ 3 &* stride)),
      at: i)
    i &+= 16
  }
}

/// `line` starts one cell left of the first pair.
private func halveAcross(
  _ line: Span<UInt16>, into grid: inout MutableSpan<UInt16>, at first: Int, count: Int
) {
  precondition(line.count >= 2 * count + Plane.slack)
  precondition(first >= 0 && first + count + 16 <= grid.count)
  var i = 0
  while i < count {
    let pairs: SIMD16<UInt32> = line.load(at: 2 &* i)
    let next: SIMD16<UInt32> = line.load(at: 2 &* i &+ 4)
    grid.store(
      unsafe blend(
        unsafeBitCast(pairs.evenHalf, to: Lanes.self),
        unsafeBitCast(pairs.oddHalf, to: Lanes.self),
        unsafeBitCast(next.evenHalf, to: Lanes.self),
        unsafeBitCast(next.oddHalf, to: Lanes.self)),
      at: first &+ i)
    i &+= 16
  }
}
