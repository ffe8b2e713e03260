import Raster

/// Applies an affine map of colours to the cells `target` of a plane, in place, and clamps every
/// colour to 0 ... alpha.
func tone(_ plane: inout Plane, _ target: Rect, _ matrix: ToneMatrix, threads: Int) {
  _ = plane.update(target, threads: threads) { band, shape, values in
    for y in band.rows {
      toneRow(
        &values, at: shape.index(x: band.x, y: y), pitch: shape.pitch, count: 2 * band.width,
        matrix)
    }
  }
}

private func toneRow(
  _ values: inout MutableSpan<UInt16>, at first: Int, pitch: Int, count: Int, _ matrix: ToneMatrix
) {
  precondition(first >= 0 && first + pitch + count <= values.count)
  let blue = Coefficients(matrix.blue)
  let green = Coefficients(matrix.green)
  let red = Coefficients(matrix.red)
  var i = first
  // Not past the last cell: a cell toned twice would be wrong.
  while i &+ 8 <= first &+ count {
    let four = FourCells(br: values.load(at: i), ga: values.load(at: i &+ pitch))
      .toned(blue, green, red)
    values.store(four.br, at: i)
    values.store(four.ga, at: i &+ pitch)
    i &+= 8
  }
  let rest = first + count - i
  if rest == 0 { return }
  var four = FourCells(br: Signed(), ga: Signed())
  for j in 0..<rest {
    four.br[j] = Int16(values[i + j])
    four.ga[j] = Int16(values[i + j + pitch])
  }
  four = four.toned(blue, green, red)
  for j in 0..<rest {
    values[i + j] = UInt16(four.br[j])
    values[i + j + pitch] = UInt16(four.ga[j])
  }
}

/// One row of a tone matrix, laid out as four cells are.
private struct Coefficients {
  var br, ga: SIMD8<Int32>

  init(_ row: SIMD4<Int32>) {
    br = SIMD8(row[0], row[2], row[0], row[2], row[0], row[2], row[0], row[2])
    ga = SIMD8(row[1], row[3], row[1], row[3], row[1], row[3], row[1], row[3])
  }
}

private struct FourCells {
  var br, ga: Signed

  @inline(__always)
  func toned(_ blue: Coefficients, _ green: Coefficients, _ red: Coefficients) -> FourCells {
    let wideBR = widened(br)
    let wideGA = widened(ga)
    let alpha = wideGA.oddHalf
    @inline(__always)
    func channel(_ row: Coefficients) -> SIMD4<Int32> {
      let products = wideBR &* row.br &+ wideGA &* row.ga
      let sum = products.evenHalf &+ products.oddHalf
      let value = (sum &+ Int32(ToneMatrix.one / 2)) &>> 12
      let positive = value & ~(value &>> 31)
      let below = alpha &- positive
      return alpha &- (below & ~(below &>> 31))
    }
    var outBR = SIMD8<Int32>(), outGA = SIMD8<Int32>()
    outBR.evenHalf = channel(blue)
    outBR.oddHalf = channel(red)
    outGA.evenHalf = channel(green)
    outGA.oddHalf = alpha
    return FourCells(br: narrowed(outBR), ga: narrowed(outGA))
  }
}
