/// The pixels of a shadow's patch, row by row: the blurred outline of the pane, times the opacity,
/// times the share of the pixel that the pane does not cover. Computed in float64 and rounded once.
/// `across` and `down` are the axes of the patch.
func shadowPixels(
  _ shadow: Shadow, _ blur: ShadowBlur, _ corner: FittedCorner, _ across: PatchAxis,
  _ down: PatchAxis
) -> [UInt32] {
  let outside = CornerSquare(corner, width: across.length, height: down.length)
  let blurred = outside.blurred(blur)
  var pixels: [UInt32] = []
  pixels.reserveCapacity(across.count * down.count)
  let columns = across.positions.map { blur.line(across.length, at: $0 - shadow.offsetX) }
  for y in down.positions {
    let row = blur.line(down.length, at: y - shadow.offsetY)
    let (outsideRow, blurredRow) = (outside.row(y), blurred.row(y - shadow.offsetY))
    let isInPane = (0..<down.length).contains(y)
    let covered = isInPane ? outsideRow.zeroColumns : 0..<0
    for (x, column) in zip(across.positions, columns) {
      if covered.contains(x) {
        pixels.append(0)
        continue
      }
      let isOutside = !isInPane || x < 0 || x >= across.length
      let uncovered = isOutside ? 1 : min(1, outsideRow.sum(x))
      let blurredPane = column * row - blurredRow.sum(x - shadow.offsetX)
      pixels.append(pixel(shadow.color, alpha: shadow.peak * max(0, blurredPane) * uncovered))
    }
  }
  return pixels
}

/// The area of a pane's rectangle outside its rounded corners: the values of one corner's square,
/// which are mirrored for the others; or these values blurred.
private struct CornerSquare {
  private let width, height: Int
  /// The position of the square's first pixel from the corner of the pane: 0, or negative after a
  /// blur.
  private let start: Int
  private let side: Int
  private var outside: [Double] = []

  init(_ corner: FittedCorner, width: Int, height: Int) {
    self.width = width
    self.height = height
    start = 0
    side = corner.pixels
    // Mirror images are added here, so the area must not end at the middle of the pane.
    var area = CornerArea(corner, width: .infinity, height: .infinity)
    var row = [Double](repeating: 0, count: side)
    for _ in 0..<side {
      area.nextRow(into: &row)
      outside += row
    }
  }

  private init(_ square: CornerSquare, start: Int, side: Int, _ outside: [Double]) {
    (width, height) = (square.width, square.height)
    (self.start, self.side, self.outside) = (start, side, outside)
  }

  func blurred(_ blur: ShadowBlur) -> CornerSquare {
    if side == 0 { return self }
    return CornerSquare(
      self, start: -blur.radius, side: side + 2 * blur.radius, blur.blurred(outside, side: side))
  }

  /// The sums of the values of all four corners in a row of the pane.
  func row(_ y: Int) -> CornerRow {
    let (top, bottom) = (y - start, height - 1 - y - start)
    var values = [Double](repeating: 0, count: side)
    for line in [top, bottom] where line >= 0 && line < side {
      for x in 0..<side { values[x] += outside[line * side + x] }
    }
    return CornerRow(values: values, start: start, width: width)
  }
}

/// A row of a `CornerSquare`.
private struct CornerRow {
  /// The samples of the top and the bottom corner together.
  let values: [Double]
  let start, width: Int

  /// The sum of the values of all four corners at a pixel of the pane.
  func sum(_ x: Int) -> Double { value(x - start) + value(width - 1 - x - start) }

  private func value(_ x: Int) -> Double { x >= 0 && x < values.count ? values[x] : 0 }

  /// The columns in the middle whose sum is 0, if `start` is 0.
  var zeroColumns: Range<Int> {
    let corner = (values.lastIndex { $0 > 0 } ?? -1) + 1
    return corner..<max(corner, width - corner)
  }
}
