/// Where the glass gives way to text: all of it within three pixels of what is fully covered, then less and
/// less. The wider the strokes, the further it reaches.
///
/// A gray dilation by a paraboloid, which is round though it goes by rows and columns; what it gives, from
/// 1 within the three pixels to 0, is eased at both ends, so that no edge shows.
struct Halo {
  /// By how many pixels it is larger than what it surrounds, on every side.
  let reach: Int
  /// Row by row, `Weight`s.
  let weights: [UInt16]

  /// How far around covered pixels the glass gives way in full: past the antialiased edge of a stroke.
  static let plateau = 3.0

  /// `coverage` is row by row, 0 to 255.
  init(around coverage: [UInt8], width: Int, height: Int) {
    precondition(coverage.count == width * height)
    let radius = Self.plateau + Self.fade(strokeWidth: strokeWidth(coverage, width: width))
    let reach = Int(radius.rounded(.up)) - 1
    let costs = (-reach...reach).map { Float($0 * $0) / Float(radius * radius) }
    let wide = width + 2 * reach
    // Half covered is enough: thin strokes, which nowhere cover a pixel in full, need it most.
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

  /// From the plateau's end to where nothing is left.
  private static func fade(strokeWidth: Double) -> Double {
    min(16, 5 + 1.5 * strokeWidth)
  }
}

/// The width of the strokes that a picture is made of, in pixels: twice their area by the length of their
/// edges, each edge counted across and down. Of letters about the truth, of a block half its height.
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

/// The largest of all values around each place, less what their distance costs, and at least 0. A tap
/// further is `step` places further; the first of `costs` is the cost of the tap that comes first.
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
