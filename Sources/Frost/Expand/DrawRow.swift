/// A row of pixels of which each has 16-bit channels in units of 1/256 level, computed from two half rows of values.
protocol PixelSource {
  /// Sixteen pixels from pixel `x` on.
  func sixteen(_ values: Span<UInt16>, at x: Int) -> SixteenPixels
  /// Pixel `x`.
  func pixel(_ values: Span<UInt16>, at x: Int) -> Ramp<SIMD2<UInt16>>
}

/// Sixteen pixels, eight in each half.
typealias SixteenPixels = (left: Ramp<Lanes>, right: Ramp<Lanes>)

/// Draws a row of pixels of a source. `line` has its values.
func drawRow<Source: PixelSource>(
  _ source: Source, _ line: borrowing PlaneLine, grain: Grain, _ kind: Grain.Kind,
  to row: PixelRows, into pixels: inout MutableSpan<UInt32>
) {
  let values = line.values.span
  precondition(row.areInside(pixels) && row.rows == 1)
  var x = 0
  while x < row.count {
    let part = row.part(from: x, grain, pixels)
    switch kind {
    case .half: draw(source, values, from: x, grain, HalfUp.self, part, &pixels)
    case .thresholds: draw(source, values, from: x, grain, Thresholds.self, part, &pixels)
    case .noise: draw(source, values, from: x, grain, Noise.self, part, &pixels)
    case .noiseInRange: draw(source, values, from: x, grain, NoiseInRange.self, part, &pixels)
    case .noiseWithinAlpha:
      draw(source, values, from: x, grain, NoiseWithinAlpha.self, part, &pixels)
    }
    x += part.count
  }
}

/// Draws a part of a row, which starts at pixel `first` of the source. Not inlined, because the loop would need more registers
/// than there are in a larger function.
@inline(never)
@_lifetime(pixels: copy pixels)
private func draw<Source: PixelSource, R: Rounding>(
  _ source: Source, _ values: Span<UInt16>, from first: Int, _ grain: Grain, _ rounding: R.Type,
  _ row: PixelRows, _ pixels: inout MutableSpan<UInt32>
) {
  let table = grain.values.span
  var x = 0
  while x &+ 16 <= row.count {
    let at = R.usesTable ? grain.index(x: row.grainAt.x &+ x, y: row.grainAt.y) : 0
    var (left, right) = source.sixteen(values, at: first &+ x)
    R.prepare(&left, grain)
    R.prepare(&right, grain)
    pixels.store(
      R.pixels(left, table, at: at, grain), R.pixels(right, table, at: at &+ 16, grain),
      at: row.start &+ x, isStreaming: row.isStreaming)
    x &+= 16
  }
  while x < row.count {
    let at = R.usesTable ? grain.index(x: row.grainAt.x &+ x, y: row.grainAt.y) : 0
    var pixel = source.pixel(values, at: first &+ x)
    R.prepare(&pixel, grain)
    pixels.store(R.pixels(pixel, table, at: at, grain), at: row.start &+ x)
    x &+= 1
  }
}

/// The pixels of a line, from pixel `first` on.
struct LinePixels: PixelSource {
  private let first, pitch: Int

  /// Traps if the line has not `count` pixels from `first` on.
  init(_ line: borrowing PlaneLine, from first: Int, count: Int) {
    precondition(first >= 0 && line.pitch + 2 * (first + count) <= line.values.count)
    (self.first, pitch) = (first, line.pitch)
  }

  @inline(__always)
  func sixteen(_ values: Span<UInt16>, at x: Int) -> SixteenPixels {
    let at = 2 &* (first &+ x)
    return (
      Ramp(br: values.load(at: at), ga: values.load(at: pitch &+ at)),
      Ramp(br: values.load(at: at &+ 16), ga: values.load(at: pitch &+ at &+ 16))
    )
  }

  @inline(__always)
  func pixel(_ values: Span<UInt16>, at x: Int) -> Ramp<SIMD2<UInt16>> {
    let at = 2 &* (first &+ x)
    return Ramp(br: values.load(at: at), ga: values.load(at: pitch &+ at))
  }
}
