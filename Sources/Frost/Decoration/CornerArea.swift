/// Computes the exact area of each pixel of a pane's top left quarter that lies outside an outline,
/// row by row from the top.
///
/// The outline is that of the pane, or that outline inset by `inset` pixels on every side. Only
/// area within the quarter counts. If the width is odd, half of the middle column belongs to the
/// quarter, and the mirror image has the same area in the other half.
struct CornerArea {
  private let points: [SIMD2<Double>]
  private let inset, halfWidth, halfHeight: Double
  /// The row that `nextRow` computes.
  private var row = 0
  /// The index of the first point that the next row may use.
  private var next = 1

  /// `width` and `height` are those of the pane, in pixels; infinite if mirror images do not
  /// matter.
  init(_ corner: FittedCorner, inset: Double = 0, width: Double, height: Double) {
    self.inset = inset
    points = corner.points().map { $0 + inset }
    halfWidth = width / 2
    halfHeight = height / 2
  }

  /// Sets `areas` to the areas outside in the first pixels of the next row, 0 to 1.
  mutating func nextRow(into areas: inout [Double]) {
    for i in areas.indices { areas[i] = 0 }
    // whole[i] is area outside in all columns before column i. It is summed from the right.
    // right.
    var whole = [Double](repeating: 0, count: areas.count + 1)
    let top = min(Double(row), halfHeight)
    let bottom = min(top + 1, halfHeight)
    let above = max(0, min(bottom, inset) - top)
    add(above, from: halfWidth, to: halfWidth, &areas, &whole)
    followCurve(top, bottom, &areas, &whole)
    let below = max(0, bottom - max(top, points[points.count - 1].y))
    add(below, from: inset, to: inset, &areas, &whole)
    var sum = 0.0
    for i in areas.indices.reversed() {
      sum += whole[i + 1]
      areas[i] = min(1, areas[i] + sum)
    }
    row += 1
  }

  /// Adds the area outside the curve between the rows `top` and `bottom`.
  private mutating func followCurve(
    _ top: Double, _ bottom: Double, _ areas: inout [Double], _ whole: inout [Double]
  ) {
    while next < points.count {
      let (a, b) = (points[next - 1], points[next])
      if a.y >= bottom { return }
      let high = max(a.y, top)
      let low = min(b.y, bottom)
      if low > high {
        let slope = (b.x - a.x) / (b.y - a.y)
        add(
          low - high, from: a.x + (high - a.y) * slope, to: max(b.x, a.x + (low - a.y) * slope),
          &areas, &whole)
      }
      if b.y > bottom { return }
      next += 1
    }
  }

  /// Adds the area left of a line that descends `height` pixels from x = `right` to x = `left`.
  private func add(
    _ height: Double, from right: Double, to left: Double, _ areas: inout [Double],
    _ whole: inout [Double]
  ) {
    if height == 0 { return }
    var column = Int(left)
    whole[min(column, areas.count)] += height
    while column < areas.count, Double(column) < right {
      areas[column] += height * covered(right - Double(column), left - Double(column))
      column += 1
    }
  }

  /// The mean of x, clamped to 0...1, for x from `left` to `right`.
  private func covered(_ right: Double, _ left: Double) -> Double {
    if right - left < 1e-9 { return min(1, max(0, right)) }
    func integral(_ x: Double) -> Double { x <= 0 ? 0 : x < 1 ? x * x / 2 : x - 0.5 }
    return (integral(right) - integral(left)) / (right - left)
  }
}
