import Raster

/// Draws pixels from blurred grid cells: doubles their number if the plan is halved, interpolates
/// linearly between the centres of cells, and rounds to 8 bits.
///
/// `grid` must hold all grid cells around `target`, in the coordinates of the output. `layout` must
/// cover `target`. `origin` is the pixel at which the pattern of the grain starts: the top left
/// corner of the output. Writes premultiplied BGRA, past the caches if `isStreaming`.
func expand(
  _ grid: borrowing Plane, across: GlassAxis, down: GlassAxis, target: Rect, grain: Grain,
  origin: (x: Int, y: Int), into pixels: inout MutableSpan<UInt32>, _ layout: PixelLayout,
  isStreaming: Bool
) {
  defer { if isStreaming { finishStreaming() } }
  let shape = grid.shape
  let grid = grid.values.span
  let reduction = across.cells.reduction
  let k = reduction.cell
  let columns = across.cells.cells(aroundPixels: target.columns)
  let rows = down.cells.cells(aroundPixels: target.rows)
  let offset = k == 1 ? 0 : reduction.expansionOffset
  let firstPixel = across.cells.pixel(ofCell: columns.lowerBound) + offset
  var source = CellRows(across: across, columns: columns, headroom: grain.headroom)
  var above = PlaneLine(count: k * columns.count)
  var below = PlaneLine(count: k * columns.count)
  var hasHeadroom = (above: true, below: true)
  hasHeadroom.below = source.makeLine(ofCell: rows.lowerBound, grid, shape, into: &below)
  for row in rows {
    if k > 1 {
      if row + 1 == rows.upperBound { break }
      swap(&above, &below)
      hasHeadroom.above = hasHeadroom.below
      hasHeadroom.below = source.makeLine(ofCell: row + 1, grid, shape, into: &below)
    } else if row > rows.lowerBound {
      hasHeadroom.below = source.makeLine(ofCell: row, grid, shape, into: &below)
    }
    let isInRange = grain.kind == .noise && hasHeadroom.above && hasHeadroom.below
    let start = down.cells.pixel(ofCell: row) + offset
    let drawn = max(start, target.y)..<min(start + k, target.maxY)
    interpolateDown(
      from: k == 1 ? below : above, to: below, at: target.x - firstPixel, reduction,
      steps: drawn.lowerBound - start..<drawn.upperBound - start, count: target.width,
      grain: grain, isInRange ? .noiseInRange : grain.kind,
      grainAt: (target.x - origin.x, drawn.lowerBound - origin.y), into: &pixels,
      at: layout.index(x: target.x, y: drawn.lowerBound), stride: layout.stride,
      isStreaming: isStreaming)
  }
}

/// Makes rows of blurred cells, at the width of pixels, one at a time.
private struct CellRows {
  let across: GlassAxis
  let columns: Range<Int>
  let gridColumns: Range<Int>
  private let headroom: NoiseHeadroom?
  private var mixed: [UInt16]
  private var doubled: PlaneLine

  init(across: GlassAxis, columns: Range<Int>, headroom: NoiseHeadroom?) {
    self.across = across
    self.headroom = headroom
    self.columns = columns
    gridColumns = across.gridCells(aroundCells: columns)
    let isHalved = across.isHalved
    mixed = Array(repeating: 0, count: isHalved ? 2 * gridColumns.count + 2 * Plane.slack : 0)
    doubled = PlaneLine(count: isHalved ? 2 * gridColumns.count : 0)
  }

  /// Interpolates row `row` of the cells to the width of pixels. Column 0 of `line` is the first
  /// pixel that lies between the first two of `columns`. Returns whether noise cannot take any
  /// value of the row out of range.
  mutating func makeLine(
    ofCell row: Int, _ grid: Span<UInt16>, _ shape: PlaneShape, into line: inout PlaneLine
  ) -> Bool {
    let reduction = across.cells.reduction
    for half in 0..<2 {
      if across.isHalved {
        let upper = (row - 1).floorDivided(by: 2)
        let at = shape.index(x: gridColumns.lowerBound, y: upper) + half * shape.pitch
        // The centre of row 2C is a quarter of a grid cell above the centre of C, that of 2C + 1 a
        // quarter below.
        mixRows(
          grid, at: at, stride: shape.rowStride, isNearUpper: row & 1 != 0,
          count: 2 * gridColumns.count, into: &mixed)
        let skipped = columns.lowerBound - (2 * gridColumns.lowerBound + 1)
        double(mixed, count: gridColumns.count - 1, into: &doubled, half: half)
        interpolateAcross(
          doubled.values.span, at: half * doubled.pitch + 2 * skipped, count: columns.count,
          reduction, into: &line, at: half * line.pitch)
      } else {
        interpolateAcross(
          grid, at: shape.index(x: columns.lowerBound, y: row) + half * shape.pitch,
          count: columns.count, reduction, into: &line, at: half * line.pitch)
      }
    }
    return hasHeadroom(row, grid, shape)
  }

  private func hasHeadroom(_ row: Int, _ grid: Span<UInt16>, _ shape: PlaneShape) -> Bool {
    guard let headroom else { return false }
    let upper = (row - 1).floorDivided(by: 2)
    return (across.isHalved ? upper...upper + 1 : row...row).allSatisfy { y in
      headroom.isSufficient(
        for: grid, at: shape.index(x: gridColumns.lowerBound, y: y), pitch: shape.pitch,
        count: gridColumns.count)
    }
  }
}

/// Three quarters of the nearer row and one quarter of the other, rounded half up.
private func mixRows(
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

/// Interpolates two cells between each cell and the next one, at one and at three quarters of the
/// distance.
private func double(_ line: [UInt16], count: Int, into cells: inout PlaneLine, half: Int) {
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

/// Interpolates a half row of `count` cells: `reduction.cell` pixels for each pair of neighbours.
private func interpolateAcross(
  _ cells: Span<UInt16>, at first: Int, count: Int, _ reduction: Reduction,
  into line: inout PlaneLine, at to: Int
) {
  var out = line.values.mutableSpan
  precondition(first >= 0 && first + 2 * count + 16 <= cells.count)
  precondition(to + 2 * reduction.cell * count + 16 <= out.count)
  switch reduction.cell {
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
    interpolateBetween(cells, at: first, count: count, weights(reduction), into: &out, at: to)
  }
}

/// Interpolates the pixels between each cell and the next one, for cells of 4 pixels or more.
/// Products are rounded down and weights are below 1, so no value leaves the range of its two
/// cells.
private func interpolateBetween(
  _ cells: Span<UInt16>, at first: Int, count: Int, _ weights: [Signed],
  into out: inout MutableSpan<UInt16>, at to: Int
) {
  let weights = weights.span
  precondition(first >= 0 && first + 2 * count + 16 <= cells.count)
  precondition(to >= 0 && to + 8 * weights.count * count + 16 <= out.count)
  // Most cells have 4 or 8 pixels. Their weights stay in registers.
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

/// The weights of the next cell for the pixels between two cells, four pixels a vector, in units of
/// 2^-15.
private func weights(_ reduction: Reduction) -> [Signed] {
  let k = reduction.cell
  let between = reduction.prefilter == .box ? 1 : 0
  return stride(from: 0, to: k, by: 4).map { first in
    var weights = Signed()
    for i in 0..<8 {
      weights[i] = Int16((2 * (first + i / 2) + between) * 32768 / (2 * k))
    }
    return weights
  }
}

/// The two channels of a cell, repeated four times.
@inline(__always)
private func repeated(_ cells: Span<UInt16>, at index: Int) -> Signed {
  let two: SIMD2<Int16> = cells.load(at: index)
  let four = SIMD4(lowHalf: two, highHalf: two)
  return SIMD8(lowHalf: four, highHalf: four)
}
