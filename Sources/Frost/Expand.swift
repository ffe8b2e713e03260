import Raster

/// Draws pixels from blurred cells: doubles them to the size of cells where the plan has halved them,
/// interpolates linearly between the cells' centres, and rounds to 8 bits.
///
/// `target` are screen coordinates; `pixels` lie as `layout` says, and `origin` is where the dither
/// starts.
func expand(
  _ grid: borrowing Plane, across: Axis, down: Axis, target: Rect, dither: Dither,
  origin: (x: Int, y: Int), into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout
) {
  let shape = grid.shape
  let grid = grid.values.span
  let plan = across.plan
  let k = plan.cell
  let columns = across.cells(aroundPixels: target.columns)
  let rows = down.cells(aroundPixels: target.rows)
  let firstPixel = k == 1 ? columns.lowerBound : k * columns.lowerBound + plan.expansionOffset
  var source = CellRows(across: across, columns: columns)
  var above = LineBuffer(pixelCount: k * columns.count)
  var below = LineBuffer(pixelCount: k * columns.count)
  source.makeLine(ofCell: rows.lowerBound, grid, shape, into: &below)
  for row in rows {
    if k > 1 {
      if row + 1 == rows.upperBound { break }
      swap(&above, &below)
      source.makeLine(ofCell: row + 1, grid, shape, into: &below)
    } else if row > rows.lowerBound {
      source.makeLine(ofCell: row, grid, shape, into: &below)
    }
    let start = k == 1 ? row : k * row + plan.expansionOffset
    let drawn = max(start, target.y)..<min(start + k, target.maxY)
    interpolateDown(
      from: k == 1 ? below : above, to: below, at: target.x - firstPixel, plan: plan,
      steps: drawn.lowerBound - start..<drawn.upperBound - start, count: target.width,
      dither: dither, ditherAt: (target.x - origin.x, drawn.lowerBound - origin.y), into: &pixels,
      at: layout.index(x: target.x, y: drawn.lowerBound), stride: layout.pixelsPerRow)
  }
}

/// Rows of blurred cells, one at a time: taken from the grid, or doubled from it.
private struct CellRows {
  let across: Axis
  let columns: Range<Int>
  let gridColumns: Range<Int>
  private var mixed: [UInt16]
  private var doubled: LineBuffer

  init(across: Axis, columns: Range<Int>) {
    self.across = across
    self.columns = columns
    gridColumns = across.gridCells(aroundCells: columns)
    let isHalved = across.plan.isHalved
    mixed = Array(repeating: 0, count: isHalved ? 2 * gridColumns.count + 2 * Plane.slack : 0)
    doubled = LineBuffer(pixelCount: isHalved ? 2 * gridColumns.count : 0)
  }

  /// Interpolates row `row` of the cells to the width of pixels: column 0 of `line` is where the
  /// first of `columns` begins to weigh on pixels.
  mutating func makeLine(
    ofCell row: Int, _ grid: Span<UInt16>, _ shape: PlaneShape, into line: inout LineBuffer
  ) {
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
  case 4:
    let near = SIMD8<UInt16>(4, 4, 3, 3, 2, 2, 1, 1)
    let far = SIMD8<UInt16>(0, 0, 1, 1, 2, 2, 3, 3)
    var a = repeated(cells, at: first)
    for c in 0..<count - 1 {
      let b = repeated(cells, at: first &+ 2 &* c &+ 2)
      out.store((a &* near &+ b &* far &+ 2) &>> 2, at: to &+ 8 &* c)
      a = b
    }
  default:
    interpolateAcrossWide(cells, at: first, count: count, cell: plan.cell, into: &out, at: to)
  }
}

/// Cells of 8 pixels and more: each half of the pixels is reckoned from the nearer cell, so that no
/// weight is above one half, and no value leaves the range of its two cells.
private func interpolateAcrossWide(
  _ cells: Span<UInt16>, at first: Int, count: Int, cell k: Int,
  into out: inout MutableSpan<UInt16>, at to: Int
) {
  precondition(k >= 8 && first + 2 * count + 16 <= cells.count)
  precondition(to + 2 * k * count + 16 <= out.count)
  let weights = wideWeights(cell: k)
  let half = weights.count / 2
  let spans = weights.span
  var a = unsafe unsafeBitCast(repeated(cells, at: first), to: Signed.self)
  for c in 0..<count - 1 {
    let b = unsafe unsafeBitCast(repeated(cells, at: first &+ 2 &* c &+ 2), to: Signed.self)
    let difference = b &- a
    let start = to &+ 2 &* k &* c
    for i in 0..<half {
      out.store(a &+ multiplyHigh(difference, spans[i]), at: start &+ 8 &* i)
      let j = half &+ i
      out.store(b &+ multiplyHigh(difference, spans[j]), at: start &+ 8 &* j)
    }
    a = b
  }
}

/// (i + 1/2) / k for the pixels i of a cell, four at a time, in units of 2^-16; minus 1 in the second
/// half.
private func wideWeights(cell k: Int) -> [Signed] {
  let unit = 65536 / (2 * k)
  return stride(from: 0, to: k, by: 4).map { first in
    var weights = Signed()
    for i in 0..<8 {
      weights[i] = Int16(truncatingIfNeeded: (2 * (first + i / 2) + 1) * unit)
    }
    return weights
  }
}

/// One cell's two channels, four times.
@inline(__always)
private func repeated(_ cells: Span<UInt16>, at index: Int) -> SIMD8<UInt16> {
  let two: SIMD2<UInt16> = cells.load(at: index)
  let four = SIMD4(lowHalf: two, highHalf: two)
  return SIMD8(lowHalf: four, highHalf: four)
}
