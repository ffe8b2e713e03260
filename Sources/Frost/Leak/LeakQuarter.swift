/// Four colours, each in two lanes. `even`: blue and red. `odd`: green; the fourth byte is not used.
struct FourColors {
  let even, odd: SIMD8<UInt16>

  @inline(__always)
  private init(_ pixels: SIMD4<UInt32>) {
    even = unsafe unsafeBitCast(pixels & 0x00ff_00ff, to: SIMD8<UInt16>.self)
    odd = unsafe unsafeBitCast(pixels, to: SIMD8<UInt16>.self) &>> 8
  }

  /// The leaks of four pixels.
  @inline(__always)
  init(screen: SIMD4<UInt32>, overlay: SIMD4<UInt32>) {
    let (shown, own) = (FourColors(screen), FourColors(overlay))
    (even, odd) = (shown.even &- own.even, shown.odd &- own.odd)
  }
}

/// The ranges of values that the pixels of each column may have in some rows of four columns, in units of 1/128. `low` is the
/// distance of the lowest value from black, `high` the distance of the highest value from white. The lanes are those of
/// `FourColors`; unused lanes are 0.
struct QuarterRanges {
  fileprivate var low = (even: Signed(), odd: Signed())
  fileprivate var high = (even: Signed(), odd: Signed())

  /// Restricts the ranges to the values that cause these leaks.
  @inline(__always)
  mutating func restrict(to leaks: FourColors, _ factors: LeakFactors) {
    let (even, odd) = (factors.even.products(leaks.even), factors.odd.products(leaks.odd))
    low.even = larger(low.even, factors.even.lowest(even))
    low.odd = larger(low.odd, factors.odd.lowest(odd))
    high.even = larger(high.even, factors.even.highest(even))
    high.odd = larger(high.odd, factors.odd.highest(odd))
  }
}

/// The values for the pixels of a block. The quarters are the upper left, the upper right, the lower left and the lower right one;
/// each has two lanes.
struct BlockFill {
  /// The pixels where x and y are both even or both odd, and the others.
  private let same, different: SIMD4<UInt32>
  /// All bits in channels of which each pixel gets the value of its own leak.
  private let own: (even: SIMD4<UInt32>, odd: SIMD4<UInt32>)

  /// Each channel gets one value for the block if the ranges allow it, or else one value for each quarter.
  @inline(__always)
  init(_ quarters: (QuarterRanges, QuarterRanges, QuarterRanges, QuarterRanges)) {
    @inline(__always)
    func values(_ ranges: (Signed, Signed, Signed, Signed)) -> Signed {
      Self.gathered(ranges.0, ranges.1, ranges.2, ranges.3) &>> 7
    }
    let (a, b, c, d) = quarters
    let even = Self.choice(
      values((a.low.even, b.low.even, c.low.even, d.low.even)),
      values((a.high.even, b.high.even, c.high.even, d.high.even)))
    let odd = Self.choice(
      values((a.low.odd, b.low.odd, c.low.odd, d.low.odd)),
      values((a.high.odd, b.high.odd, c.high.odd, d.high.odd)))
    own = unsafe (
      unsafeBitCast(even.isNone, to: SIMD4<UInt32>.self),
      unsafeBitCast(odd.isNone, to: SIMD4<UInt32>.self)
    )
    @inline(__always)
    func pixels(_ rounding: Signed) -> SIMD4<UInt32> {
      let (low, high) = ((even.twice &+ rounding) &>> 1, (odd.twice &+ rounding) &>> 1)
      return unsafe unsafeBitCast(
        low & ~even.isNone | (high & ~odd.isNone) &<< 8, to: SIMD4<UInt32>.self)
    }
    (same, different) = (pixels(Signed(repeating: 0)), pixels(Signed(repeating: 1)))
  }

  /// The fill of one quarter.
  @inline(__always)
  func quarter(_ index: Int) -> QuarterFill {
    let (one, other) = (same[index], different[index])
    return QuarterFill(
      evenRow: SIMD4(one, other, one, other), oddRow: SIMD4(other, one, other, one),
      ownEven: SIMD4(repeating: own.even[index]), ownOdd: SIMD4(repeating: own.odd[index]))
  }

  /// The largest lanes of each of four vectors with four pairs of lanes.
  @inline(__always)
  private static func gathered(_ a: Signed, _ b: Signed, _ c: Signed, _ d: Signed) -> Signed {
    let (one, other) = (pairs(halved(a, b)), pairs(halved(c, d)))
    return larger(
      lanes(SIMD4(one[0], one[1], other[0], other[1])),
      lanes(SIMD4(one[2], one[3], other[2], other[3])))
  }

  /// The larger pairs of lanes of the halves of two vectors, alternating.
  @inline(__always)
  private static func halved(_ a: Signed, _ b: Signed) -> Signed {
    let (a, b) = (pairs(a), pairs(b))
    return larger(lanes(SIMD4(a[0], b[0], a[1], b[1])), lanes(SIMD4(a[2], b[2], a[3], b[3])))
  }

  /// The largest of four pairs of lanes, in each of them.
  @inline(__always)
  private static func largest(_ v: Signed) -> Signed {
    let all = pairs(v)
    let two = larger(v, lanes(SIMD4(all[2], all[3], all[0], all[1])))
    let rest = pairs(two)
    return larger(two, lanes(SIMD4(rest[1], rest[0], rest[3], rest[2])))
  }

  @inline(__always)
  private static func pairs(_ v: Signed) -> SIMD4<UInt32> {
    unsafe unsafeBitCast(v, to: SIMD4<UInt32>.self)
  }

  @inline(__always)
  private static func lanes(_ v: SIMD4<UInt32>) -> Signed {
    unsafe unsafeBitCast(v, to: Signed.self)
  }

  /// Chooses the values for quarters with these distances. `twice` is twice the value that all pixels of the block may have, or
  /// else the one that all pixels of the quarter may have. `isNone` has all bits set where there is neither.
  @inline(__always)
  private static func choice(_ low: Signed, _ high: Signed) -> (twice: Signed, isNone: Signed) {
    let block = ownChoice(largest(low), largest(high))
    let quarter = ownChoice(low, high)
    return (
      block.twice & ~block.isNone | quarter.twice & block.isNone, block.isNone & quarter.isNone
    )
  }

  /// Chooses values as `LeakRange.value(isOdd:)` does. `twice` is twice the value; `isNone` has all bits set where a range is
  /// empty.
  @inline(__always)
  private static func ownChoice(_ low: Signed, _ high: Signed) -> (twice: Signed, isNone: Signed) {
    let isWhite = (high &- 1) &>> 15
    let isNotBlack = (0 &- low) &>> 15
    let twice = ((low &- high &+ 255) & ~isWhite | (isWhite & 510)) & isNotBlack
    return (twice, (255 &- low &- high) &>> 15)
  }
}

/// The values for the pixels of a quarter.
struct QuarterFill {
  /// The pixels of the rows with even and with odd numbers, if they do not need their own leaks. Their alpha is 0.
  let evenRow, oddRow: SIMD4<UInt32>
  /// All bits in channels of which each pixel gets the value of its own leak.
  let ownEven, ownOdd: SIMD4<UInt32>

  /// Whether no pixel needs its own leak.
  @inline(__always)
  var isFlat: Bool { ownEven[0] | ownOdd[0] == 0 }

  /// The channels whose values come from the leaks of the pixels themselves; other channels are 0.
  @inline(__always)
  func pixels(of leaks: FourColors, _ factors: LeakFactors) -> SIMD4<UInt32> {
    let even = unsafe unsafeBitCast(factors.even.values(leaks.even), to: SIMD4<UInt32>.self)
    let odd = unsafe unsafeBitCast(factors.odd.values(leaks.odd), to: SIMD4<UInt32>.self)
    return even & ownEven | (odd & ownOdd) &<< 8
  }
}

/// Collects whether some pixels are unusual.
struct UnusualPixels {
  private var alphas = SIMD4<UInt32>(repeating: 0)
  private var outside = (even: SIMD8<UInt16>(repeating: 0), odd: SIMD8<UInt16>(repeating: 0))

  @inline(__always)
  mutating func accumulate(overlay: SIMD4<UInt32>, _ leaks: FourColors, _ factors: LeakFactors) {
    alphas |= overlay ^ factors.alphas
    outside.even |= leaks.even | (factors.even.shares &- leaks.even)
    outside.odd |= leaks.odd | (factors.odd.shares &- leaks.odd)
  }

  /// Whether all pixels so far have the alpha that belongs to their `LeakShare`, and leaks from 0 to their share.
  @inline(__always)
  var isEmpty: Bool {
    let even = unsafe unsafeBitCast(outside.even, to: SIMD4<UInt32>.self)
    let odd = unsafe unsafeBitCast(outside.odd, to: SIMD4<UInt32>.self)
    let bits = even & 0x8000_8000 | odd & 0x8000 | alphas & 0xff00_0000
    let words = unsafe unsafeBitCast(bits, to: SIMD2<UInt64>.self)
    return words[0] | words[1] == 0
  }
}
