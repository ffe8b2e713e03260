/// The area around text in which the glass is darkened or lightened: fully within three pixels of
/// covered pixels, then decreasing. The wider the strokes, the larger the halo.
///
/// Computed as a grayscale dilation by a paraboloid, which is separable into rows and columns and
/// yet round. The weight decreases from 1 to 0 by smoothstep, so that no edge is visible.
struct Halo {
  /// The number of pixels by which it is larger than the text, on every side.
  let reach: Int
  /// The `Weight`s, row by row: (width + 2 * reach) * (height + 2 * reach) of them.
  let weights: [UInt16]

  /// The distance from covered pixels, in pixels, up to which the weight is 1: more than the
  /// antialiased edge of a stroke.
  static let plateau = 3.0

  /// `coverage` holds `width * height` values from 0 to 255, row by row.
  init(around coverage: [UInt8], width: Int, height: Int) {
    precondition(coverage.count == width * height)
    let radius = Self.plateau + Self.fade(strokeWidth: strokeWidth(coverage, width: width))
    let reach = Int(radius.rounded(.up)) - 1
    let costs = (-reach...reach).map { Float($0 * $0) / Float(radius * radius) }
    let wide = width + 2 * reach
    // Half coverage counts as full. Thin strokes cover no pixel fully but need the halo most.
    let shares = coverage.map { min(1, Float($0) / 127) }
    let rows = dilated(
      shares, height, width, costs, step: 1, into: wide * height, stride: wide)
    let all = dilated(
      rows, height, wide, costs, step: wide, into: wide * (height + 2 * reach), stride: wide)
    self.reach = reach
    weights = all.map { height in
      let distance = radius * Double(1 - height).squareRoot()
      let share = min(1, (radius - distance) / (radius - Self.plateau))
      return Weight.rounded(share * share * (3 - 2 * share))
    }
  }

  /// The distance from the end of the plateau to the weight 0, in pixels.
  private static func fade(strokeWidth: Double) -> Double {
    min(16, 5 + 1.5 * strokeWidth)
  }
}

/// An estimate of the stroke width of a picture, in pixels: twice the area divided by the length of
/// the edges, each counted horizontally and vertically. About right for letters; half the height
/// for a solid block.
private func strokeWidth(_ coverage: [UInt8], width: Int) -> Double {
  var area = 0
  var edges = 0
  for (i, share) in coverage.enumerated() {
    let left = i % width == 0 ? 0 : coverage[i - 1]
    let above = i < width ? 0 : coverage[i - width]
    area += Int(share)
    edges += abs(Int(share) - Int(left)) + abs(Int(share) - Int(above))
    if i % width == width - 1 { edges += Int(share) }
    if i >= coverage.count - width { edges += Int(share) }
  }
  return edges == 0 ? 0 : 2 * Double(area) / Double(edges)
}

/// A grayscale dilation along one axis: the maximum of the values around each element, minus the
/// cost of their distance, and at least 0. `costs` holds the cost of each tap, in order; taps are
/// `step` elements apart. `values` has `rowCount` rows of `columnCount`; the result has `count`
/// elements in rows of `stride`.
private func dilated(
  _ values: [Float], _ rowCount: Int, _ columnCount: Int, _ costs: [Float], step: Int,
  into count: Int, stride: Int
) -> [Float] {
  var result = [Float](repeating: 0, count: count)
  var out = result.mutableSpan
  let values = values.span
  for row in 0..<rowCount {
    for (tap, cost) in costs.enumerated() {
      let to = row * stride + tap * step
      let from = row * columnCount
      for x in 0..<columnCount {
        out[to &+ x] = max(out[to &+ x], values[from &+ x] - cost)
      }
    }
  }
  return result
}
