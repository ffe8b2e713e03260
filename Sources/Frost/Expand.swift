import Raster

/// Draws pixels from blurred cells: doubles them to the size of cells where the plan has halved them,
/// interpolates linearly between the cells' centres, and rounds to 8 bits.
///
/// `target` are screen coordinates; `pixels` lie as `layout` says, and `origin` is where the grain
/// starts.
func expand(
  _ grid: borrowing Plane, across: Axis, down: Axis, target: Rect, grain: Grain,
  origin: (x: Int, y: Int), into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
) {
  let shape = grid.shape
  let grid = grid.values.span
  let plan = across.plan
  let k = plan.cell
  let columns = across.cells(aroundPixels: target.columns)
  let rows = down.cells(aroundPixels: target.rows)
  let firstPixel = k == 1 ? columns.lowerBound : k * columns.lowerBound + plan.expansionOffset
  var source = CellRows(across: across, columns: columns, room: grain.room)
  var above = LineBuffer(pixelCount: k * columns.count)
  var below = LineBuffer(pixelCount: k * columns.count)
  var hasRoom = (above: true, below: true)
  hasRoom.below = source.makeLine(ofCell: rows.lowerBound, grid, shape, into: &below)
  for row in rows {
    if k > 1 {
      if row + 1 == rows.upperBound { break }
      swap(&above, &below)
      hasRoom.above = hasRoom.below
      hasRoom.below = source.makeLine(ofCell: row + 1, grid, shape, into: &below)
    } else if row > rows.lowerBound {
      hasRoom.below = source.makeLine(ofCell: row, grid, shape, into: &below)
    }
    let isBetween = grain.kind == .noise && hasRoom.above && hasRoom.below
    let start = k == 1 ? row : k * row + plan.expansionOffset
    let drawn = max(start, target.y)..<min(start + k, target.maxY)
    interpolateDown(
      from: k == 1 ? below : above, to: below, at: target.x - firstPixel, plan: plan,
      steps: drawn.lowerBound - start..<drawn.upperBound - start, count: target.width,
      grain: grain, isBetween ? .noiseBetween : grain.kind,
      grainAt: (target.x - origin.x, drawn.lowerBound - origin.y), into: &pixels,
      at: layout.index(x: target.x, y: drawn.lowerBound), stride: layout.pixelsPerRow)
  }
}

/// Rows of blurred cells, one at a time: taken from the grid, or doubled from it.
private struct CellRows {
  let across: Axis
  let columns: Range<Int>
  let gridColumns: Range<Int>
  private let room: NoiseRoom?
  private var mixed: [UInt16]
  private var doubled: LineBuffer

  init(across: Axis, columns: Range<Int>, room: NoiseRoom?) {
    self.across = across
    self.room = room
    self.columns = columns
    gridColumns = across.gridCells(aroundCells: columns)
    let isHalved = across.plan.isHalved
    mixed = Array(repeating: 0, count: isHalved ? 2 * gridColumns.count + 2 * Plane.slack : 0)
    doubled = LineBuffer(pixelCount: isHalved ? 2 * gridColumns.count : 0)
  }

  /// Interpolates row `row` of the cells to the width of pixels: column 0 of `line` is where the
  /// first of `columns` begins to weigh on pixels. Returns whether there is room for noise in all of it.
  mutating func makeLine(
    ofCell row: Int, _ grid: Span<UInt16>, _ shape: PlaneShape, into line: inout LineBuffer
  ) -> Bool {
    let plan = across.plan
    for half in 0..<2 {
      if plan.isHalved {
        let upper = (row - 1).floorDivided(by: 2)
        let at = shape.index(x: gridColumns.lowerBound, y: upper) + half * shape.pitch
        // Row 2C lies a quarter above the centre of C, row 2C + 1 a quarter below it.
        mix(
          grid, at: at, stride: shape.rowStride, isNearUpper: row & 1 != 0,
          count: 2 * gridColumns.count, into: &mixed)
        let skipped = columns.lowerBound - (2 * gridColumns.lowerBound + 1)
        double(mixed, count: gridColumns.count - 1, into: &doubled, half: half)
        interpolateAcross(
          doubled.values.span, at: half * doubled.pitch + 2 * skipped, count: columns.count,
          plan: plan, into: &line, at: half * line.pitch)
      } else {
        interpolateAcross(
          grid, at: shape.index(x: columns.lowerBound, y: row) + half * shape.pitch,
          count: columns.count, plan: plan, into: &line, at: half * line.pitch)
      }
    }
    return hasRoom(row, grid, shape)
  }

  private func hasRoom(_ row: Int, _ grid: Span<UInt16>, _ shape: PlaneShape) -> Bool {
    guard let room else { return false }
    let upper = (row - 1).floorDivided(by: 2)
    return (across.plan.isHalved ? upper...upper + 1 : row...row).allSatisfy { y in
      room.holds(
        grid, at: shape.index(x: gridColumns.lowerBound, y: y), pitch: shape.pitch,
        count: gridColumns.count)
    }
  }
}

/// Three quarters of one row and one of the next, rounded.
private func mix(
  _ grid: Span<UInt16>, at first: Int, stride: Int, isNearUpper: Bool, count: Int,
  into line: inout [UInt16]
) {
  precondition(first >= 0 && first + stride + count + 16 <= grid.count)
  precondition(line.count >= count + 16)
  var line = line.mutableSpan
  let near = isNearUpper ? first : first + stride
  let far = isNearUpper ? first + stride : first
  var i = 0
  while i < count {
    let n: Lanes = grid.load(at: near &+ i)
    let f: Lanes = grid.load(at: far &+ i)
    line.store((n &+ n &+ n &+ f &+ 2) &>> 2, at: i)
    i &+= 16
  }
}

/// Between each cell and the next two new ones, a quarter and three quarters of the way.
private func double(_ line: [UInt16], count: Int, into cells: inout LineBuffer, half: Int) {
  let first = half * cells.pitch
  let line = line.span
  var out = cells.values.mutableSpan
  precondition(line.count >= 2 * count + 18 && out.count >= first + 4 * count + 32)
  var i = 0
  while i < count {
    let left: Lanes = line.load(at: 2 &* i)
    let right: Lanes = line.load(at: 2 &* i &+ 2)
    let near = (left &+ left &+ left &+ right &+ 2) &>> 2
    let far = (right &+ right &+ right &+ left &+ 2) &>> 2
    var pairs = SIMD16<UInt32>()
    unsafe pairs.evenHalf = unsafeBitCast(near, to: SIMD8<UInt32>.self)
    unsafe pairs.oddHalf = unsafeBitCast(far, to: SIMD8<UInt32>.self)
    out.store(pairs, at: first &+ 4 &* i)
    i &+= 8
  }
}

// MARK: Across

/// Interpolates one half row of `count` cells to `cell` pixels for each pair of neighbours.
private func interpolateAcross(
  _ cells: Span<UInt16>, at first: Int, count: Int, plan: Plan, into line: inout LineBuffer,
  at to: Int
) {
  var out = line.values.mutableSpan
  precondition(first >= 0 && first + 2 * count + 16 <= cells.count)
  precondition(to + 2 * plan.cell * count + 16 <= out.count)
  switch plan.cell {
  case 1:
    var i = 0
    while i < 2 * count {
      out.store(cells.load(Lanes.self, at: first &+ i), at: to &+ i)
      i &+= 16
    }
  case 2:
    for c in 0..<count - 1 {
      let a: SIMD2<UInt16> = cells.load(at: first &+ 2 &* c)
      let b: SIMD2<UInt16> = cells.load(at: first &+ 2 &* c &+ 2)
      out.store(
        SIMD4(lowHalf: a, highHalf: (a &+ b &+ 1) &>> 1), at: to &+ 4 &* c)
    }
  default:
    interpolateBetween(cells, at: first, count: count, weights(plan), into: &out, at: to)
  }
}

/// Goes from each cell to the next in steps of pixels. Differences are rounded down and weights are
/// below one, so that no value leaves the range of its two cells.
private func interpolateBetween(
  _ cells: Span<UInt16>, at first: Int, count: Int, _ weights: [Signed],
  into out: inout MutableSpan<UInt16>, at to: Int
) {
  let weights = weights.span
  precondition(first >= 0 && first + 2 * count + 16 <= cells.count)
  precondition(to >= 0 && to + 8 * weights.count * count + 16 <= out.count)
  // Most cells are of 4 or 8 pixels: their weights stay in registers.
  let first4 = weights[0]
  let next4 = weights[min(1, weights.count - 1)]
  var at = to
  var a = repeated(cells, at: first)
  for c in 1..<max(count, 1) {
    let b = repeated(cells, at: first &+ 2 &* c)
    let twice = (b &- a) &+ (b &- a)
    out.store(a &+ multiplyHigh(twice, first4), at: at)
    if weights.count > 1 { out.store(a &+ multiplyHigh(twice, next4), at: at &+ 8) }
    var i = 2
    while i < weights.count {
      out.store(a &+ multiplyHigh(twice, weights[i]), at: at &+ 8 &* i)
      i &+= 1
    }
    at &+= 8 &* weights.count
    a = b
  }
}

/// How far the pixels of a cell lie on the way to the next cell, four at a time, in units of 2^-15.
private func weights(_ plan: Plan) -> [Signed] {
  let k = plan.cell
  let between = plan.prefilter == .box ? 1 : 0
  return stride(from: 0, to: k, by: 4).map { first in
    var weights = Signed()
    for i in 0..<8 {
      weights[i] = Int16((2 * (first + i / 2) + between) * 32768 / (2 * k))
    }
    return weights
  }
}

/// One cell's two channels, four times.
@inline(__always)
private func repeated(_ cells: Span<UInt16>, at index: Int) -> Signed {
  let two: SIMD2<Int16> = cells.load(at: index)
  let four = SIMD4(lowHalf: two, highHalf: two)
  return SIMD8(lowHalf: four, highHalf: four)
}
