/// Four colours without alpha, each in two lanes: blue and red; green and 0.
struct FourColors {
  var even, odd: SIMD8<UInt16>

  @inline(__always)
  init(even: SIMD8<UInt16>, odd: SIMD8<UInt16>) { (self.even, self.odd) = (even, odd) }

  @inline(__always)
  init(_ pixels: SIMD4<UInt32>) {
    even = unsafe unsafeBitCast(pixels & 0x00ff_00ff, to: SIMD8<UInt16>.self)
    odd = unsafe unsafeBitCast(pixels &>> 8 & 0xff, to: SIMD8<UInt16>.self)
  }

  /// The leaks of four pixels.
  @inline(__always)
  init(screen: SIMD4<UInt32>, overlay: SIMD4<UInt32>) {
    let (shown, own) = (FourColors(screen), FourColors(overlay))
    self.init(even: shown.even &- own.even, odd: shown.odd &- own.odd)
  }

  /// The pixels with alpha 0.
  @inline(__always)
  var pixels: SIMD4<UInt32> { unsafe unsafeBitCast(even | odd &<< 8, to: SIMD4<UInt32>.self) }
}

/// The values that all pixels in some rows of four columns may have, as distances: of the lowest one from black, of the
/// highest from white. Lanes as those of `FourColors`.
struct QuarterRanges {
  private var low = (
    even: SIMD8(repeating: LeakFactors.bias), odd: SIMD8(repeating: LeakFactors.bias)
  )
  private var high = (
    even: SIMD8(repeating: LeakFactors.bias), odd: SIMD8(repeating: LeakFactors.bias)
  )

  /// Only the pixels with these leaks.
  @inline(__always)
  mutating func restrict(to leaks: FourColors, _ factors: LeakFactors) {
    low.even = pointwiseMax(low.even, factors.lowest(leaks.even))
    low.odd = pointwiseMax(low.odd, factors.lowest(leaks.odd))
    // Both ends of the colours are alike.
    high.even = pointwiseMax(high.even, factors.lowest(factors.shares &- leaks.even))
    high.odd = pointwiseMax(high.odd, factors.lowest(factors.shares &- leaks.odd))
  }

  @inline(__always)
  mutating func formIntersection(_ other: QuarterRanges) {
    low.even = pointwiseMax(low.even, other.low.even)
    low.odd = pointwiseMax(low.odd, other.low.odd)
    high.even = pointwiseMax(high.even, other.high.even)
    high.odd = pointwiseMax(high.odd, other.high.odd)
  }

  /// Intersects those of the four columns.
  @inline(__always)
  mutating func spread() {
    low.even = Self.largest(low.even)
    low.odd = Self.largest(low.odd)
    high.even = Self.largest(high.even)
    high.odd = Self.largest(high.odd)
  }

  /// The largest of four pairs of lanes, in each of them.
  @inline(__always)
  private static func largest(_ lanes: SIMD8<Int16>) -> SIMD8<Int16> {
    let pairs = unsafe unsafeBitCast(lanes, to: SIMD4<Int32>.self)
    let swapped = SIMD4(pairs[2], pairs[3], pairs[0], pairs[1])
    let two = pointwiseMax(lanes, unsafe unsafeBitCast(swapped, to: SIMD8<Int16>.self))
    let rest = unsafe unsafeBitCast(two, to: SIMD4<Int32>.self)
    let last = SIMD4(rest[1], rest[0], rest[3], rest[2])
    return pointwiseMax(two, unsafe unsafeBitCast(last, to: SIMD8<Int16>.self))
  }

  /// What the pixels get: twice the value that all of them may have, and all bits where there is none.
  @inline(__always)
  var choice: (twice: FourColors, isNone: FourColors) {
    let even = Self.choice(low.even &- LeakFactors.bias, high.even &- LeakFactors.bias)
    let odd = Self.choice(low.odd &- LeakFactors.bias, high.odd &- LeakFactors.bias)
    return (
      FourColors(even: even.twice, odd: odd.twice), FourColors(even: even.isNone, odd: odd.isNone)
    )
  }

  /// As `LeakRange.value`.
  @inline(__always)
  private static func choice(
    _ low: SIMD8<Int16>, _ high: SIMD8<Int16>
  ) -> (twice: SIMD8<UInt16>, isNone: SIMD8<UInt16>) {
    let isWhite = (high &- 1) &>> 15
    let isNotBlack = (0 &- low) &>> 15
    let twice = ((low &- high &+ 255) & ~isWhite | (isWhite & 510)) & isNotBlack
    let isNone = (255 &- low &- high) &>> 15
    return unsafe (
      unsafeBitCast(twice, to: SIMD8<UInt16>.self), unsafeBitCast(isNone, to: SIMD8<UInt16>.self)
    )
  }
}

/// What the pixels of a quarter get.
struct QuarterFill {
  /// Twice the value of each channel.
  private var twice: FourColors
  /// All bits in channels that each pixel gets of its own leak.
  private var own: FourColors

  /// One value for the block, or else for the quarter.
  @inline(__always)
  init(_ quarter: QuarterRanges, block: QuarterRanges) {
    let (first, second) = (block.choice, quarter.choice)
    own = FourColors(
      even: first.isNone.even & second.isNone.even, odd: first.isNone.odd & second.isNone.odd)
    twice = FourColors(
      even: first.twice.even & ~first.isNone.even | second.twice.even & first.isNone.even,
      odd: first.twice.odd & ~first.isNone.odd | second.twice.odd & first.isNone.odd)
  }

  /// Whether no pixel needs its own leak.
  @inline(__always)
  var isFlat: Bool {
    let words = unsafe unsafeBitCast(own.even | own.odd, to: SIMD2<UInt64>.self)
    return words[0] | words[1] == 0
  }

  /// The pixels of row `y` if they do not need their own leaks.
  @inline(__always)
  func pixels(inRow y: Int) -> SIMD4<UInt32> {
    let first = UInt32(y & 1) &* 0x1_0001
    let (one, other) = (first, first ^ 0x1_0001)
    let odd = unsafe unsafeBitCast(SIMD4(one, other, one, other), to: SIMD8<UInt16>.self)
    return FourColors(
      even: (twice.even &+ odd) &>> 1 & ~own.even, odd: (twice.odd &+ odd) &>> 1 & ~own.odd
    ).pixels
  }

  /// The rest of the pixels, by their own leaks.
  @inline(__always)
  func pixels(of leaks: FourColors, _ factors: LeakFactors) -> SIMD4<UInt32> {
    FourColors(
      even: factors.values(leaks.even) & own.even, odd: factors.values(leaks.odd) & own.odd
    ).pixels
  }
}

/// What shows that pixels are not as usual.
struct UnusualPixels {
  private var alphas = SIMD4<UInt32>(repeating: 0)
  private var outside = SIMD8<UInt16>(repeating: 0)

  @inline(__always)
  mutating func note(overlay: SIMD4<UInt32>, _ leaks: FourColors, _ factors: LeakFactors) {
    alphas |= overlay ^ factors.alphas
    outside |= leaks.even | (factors.shares &- leaks.even)
    outside |= leaks.odd | (factors.shares &- leaks.odd)
  }

  /// Whether no pixel had an alpha that is not that of `LeakShare`, or a leak that is negative or larger than its share.
  @inline(__always)
  var isEmpty: Bool {
    let bits = unsafe unsafeBitCast(outside & 0x8000, to: SIMD4<UInt32>.self)
    let words = unsafe unsafeBitCast(bits | alphas & 0xff00_0000, to: SIMD2<UInt64>.self)
    return words[0] | words[1] == 0
  }
}
