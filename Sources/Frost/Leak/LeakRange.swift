/// The values that the channels of a pixel of the backdrop may have: blue, green and red; the last lane is not used.
struct LeakRange {
  private(set) var low = SIMD4<Int32>(repeating: 0)
  private(set) var high = SIMD4<Int32>(repeating: 255)

  /// Any value.
  init() {}

  /// The values with the leaks of a share: their product with `share / 255` is rounded to them. `share` is not 0.
  init(of leaks: SIMD4<Int32>, share: Int32) {
    let divisor = 2 * UInt32(share)
    let reciprocal = UInt64(UInt32.max / divisor + 1)
    /// The least integer that is not below (leak - 1/2) * 255 / share, nor below 0.
    func lowest(_ leak: Int32) -> Int32 {
      if leak == 0 { return 0 }
      let dividend = UInt64(510 * UInt32(leak) - 256 + divisor)
      // The exact quotient, because the dividend is less than 2^17 and the divisor less than 2^9.
      return Int32((dividend * reciprocal) >> 32)
    }
    for i in 0..<3 {
      low[i] = lowest(leaks[i])
      // Both ends of the colours are alike.
      high[i] = 255 - lowest(share - leaks[i])
    }
  }

  mutating func formIntersection(_ other: LeakRange) {
    low = pointwiseMax(low, other.low)
    high = pointwiseMin(high, other.high)
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

  /// The value that is chosen of it: black, else white, else the middle; between two levels the higher one if `isOdd`.
  func value(isOdd: Bool) -> SIMD4<Int32> {
    ((low &+ high &+ (isOdd ? 1 : 0)) &>> 1)
      .replacing(with: 255, where: high .== 255).replacing(with: 0, where: low .== 0)
  }

  /// The value that leaks would be of if they were not rounded, or the nearest one in their range, which this is.
  func value(of leaks: SIMD4<Int32>, share: Int32) -> SIMD4<Int32> {
    let values = (leaks &* LeakFactors.factor(ofShare: share) &+ 64) &>> 7
    return pointwiseMin(pointwiseMax(values, low), high)
  }
}

/// What makes leaks of four pixels colours, in units of 1/128. A pixel has two lanes, for two of its channels.
struct LeakFactors {
  /// The alpha of the overlay, in its place.
  let alphas: SIMD4<UInt32>
  let shares: SIMD8<UInt16>
  /// 255 / share. With them the ranges of all shares up to 40 are exact.
  private let factors: SIMD8<UInt16>
  /// What is added to the product with `factors` to get the lowest value of a range, plus `bias`.
  private let offsets: SIMD8<UInt16>

  /// What the lowest values are too large by: so they are never negative.
  static let bias: Int16 = 16

  static func factor(ofShare share: Int32) -> Int32 { (32640 + share / 2) / share }

  /// Those of four columns from a multiple of 4 on.
  init(x: Int, y: Int) {
    var (alphas, shares) = (SIMD4<UInt32>(), SIMD8<UInt16>())
    var (factors, offsets) = (SIMD8<UInt16>(), SIMD8<UInt16>())
    for i in 0..<8 {
      let share = Int32(LeakShare.at(x: x + i / 2, y: y))
      let factor = Self.factor(ofShare: share)
      alphas[i / 2] = UInt32(255 - share) << 24
      shares[i] = UInt16(share)
      factors[i] = UInt16(factor)
      offsets[i] = UInt16(128 * Int32(Self.bias) + 128 - factor / 2)
    }
    (self.alphas, self.shares, self.factors, self.offsets) = (alphas, shares, factors, offsets)
  }

  /// Those of all quarters of 8x8 pixels: two of each row.
  static let all = (0..<16).map { LeakFactors(x: $0 % 2 * 4, y: $0 / 2) }

  /// The lowest values with these leaks, plus `bias`; less than `bias` for 0.
  @inline(__always)
  func lowest(_ leaks: SIMD8<UInt16>) -> SIMD8<Int16> {
    unsafe unsafeBitCast((leaks &* factors &+ offsets) &>> 7, to: SIMD8<Int16>.self)
  }

  /// The values that these leaks would be of if they were not rounded.
  @inline(__always)
  func values(_ leaks: SIMD8<UInt16>) -> SIMD8<UInt16> { (leaks &* factors &+ 64) &>> 7 }
}
