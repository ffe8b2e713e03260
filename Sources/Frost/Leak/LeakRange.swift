/// The values that the channels of a pixel of the backdrop may have: blue, green and red; the last lane is not used.
struct LeakRange {
  private(set) var low = SIMD4<Int32>(repeating: 0)
  private(set) var high = SIMD4<Int32>(repeating: 255)

  /// Any value.
  init() {}

  /// The values that cause these leaks: their product with `share / 255`, rounded, is the leak. `share` is not 0.
  init(of leaks: SIMD4<Int32>, share: Int32) { self.init(ofLeaks: leaks, to: leaks, share: share) }

  /// The values that cause leaks from `lowest` to `highest`. Some numbers in between may be no leaks of the share. `share` is not
  /// 0.
  init(ofLeaks lowest: SIMD4<Int32>, to highest: SIMD4<Int32>, share: Int32) {
    let divisor = 2 * UInt32(share)
    let reciprocal = UInt64(UInt32.max / divisor + 1)
    /// The least integer that is not below (leak - 1/2) * 255 / share, nor below 0.
    func value(_ leak: Int32) -> Int32 {
      if leak <= 0 { return 0 }
      let dividend = UInt64(510 * UInt32(leak) - 256 + divisor)
      // The exact quotient, because the dividend is less than 2^17 and the divisor less than 2^9.
      return Int32((dividend * reciprocal) >> 32)
    }
    for i in 0..<3 {
      low[i] = value(lowest[i])
      // The highest value is computed like the lowest one, as a distance from white.
      high[i] = 255 - value(share - highest[i])
    }
  }

  /// Forms the intersection with a range.
  mutating func restrict(low: SIMD4<Int32>, high: SIMD4<Int32>) {
    self.low = pointwiseMax(self.low, low)
    self.high = pointwiseMin(self.high, high)
  }

  mutating func formIntersection(_ other: LeakRange) {
    restrict(low: other.low, high: other.high)
  }

  /// Where no value is in the range.
  var isEmpty: SIMDMask<SIMD4<Int32>> { low .> high }

  /// Whether no value is in the range of a channel.
  var hasEmpty: Bool { low[0] > high[0] || low[1] > high[1] || low[2] > high[2] }

  /// These ranges, or the others where they are empty.
  func orWhereEmpty(_ other: LeakRange) -> LeakRange {
    var result = self
    result.low.replace(with: other.low, where: isEmpty)
    result.high.replace(with: other.high, where: isEmpty)
    return result
  }

  /// Chooses a value of the range: black if the range contains it, else white if the range contains it, else the middle. If the
  /// middle is between two levels, the result is the higher one if `isOdd`.
  func value(isOdd: Bool) -> SIMD4<Int32> {
    ((low &+ high &+ (isOdd ? 1 : 0)) &>> 1)
      .replacing(with: 255, where: high .== 255).replacing(with: 0, where: low .== 0)
  }

  /// The value whose leaks, without rounding, are these leaks, limited to this range. The range must be the range of the leaks.
  func value(of leaks: SIMD4<Int32>, share: Int32) -> SIMD4<Int32> {
    let values = (leaks &* LeakFactors.factor(ofShare: share) &+ 64) &>> 7
    return pointwiseMin(pointwiseMax(values, low), high)
  }
}

/// Factors that convert the leaks of four pixels to colours.
struct LeakFactors {
  /// The alpha of the overlay, in its place.
  let alphas: SIMD4<UInt32>
  /// `even` has the factors of blue and red, `odd` those of green and of the fourth byte. All values for the fourth byte are 0,
  /// except the shares.
  let even, odd: LaneFactors

  static func factor(ofShare share: Int32) -> Int32 { (32640 + share / 2) / share }

  /// The factors of four columns from a multiple of 4 on.
  init(x: Int, y: Int) {
    let shares = (0..<4).map { Int32(LeakShare.at(x: x + $0, y: y)) }
    var alphas = SIMD4<UInt32>()
    for i in 0..<4 { alphas[i] = UInt32(255 - shares[i]) << 24 }
    self.alphas = alphas
    even = LaneFactors(shares, hasSecond: true)
    odd = LaneFactors(shares, hasSecond: false)
  }

  /// The factors of all quarters of 8x8 pixels: two of each row.
  static let all = (0..<16).map { LeakFactors(x: $0 % 2 * 4, y: $0 / 2) }
}

/// The factors of four pixels with two lanes each. Products with them are in units of 1/128.
struct LaneFactors {
  let shares: SIMD8<UInt16>
  /// 255 / share. With them the ranges of all shares up to 40 are exact.
  private let factors: SIMD8<UInt16>
  /// Offsets: one is added to a product for the lowest value of a range; a product is subtracted from the other for the
  /// distance of the highest value from white.
  private let lowOffsets, highOffsets: Signed

  /// If not `hasSecond`, the second lane of each pixel is not used.
  init(_ pixels: [Int32], hasSecond: Bool) {
    var (shares, factors) = (SIMD8<UInt16>(), SIMD8<UInt16>())
    var (low, high) = (Signed(), Signed())
    for i in 0..<8 {
      let share = pixels[i / 2]
      shares[i] = UInt16(share)
      if i & 1 == 1, !hasSecond { continue }
      let factor = LeakFactors.factor(ofShare: share)
      factors[i] = UInt16(factor)
      low[i] = Int16(128 - factor / 2)
      high[i] = Int16(share * factor + 128 - factor / 2)
    }
    (self.shares, self.factors, lowOffsets, highOffsets) = (shares, factors, low, high)
  }

  @inline(__always)
  func products(_ leaks: SIMD8<UInt16>) -> SIMD8<UInt16> { leaks &* factors }

  /// The lowest values with these products; less than 128 for 0.
  @inline(__always)
  func lowest(_ products: SIMD8<UInt16>) -> Signed {
    unsafe unsafeBitCast(products, to: Signed.self) &+ lowOffsets
  }

  /// The distances of the highest values with these products from white; less than 128 for 0.
  @inline(__always)
  func highest(_ products: SIMD8<UInt16>) -> Signed {
    highOffsets &- (unsafe unsafeBitCast(products, to: Signed.self))
  }

  /// The values whose leaks, without rounding, are these leaks.
  @inline(__always)
  func values(_ leaks: SIMD8<UInt16>) -> SIMD8<UInt16> { (products(leaks) &+ 64) &>> 7 }
}
