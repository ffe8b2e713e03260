import Glibc

/// The Gaussian of a shadow: sampled at whole pixels, truncated at four standard deviations, and
/// normalised to the sum 1.
struct ShadowBlur {
  /// The weights at the distances 0, 1, ... on each side.
  let weights: [Double]
  /// The blurred value of a half plane at 0, 1, ... pixels beyond its edge; 0 after the last.
  private let tails: [Double]

  /// `sigma` is the standard deviation in pixels.
  init(sigma: Double) {
    let count = Int((4 * sigma).rounded(.up))
    let samples = (0...count).map { $0 == 0 ? 1 : exp(-Double($0 * $0) / (2 * sigma * sigma)) }
    let sum = 2 * samples.reduce(0, +) - samples[0]
    weights = samples.map { $0 / sum }
    var tail = 0.0
    var tails = [Double]()
    for weight in weights.dropFirst().reversed() {
      tail += weight
      tails.append(tail)
    }
    self.tails = tails.reversed()
  }

  /// The largest distance with a weight, in pixels.
  var radius: Int { weights.count - 1 }

  /// The blurred value of a half plane, 0 to 1. `distance` is 0 for the first pixel outside its
  /// edge, -1 for the last one inside.
  func halfPlane(_ distance: Int) -> Double {
    if distance < 0 { return 1 - halfPlane(-1 - distance) }
    return distance < tails.count ? tails[distance] : 0
  }

  /// The blurred value at `x` of a line whose pixels `0..<count` are 1 and whose others are 0.
  /// Exactly 1 if both ends are further than `radius`.
  func line(_ count: Int, at x: Int) -> Double {
    1 - halfPlane(x) - halfPlane(count - 1 - x)
  }

  /// The number of pixels beyond the edge of a half plane at which a shadow of the opacity `peak`
  /// is at least `least`.
  func reach(above least: Double, peak: Double) -> Int {
    tails.firstIndex { peak * $0 < least } ?? tails.count
  }

  // MARK: Pictures

  /// Blurs a square picture of `side` * `side` values that is symmetric about its diagonal. The
  /// result is symmetric too and larger by `radius` on every side.
  ///
  /// A blurred picture is smooth, so it is computed at every `step`-th pixel only, and between these by cubic
  /// interpolation. With at least six samples per standard deviation that is exact to 10^-4 of the largest value.
  func blurred(_ square: [Double], side: Int) -> [Double] {
    let rows = samples(of: square, width: side, height: side)
    let corner = samples(of: transposed(rows, width: side), width: sampleCount(side), height: side)
    let down = interpolated(corner, width: sampleCount(side), count: side + 2 * radius)
    return interpolated(
      transposed(down, width: sampleCount(side)), width: side + 2 * radius,
      count: side + 2 * radius)
  }

  private var step: Int { max(1, radius / 24) }

  /// The number of samples of a blurred column of `length` pixels: the first at the distance `radius` + `step`
  /// before it, where the value is 0, the last two at or behind its end.
  private func sampleCount(_ length: Int) -> Int { (length + 2 * radius - 1) / step + 4 }

  /// The samples of a picture that is blurred vertically, row by row.
  private func samples(of rows: [Double], width: Int, height: Int) -> [Double] {
    var result = [Double](repeating: 0, count: width * sampleCount(height))
    let rows = rows.span
    var out = result.mutableSpan
    precondition(rows.count == width * height)
    for y in 0..<height {
      let from = y * width
      var count = width
      while count > 0, rows[from + count - 1] == 0 { count -= 1 }
      for sample in (y + step - 1) / step + 1...(y + 2 * radius) / step + 1 {
        let weight = weights[abs((sample - 1) * step - radius - y)]
        let to = sample * width
        for x in 0..<count { out[to &+ x] += weight * rows[from &+ x] }
      }
    }
    return result
  }

  /// The rows between samples: `count` rows, the first at the second sample.
  private func interpolated(_ samples: [Double], width: Int, count: Int) -> [Double] {
    var result = [Double](repeating: 0, count: width * count)
    let samples = samples.span
    var out = result.mutableSpan
    precondition(samples.count >= width * ((count - 1) / step + 4))
    for row in 0..<count {
      let to = row * width
      let first = row / step * width
      let weights = cubicWeights(Double(row % step) / Double(step))
      for x in 0..<width {
        let i = first &+ x
        out[to &+ x] =
          weights.0 * samples[i] + weights.1 * samples[i &+ width]
          + weights.2 * samples[i &+ 2 &* width] + weights.3 * samples[i &+ 3 &* width]
      }
    }
    return result
  }

  /// The weights of the cubic polynomial through the values at -1, 0, 1 and 2 for its value at `t`.
  private func cubicWeights(_ t: Double) -> (Double, Double, Double, Double) {
    (
      -t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2, -(t + 1) * t * (t - 2) / 2,
      (t + 1) * t * (t - 1) / 6
    )
  }

  private func transposed(_ rows: [Double], width: Int) -> [Double] {
    let height = rows.count / width
    var result = [Double](repeating: 0, count: rows.count)
    for y in 0..<height {
      for x in 0..<width { result[x * height + y] = rows[y * width + x] }
    }
    return result
  }
}
