import Glibc

/// The Gaussian of a shadow: sampled at whole pixels, cut off at four deviations, and of sum one.
struct ShadowBlur {
  /// From the middle on, to either side.
  let weights: [Double]
  /// What is left of a half plane's shadow so many pixels beyond its edge; nothing beyond the last.
  private let tails: [Double]

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

  /// How many pixels one pixel reaches on either side.
  var radius: Int { weights.count - 1 }

  /// The shadow of a half plane: `distance` is 0 for the first pixel beyond its edge, -1 for the last one
  /// under it.
  func halfPlane(_ distance: Int) -> Double {
    if distance < 0 { return 1 - halfPlane(-1 - distance) }
    return distance < tails.count ? tails[distance] : 0
  }

  /// The shadow of the pixels `0..<count` of a line. Exactly one where both ends are out of reach.
  func line(_ count: Int, at x: Int) -> Double {
    1 - halfPlane(x) - halfPlane(count - 1 - x)
  }

  /// How many pixels beyond an edge a shadow of the opacity `peak` is `least` or more.
  func reach(above least: Double, peak: Double) -> Int {
    tails.firstIndex { peak * $0 < least } ?? tails.count
  }

  /// Blurs a square picture, row by row, that is its own mirror image about the diagonal; the result is
  /// one too, and larger by `radius` on every side.
  func blurred(_ square: [Double], side: Int) -> [Double] {
    let down = blurredDown(square, width: side, height: side)
    let wide = side + 2 * radius
    var across = [Double](repeating: 0, count: down.count)
    for y in 0..<wide {
      for x in 0..<side { across[x * wide + y] = down[y * side + x] }
    }
    return blurredDown(across, width: wide, height: side)
  }

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
