// Arithmetic on premultiplied pixels, two channels at a time. Each channel has 16 or 32 bits of a
// word, so no channel overflows into the next.

/// Shares from 0 to 1 in fixed point, in units of 2^-15.
enum Weight {
  static let one: UInt16 = 1 << 15

  /// The nearest weight to a share, clamped to 0...1.
  static func rounded(_ share: Double) -> UInt16 {
    UInt16((min(1, max(0, share)) * Double(one)).rounded())
  }

}

/// The premultiplied pixel of a colour with the opacity `alpha`, 0 to 1, which replaces that of
/// `color`. Rounded to the nearest; no channel exceeds alpha.
func pixel(_ color: Color, alpha: Double) -> UInt32 {
  func channel(_ share: Double) -> UInt32 {
    // Rounds to the nearest, as `rounded` does, without a call of the mathematical library.
    UInt32(255 * min(1, max(0, share)) * min(1, max(0, alpha)) + 0.5)
  }
  return channel(color.blue) | channel(color.green) << 8 | channel(color.red) << 16
    | channel(1) << 24
}

/// All four channels multiplied by a `Weight`, each rounded to the nearest.
@inline(__always)
func scaled(_ pixel: UInt32, by weight: UInt16) -> UInt32 {
  mixed(0, pixel, weight)
}

/// Linear interpolation from `pixel` (weight 0) to `other` (weight 1). All four channels are
/// rounded to the nearest.
@inline(__always)
func mixed(_ pixel: UInt32, _ other: UInt32, _ weight: UInt16) -> UInt32 {
  let rest = UInt64(Weight.one &- weight)
  @inline(__always)
  func channels(_ shift: UInt32) -> UInt32 {
    let sum = spread(pixel &>> shift) &* rest &+ spread(other &>> shift) &* UInt64(weight)
    let nearest = ((sum &+ 0x4000_0000_4000) &>> 15) & 0xff_0000_00ff
    return UInt32(truncatingIfNeeded: nearest | nearest &>> 16)
  }
  return channels(0) | channels(8) &<< 8
}

/// Two channels, each in 32 bits.
@inline(__always)
private func spread(_ pixel: UInt32) -> UInt64 {
  UInt64(pixel & 0xff) | UInt64(pixel & 0xff_0000) &<< 16
}

private let evenChannels: UInt32 = 0x00ff_00ff

/// The sum of two pixels. Channels saturate at 255.
@inline(__always)
func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
  @inline(__always)
  func channels(_ shift: UInt32) -> UInt32 {
    let sum = (a &>> shift & evenChannels) &+ (b &>> shift & evenChannels)
    let carry = sum &>> 8 & 0x0001_0001
    return (sum | (carry &<< 8) &- carry) & evenChannels
  }
  return channels(0) | channels(8) &<< 8
}

/// A premultiplied pixel over another one: `pixel + below * (255 - alpha) / 255`, the product
/// rounded to the nearest.
@inline(__always)
func over(_ pixel: UInt32, _ below: UInt32) -> UInt32 {
  sum(pixel, share(of: below, 255 &- pixel &>> 24))
}

/// All four channels multiplied by `share / 255`, each rounded to the nearest. `share` must be at most 255.
@inline(__always)
func share(of pixel: UInt32, _ share: UInt32) -> UInt32 {
  @inline(__always)
  func channels(_ shift: UInt32) -> UInt32 {
    // x / 255 rounded is (t + t / 256) / 256, for t = x + 128, as long as x is at most 255 * 255.
    let product = (pixel &>> shift & evenChannels) &* share &+ 0x0080_0080
    return (product &+ (product &>> 8 & evenChannels)) &>> 8 & evenChannels
  }
  return channels(0) | channels(8) &<< 8
}
