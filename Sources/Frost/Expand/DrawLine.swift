/// Draws a row of pixels: those of a line, in units of 1/256 level, from pixel `first` on.
func drawLine(
  _ line: borrowing PlaneLine, at first: Int, grain: Grain, _ kind: Grain.Kind,
  to row: PixelRows, into pixels: inout MutableSpan<UInt32>
) {
  let values = line.values.span
  precondition(row.areInside(pixels) && row.rows == 1)
  precondition(first >= 0 && line.pitch + 2 * (first + row.count) <= values.count)
  var x = 0
  while x < row.count {
    let part = row.part(from: x, grain, pixels)
    let at = 2 * (first + x)
    let pitch = line.pitch
    switch kind {
    case .half: draw(values, at: at, pitch, grain, HalfUp.self, part, into: &pixels)
    case .thresholds: draw(values, at: at, pitch, grain, Thresholds.self, part, into: &pixels)
    case .noise: draw(values, at: at, pitch, grain, Noise.self, part, into: &pixels)
    case .noiseInRange: draw(values, at: at, pitch, grain, NoiseInRange.self, part, into: &pixels)
    case .noiseWithinAlpha:
      draw(values, at: at, pitch, grain, NoiseWithinAlpha.self, part, into: &pixels)
    }
    x += part.count
  }
}

/// Not inlined, because the loop would need more registers than there are in a larger function.
@inline(never)
@_lifetime(pixels: copy pixels)
private func draw<R: Rounding>(
  _ values: Span<UInt16>, at first: Int, _ pitch: Int, _ grain: Grain, _ rounding: R.Type,
  _ row: PixelRows, into pixels: inout MutableSpan<UInt32>
) {
  let table = grain.values.span
  var at = R.usesTable ? grain.index(x: row.grainAt.x, y: row.grainAt.y) : 0
  var x = 0
  while x &+ 16 <= row.count {
    if R.usesTable { at = grain.index(x: row.grainAt.x &+ x, y: row.grainAt.y) }
    let index = first &+ 2 &* x
    var left = Ramp<Lanes>(br: values.load(at: index), ga: values.load(at: pitch &+ index))
    var right = Ramp<Lanes>(
      br: values.load(at: index &+ 16), ga: values.load(at: pitch &+ index &+ 16))
    R.prepare(&left, grain)
    R.prepare(&right, grain)
    let eight = R.pixels(left, table, at: at, grain)
    let nextEight = R.pixels(right, table, at: at &+ 16, grain)
    // The branch goes the same way for a whole frame.
    if row.isStreaming {
      pixels.storeStreaming(eight, at: row.start &+ x)
      pixels.storeStreaming(nextEight, at: row.start &+ x &+ 8)
    } else {
      pixels.store(eight, at: row.start &+ x)
      pixels.store(nextEight, at: row.start &+ x &+ 8)
    }
    x &+= 16
  }
  while x < row.count {
    if R.usesTable { at = grain.index(x: row.grainAt.x &+ x, y: row.grainAt.y) }
    let index = first &+ 2 &* x
    var pixel = Ramp<SIMD2<UInt16>>(
      br: values.load(at: index), ga: values.load(at: pitch &+ index))
    R.prepare(&pixel, grain)
    pixels.store(R.pixels(pixel, table, at: at, grain), at: row.start &+ x)
    x &+= 1
  }
}
