@testable import Frost
import Glibc
import Raster
import TestDice

/// The reference of outlines: divides each row of pixels into thin slices and computes the exact
/// length of each slice inside the outline, from the formulas of the curves and not from chords.
struct OutlineModel {
  let width, height: Int
  /// The corner of the rectangle inset by `inset`, in pixels.
  private let inset, radius, reach: Double
  private let curve: Corner.Curve

  init(_ corner: Corner, width: Int, height: Int, inset: Double = 0) {
    self.width = width
    self.height = height
    let outer = min(corner.radius, Double(min(width, height)) / 2)
    self.inset = min(inset, Double(min(width, height)) / 2)
    radius = max(0, outer - self.inset)
    let limit = Double(min(width, height)) / 2 - self.inset
    reach = corner.curve == .circular ? radius : min(1.528665 * radius, limit)
    curve = corner.curve
  }

  /// The share of a pixel inside the outline. Where the outline is nearly horizontal, the error is
  /// at most half a slice.
  func coverage(x: Int, y: Int, slices: Int = 2048) -> Double {
    var sum = 0.0
    for slice in 0..<slices {
      let start = start(atHeight: Double(y) + (Double(slice) + 0.5) / Double(slices))
      let end = Double(width) - start
      sum += max(0, min(end, Double(x + 1)) - max(start, Double(x)))
    }
    return sum / Double(slices)
  }

  /// The shares of all pixels, row by row.
  func coverage(slices: Int) -> [Double] {
    (0..<height).flatMap { y in (0..<width).map { coverage(x: $0, y: y, slices: slices) } }
  }

  func contains(_ x: Double, _ y: Double) -> Bool {
    let start = start(atHeight: y)
    return x > start && x < Double(width) - start
  }

  /// The x at which the outline starts at height `y`; infinite if there is none.
  private func start(atHeight y: Double) -> Double {
    let depth = min(y, Double(height) - y) - inset
    if depth < 0 || radius == 0 && inset >= Double(min(width, height)) / 2 { return .infinity }
    if depth >= reach { return inset }
    if curve == .circular {
      return inset + radius - (radius * radius - (radius - depth) * (radius - depth)).squareRoot()
    }
    return inset + radius * cubicX(atY: depth / radius)
  }

  /// The x of the three cubics of a continuous corner at `y`, in radii, by bisection. If the reach
  /// is limited, the cubics are interpolated with those of a circle.
  private func cubicX(atY y: Double) -> Double {
    let share = (reach / radius - 1) / 0.528665
    let points = zip(circle(), continuous).map { round, full in
      (round.0 + (full.0 - round.0) * share, round.1 + (full.1 - round.1) * share)
    }
    func at(_ t: Double, _ i: Int, _ axis: (((Double, Double)) -> Double)) -> Double {
      let s = 1 - t
      let ends = s * s * s * axis(points[i]) + t * t * t * axis(points[i + 3])
      return ends + 3 * s * t * (s * axis(points[i + 1]) + t * axis(points[i + 2]))
    }
    let i = y < points[3].1 ? 0 : y < points[6].1 ? 3 : 6
    var (low, high) = (0.0, 1.0)
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if at(middle, i, { $0.1 }) < y { low = middle } else { high = middle }
    }
    return at(low, i) { $0.0 }
  }

  /// The control points of a quarter of a circle in arcs of 22.5, 45 and 22.5 degrees.
  private func circle() -> [(Double, Double)] {
    var points = [(1.0, 0.0)]
    for (from, to) in [(0.0, 22.5), (22.5, 67.5), (67.5, 90)] {
      let (a, b) = (from * .pi / 180, to * .pi / 180)
      let handle = 4.0 / 3 * tan((b - a) / 4)
      points.append((1 - sin(a) - handle * cos(a), 1 - cos(a) + handle * sin(a)))
      points.append((1 - sin(b) + handle * cos(b), 1 - cos(b) - handle * sin(b)))
      points.append((1 - sin(b), 1 - cos(b)))
    }
    return points
  }

  private let continuous: [(Double, Double)] = [
    (1.528665, 0), (1.08849296, 0), (0.86840694, 0), (0.63149379, 0.07491139),
    (0.37282383, 0.16905956), (0.16905956, 0.37282383), (0.07491139, 0.63149379),
    (0, 0.86840694), (0, 1.08849296), (0, 1.528665),
  ]
}

extension Corner {
  /// A random corner, with radii from 0 to larger than the pane.
  static func random(using dice: inout Dice) -> Corner {
    let radii = [0, 0.3, 0.5, 1, 1.5, 2, Double.random(in: 0...40, using: &dice)]
    return Corner(
      radius: radii.randomElement(using: &dice) ?? 0,
      curve: Bool.random(using: &dice) ? .circular : .continuous)
  }
}

extension Dice {
  /// A random size, often small or narrow.
  mutating func paneSize(upTo limit: Int) -> (width: Int, height: Int) {
    (roll(1...roll(1...limit)), roll(1...roll(1...limit)))
  }
}

/// Calls `draw` for a whole rectangle and for parts of it, in memory with random values around it.
/// Returns the result over `start`, or nil if the two differ or a pixel outside `bounds` changed.
func drawnWholeAndInParts(
  _ bounds: Rect, over start: Bitmap, using dice: inout Dice,
  _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
) -> Bitmap? {
  let layout = PixelLayout.random(around: bounds.grown(by: 2), using: &dice)
  var before = layout.garbage(using: &dice)
  for y in bounds.rows {
    for x in bounds.columns {
      before[layout.index(x: x, y: y)] = start[x - bounds.x, y - bounds.y]
    }
  }
  var (whole, parts) = (before, before)
  var span = whole.mutableSpan
  draw(bounds, &span, layout)
  span = parts.mutableSpan
  for part in layout.bounds.cut(using: &dice).flatMap({ $0.cut(using: &dice) }) {
    draw(part, &span, layout)
  }
  var result = start
  for y in bounds.rows {
    for x in bounds.columns {
      let place = layout.index(x: x, y: y)
      result[x - bounds.x, y - bounds.y] = whole[place]
      before[place] = whole[place]
    }
  }
  return whole == parts && whole == before ? result : nil
}
