/// What is added before the last 8 bits of 16 are cut off: one half everywhere (plain rounding), or
/// the thresholds of an 8x8 ordered dither, whose mean is one half too.
struct Dither: Sendable {
  private static let period = 8

  /// Eight rows, each of two periods, every threshold twice: once for each channel of a half row.
  let thresholds: [UInt16]
  private static let rowLength = 4 * period

  static let none = Dither { _, _ in half }
  static let half: UInt16 = 128

  /// Bayer's 4x4 matrix, and parities of more bits for the two finest of six: 64 levels, 4 apart.
  ///
  /// With Bayer's own finest bits the mean of 8x8 pixels is up to 0.066 level off where the picture
  /// slopes by 1/30 level a pixel; with these, the best of all parities on slopes and on blurred
  /// steps, 0.043.
  static let ordered = Dither { x, y in
    let mixed = x ^ y
    let bits = [
      mixed, y, mixed >> 1, y >> 1, x >> 1 ^ y ^ y >> 1 ^ y >> 2,
      mixed ^ mixed >> 1 ^ mixed >> 2,
    ]
    let level = bits.reduce(0) { $0 << 1 | $1 & 1 }
    return UInt16(4 * level + 2)
  }

  /// Whether every threshold is the same, one half.
  var isPlain: Bool { thresholds.allSatisfy { $0 == Self.half } }

  private init(_ threshold: (_ x: Int, _ y: Int) -> UInt16) {
    thresholds = (0..<Self.period).flatMap { y in
      (0..<2 * Self.period).flatMap { x in
        Array(repeating: threshold(x % Self.period, y), count: 2)
      }
    }
  }

  /// Where in `thresholds` eight pixels' thresholds stand, for the pixel (x, y) of a pane and those right
  /// of it.
  static func index(x: Int, y: Int) -> Int { (y & 7) * rowLength + 2 * (x & 7) }
}
