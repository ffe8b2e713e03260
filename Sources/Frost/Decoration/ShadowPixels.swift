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
    for (x, column) in zip(across.positions, columns) {
      let uncovered = outside.uncovered(x: x, y: y)
      if uncovered == 0 {
        pixels.append(0)
        continue
      }
      let blurredPane = column * row - blurred.sum(x: x - shadow.offsetX, y: y - shadow.offsetY)
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
    CornerSquare(
      self, start: -blur.radius, side: side + 2 * blur.radius, blur.blurred(outside, side: side))
  }

  /// The sum of the values of all four corners at a pixel of the pane.
  func sum(x: Int, y: Int) -> Double {
    let (left, right) = (x - start, width - 1 - x - start)
    let (top, bottom) = (y - start, height - 1 - y - start)
    return at(left, top) + at(right, top) + at(left, bottom) + at(right, bottom)
  }

  private func at(_ x: Int, _ y: Int) -> Double {
    x >= 0 && x < side && y >= 0 && y < side ? outside[y * side + x] : 0
  }

  /// The share of a pixel that the pane does not cover, 0 to 1.
  func uncovered(x: Int, y: Int) -> Double {
    if x < 0 || y < 0 || x >= width || y >= height { return 1 }
    return min(1, sum(x: x, y: y))
  }
}
