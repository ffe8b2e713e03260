/// Rows of pixels between fine cells of two pixels, interpolated by the subdivision of a cubic B-spline: a pixel at the centre
/// of a cell is 1/8, 6/8 and 1/8 of that cell and its neighbours, the next pixel the mean of two cells. Down first, then across.
///
/// Linear interpolation takes as long, and its error is 0.1 levels larger. All are means of two values in units of 1/256 level,
/// rounded down and then, across, up, so there is little bias, and no value leaves the range of its cells.
struct SmoothRows {
  private var source: FineRows
  /// Rows of cells, inverted so that `roundedMean` rounds down: row `y` in slot `y` modulo 3. The row of each slot.
  private var cells: [PlaneLine]
  private var rows = [Int](repeating: .min, count: 3)
  /// The cells at the height of a row of pixels, and its pixels, in the same unit.
  private var between: PlaneLine
  private(set) var pixels: PlaneLine
  /// Whether noise cannot take any pixel out of range: for each slot, and for `pixels`.
  private var haveHeadroom = [Bool](repeating: false, count: 3)
  private(set) var hasHeadroom = false
  private let tone: ToneSteps?

  /// Rows for the pixels `pixels`. They get the tone `tone`.
  init(_ across: GlassAxis, _ pixels: Range<Int>, tone: ToneSteps?, headroom: NoiseHeadroom?) {
    source = FineRows(across, pixels, tone: nil, headroom: headroom)
    between = PlaneLine(count: source.columns.count)
    cells = Array(repeating: between, count: 3)
    self.pixels = PlaneLine(count: 2 * source.columns.count)
    self.tone = tone
  }

  /// The cell at whose centre the first pixel of `pixels` is.
  var firstCell: Int { source.columns.lowerBound + 1 }

  /// Makes the row of pixels at the centres of a row of fine cells, or if `isNext`, the one below.
  mutating func make(_ row: Int, isNext: Bool, _ grid: borrowing Plane) {
    let used = isNext ? row...row + 1 : row - 1...row + 1
    for row in used where rows[slot(row)] != row { read(row, grid) }
    hasHeadroom = tone == nil && used.allSatisfy { haveHeadroom[slot($0)] }
    let (own, next) = (slot(row), slot(row + 1))
    if isNext {
      between.setMeans(cells[own], cells[next])
    } else {
      between.setSpline(cells[slot(row - 1)], cells[own], cells[next])
    }
    let count = source.columns.count - 2
    between.interpolateSpline(count: count, into: &pixels)
    if let tone { pixels.apply(tone, count: 2 * count) }
  }

  private mutating func read(_ row: Int, _ grid: borrowing Plane) {
    let slot = slot(row)
    rows[slot] = row
    source.makeCells(row, grid, isInverted: true, into: &cells[slot])
    haveHeadroom[slot] = source.hasHeadroom(row, grid)
  }

  private func slot(_ row: Int) -> Int { row - 3 * row.floorDivided(by: 3) }
}

// MARK: Means

/// (a + 6b + c) / 8.
@inline(__always)
private func spline(_ a: Lanes, _ b: Lanes, _ c: Lanes) -> Lanes {
  roundedMean(b, roundedMean(b, roundedMean(a, c)))
}

extension PlaneLine {
  /// Sets all values to the means of those of two inverted lines of the same size.
  fileprivate mutating func setMeans(_ one: borrowing PlaneLine, _ other: borrowing PlaneLine) {
    let (one, other, end) = (one.values.span, other.values.span, 2 * pitch)
    var target = values.mutableSpan
    precondition(end + 16 <= target.count && end + 16 <= min(one.count, other.count))
    var i = 0
    while i < end {
      target.store(~roundedMean(one.load(at: i), other.load(at: i)), at: i)
      i &+= 16
    }
  }

  /// Sets all values to those of the inverted line `own`, smoothed with the inverted ones before and after it.
  fileprivate mutating func setSpline(
    _ before: borrowing PlaneLine, _ own: borrowing PlaneLine, _ after: borrowing PlaneLine
  ) {
    let (a, b, c, end) = (before.values.span, own.values.span, after.values.span, 2 * pitch)
    var target = values.mutableSpan
    precondition(end + 16 <= target.count && end + 16 <= min(a.count, b.count, c.count))
    var i = 0
    while i < end {
      target.store(~spline(a.load(at: i), b.load(at: i), c.load(at: i)), at: i)
      i &+= 16
    }
  }

  /// Interpolates the two pixels of each of `count` cells, from column 1 on.
  fileprivate func interpolateSpline(count: Int, into pixels: inout PlaneLine) {
    let (cells, pitch, outPitch) = (values.span, pitch, pixels.pitch)
    var out = pixels.values.mutableSpan
    precondition(2 * count + 20 <= pitch && pitch + 2 * count + 20 <= cells.count)
    precondition(4 * count + 32 <= outPitch && outPitch + 4 * count + 32 <= out.count)
    for half in 0..<2 {
      let (at, to) = (half &* pitch, half &* outPitch)
      var i = 0
      while i < 2 &* count {
        let own: Lanes = cells.load(at: at &+ i &+ 2)
        let after: Lanes = cells.load(at: at &+ i &+ 4)
        let centres = spline(cells.load(at: at &+ i), own, after)
        var pairs = SIMD16<UInt32>()
        unsafe pairs.evenHalf = unsafeBitCast(centres, to: SIMD8<UInt32>.self)
        unsafe pairs.oddHalf = unsafeBitCast(roundedMean(own, after), to: SIMD8<UInt32>.self)
        out.store(pairs, at: to &+ 2 &* i)
        i &+= 16
      }
    }
  }

  /// Tones `count` pixels in units of 1/256 level.
  fileprivate mutating func apply(_ tone: ToneSteps, count: Int) {
    let pitch = pitch
    var values = values.mutableSpan
    for half in 0..<2 {
      for i in half &* pitch..<half &* pitch &+ 2 &* count { values[i] = (values[i] &+ 2) &>> 2 }
    }
    tone.apply(to: &values, at: 0, pitch: pitch, cellCount: count)
    for half in 0..<2 {
      for i in half &* pitch..<half &* pitch &+ 2 &* count { values[i] = values[i] &<< 2 }
    }
  }
}
