import Raster

extension Plane {
  /// The mean luminance of the cells `target`, 0 (black) to 1 (white), from at most 16 columns and 16 rows
  /// of them, evenly spread. Translucent cells count as over black.
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

/// All of a range, or 16 of it with the same gap before, between and after them.
private func thinned(_ range: Range<Int>) -> [Int] {
  let count = min(16, range.count)
  return (0..<count).map { range.lowerBound + (2 * $0 + 1) * range.count / (2 * count) }
}
