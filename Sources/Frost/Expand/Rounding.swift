/// A conversion of a ramp's values, in units of 1/256 level, to pixels.
protocol Rounding {
  /// Whether `pixels` reads `Grain.values`.
  static var usesTable: Bool { get }
  /// Called once, before the first row.
  static func prepare<V>(_ ramp: inout Ramp<V>, _ grain: Grain)
  /// The pixels of the current row: the integer parts of the two half rows, merged. `table` is
  /// `Grain.values`, and `index` that of the first pixel.
  static func pixels<V>(_ ramp: Ramp<V>, _ table: Span<UInt16>, at index: Int, _ grain: Grain) -> V
}

extension Rounding {
  /// One of the four pixels of the current row; `index` is that of its own value.
  static func pixel(
    _ i: Int, of ramp: Ramp<SIMD8<UInt16>>, _ table: Span<UInt16>, at index: Int, _ grain: Grain
  ) -> UInt32 {
    let one = Ramp<SIMD2<UInt16>>(
      br: SIMD2(ramp.br[2 * i], ramp.br[2 * i + 1]), ga: SIMD2(ramp.ga[2 * i], ramp.ga[2 * i + 1]))
    let pixel = pixels(one, table, at: index, grain)
    return UInt32(pixel[1]) << 16 | UInt32(pixel[0])
  }
}

/// A vector of two 16-bit channels of eight pixels or of one, or of as many whole pixels.
protocol PixelVector: SIMD, BitwiseCopyable where Scalar == UInt16 {
  associatedtype SignedLanes: SIMD, BitwiseCopyable where SignedLanes.Scalar == Int16
  /// Sums of signed values, saturated to 16 bits.
  func addingSaturated(_ other: Self) -> Self
  /// The pixels with every byte limited to the pixel's alpha.
  func withinAlpha() -> Self
  /// Sums of unsigned values, saturated to 16 bits.
  func addingCapped(_ other: Self) -> Self
  /// `first` and `second`, alternating.
  static func pairs(_ first: UInt16, _ second: UInt16) -> Self
}

/// Plain rounding, half up.
enum HalfUp: Rounding {
  static var usesTable: Bool { false }

  @inline(__always)
  static func prepare<V>(_ ramp: inout Ramp<V>, _ grain: Grain) { ramp.add(UInt16(Grain.half)) }

  @inline(__always)
  static func pixels<V>(
    _ ramp: Ramp<V>, _ table: Span<UInt16>, at index: Int, _ grain: Grain
  ) -> V {
    (ramp.br &>> 8) | (ramp.ga & 0xff00)
  }
}

/// Ordered dither. A threshold is less than 256 and the largest value 255 * 256, so no sum wraps.
enum Thresholds: Rounding {
  static var usesTable: Bool { true }

  static func prepare<V>(_ ramp: inout Ramp<V>, _ grain: Grain) {}

  @inline(__always)
  static func pixels<V>(
    _ ramp: Ramp<V>, _ table: Span<UInt16>, at index: Int, _ grain: Grain
  ) -> V {
    let threshold: V = table.load(at: index)
    return ((ramp.br &+ threshold) &>> 8) | ((ramp.ga &+ threshold) & 0xff00)
  }
}

/// Noise on opaque pixels. It may leave the range at black and at white. So values are converted to
/// signed ones, whose sums saturate at both ends, and the upper bits of the pixels are converted
/// back.
enum Noise: Rounding {
  static var usesTable: Bool { true }

  @inline(__always)
  static func prepare<V>(_ ramp: inout Ramp<V>, _ grain: Grain) { ramp.add(0x8000) }

  @inline(__always)
  static func pixels<V>(
    _ ramp: Ramp<V>, _ table: Span<UInt16>, at index: Int, _ grain: Grain
  ) -> V {
    let br = ramp.br.addingSaturated(table.load(at: index))
    let ga = ramp.ga.addingSaturated(table.load(at: index &+ grain.greenAlpha))
    return ((br &>> 8) | (ga & 0xff00)) ^ 0x8080
  }
}

/// Noise on opaque pixels whose colours it cannot take out of range. `prepare` subtracts
/// `noiseReach` from the colours but not from alpha, and the table contains that much more, so its
/// values are positive. Alpha therefore saturates at its maximum.
enum NoiseInRange: Rounding {
  static var usesTable: Bool { true }

  @inline(__always)
  static func prepare<V>(_ ramp: inout Ramp<V>, _ grain: Grain) {
    ramp.subtractFromColours(grain.noiseReach)
  }

  @inline(__always)
  static func pixels<V>(
    _ ramp: Ramp<V>, _ table: Span<UInt16>, at index: Int, _ grain: Grain
  ) -> V {
    let values: V = table.load(at: index &+ grain.positive)
    return ((ramp.br &+ values) &>> 8) | (ramp.ga.addingCapped(values) & 0xff00)
  }
}

/// Noise on translucent pixels: colours are limited to alpha.
enum NoiseWithinAlpha: Rounding {
  static var usesTable: Bool { true }

  @inline(__always)
  static func prepare<V>(_ ramp: inout Ramp<V>, _ grain: Grain) { Noise.prepare(&ramp, grain) }

  @inline(__always)
  static func pixels<V>(
    _ ramp: Ramp<V>, _ table: Span<UInt16>, at index: Int, _ grain: Grain
  ) -> V {
    Noise.pixels(ramp, table, at: index, grain).withinAlpha()
  }
}

extension SIMD16<UInt16>: PixelVector {
  typealias SignedLanes = SIMD16<Int16>

  @inline(__always)
  func addingSaturated(_ other: Self) -> Self {
    Self(
      lowHalf: lowHalf.addingSaturated(other.lowHalf),
      highHalf: highHalf.addingSaturated(other.highHalf))
  }

  @inline(__always)
  func withinAlpha() -> Self {
    Self(lowHalf: lowHalf.withinAlpha(), highHalf: highHalf.withinAlpha())
  }

  @inline(__always)
  func addingCapped(_ other: Self) -> Self {
    Self(
      lowHalf: lowHalf.addingCapped(other.lowHalf),
      highHalf: highHalf.addingCapped(other.highHalf))
  }

  @inline(__always)
  static func pairs(_ first: UInt16, _ second: UInt16) -> Self {
    let pair = UInt32(second) << 16 | UInt32(first)
    return unsafe unsafeBitCast(SIMD8<UInt32>(repeating: pair), to: Self.self)
  }
}

extension SIMD8<UInt16>: PixelVector {
  typealias SignedLanes = SIMD8<Int16>

  @inline(__always)
  func addingSaturated(_ other: Self) -> Self {
    unsafe unsafeBitCast(
      saturatedSum(
        unsafeBitCast(self, to: SignedLanes.self), unsafeBitCast(other, to: SignedLanes.self)),
      to: Self.self)
  }

  @inline(__always)
  func withinAlpha() -> Self {
    let pixels = unsafe unsafeBitCast(self, to: SIMD4<UInt32>.self)
    var alpha = pixels &>> 24
    alpha |= alpha &<< 8
    alpha |= alpha &<< 16
    return unsafe unsafeBitCast(smallerBytes(pixels, alpha), to: Self.self)
  }

  @inline(__always)
  func addingCapped(_ other: Self) -> Self {
    unsafe unsafeBitCast(
      cappedSum(
        unsafeBitCast(self, to: SignedLanes.self), unsafeBitCast(other, to: SignedLanes.self)),
      to: Self.self)
  }

  @inline(__always)
  static func pairs(_ first: UInt16, _ second: UInt16) -> Self {
    Self(first, second, first, second, first, second, first, second)
  }
}

extension SIMD2<UInt16>: PixelVector {
  typealias SignedLanes = SIMD2<Int16>

  func addingSaturated(_ other: Self) -> Self {
    func sum(_ i: Int) -> UInt16 {
      let sum = Int(Int16(bitPattern: self[i])) + Int(Int16(bitPattern: other[i]))
      return UInt16(bitPattern: Int16(clamping: sum))
    }
    return Self(sum(0), sum(1))
  }

  func withinAlpha() -> Self {
    let alpha = self[1] >> 8
    func limited(_ byte: UInt16) -> UInt16 { byte < alpha ? byte : alpha }
    return Self(
      limited(self[0] & 255) | limited(self[0] >> 8) << 8,
      limited(self[1] & 255) | alpha << 8)
  }

  func addingCapped(_ other: Self) -> Self {
    func sum(_ i: Int) -> UInt16 { UInt16(clamping: Int(self[i]) + Int(other[i])) }
    return Self(sum(0), sum(1))
  }

  static func pairs(_ first: UInt16, _ second: UInt16) -> Self { Self(first, second) }
}
