package import Raster

extension Plane {
  /// The mean relative luminance (WCAG 2) of the cells `target` after `tone`, 0 (black) to 1 (white), sampled
  /// at up to 16 evenly spaced columns and rows. Translucent cells count as if composed over black.
  func meanLuminance(of target: Rect, tone: ToneSteps?) -> Double {
    precondition(!target.isEmpty && bounds.contains(target))
    let (columns, rows) = (thinned(target.columns), thinned(target.rows))
    var samples = PlaneLine(count: rows.count * columns.count)
    let pitch = samples.pitch
    var span = samples.values.mutableSpan
    for (i, (y, x)) in rows.flatMap({ y in columns.map { (y, $0) } }).enumerated() {
      let at = shape.index(x: x, y: y)
      for half in 0..<2 {
        for channel in 0..<2 {
          span[half * pitch + 2 * i + channel] = values[at + half * self.pitch + channel]
        }
      }
    }
    let count = rows.count * columns.count
    tone?.apply(to: &span, at: 0, pitch: pitch, cellCount: count)
    return samples.luminanceSum(count) / Double(count)
  }
}

extension CellGrid {
  /// The mean relative luminance of the cells of some pixels of the output, sampled like that of a plane.
  package func meanLuminance(of pixels: Rect) -> Double {
    precondition(!pixels.isEmpty && geometry.output.contains(pixels))
    let (columns, rows) = (
      thinned(geometry.across.cells(of: pixels.columns)),
      thinned(geometry.down.cells(of: pixels.rows))
    )
    let count = rows.count * columns.count
    var samples = PlaneLine(count: count)
    let pitch = samples.pitch
    withValues { values in
      var span = samples.values.mutableSpan
      for (i, (y, x)) in rows.flatMap({ y in columns.map { (y, $0) } }).enumerated() {
        let at = tiles.valueIndex(x: x, y: y)
        for channel in 0..<2 {
          span[2 * i + channel] = values[at + channel]
          span[pitch + 2 * i + channel] = values[at + CellTile.pitch + channel]
        }
      }
    }
    return samples.luminanceSum(count) / Double(count)
  }
}

extension Tone {
  /// The level of opaque grey after the tone, both from 0 to 1: the mean of the channels.
  package func grayLevel(of level: Double) -> Double {
    var line = PlaneLine(count: 1)
    let pitch = line.pitch
    var values = line.values.mutableSpan
    let gray = UInt16((level * Double(Plane.full)).rounded())
    (values[0], values[1], values[pitch], values[pitch + 1]) = (
      gray, gray, gray, UInt16(Plane.full)
    )
    ToneSteps(self).apply(to: &values, at: 0, pitch: pitch, cellCount: 1)
    let sum = Int(values[0]) + Int(values[1]) + Int(values[pitch])
    return Double(sum) / Double(3 * Int(Plane.full))
  }
}

extension PlaneLine {
  /// The sum of the relative luminances of the first `count` cells.
  fileprivate func luminanceSum(_ count: Int) -> Double {
    let tables = LightTables.sRGB
    func light(_ value: UInt16) -> Float {
      tables.light(ofLevel: UInt32((value + Plane.unit / 2) / Plane.unit))
    }
    return (0..<count).reduce(0) { sum, i in
      let light = Light(
        channels: SIMD3(
          light(values[2 * i]), light(values[pitch + 2 * i]), light(values[2 * i + 1])))
      return sum + Double(light.luminance)
    }
  }
}

/// All elements of a range, or 16 evenly spaced ones.
func thinned(_ range: Range<Int>) -> [Int] {
  let count = min(16, range.count)
  return (0..<count).map { range.lowerBound + (2 * $0 + 1) * range.count / (2 * count) }
}
