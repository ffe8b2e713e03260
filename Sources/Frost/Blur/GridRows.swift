import Raster

/// Reads rows of the Gaussian's grid from a grid of cells: the cells themselves, or if `isHalved`,
/// the cells reduced by two with the filter (1 3 3 1) / 8 in both directions.
struct GridRows {
  private let tiles: TileLayout
  private let isHalved: Bool
  /// The grid cells of a row that are read.
  private let columns: Range<Int>
  /// One row of cells, halved down: two half rows, `pitch` values apart.
  private var halvedDown: [UInt16]
  private let pitch: Int

  init(_ tiles: TileLayout, isHalved: Bool, columns: Range<Int>) {
    self.tiles = tiles
    self.isHalved = isHalved
    self.columns = columns
    pitch = 4 * (columns.count + 1) + Plane.slack
    halvedDown = Array(repeating: 0, count: isHalved ? 2 * pitch + Plane.slack : 0)
  }

  /// Reads the grid cells `columns` of row `y` into `line`, from its column 0 on.
  mutating func read(_ y: Int, of values: Span<UInt16>, into line: inout PlaneLine) {
    if isHalved {
      tiles.halveDown(
        2 * y - 1, 2 * columns.lowerBound - 1..<2 * columns.upperBound + 1, of: values,
        into: &halvedDown, pitch: pitch)
      for half in 0..<2 {
        halveAcross(
          halvedDown, at: half * pitch, into: &line, at: half * line.pitch,
          count: 2 * columns.count)
      }
    } else {
      let (tiles, columns, pitch) = (tiles, columns, line.pitch)
      var out = line.values.mutableSpan
      tiles.copyRow(y, columns, of: values, into: &out, at: 0, pitch: pitch)
    }
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
      CellTile.prefetchRow(values, after: index)
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

  /// Applies the filter 1 3 3 1 to four rows of cells, of which `row` is the first. Writes two half rows, `pitch` values
  /// apart, and up to one vector past the end of each.
  fileprivate func halveDown(
    _ row: Int, _ columns: Range<Int>, of values: Span<UInt16>, into line: inout [UInt16],
    pitch: Int
  ) {
    precondition(bounds.contains(Rect(columns, row..<row + 4)))
    precondition(pitch >= 2 * columns.count && line.count >= pitch + 2 * columns.count + 16)
    precondition(values.count >= (tileCount + 1) * CellTile.stride)
    var out = line.mutableSpan
    forEachRun(of: columns, row: row) { column, a, count in
      let b = valueIndex(x: column, y: row &+ 1)
      let c = valueIndex(x: column, y: row &+ 2)
      let d = valueIndex(x: column, y: row &+ 3)
      CellTile.prefetchRow(values, after: c)
      CellTile.prefetchRow(values, after: d)
      let to = 2 &* (column &- columns.lowerBound)
      var i = 0
      while i < 2 &* count {
        for half in 0..<2 {
          let at = i &+ half &* CellTile.pitch
          out.store(
            blend(
              values.load(at: a &+ at), values.load(at: b &+ at), values.load(at: c &+ at),
              values.load(at: d &+ at)), at: to &+ i &+ half &* pitch)
        }
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

/// Applies the filter to columns and halves their number; the values at `start` are those of the cell left of the first
/// pair.
private func halveAcross(
  _ values: [UInt16], at start: Int, into target: inout PlaneLine, at first: Int, count: Int
) {
  let line = values.span
  var grid = target.values.mutableSpan
  precondition(start >= 0 && line.count >= start + 2 * count + Plane.slack)
  precondition(first >= 0 && first + count + 16 <= grid.count)
  var i = 0
  while i < count {
    let pairs: SIMD16<UInt32> = line.load(at: start &+ 2 &* i)
    let next: SIMD16<UInt32> = line.load(at: start &+ 2 &* i &+ 4)
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
