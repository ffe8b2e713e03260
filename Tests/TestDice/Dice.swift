package import Raster

/// Reproducible random numbers (SplitMix64), the same on every machine. A failure is reproduced
/// with its seed, which the description names.
package struct Dice: RandomNumberGenerator, CustomStringConvertible {
  /// The seed of the whole sequence.
  private let seed: String
  private var state: UInt64

  /// Different seeds give independent sequences.
  package init(seed: some BinaryInteger) {
    self.seed = "\(seed)"
    // The sequences of nearby states are shifted copies of each other. So nearby seeds are mapped
    // to distant states.
    state = Self.mix(UInt64(truncatingIfNeeded: seed) &+ 1)
  }

  package var description: String { "seed \(seed)" }

  package mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    return Self.mix(state)
  }

  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ z >> 30) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ z >> 27) &* 0x94d0_49bb_1331_11eb
    return z ^ z >> 31
  }

  /// A uniformly distributed integer.
  package mutating func roll(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &self)
  }

  /// A rectangle inside `bounds`, not empty, more often small than large.
  package mutating func rect(in bounds: Rect) -> Rect {
    let width = roll(1...roll(1...bounds.width))
    let height = roll(1...roll(1...bounds.height))
    return Rect(
      x: bounds.x + roll(0...bounds.width - width), y: bounds.y + roll(0...bounds.height - height),
      width: width, height: height)
  }
}

extension Bitmap {
  /// An opaque picture of random pixels, so that a shift by one pixel is detected.
  package static func noise(width: Int, height: Int, using dice: inout Dice) -> Bitmap {
    var picture = Bitmap(width: width, height: height)
    for i in picture.pixels.indices {
      picture.pixels[i] = UInt32(truncatingIfNeeded: dice.next()) | 0xff00_0000
    }
    return picture
  }
}
