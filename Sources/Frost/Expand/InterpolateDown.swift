/// Draws rows of pixels between two lines, from pixel `first` of the lines on. Each row is the row above plus a constant,
/// which is rounded toward zero, so no value leaves the range of its two cells.
func interpolateDown(
  from above: borrowing PlaneLine, to below: borrowing PlaneLine, at first: Int, _ slope: Slope,
  grain: Grain, _ kind: Grain.Kind, to rows: PixelRows, into pixels: inout MutableSpan<UInt32>
) {
  let (a, b) = (above.values.span, below.values.span)
  precondition(rows.areInside(pixels))
  precondition(
    first >= 0 && above.pitch + 2 * (first + rows.count) <= a.count && a.count == b.count)
  var x = 0
  while x < rows.count {
    let part = rows.part(from: x, grain, pixels)
    let ramps = Ramps(first: first + x, pitch: above.pitch, slope: slope, part: part)
    switch kind {
    case .half: ramps.draw(a, b, grain, HalfUp.self, into: &pixels)
    case .thresholds: ramps.draw(a, b, grain, Thresholds.self, into: &pixels)
    case .noise: ramps.draw(a, b, grain, Noise.self, into: &pixels)
    case .noiseInRange: ramps.draw(a, b, grain, NoiseInRange.self, into: &pixels)
    case .noiseWithinAlpha: ramps.draw(a, b, grain, NoiseWithinAlpha.self, into: &pixels)
    }
    x += part.count
  }
}

/// A part of the rows between two lines.
private struct Ramps {
  /// The first pixel of the lines, and their pitch.
  let first, pitch: Int
  let slope: Slope
  let part: PixelRows

  /// Not inlined, because the loop would need more registers than there are in a larger function.
  @inline(never)
  @_lifetime(pixels: copy pixels)
  func draw<R: Rounding>(
    _ a: Span<UInt16>, _ b: Span<UInt16>, _ grain: Grain, _ rounding: R.Type,
    into pixels: inout MutableSpan<UInt32>
  ) {
    // Two loops, because a test for each row would take time.
    if part.isStreaming {
      drawSixteens(a, b, grain, rounding, into: &pixels, isStreaming: true)
    } else {
      drawSixteens(a, b, grain, rounding, into: &pixels, isStreaming: false)
    }
    let table = grain.values.span
    var x = part.count & ~15
    while x < part.count {
      var ramp = Ramp<SIMD2<UInt16>>(a, b, at: 2 &* (first &+ x), pitch, slope)
      R.prepare(&ramp, grain)
      for row in 0..<part.rows {
        let at =
          R.usesTable ? grain.index(x: part.grainAt.x &+ x, y: part.grainAt.y &+ row) : 0
        pixels.store(
          R.pixels(ramp, table, at: at, grain), at: part.start &+ row &* part.stride &+ x)
        ramp.step()
      }
      x &+= 1
    }
  }

  /// Draws all columns but those after the last sixteen.
  @inline(__always)
  @_lifetime(pixels: copy pixels)
  private func drawSixteens<R: Rounding>(
    _ a: Span<UInt16>, _ b: Span<UInt16>, _ grain: Grain, _ rounding: R.Type,
    into pixels: inout MutableSpan<UInt32>, isStreaming: Bool
  ) {
    let table = grain.values.span
    var x = 0
    while x &+ 16 <= part.count {
      var left = Ramp<Lanes>(a, b, at: 2 &* (first &+ x), pitch, slope)
      var right = Ramp<Lanes>(a, b, at: 2 &* (first &+ x) &+ 16, pitch, slope)
      R.prepare(&left, grain)
      R.prepare(&right, grain)
      var to = part.start &+ x
      var row = 0
      while row < part.rows {
        // The pattern is contiguous within the eight rows of an area.
        let y = part.grainAt.y &+ row
        let end = R.usesTable ? min(part.rows, row &+ 8 &- y & 7) : part.rows
        var at = R.usesTable ? grain.index(x: part.grainAt.x &+ x, y: y) : 0
        while row < end {
          pixels.store(
            R.pixels(left, table, at: at, grain), R.pixels(right, table, at: at &+ 16, grain),
            at: to, isStreaming: isStreaming)
          left.step()
          right.step()
          to &+= part.stride
          if R.usesTable { at &+= grain.rowStride }
          row &+= 1
        }
      }
      x &+= 16
    }
  }
}

/// The conversion of the difference of two lines to the step of one row.
struct Slope {
  /// A shift that converts the difference of two lines, in units of 1/64 level, to a step in units of
  /// 1/256; and the mask of the bits that it removes.
  fileprivate let down, mask: Int16
  /// Whether the first row is half a step below the upper line.
  fileprivate let startsBetween: Bool
  /// The number of rows above the first one that is drawn.
  fileprivate let skipped: Int16

  /// The slope between lines with `fineCell` rows of pixels, of which the first `rows` are not drawn. If `isBetween`, the
  /// first row is half a row below the upper line; else cells have at most 4 pixels.
  init(_ fineCell: Int, isBetween: Bool, skipping rows: Int) {
    startsBetween = isBetween
    down = Int16(max(0, fineCell.trailingZeroBitCount - 2))
    mask = Int16(1) << down - 1
    skipped = Int16(rows)
  }
}

/// The values of some columns in the current row, in units of 1/256 level, and their step to the
/// next row.
struct Ramp<V: PixelVector> {
  private(set) var br, ga: V
  private let stepBR, stepGA: V

  /// Values that do not change from row to row.
  @inline(__always)
  init(br: V, ga: V) {
    (self.br, self.ga) = (br, ga)
    (stepBR, stepGA) = (V(), V())
  }

  @inline(__always)
  fileprivate init(
    _ a: Span<UInt16>, _ b: Span<UInt16>, at index: Int, _ pitch: Int, _ slope: Slope
  ) {
    (br, stepBR) = Self.half(a, b, at: index, slope)
    (ga, stepGA) = Self.half(a, b, at: pitch &+ index, slope)
  }

  @inline(__always)
  private static func half(
    _ a: Span<UInt16>, _ b: Span<UInt16>, at index: Int, _ slope: Slope
  ) -> (V, V) {
    let from: V.SignedLanes = a.load(at: index)
    var step = b.load(V.SignedLanes.self, at: index) &- from
    var value = from &<< 2
    // These branches go the same way for a whole frame, so they cost less than what they save.
    if slope.down > 0 {
      let towardZero = (step &>> 15) & slope.mask
      step = (step &+ towardZero) &>> slope.down
    }
    if slope.startsBetween { value &+= step &>> 1 }
    if slope.skipped > 0 { value &+= step &* slope.skipped }
    return unsafe (unsafeBitCast(value, to: V.self), unsafeBitCast(step, to: V.self))
  }

  @inline(__always)
  mutating func step() {
    br &+= stepBR
    ga &+= stepGA
  }

  /// Subtracts a constant from every value except those of alpha.
  @inline(__always)
  mutating func subtractFromColours(_ constant: UInt16) {
    br &-= constant
    ga &-= V.pairs(constant, 0)
  }

  /// Adds a constant to every value, modulo 2^16.
  @inline(__always)
  mutating func add(_ constant: UInt16) {
    br &+= constant
    ga &+= constant
  }
}
