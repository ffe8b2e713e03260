@testable import Frost
import Glibc
import Raster

/// The reference of shadows in float64: the exact coverage of the pane, a Gaussian truncated at 5
/// standard deviations, the opacity, and the share of each pixel outside the pane.
struct ShadowModel {
  /// The pane with the padding of its shadow and one more pixel on every side.
  let bounds: Rect
  /// The shadow's alpha, 0 to 255.
  private var alphas: [Double]

  /// The pane is at (0, 0).
  init(_ shadow: Shadow, _ corner: Corner, width: Int, height: Int) {
    let pane = Rect(x: 0, y: 0, width: width, height: height)
    bounds = shadow.bounds(of: pane).grown(by: 1)
    let outline = OutlineModel(corner, width: width, height: height)
    let covered = outline.coverage(slices: 128)
    let sigma = shadow.radius / 2
    let radius = Int((5 * sigma).rounded(.up))
    var weights = (-radius...radius).map {
      $0 == 0 ? 1 : exp(-Double($0 * $0) / (2 * sigma * sigma))
    }
    let total = weights.reduce(0, +)
    weights = weights.map { $0 / total }
    func weight(_ distance: Int) -> Double {
      abs(distance) > radius ? 0 : weights[distance + radius]
    }
    // Horizontally, then vertically. Pixels outside the pane are 0.
    var across = [Double](repeating: 0, count: bounds.width * height)
    for y in 0..<height {
      for x in bounds.columns {
        var sum = 0.0
        for i in 0..<width { sum += covered[y * width + i] * weight(x - shadow.offsetX - i) }
        across[y * bounds.width + x - bounds.x] = sum
      }
    }
    alphas = []
    for y in bounds.rows {
      for x in bounds.columns {
        var sum = 0.0
        for i in 0..<height {
          sum += across[i * bounds.width + x - bounds.x] * weight(y - shadow.offsetY - i)
        }
        let uncovered = pane.contains(x: x, y: y) ? 1 - covered[y * width + x] : 1
        alphas.append(255 * shadow.opacity * shadow.color.alpha * sum * uncovered)
      }
    }
  }

  subscript(x: Int, y: Int) -> Double { alphas[(y - bounds.y) * bounds.width + x - bounds.x] }
}
