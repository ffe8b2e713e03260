/// What is added before the last 8 bits of 16 are cut off: one half everywhere (plain rounding), or
/// the thresholds of an 8x8 ordered dither, whose mean is one half too.
struct Dither: Sendable {
  private static let period = 8

  /// Eight rows, each of two periods, every threshold twice: once for each channel of a half row.
  let thresholds: [UInt16]
  private static let rowLength = 4 * period

  static let none = Dither { _, _ in half }
  static let half: UInt16 = 128

  /// Bayer's matrix: bits of x ^ y and of y, interleaved, the lowest first. 64 levels, 4 apart.
  static let ordered = Dither { x, y in
    var level = 0
    for bit in 0..<3 {
      level = level << 2 | ((x ^ y) >> bit & 1) << 1 | y >> bit & 1
    }
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
