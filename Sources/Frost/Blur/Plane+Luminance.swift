import Raster

extension Plane {
  /// The mean relative luminance (WCAG 2) of the cells `target`, 0 (black) to 1 (white), sampled at
  /// up to 16 evenly spaced columns and rows. Translucent cells count as if composed over black.
  func meanLuminance(of target: Rect) -> Double {
    precondition(!target.isEmpty && bounds.contains(target))
    let tables = LightTables.sRGB
    let half = Self.unit / 2
    func light(at index: Int) -> Float {
      tables.light(ofLevel: UInt32((values[index] + half) / Self.unit))
    }
    var sum = 0.0
    let (columns, rows) = (thinned(target.columns), thinned(target.rows))
    for y in rows {
      for x in columns {
        let at = shape.index(x: x, y: y)
        let light = Light(
          channels: SIMD3(light(at: at), light(at: at + pitch), light(at: at + 1)))
        sum += Double(light.luminance)
      }
    }
    return sum / Double(rows.count * columns.count)
  }
}

/// All elements of a range, or 16 evenly spaced ones.
private func thinned(_ range: Range<Int>) -> [Int] {
  let count = min(16, range.count)
  return (0..<count).map { range.lowerBound + (2 * $0 + 1) * range.count / (2 * count) }
}
