import Raster

/// A row of fine cells, and its interpolation to the width of pixels.
struct FineRow {
  /// The pixels of the row. Column 0 is the first pixel that lies between the first two cells.
  fileprivate(set) var pixels: PlaneLine
  /// The cells before and after the tone; empty if the tone is already applied to the grid.
  fileprivate(set) var cells, toned: PlaneLine
  /// Whether noise cannot take any value of the row out of range.
  fileprivate(set) var hasHeadroom = true
}

/// Makes rows of fine cells from blurred grid cells, one at a time.
struct FineRows {
  /// The fine cells of a row.
  let columns: Range<Int>
  private let across: GlassAxis
  private let gridColumns: Range<Int>
  /// The weights of `interpolateAcross`.
  private let weights: [Signed]
  private let tone: ToneSteps?
  private let headroom: NoiseHeadroom?
  /// Half a row of grid cells, doubled down.
  private var down: [UInt16]
  /// Half rows of cells that are doubled down once; the second doubling makes `down` from them. Row `y` starts at 2 slots times
  /// `y` modulo 2, with `slot` values for each half. `onceRows` has the number of the row at each place.
  private var downOnce: [UInt16]
  private var onceRows = [Int](repeating: .min, count: 2)
  private let slot: Int
  /// Half a row of cells, doubled across once; and both halves of a row of fine cells, `pitch` values apart.
  private var acrossOnce, doubled: [UInt16]
  private let pitch: Int

  /// Rows for the pixels `pixels`. Their cells get the tone `tone`.
  init(
    _ across: GlassAxis, _ pixels: Range<Int>, tone: ToneSteps?, headroom: NoiseHeadroom?
  ) {
    self.across = across
    self.tone = tone
    self.headroom = headroom
    weights = across.fineCell < 4 ? [] : Frost.weights(across)
    columns = across.fineCells(aroundPixels: pixels)
    gridColumns = across.gridCells(aroundFineCells: columns)
    func zeros(_ cellCount: Int, rows: Int = 1) -> [UInt16] {
      Array(repeating: 0, count: rows * (2 * cellCount + Plane.slack) + Plane.slack)
    }
    let (count, doublings) = (gridColumns.count, across.doublings)
    down = zeros(doublings > 0 ? count : 0)
    slot = 2 * count + Plane.slack
    downOnce = zeros(doublings > 1 ? count : 0, rows: 4)
    acrossOnce = zeros(doublings > 1 ? 2 * count : 0)
    doubled = zeros(doublings > 0 ? count << doublings : 0, rows: 2)
    pitch = 2 * (count << doublings) + Plane.slack
  }

  /// A row of zeros.
  func makeRow() -> FineRow {
    let cells = PlaneLine(count: tone == nil ? 0 : columns.count)
    return FineRow(
      pixels: PlaneLine(count: across.fineCell * columns.count), cells: cells, toned: cells)
  }

  /// Makes row `row` of the fine cells, interpolated across.
  mutating func make(_ row: Int, _ grid: borrowing Plane, into result: inout FineRow) {
    let shape = grid.shape
    let values = grid.values.span
    if across.doublings > 0 {
      makeDoubled(row, values, shape)
      let first = 2 * (columns.lowerBound - firstDoubled)
      interpolate(doubled.span, at: first, pitch: pitch, into: &result)
    } else {
      let at = shape.index(x: columns.lowerBound, y: row)
      interpolate(values, at: at, pitch: shape.pitch, into: &result)
    }
    if tone == nil { result.hasHeadroom = hasHeadroom(row, values, shape) }
  }

  /// Makes row `row` of the fine cells without their tone, in units of 1/256 level: two half rows, of which the first starts
  /// at `start`. If `isInverted`, all bits of the values are inverted.
  mutating func makeCells(
    _ row: Int, _ grid: borrowing Plane, isInverted: Bool = false, into line: inout [UInt16],
    at start: Int, pitch linePitch: Int
  ) {
    let target = ScaledRow(
      start: start, pitch: linePitch, count: 2 * columns.count, inverted: isInverted ? 0xffff : 0)
    let shape = grid.shape
    let values = grid.values.span
    if across.doublings > 0 {
      makeDoubled(row, values, shape)
      let first = 2 * (columns.lowerBound - firstDoubled)
      target.copy(doubled.span, at: first, pitch: pitch, to: &line)
    } else {
      let at = shape.index(x: columns.lowerBound, y: row)
      target.copy(values, at: at, pitch: shape.pitch, to: &line)
    }
  }

  // MARK: Doubling

  /// Makes both halves of a row of fine cells, in `doubled`.
  private mutating func makeDoubled(_ row: Int, _ grid: Span<UInt16>, _ shape: PlaneShape) {
    let (near, far) = neighbours(of: row)
    if across.doublings > 1 {
      doubleOnce(near, grid, shape)
      doubleOnce(far, grid, shape)
    }
    let (count, isAfter) = (2 * gridColumns.count, row & 1 != 0)
    // A span of one property forbids a change of another property, so `down` is moved to a local variable.
    var line: [UInt16] = []
    swap(&line, &down)
    for half in 0..<2 {
      if across.doublings > 1 {
        mixRows(
          downOnce.span, near: place(near, half), far: place(far, half), isAfter: isAfter,
          count: count, into: &line, at: 0)
      } else {
        mixRows(
          grid, near: index(near, half, shape), far: index(far, half, shape), isAfter: isAfter,
          count: count, into: &line, at: 0)
      }
      doubleAcross(line, half: half)
    }
    swap(&line, &down)
  }

  /// Makes a row of cells that are doubled down once, in `downOnce`, if it is not there.
  private mutating func doubleOnce(_ row: Int, _ grid: Span<UInt16>, _ shape: PlaneShape) {
    if onceRows[row & 1] == row { return }
    onceRows[row & 1] = row
    let (near, far) = neighbours(of: row)
    for half in 0..<2 {
      let to = place(row, half)
      mixRows(
        grid, near: index(near, half, shape), far: index(far, half, shape), isAfter: row & 1 != 0,
        count: 2 * gridColumns.count, into: &downOnce, at: to)
    }
  }

  private func place(_ row: Int, _ half: Int) -> Int { (2 * (row & 1) + half) * slot }

  private func index(_ row: Int, _ half: Int, _ shape: PlaneShape) -> Int {
    shape.index(x: gridColumns.lowerBound, y: row) + half * shape.pitch
  }

  /// The nearer and the other of the two cells of which a doubling makes a cell. The centre of cell 2C is a
  /// quarter of a cell before that of C, the centre of 2C + 1 a quarter after it.
  private func neighbours(of cell: Int) -> (near: Int, far: Int) {
    let near = cell.floorDivided(by: 2)
    return (near, cell & 1 == 0 ? near - 1 : near + 1)
  }

  /// Makes half a row of fine cells of cells that are doubled down, in `doubled`.
  private mutating func doubleAcross(_ down: [UInt16], half: Int) {
    let count = gridColumns.count - 1
    if across.doublings == 1 {
      double(down, count: count, into: &doubled, at: half * pitch)
    } else {
      double(down, count: count, into: &acrossOnce, at: 0)
      double(acrossOnce, count: 2 * count - 1, into: &doubled, at: half * pitch)
    }
  }

  /// The first cell that doubling makes of the grid cells.
  private var firstDoubled: Int {
    (0..<across.doublings).reduce(gridColumns.lowerBound) { first, _ in 2 * first + 1 }
  }

  // MARK: Interpolation

  /// Interpolates cells whose first half row starts at `first`, after their tone if there is one.
  private func interpolate(
    _ cells: Span<UInt16>, at first: Int, pitch: Int, into result: inout FineRow
  ) {
    guard let tone else {
      interpolate(cells, at: first, pitch: pitch, into: &result.pixels)
      return
    }
    result.cells.copy(cells, at: first, pitch: pitch, count: 2 * columns.count)
    result.toned.copy(cells, at: first, pitch: pitch, count: 2 * columns.count)
    let tonedPitch = result.toned.pitch
    var values = result.toned.values.mutableSpan
    tone.apply(to: &values, at: 0, pitch: tonedPitch, cellCount: columns.count)
    // A span of one property forbids a change of another property, so `pixels` is moved to a local variable.
    var pixels = PlaneLine.empty
    swap(&pixels, &result.pixels)
    interpolate(result.toned.values.span, at: 0, pitch: tonedPitch, into: &pixels)
    swap(&pixels, &result.pixels)
    if let headroom {
      result.hasHeadroom = headroom.isSufficient(
        for: result.toned.values.span, at: 0, pitch: tonedPitch, count: columns.count)
    }
  }

  private func interpolate(
    _ cells: Span<UInt16>, at first: Int, pitch: Int, into pixels: inout PlaneLine
  ) {
    let pixelPitch = pixels.pitch
    for half in 0..<2 {
      interpolateAcross(
        cells, at: first + half * pitch, columns, across, weights, into: &pixels,
        at: half * pixelPitch)
    }
  }

  /// Whether noise cannot take any value of a row of fine cells without a tone out of range.
  func hasHeadroom(_ row: Int, _ grid: borrowing Plane) -> Bool {
    hasHeadroom(row, grid.values.span, grid.shape)
  }

  private func hasHeadroom(_ row: Int, _ grid: Span<UInt16>, _ shape: PlaneShape) -> Bool {
    guard let headroom else { return false }
    return across.gridCells(aroundFineCells: row..<row + 1).allSatisfy { y in
      headroom.isSufficient(
        for: grid, at: shape.index(x: gridColumns.lowerBound, y: y), pitch: shape.pitch,
        count: gridColumns.count)
    }
  }
}

/// Where cells are copied to, four times as large.
private struct ScaledRow {
  /// The start of the first half row, the distance of both, and the number of values of each.
  let start, pitch, count: Int
  /// The bits that are inverted.
  let inverted: UInt16

  /// Copies two half rows, of which the first starts at `first`.
  func copy(
    _ source: Span<UInt16>, at first: Int, pitch sourcePitch: Int, to line: inout [UInt16]
  ) {
    var target = line.mutableSpan
    precondition(first >= 0 && first + sourcePitch + count + 16 <= source.count)
    precondition(start >= 0 && count <= pitch && start + pitch + count + 16 <= target.count)
    let mask = Lanes(repeating: inverted)
    for half in 0..<2 {
      let (from, to) = (first &+ half &* sourcePitch, start &+ half &* pitch)
      var i = 0
      while i < count {
        target.store(source.load(Lanes.self, at: from &+ i) &<< 2 ^ mask, at: to &+ i)
        i &+= 16
      }
    }
  }
}

/// Three quarters of the row that starts at `near` and one quarter of the one at `far`. Rounded half down if it `isAfter` the
/// centre of the nearer one, else half up, so that there is no bias.
private func mixRows(
  _ rows: Span<UInt16>, near: Int, far: Int, isAfter: Bool, count: Int, into line: inout [UInt16],
  at to: Int
) {
  precondition(near >= 0 && far >= 0 && max(near, far) + count + 16 <= rows.count)
  precondition(to >= 0 && line.count >= to + count + 16)
  var line = line.mutableSpan
  let rounding = Lanes(repeating: isAfter ? 1 : 2)
  var i = 0
  while i < count {
    let n: Lanes = rows.load(at: near &+ i)
    let f: Lanes = rows.load(at: far &+ i)
    line.store((n &+ n &+ n &+ f &+ rounding) &>> 2, at: to &+ i)
    i &+= 16
  }
}

/// Interpolates two cells between each of the first `count` cells and the next one, at one and at three quarters
/// of the distance. Rounded half down and half up, so that there is no bias.
private func double(_ line: [UInt16], count: Int, into cells: inout [UInt16], at first: Int) {
  let line = line.span
  var out = cells.mutableSpan
  precondition(first >= 0 && line.count >= 2 * count + 18 && out.count >= first + 4 * count + 32)
  var i = 0
  while i < count {
    let left: Lanes = line.load(at: 2 &* i)
    let right: Lanes = line.load(at: 2 &* i &+ 2)
    let near = (left &+ left &+ left &+ right &+ 1) &>> 2
    let far = (right &+ right &+ right &+ left &+ 2) &>> 2
    let pairs = interleavedPairs(near, far)
    out.store(pairs.left, at: first &+ 4 &* i)
    out.store(pairs.right, at: first &+ 4 &* i &+ 16)
    i &+= 8
  }
}
