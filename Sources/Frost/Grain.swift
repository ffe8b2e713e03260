/// What is added to a pixel before the last 8 of its 16 bits are cut off: one half everywhere (plain
/// rounding), the thresholds of an 8x8 ordered dither, whose mean is one half too, or either of them
/// and noise. It belongs to the pixels of a pane, and is the same in every frame.
struct Grain: Sendable {
  enum Kind {
    case half
    case thresholds
    case noise
    /// The same where no colour comes near black or white.
    case noiseBetween
    /// Noise that leaves no colour above its alpha, as translucent pixels need it.
    case noiseWithinAlpha
  }

  let kind: Kind
  /// What noise may reach of black or white, of opaque pixels only.
  let room: NoiseRoom?
  /// Rows of one period and 16 pixels more, each pixel as it is added to blue and red; from `greenAlpha`
  /// on, as it is added to green and alpha, which has no noise; and from `positive` on, as it is added to
  /// all four where it is larger by `noiseReach`.
  let values: [UInt16]
  let greenAlpha, positive: Int
  let noiseReach: UInt16
  /// Of a tile, powers of two; and how far a row of tiles is shifted against the one above.
  private let width, height, shift: Int

  static let half = 128

  /// Those without noise are made once: a fade makes a glass a frame.
  private static let plain = Grain(.half) { _, _ in half }
  private static let ordered = Grain(.thresholds, threshold)

  init(_ material: Material, isOpaque: Bool) {
    let base = material.isDithered ? Self.ordered : Self.plain
    self =
      material.noise > 0
      ? Grain(over: base, NoiseTile(amplitude: material.noise * 255 * 256), isOpaque: isOpaque)
      : base
  }

  private init(_ kind: Kind, _ threshold: (_ x: Int, _ y: Int) -> Int) {
    self.kind = kind
    room = nil
    (width, height, shift) = (8, 8, 0)
    values = Self.table(width, height) { x, y in (threshold(x, y), threshold(x, y)) }
    (greenAlpha, positive, noiseReach) = (0, 0, 0)
  }

  private init(over base: Grain, _ tile: NoiseTile, isOpaque: Bool) {
    kind = isOpaque ? .noise : .noiseWithinAlpha
    room = isOpaque ? NoiseRoom(tile.reach) : nil
    (width, height, shift) = (NoiseTile.width, NoiseTile.height, NoiseTile.shift)
    func threshold(_ x: Int, _ y: Int) -> Int { Int(base.values[base.index(x: x, y: y)]) }
    func table(_ alpha: Int, _ more: Int) -> [UInt16] {
      Self.table(NoiseTile.width, NoiseTile.height) { x, y in
        let (noise, threshold) = (tile[x, y] + more, threshold(x, y))
        return (noise + threshold, noise * alpha + threshold)
      }
    }
    let (signed, greenAlpha) = (table(1, 0), table(0, 0))
    let reach = tile.reach
    noiseReach = UInt16(reach)
    values = signed + greenAlpha + table(1, reach)
    self.greenAlpha = signed.count
    positive = 2 * signed.count
  }

  /// The two channels of every pixel of a tile, in 16 bits of two's complement.
  private static func table(
    _ width: Int, _ height: Int, _ pixel: (_ x: Int, _ y: Int) -> (Int, Int)
  ) -> [UInt16] {
    var values: [UInt16] = []
    values.reserveCapacity(2 * (width + 16) * height)
    for y in 0..<height {
      for x in 0..<width + 16 {
        let (first, second) = pixel(x % width, y)
        values.append(UInt16(truncatingIfNeeded: first))
        values.append(UInt16(truncatingIfNeeded: second))
      }
    }
    return values
  }

  /// Where in `values` a pane's pixel (x, y) stands, and those right of it.
  @inline(__always)
  func index(x: Int, y: Int) -> Int {
    let row = y & (height &- 1)
    let column = (x &+ (y &>> height.trailingZeroBitCount) &* shift) & (width &- 1)
    return 2 &* (row &* (width &+ 16) &+ column)
  }

  /// Bayer's 4x4 matrix, and parities of more bits for the two finest of six: 64 levels, 4 apart.
  ///
  /// With Bayer's own finest bits the mean of 8x8 pixels is up to 0.066 level off where the picture
  /// slopes by 1/30 level a pixel; with these, the best of all parities on slopes and on blurred
  /// steps, 0.043.
  static func threshold(x: Int, y: Int) -> Int {
    let mixed = x ^ y
    let bits = [
      mixed, y, mixed >> 1, y >> 1, x >> 1 ^ y ^ y >> 1 ^ y >> 2,
      mixed ^ mixed >> 1 ^ mixed >> 2,
    ]
    return 4 * bits.reduce(0) { $0 << 1 | $1 & 1 } + 2
  }
}

/// Tells rows of cells whose pixels noise leaves between black and white: they need not be cut off there.
struct NoiseRoom: Sendable {
  /// What values of a plane may be: of the half rows of blue and red, and of green and alpha, which has no
  /// noise.
  private let low, high: [Signed]

  /// `reach` is how far noise goes, with 8 bits below the point.
  init(_ reach: Int) {
    let unit = 256 / Int(Plane.unit)
    let least = Int16((reach + unit - 1) / unit)
    let most = Int16((65535 - 255 - reach) / unit)
    low = [Signed(repeating: least, and: least), Signed(repeating: least, and: 0)]
    high = [Signed(repeating: most, and: most), Signed(repeating: most, and: .max)]
  }

  /// Whether all of some cells are so; `first` is the place of the first one's blue.
  func holds(_ values: Span<UInt16>, at first: Int, pitch: Int, count: Int) -> Bool {
    precondition(first >= 0 && first + pitch + 2 * count <= values.count)
    // Not worth a loop of its own.
    if count < 4 { return false }
    var beyond = Signed()
    for half in 0..<2 {
      let at = first + half * pitch
      for i in stride(from: 0, to: 2 * count, by: 8) {
        // The last vector ends with the last cell.
        let cells: Signed = values.load(at: at &+ min(i, 2 &* count &- 8))
        beyond |= (cells &- low[half]) | (high[half] &- cells)
      }
    }
    return (0..<8).allSatisfy { beyond[$0] >= 0 }
  }
}

/// Random numbers for a tile of pixels, the same for ever, from -amplitude / 2 to amplitude / 2, and with
/// the sum 0 in every 8x8 pixels: noise makes nothing lighter or darker as a whole.
struct NoiseTile {
  // Larger ones fall out of the nearest cache between two rows: 256x32 cost a tenth of a frame.
  static let width = 64
  static let height = 32
  /// A row of tiles lies as many pixels off the one above: a pattern that repeats right below would
  /// show. A multiple of 8, as the dither needs it.
  static let shift = 24
  /// What each of the 64 steps from the darkest to the lightest is.
  private let steps: [Int]

  /// How far a number may be from 0.
  var reach: Int { steps.map(abs).max() ?? 0 }

  subscript(x: Int, y: Int) -> Int { steps[Self.places[y * Self.width + x]] }

  init(amplitude: Double) {
    steps = (0..<64).map { Int(((Double($0) - 31.5) / 63 * amplitude).rounded()) }
  }

  /// Which step each pixel has: each 8x8 of them have all 64, in another order.
  private static let places = {
    var places = Array(repeating: 0, count: width * height)
    var state: UInt64 = 1
    for y in stride(from: 0, to: height, by: 8) {
      for x in stride(from: 0, to: width, by: 8) {
        for (i, step) in shuffled(Array(0..<64), &state).enumerated() {
          places[(y + i / 8) * width + x + i % 8] = step
        }
      }
    }
    return places
  }()

  /// Fisher and Yates, with Knuth's linear congruences.
  private static func shuffled(_ values: [Int], _ state: inout UInt64) -> [Int] {
    var values = values
    for i in stride(from: values.count - 1, to: 0, by: -1) {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      values.swapAt(i, Int((state >> 33) % UInt64(i + 1)))
    }
    return values
  }
}
