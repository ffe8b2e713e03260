/// Rows of pixels between fine cells of two pixels, interpolated by the subdivision of a cubic B-spline: a pixel at the centre
/// of a cell is 1/8, 6/8 and 1/8 of that cell and its neighbours, the next pixel the mean of two cells. Down first, then across.
///
/// Linear interpolation takes as long, and its error is 0.1 levels larger. All results are means of two values in units of 1/256
/// level. Means down are rounded down, means across are rounded up, so there is little bias, and no value leaves the range of its
/// cells.
struct SmoothRows {
  private var source: FineRows
  /// Rows of cells, inverted so that `roundedMean` rounds down: row `y` in slot `y` modulo 3. `rows` has the number of the row in
  /// each slot. All slots are in one array, because it is then read without reference counting, which waits for streaming stores.
  private var cells: [UInt16]
  private var rows = [Int](repeating: .min, count: 3)
  /// The cells at the height of a row of pixels, and its pixels if there is a tone.
  private var between, pixels: PlaneLine
  /// Whether noise cannot take any pixel out of range: for each slot, and for the present row.
  private var haveHeadroom = [Bool](repeating: false, count: 3)
  private var hasHeadroom = false
  private let tone: ToneSteps?

  /// Rows for the pixels `pixels`. They get the tone `tone`.
  init(_ across: GlassAxis, _ pixels: Range<Int>, tone: ToneSteps?, headroom: NoiseHeadroom?) {
    source = FineRows(across, pixels, tone: nil, headroom: headroom)
    between = PlaneLine(count: source.columns.count)
    cells = Array(repeating: 0, count: 3 * between.values.count)
    self.pixels = tone == nil ? .empty : PlaneLine(count: 2 * source.columns.count)
    self.tone = tone
  }

  /// The cell at whose centre pixel 0 of a row is.
  var firstCell: Int { source.columns.lowerBound + 1 }

  /// Makes the row of pixels at the centres of a row of fine cells, or if `isNext`, the one below.
  mutating func make(_ row: Int, isNext: Bool, _ grid: borrowing Plane) {
    let used = isNext ? row...row + 1 : row - 1...row + 1
    for row in used where rows[slot(row)] != row { read(row, grid) }
    hasHeadroom = tone == nil && used.allSatisfy { haveHeadroom[slot($0)] }
    let own = place(row)
    if isNext {
      between.setMeans(cells, own, place(row + 1))
    } else {
      between.setSpline(cells, place(row - 1), own, place(row + 1))
    }
  }

  /// Draws the present row from pixel `first` on.
  mutating func draw(
    from first: Int, grain: Grain, to row: PixelRows, into target: inout MutableSpan<UInt32>
  ) {
    let kind = grain.kind == .noise && hasHeadroom ? .noiseInRange : grain.kind
    guard let tone else {
      let source = SplinePixels(between, from: first, count: row.count)
      return drawRow(source, between, grain: grain, kind, to: row, into: &target)
    }
    let count = 2 * (source.columns.count - 2)
    pixels.interpolate(between, count: count)
    pixels.apply(tone, count: count)
    let source = LinePixels(pixels, from: first, count: row.count)
    drawRow(source, pixels, grain: grain, kind, to: row, into: &target)
  }

  private mutating func read(_ row: Int, _ grid: borrowing Plane) {
    let slot = slot(row)
    rows[slot] = row
    source.makeCells(
      row, grid, isInverted: true, into: &cells, at: place(row), pitch: between.pitch)
    haveHeadroom[slot] = source.hasHeadroom(row, grid)
  }

  /// The index of the first value of a row in `cells`.
  private func place(_ row: Int) -> Int { slot(row) * between.values.count }

  private func slot(_ row: Int) -> Int { row - 3 * row.floorDivided(by: 3) }
}

// MARK: Means

extension PlaneLine {
  /// Sets all values to the means of those of two inverted lines of this size, which start at `one` and `other`.
  fileprivate mutating func setMeans(_ lines: borrowing [UInt16], _ one: Int, _ other: Int) {
    let (lines, end) = (lines.span, 2 * pitch)
    var target = values.mutableSpan
    precondition(end + 16 <= target.count && min(one, other) >= 0)
    precondition(max(one, other) + end + 16 <= lines.count)
    var i = 0
    while i < end {
      target.store(~roundedMean(lines.load(at: one &+ i), lines.load(at: other &+ i)), at: i)
      i &+= 16
    }
  }

  /// Sets all values to those of the inverted line `own`, smoothed with the inverted ones before and after it.
  fileprivate mutating func setSpline(
    _ lines: borrowing [UInt16], _ before: Int, _ own: Int, _ after: Int
  ) {
    let (lines, end) = (lines.span, 2 * pitch)
    var target = values.mutableSpan
    precondition(end + 16 <= target.count && min(before, own, after) >= 0)
    precondition(max(before, own, after) + end + 16 <= lines.count)
    var i = 0
    while i < end {
      target.store(
        ~spline(
          lines.load(at: before &+ i), lines.load(at: own &+ i), lines.load(at: after &+ i)), at: i)
      i &+= 16
    }
  }

  /// Sets the first `count` pixels to those between cells.
  fileprivate mutating func interpolate(_ cells: borrowing PlaneLine, count: Int) {
    let source = SplinePixels(cells, from: 0, count: count)
    let (cells, pitch) = (cells.values.span, pitch)
    var out = values.mutableSpan
    precondition(2 * count + 32 <= pitch && pitch + 2 * count + 32 <= out.count)
    var x = 0
    while x < count {
      let (left, right) = source.sixteen(cells, at: x)
      out.store(left.br, at: 2 &* x)
      out.store(right.br, at: 2 &* x &+ 16)
      out.store(left.ga, at: pitch &+ 2 &* x)
      out.store(right.ga, at: pitch &+ 2 &* x &+ 16)
      x &+= 16
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
