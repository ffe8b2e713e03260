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

  /// Blurs a square picture of `side` * `side` values that is symmetric about its diagonal. The
  /// result is symmetric too and larger by `radius` on every side.
  func blurred(_ square: [Double], side: Int) -> [Double] {
    let down = blurredDown(square, width: side, height: side)
    let wide = side + 2 * radius
    var across = [Double](repeating: 0, count: down.count)
    for y in 0..<wide {
      for x in 0..<side { across[x * wide + y] = down[y * side + x] }
    }
    return blurredDown(across, width: wide, height: side)
  }

  /// Blurs vertically; the result has `radius` more rows at the top and at the bottom.
  private func blurredDown(_ rows: [Double], width: Int, height: Int) -> [Double] {
    var result = [Double](repeating: 0, count: width * (height + 2 * radius))
    let rows = rows.span
    var out = result.mutableSpan
    precondition(rows.count == width * height)
    for y in 0..<height {
      for tap in -radius...radius {
        let weight = weights[abs(tap)]
        let to = (y + radius + tap) * width
        for x in 0..<width { out[to &+ x] += weight * rows[y &* width &+ x] }
      }
    }
    return result
  }
}
