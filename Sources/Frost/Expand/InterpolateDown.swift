/// Draws some of the `fineCell` rows of pixels between two lines: the rows `steps`, counted
/// from the upper line, and `count` pixels from pixel `first` of the lines on. Each row is the row
/// above plus a constant.
///
/// The constant is rounded toward zero, so no value leaves the range of its two cells. If `isBetween`, the first
/// row is half a row below the upper line; else cells have at most 4 pixels. `grainAt` is
/// the position of the first pixel drawn, from the origin of the grain; `start` and `stride` are
/// its index in `pixels` and the distance between rows. If `isStreaming`, pixels are stored past the
/// caches where all rows start a cache line; `finishStreaming` must follow.
func interpolateDown(
  from above: borrowing PlaneLine, to below: borrowing PlaneLine, at first: Int,
  fineCell: Int, isBetween: Bool, steps: Range<Int>, count: Int, grain: Grain, _ kind: Grain.Kind,
  grainAt: (x: Int, y: Int), into pixels: inout MutableSpan<UInt32>, at start: Int, stride: Int,
  isStreaming: Bool
) {
  let a = above.values.span
  let b = below.values.span
  precondition(first >= 0 && above.pitch + 2 * (first + count) <= a.count && a.count == b.count)
  precondition(
    steps.isEmpty || start >= 0 && start + (steps.count - 1) * stride + count <= pixels.count)
  let slope = Slope(fineCell, isBetween: isBetween, skipping: steps.lowerBound, pitch: above.pitch)
  var x = 0
  while x < count {
    var width = grain.contiguousCount(from: grainAt.x + x, atMost: count - x)
    // What precedes the first cache line of all rows is a strip of its own.
    let streams = isStreaming && stride % 16 == 0
    let before = streams ? pixels.countBeforeCacheLine(at: start + x) : 0
    if before > 0 { width = min(width, before) }
    let strip = Strip(
      first: first + x, count: width, rows: steps.count, start: start + x, stride: stride,
      isStreaming: streams && before == 0,
      grainAt: (grainAt.x + x, grainAt.y), slope: slope)
    switch kind {
    case .half: strip.draw(a, b, grain, HalfUp.self, into: &pixels)
    case .thresholds: strip.draw(a, b, grain, Thresholds.self, into: &pixels)
    case .noise: strip.draw(a, b, grain, Noise.self, into: &pixels)
    case .noiseInRange: strip.draw(a, b, grain, NoiseInRange.self, into: &pixels)
    case .noiseWithinAlpha: strip.draw(a, b, grain, NoiseWithinAlpha.self, into: &pixels)
    }
    x += width
  }
}

/// The part of the rows between two lines that is drawn, and its position.
private struct Strip {
  let first, count, rows, start, stride: Int
  /// Whether pixels are stored past the caches. `start` and all rows must start a cache line.
  let isStreaming: Bool
  let grainAt: (x: Int, y: Int)
  let slope: Slope

  /// Not inlined, because the loop would need more registers than there are in a larger function.
  @inline(never)
  @_lifetime(pixels: copy pixels)
  func draw<R: Rounding>(
    _ a: Span<UInt16>, _ b: Span<UInt16>, _ grain: Grain, _ rounding: R.Type,
    into pixels: inout MutableSpan<UInt32>
  ) {
    let table = grain.values.span
    var x = 0
    while x &+ 16 <= count {
      var left = Ramp<Lanes>(a, b, at: 2 &* (first &+ x), slope)
      var right = Ramp<Lanes>(a, b, at: 2 &* (first &+ x) &+ 16, slope)
      R.prepare(&left, grain)
      R.prepare(&right, grain)
      var to = start &+ x
      var place = GrainPlace(column: 0)
      for row in 0..<rows {
        let y = grainAt.y &+ row
        if R.usesTable, row == 0 || y & 7 == 0 { place = grain.place(x: grainAt.x &+ x, y: y) }
        let at = R.usesTable ? grain.index(place, y: y) : 0
        let eight = R.pixels(left, table, at: at, grain)
        let nextEight = R.pixels(right, table, at: at &+ 16, grain)
        // The branch goes the same way for a whole frame.
        if isStreaming {
          pixels.storeStreaming(eight, at: to)
          pixels.storeStreaming(nextEight, at: to &+ 8)
        } else {
          pixels.store(eight, at: to)
          pixels.store(nextEight, at: to &+ 8)
        }
        left.step()
        right.step()
        to &+= stride
      }
      x &+= 16
    }
    while x < count {
      var ramp = Ramp<SIMD2<UInt16>>(a, b, at: 2 &* (first &+ x), slope)
      R.prepare(&ramp, grain)
      for row in 0..<rows {
        let at = R.usesTable ? grain.index(x: grainAt.x &+ x, y: grainAt.y &+ row) : 0
        pixels.store(R.pixels(ramp, table, at: at, grain), at: start &+ row &* stride &+ x)
        ramp.step()
      }
      x &+= 1
    }
  }
}

/// The conversion of the difference of two lines to the step of one row.
private struct Slope {
  let pitch: Int
  /// Shifts that convert the difference of two lines, in units of 1/64 level, to a step in units of
  /// 1/256; and the mask of the bits that `down` removes.
  let up, down, mask: Int16
  /// Whether the first row is half a step below the upper line.
  let startsBetween: Bool
  /// The number of rows above the first one that is drawn.
  let skipped: Int16

  init(_ fineCell: Int, isBetween: Bool, skipping rows: Int, pitch: Int) {
    self.pitch = pitch
    startsBetween = isBetween
    down = Int16(max(0, fineCell.trailingZeroBitCount - 2))
    up = fineCell == 2 ? 1 : 0
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
  fileprivate init(_ a: Span<UInt16>, _ b: Span<UInt16>, at index: Int, _ slope: Slope) {
    (br, stepBR) = Self.half(a, b, at: index, slope)
    (ga, stepGA) = Self.half(a, b, at: slope.pitch &+ index, slope)
  }

  @inline(__always)
  private static func half(
    _ a: Span<UInt16>, _ b: Span<UInt16>, at index: Int, _ slope: Slope
  ) -> (V, V) {
    let from: V.SignedLanes = a.load(at: index)
    var step = b.load(V.SignedLanes.self, at: index) &- from
    var value = from &<< 2
    // These branches go the same way for a whole frame, so they cost less than what they save.
    if slope.startsBetween {
      let towardZero = (step &>> 15) & slope.mask
      step = (step &+ towardZero) &>> slope.down
      value &+= step &>> 1
    } else if slope.up > 0 {
      step &+= step
    }
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
