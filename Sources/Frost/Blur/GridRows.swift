import Raster

/// Reads rows of the Gaussian's grid from a grid of cells: the cells themselves, or if `isHalved`,
/// the cells reduced by two with the filter (1 3 3 1) / 8 in both directions.
struct GridRows {
  private let tiles: TileLayout
  private let isHalved: Bool
  /// The grid cells of a row that are read.
  private let columns: Range<Int>
  /// The last four rows of cells, row `y` in slot `y` modulo 4; and the row in each slot.
  private var lines: [UInt16]
  private var rows = [Int](repeating: .min, count: 4)
  private let lineCount, linePitch: Int
  /// One row of cells, halved down.
  private var halvedDown: [UInt16]

  init(_ tiles: TileLayout, isHalved: Bool, columns: Range<Int>) {
    self.tiles = tiles
    self.isHalved = isHalved
    self.columns = columns
    let cellCount = 2 * columns.count + 2
    linePitch = 2 * cellCount + Plane.slack
    lineCount = 2 * linePitch
    lines = Array(repeating: 0, count: isHalved ? 4 * lineCount + Plane.slack : 0)
    halvedDown = Array(repeating: 0, count: isHalved ? 2 * cellCount + 2 * Plane.slack : 0)
  }

  /// Reads the grid cells `columns` of row `y` into `line`, from its column 0 on. Rows read in
  /// ascending order reuse the cells that they share.
  mutating func read(_ y: Int, of values: Span<UInt16>, into line: inout PlaneLine) {
    if isHalved {
      readCells(2 * y - 1...2 * y + 2, of: values)
      halve(y, into: &line)
    } else {
      let (tiles, columns, pitch) = (tiles, columns, line.pitch)
      var out = line.values.mutableSpan
      tiles.copyRow(y, columns, of: values, into: &out, at: 0, pitch: pitch)
    }
  }

  private mutating func readCells(_ wanted: ClosedRange<Int>, of values: Span<UInt16>) {
    let (tiles, count, pitch) = (tiles, lineCount, linePitch)
    let columns = 2 * columns.lowerBound - 1..<2 * columns.upperBound + 1
    for row in wanted where rows[row & 3] != row {
      rows[row & 3] = row
      var out = lines.mutableSpan
      tiles.copyRow(
        row, columns, of: values, into: &out, at: (row & 3) * count, pitch: pitch)
    }
  }

  private mutating func halve(_ y: Int, into line: inout PlaneLine) {
    let first = (0..<4).map { ((2 * y - 1 + $0) & 3) * lineCount }
    let second = first.map { [linePitch] in $0 + linePitch }
    // A span of one property forbids a change of another property, so `halvedDown` is moved to a
    // local variable.
    var down: [UInt16] = []
    swap(&down, &halvedDown)
    for (half, starts) in [first, second].enumerated() {
      halveDown(lines.span, starts, count: 4 * columns.count + 4, into: &down)
      halveAcross(down, into: &line, at: half * line.pitch, count: 2 * columns.count)
    }
    swap(&down, &halvedDown)
  }
}

extension TileLayout {
  /// Copies a row of cells to two half rows that start at `first` and `first + pitch`. Writes up to
  /// one vector past the end of each.
  @_lifetime(line: copy line)
  fileprivate func copyRow(
    _ row: Int, _ columns: Range<Int>, of values: Span<UInt16>,
    into line: inout MutableSpan<UInt16>, at first: Int, pitch: Int
  ) {
    precondition(bounds.contains(Rect(columns, row..<row + 1)))
    precondition(first >= 0 && first + pitch + 2 * columns.count + 16 <= line.count)
    precondition(values.count >= (tileCount + 1) * CellTile.stride)
    forEachRun(of: columns, row: row) { column, index, count in
      let to = first &+ 2 &* (column &- columns.lowerBound)
      var i = 0
      while i < 2 &* count {
        line.store(values.load(Lanes.self, at: index &+ i), at: to &+ i)
        line.store(
          values.load(Lanes.self, at: index &+ CellTile.pitch &+ i), at: to &+ pitch &+ i)
        i &+= 16
      }
    }
  }
}

/// (a + 3b + 3c + d) / 8 without a 17th bit: adds the inner pair to the mean of the inner and the
/// outer pair.
@inline(__always)
private func blend(_ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes) -> Lanes {
  let inner = b &+ c
  let all = (inner &+ a &+ d &+ 1) &>> 1
  return (inner &+ all &+ 2) &>> 2
}

/// Applies the filter to four rows of `count` values, which start at `starts`.
private func halveDown(
  _ lines: Span<UInt16>, _ starts: [Int], count: Int, into values: inout [UInt16]
) {
  var line = values.mutableSpan
  for start in starts { precondition(start >= 0 && start + count + 16 <= lines.count) }
  precondition(starts.count == 4 && line.count >= count + 16)
  let (a, b, c, d) = (starts[0], starts[1], starts[2], starts[3])
  var i = 0
  while i < count {
    line.store(
      blend(
        lines.load(at: a &+ i), lines.load(at: b &+ i), lines.load(at: c &+ i),
        lines.load(at: d &+ i)), at: i)
    i &+= 16
  }
}

/// Applies the filter to columns and halves their number; `values` starts one cell left of the
/// first pair.
private func halveAcross(
  _ values: [UInt16], into target: inout PlaneLine, at first: Int, count: Int
) {
  let line = values.span
  var grid = target.values.mutableSpan
  precondition(line.count >= 2 * count + Plane.slack)
  precondition(first >= 0 && first + count + 16 <= grid.count)
  var i = 0
  while i < count {
    let pairs: SIMD16<UInt32> = line.load(at: 2 &* i)
    let next: SIMD16<UInt32> = line.load(at: 2 &* i &+ 4)
    grid.store(
      unsafe blend(
        unsafeBitCast(pairs.evenHalf, to: Lanes.self),
        unsafeBitCast(pairs.oddHalf, to: Lanes.self),
        unsafeBitCast(next.evenHalf, to: Lanes.self),
        unsafeBitCast(next.oddHalf, to: Lanes.self)),
      at: first &+ i)
    i &+= 16
  }
}
