package import Raster

/// Reproducible random numbers (SplitMix64), the same on every machine, so that a failure can be run
/// again by its seed.
package struct Dice: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: some BinaryInteger) {
    state = UInt64(truncatingIfNeeded: seed) &* Self.step
  }

  private static let step: UInt64 = 0x9e37_79b9_7f4a_7c15

  package mutating func next() -> UInt64 {
    state &+= Self.step
    var z = state
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }

  package mutating func roll(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// Inside `bounds`, never empty, small more often than large.
  package mutating func rect(in bounds: Rect) -> Rect {
    let width = roll(1...roll(1...bounds.width))
    let height = roll(1...roll(1...bounds.height))
    return Rect(
      x: bounds.x + roll(0...bounds.width - width), y: bounds.y + roll(0...bounds.height - height),
      width: width, height: height)
  }
}

extension Bitmap {
  /// Every pixel of its own random colour, so that a shift by one pixel cannot go unseen; opaque.
  package static func noise(width: Int, height: Int, using dice: inout Dice) -> Bitmap {
    var picture = Bitmap(width: width, height: height)
    for i in picture.pixels.indices {
      picture.pixels[i] = UInt32(truncatingIfNeeded: dice.next()) | 0xff00_0000
    }
    return picture
  }
}
