/// Draws the rows `steps` of the `cell` rows between two lines of pixels, stepping from one to the next
/// by adding a constant; `count` pixels from pixel `first` of the lines on.
///
/// The constant is rounded toward zero: a value never leaves the range of its two cells.
func interpolateDown(
  from above: borrowing LineBuffer, to below: borrowing LineBuffer, at first: Int, plan: Plan,
  steps: Range<Int>, count: Int, dither: Dither, ditherAt: (x: Int, y: Int),
  into pixels: inout MutableSpan<UInt32>, at start: Int, stride: Int
) {
  let a = above.values.span
  let b = below.values.span
  precondition(first >= 0 && above.pitch + 2 * (first + count) <= a.count && a.count == b.count)
  precondition(
    steps.isEmpty || start >= 0 && start + (steps.count - 1) * stride + count <= pixels.count)
  let slope = Slope(plan, skipping: steps.lowerBound, pitch: above.pitch)
  let rows = steps.count
  var x = 0
  if dither.isPlain {
    while x &+ 16 <= count {
      var left = Ramp<Lanes, SIMD16<Int16>>(a, b, at: 2 &* (first &+ x), slope)
      var right = Ramp<Lanes, SIMD16<Int16>>(a, b, at: 2 &* (first &+ x) &+ 16, slope)
      left.roundHalfUp()
      right.roundHalfUp()
      var to = start &+ x
      for _ in 0..<rows {
        pixels.store(left.pixels(), at: to)
        pixels.store(right.pixels(), at: to &+ 8)
        left.step()
        right.step()
        to &+= stride
      }
      x &+= 16
    }
  }
  let thresholds = dither.thresholds.span
  while x &+ 16 <= count {
    var left = Ramp<Lanes, SIMD16<Int16>>(a, b, at: 2 &* (first &+ x), slope)
    var right = Ramp<Lanes, SIMD16<Int16>>(a, b, at: 2 &* (first &+ x) &+ 16, slope)
    var to = start &+ x
    for row in 0..<rows {
      let threshold: Lanes = thresholds.load(
        at: Dither.index(x: ditherAt.x &+ x, y: ditherAt.y &+ row))
      pixels.store(left.pixels(threshold), at: to)
      pixels.store(right.pixels(threshold), at: to &+ 8)
      left.step()
      right.step()
      to &+= stride
    }
    x &+= 16
  }
  while x < count {
    var ramp = Ramp<SIMD2<UInt16>, SIMD2<Int16>>(a, b, at: 2 &* (first &+ x), slope)
    for row in 0..<rows {
      let threshold: SIMD2<UInt16> = thresholds.load(
        at: Dither.index(x: ditherAt.x &+ x, y: ditherAt.y &+ row))
      pixels.store(ramp.pixels(threshold), at: start &+ row &* stride &+ x)
      ramp.step()
    }
    x &+= 1
  }
}

/// How a plan steps from one line to the next.
private struct Slope {
  let pitch: Int
  /// The difference of two lines, in units of 1/64, becomes a step in units of 1/256.
  let up, down, mask: Int16
  /// Whether the rows lie half a step past the upper line.
  let startsBetween: Bool
  let skipped: Int16

  init(_ plan: Plan, skipping rows: Int, pitch: Int) {
    self.pitch = pitch
    down = Int16(max(0, plan.cell.trailingZeroBitCount - 2))
    up = plan.cell == 2 ? 1 : 0
    mask = Int16(1) << down - 1
    startsBetween = plan.prefilter == .box && plan.cell > 1
    skipped = Int16(rows)
  }
}

/// Some columns on their way from one line to the next: values of 8 bits and 8 below the point.
private struct Ramp<V: SIMD & BitwiseCopyable, S: SIMD & BitwiseCopyable>
where V.Scalar == UInt16, S.Scalar == Int16 {
  private var br, ga: V
  private let stepBR, stepGA: V

  @inline(__always)
  init(_ a: Span<UInt16>, _ b: Span<UInt16>, at index: Int, _ slope: Slope) {
    (br, stepBR) = Self.half(a, b, at: index, slope)
    (ga, stepGA) = Self.half(a, b, at: slope.pitch &+ index, slope)
  }

  @inline(__always)
  private static func half(
    _ a: Span<UInt16>, _ b: Span<UInt16>, at index: Int, _ slope: Slope
  ) -> (V, V) {
    let from: S = a.load(at: index)
    var step = b.load(S.self, at: index) &- from
    var value = from &<< 2
    // Questions with one answer for the whole frame: cheaper than what they spare.
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

  @inline(__always)
  mutating func roundHalfUp() {
    br &+= Dither.half
    ga &+= Dither.half
  }

  /// The pixels of this row, cut off.
  @inline(__always)
  func pixels() -> V { (br &>> 8) | (ga & 0xff00) }

  /// The pixels of this row, rounded by thresholds.
  @inline(__always)
  func pixels(_ threshold: V) -> V { ((br &+ threshold) &>> 8) | ((ga &+ threshold) & 0xff00) }
}
