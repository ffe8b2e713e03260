/// The values that are added to 16-bit pixels before they are truncated to 8 bits: one half (plain
/// rounding) or the thresholds of an ordered dither of 16x8 pixels, whose mean is also one half; and optional
/// noise. The pattern is fixed to the pixels of an output and is the same in every frame, so glass that
/// moves over a still backdrop keeps its pixels on the screen.
struct Grain: Sendable {
  enum Kind {
    /// One half everywhere, without a table.
    case half
    /// The dither.
    case thresholds
    /// Noise on opaque pixels, saturated at black and white.
    case noise
    /// The same for pixels that noise cannot take out of range.
    case noiseInRange
    /// Noise on translucent pixels, which limits every colour to its alpha.
    case noiseWithinAlpha
  }

  let kind: Kind
  /// The test for `noiseInRange`; nil without noise and for translucent pixels.
  let headroom: NoiseHeadroom?
  /// Up to three tables of rows, each row one period and 16 more pixels long, two values for each
  /// pixel, in units of 1/256 level. The first table is added to blue and red. The table at
  /// `greenAlpha` is added to green and alpha; alpha has no noise. The table at `positive` is added
  /// to all four channels and is larger by `noiseReach`.
  let values: [UInt16]
  let greenAlpha, positive: Int
  let noiseReach: UInt16
  /// The length of a row of the tables, in pixels: a power of two. All have 8 rows.
  private let width: Int
  /// Whether each area of `areaWidth` x 8 pixels starts at another column of the tables.
  private let isShifted: Bool

  /// The width of an area in which the pattern is contiguous, in pixels. Its first column is a multiple of it.
  static let areaWidth = 256

  /// One half of a level, in units of 1/256.
  static let half = 128

  /// Patterns without noise are made once, because a fade makes a glass each frame.
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
    headroom = nil
    (width, isShifted) = (Self.ditherWidth, false)
    values = Self.table(width) { x, y in (threshold(x, y), threshold(x, y)) }
    (greenAlpha, positive, noiseReach) = (0, 0, 0)
  }

  private init(over base: Grain, _ tile: NoiseTile, isOpaque: Bool) {
    kind = isOpaque ? .noise : .noiseWithinAlpha
    headroom = isOpaque ? NoiseHeadroom(tile.reach) : nil
    (width, isShifted) = (NoiseTile.width, true)
    func threshold(_ x: Int, _ y: Int) -> Int { Int(base.values[base.index(x: x, y: y)]) }
    func table(_ alpha: Int, _ more: Int) -> [UInt16] {
      Self.table(NoiseTile.width) { x, y in
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

  /// A table of the two values that `pixel` returns for each pixel of 8 rows, as 16-bit two's
  /// complement.
  private static func table(
    _ width: Int, _ pixel: (_ x: Int, _ y: Int) -> (Int, Int)
  ) -> [UInt16] {
    var values: [UInt16] = []
    values.reserveCapacity(2 * (width + 16) * 8)
    for y in 0..<8 {
      for x in 0..<width + 16 {
        let (first, second) = pixel(x % width, y)
        values.append(UInt16(truncatingIfNeeded: first))
        values.append(UInt16(truncatingIfNeeded: second))
      }
    }
    return values
  }

  /// The index in `values` of the pixel (x, y) of an output. The 16 pixels from it on are contiguous, as far as
  /// they are in the same area.
  @inline(__always)
  func index(x: Int, y: Int) -> Int {
    let shift = isShifted ? Self.shift(x: x, y: y) : 0
    return (y & 7) &* rowStride &+ 2 &* ((x &+ shift) & (width &- 1))
  }

  /// The distance of the indices of two pixels of an area, one below the other.
  @inline(__always)
  var rowStride: Int { 2 &* (width &+ 16) }

  /// The number of columns from `x` on that are in the same area, at most `count`.
  func contiguousCount(from x: Int, atMost count: Int) -> Int {
    isShifted ? min(count, Self.areaWidth - x & (Self.areaWidth - 1)) : count
  }

  /// The column of the tables at which the area of a pixel starts: a multiple of 8. A hash of the area, so that the noise
  /// has no period.
  @inline(__always)
  private static func shift(x: Int, y: Int) -> Int {
    let area = UInt32(truncatingIfNeeded: x / areaWidth &* 0x9E3B &+ (y >> 3) &* 0x85EB_CA6B)
    // The finalizer of MurmurHash3, without its first and last step.
    let mixed = (area &* 0x85EB_CA6B ^ (area &* 0x85EB_CA6B) >> 13) &* 0xC2B2_AE35
    return Int(mixed >> 24) &* 8
  }

  /// A threshold of the ordered dither: one of 128 values, 2 apart, in units of 1/256 level.
  static func threshold(x: Int, y: Int) -> Int {
    2 * order[ditherWidth * (y & 7) + x & (ditherWidth - 1)] + 1
  }

  /// The columns of the dither, which has 8 rows.
  private static let ditherWidth = 16

  /// The order of the thresholds. The four of each 2x2 square are in different quarters, and so are four neighbours in a
  /// row or a column. Each half of 8x8 has one of two successive thresholds. The rest was found by simulated annealing: it
  /// minimizes the errors of the means of 16x16 pixels on slopes of up to 0.24 level a pixel, and of 8x8 pixels on slopes
  /// of up to 0.0125. The largest is 0.035 level on horizontal and vertical slopes, 0.048 on diagonal ones. Bayer's
  /// matrix of 8x8, whose rows and columns have only two of the quarters, is wrong by 0.1.
  private static let order = [
    4, 87, 111, 40, 16, 67, 99, 56, 30, 82, 105, 61, 18, 78, 110, 49,
    119, 63, 23, 72, 112, 47, 28, 84, 125, 58, 5, 69, 109, 37, 6, 89,
    83, 31, 36, 115, 75, 12, 51, 108, 73, 1, 53, 121, 90, 22, 42, 102,
    48, 103, 91, 3, 35, 100, 68, 0, 50, 117, 94, 13, 62, 114, 74, 2,
    20, 76, 124, 55, 7, 79, 120, 44, 10, 66, 122, 45, 26, 85, 98, 34,
    96, 52, 11, 92, 123, 32, 15, 71, 113, 38, 14, 86, 126, 46, 29, 65,
    64, 8, 59, 107, 88, 24, 43, 104, 93, 17, 33, 97, 77, 9, 57, 118,
    39, 116, 80, 19, 60, 127, 95, 27, 54, 101, 70, 25, 41, 106, 81, 21,
  ]
}

/// Tests whether noise leaves the pixels of cells between black and white, so that they need no
/// saturation.
struct NoiseHeadroom: Sendable {
  /// The range of plane values that pass: for the half row of blue and red, and for that of green
  /// and alpha, where alpha always passes.
  private let low, high: [Signed]

  /// `reach` is the largest absolute value of the noise, in units of 1/256 level.
  init(_ reach: Int) {
    let unit = 256 / Int(Plane.unit)
    let least = Int16((reach + unit - 1) / unit)
    let most = Int16((65535 - 255 - reach) / unit)
    low = [Signed(repeating: least, and: least), Signed(repeating: least, and: 0)]
    high = [Signed(repeating: most, and: most), Signed(repeating: most, and: .max)]
  }

  /// Whether `count` cells pass. `first` is the index of the first cell's blue value. Returns false
  /// for fewer than four cells.
  func isSufficient(for values: Span<UInt16>, at first: Int, pitch: Int, count: Int) -> Bool {
    precondition(first >= 0 && first + pitch + 2 * count <= values.count)
    // A separate loop for so few cells does not pay.
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

/// A fixed tile of random numbers from -amplitude / 2 to amplitude / 2, rounded to whole levels, so that they leave
/// the means that the dither makes unchanged. Each aligned block of 8x8 has the sum 0. The sums of rows, and of columns with the same position in
/// their blocks, are about equal, so no row or column of a picture is lighter than the others.
struct NoiseTile {
  static let width = 512
  static let height = 8
  /// The 64 values in ascending order.
  private let steps: [Int]

  /// The largest absolute value.
  var reach: Int { steps.map(abs).max() ?? 0 }

  subscript(x: Int, y: Int) -> Int { steps[Self.places[y * Self.width + x]] }

  /// `amplitude` is the difference of the largest and the smallest value, in units of 1/256 level.
  init(amplitude: Double) {
    steps = (0..<64).map { place in
      let share = (Double(place) - 31.5) / 63
      return 256 * Int((share * amplitude / 256).rounded())
    }
  }

  /// The index into `steps` of each pixel: each block of 8x8 is a permutation of 0..<64.
  private static let places = {
    var places = Array(repeating: 0, count: width * height)
    var state: UInt64 = 1
    for x in stride(from: 0, to: width, by: 8) {
      for (i, step) in shuffled(Array(0..<64), &state).enumerated() {
        places[i / 8 * width + x + i % 8] = step
      }
    }
    balance(&places, &state)
    return places
  }()

  /// Exchanges values within blocks until the sums of all rows are about equal, and then, within rows of blocks,
  /// until the sums of all columns with the same position in their blocks are.
  private static func balance(_ places: inout [Int], _ state: inout UInt64) {
    exchange(&places, &state) { line, block, other in line * width + block + other }
    exchange(&places, &state) { line, block, other in other * width + block + line }
  }

  /// Exchanges values between the two of eight lines with the largest and the smallest sum until all sums are
  /// about equal. `place` returns the place of a line in a block and another line across it. If that is a row,
  /// it must be the same for both values, so that the sums of rows stay.
  private static func exchange(
    _ places: inout [Int], _ state: inout UInt64,
    _ place: (_ line: Int, _ block: Int, _ other: Int) -> Int
  ) {
    var sums = (0..<8).map { line in
      stride(from: 0, to: width, by: 8).reduce(0) { sum, block in
        (0..<8).reduce(sum) { $0 + places[place(line, block, $1)] }
      }
    }
    for _ in 0..<100_000 {
      guard let most = sums.indices.max(by: { sums[$0] < sums[$1] }),
        let least = sums.indices.min(by: { sums[$0] < sums[$1] }), sums[most] > sums[least] + 1
      else { return }
      let (block, other) = (8 * next(width / 8, &state), next(8, &state))
      let (from, to) = (place(most, block, other), place(least, block, other))
      let difference = places[from] - places[to]
      // The exchange must bring the two sums closer to each other.
      if difference <= 0 || difference >= sums[most] - sums[least] { continue }
      places.swapAt(from, to)
      sums[most] -= difference
      sums[least] += difference
    }
  }

  /// Fisher-Yates shuffle.
  private static func shuffled(_ values: [Int], _ state: inout UInt64) -> [Int] {
    var values = values
    for i in stride(from: values.count - 1, to: 0, by: -1) {
      values.swapAt(i, next(i + 1, &state))
    }
    return values
  }

  /// A random number below `count`, from Knuth's MMIX linear congruential generator.
  private static func next(_ count: Int, _ state: inout UInt64) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(count))
  }
}
