/// The pixels of a shadow's patch, row by row: the blurred outline, times the opacity, times what the
/// pane does not cover. All of it in float64, and rounded once.
func shadowPixels(
  _ shadow: Shadow, _ blur: ShadowBlur, _ corner: FittedCorner, _ across: PatchAxis,
  _ down: PatchAxis
) -> [UInt32] {
  let missed = CornerSquare(corner, width: across.length, height: down.length)
  let blurred = missed.blurred(blur)
  var pixels: [UInt32] = []
  pixels.reserveCapacity(across.count * down.count)
  let columns = across.positions.map { blur.line(across.length, at: $0 - shadow.offsetX) }
  for y in down.positions {
    let row = blur.line(down.length, at: y - shadow.offsetY)
    for (x, column) in zip(across.positions, columns) {
      let uncovered = missed.uncovered(x: x, y: y)
      if uncovered == 0 {
        pixels.append(0)
        continue
      }
      let cast = column * row - blurred.sum(x: x - shadow.offsetX, y: y - shadow.offsetY)
      pixels.append(pixel(shadow.color, alpha: shadow.peak * max(0, cast) * uncovered))
    }
  }
  return pixels
}

/// What a pane's rounded corners miss of its rectangle: one square of pixels, and its mirror images.
private struct CornerSquare {
  private let width, height: Int
  /// Where the square's first pixel lies from the pane's corner on; 0, or less where it was blurred.
  private let start: Int
  private let side: Int
  private var missed: [Double] = []

  init(_ corner: FittedCorner, width: Int, height: Int) {
    self.width = width
    self.height = height
    start = 0
    side = corner.pixels
    // Mirror images are added up here, so none must end at the middle of a pane.
    var area = CornerArea(corner, width: .infinity, height: .infinity)
    var row = [Double](repeating: 0, count: side)
    for _ in 0..<side {
      area.nextRow(into: &row)
      missed += row
    }
  }

  private init(_ square: CornerSquare, start: Int, side: Int, _ missed: [Double]) {
    (width, height) = (square.width, square.height)
    (self.start, self.side, self.missed) = (start, side, missed)
  }

  func blurred(_ blur: ShadowBlur) -> CornerSquare {
    CornerSquare(
      self, start: -blur.radius, side: side + 2 * blur.radius, blur.blurred(missed, side: side))
  }

  /// Of all four corners.
  func sum(x: Int, y: Int) -> Double {
    let (left, right) = (x - start, width - 1 - x - start)
    let (top, bottom) = (y - start, height - 1 - y - start)
    return at(left, top) + at(right, top) + at(left, bottom) + at(right, bottom)
  }

  private func at(_ x: Int, _ y: Int) -> Double {
    x >= 0 && x < side && y >= 0 && y < side ? missed[y * side + x] : 0
  }

  /// The share of a pixel that the pane does not cover.
  func uncovered(x: Int, y: Int) -> Double {
    if x < 0 || y < 0 || x >= width || y >= height { return 1 }
    return min(1, sum(x: x, y: y))
  }
}
