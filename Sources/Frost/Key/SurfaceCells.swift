import Raster

/// Determines which parts of a window are surfaces that glass may replace: pictures and highlighted text that only happen to have
/// the colour of the background stay as they are.
///
/// A cell of 4 x 4 pixels, counted from the corner of the window, counts its pixels that pass a `SurfaceTest`. The mean of 3 x 3
/// cells, weighted by a tent (1, 2, 1), becomes a weight by a smooth step from .3 to .5; between the centres of cells weights are
/// interpolated linearly. Only the pixels of one part of the window count; beyond its edge are the cells at the edge.
struct SurfaceCells {
  /// The cells whose weights are computed: those of the target and their neighbours.
  private let needed: Rect
  /// The cells that are counted: those and their neighbours.
  private let counted: Rect
  /// The cells of the target.
  private let inner: Rect
  /// The corner of the window.
  private let origin: (x: Int, y: Int)
  /// The pixels in the counted cells.
  let source: Rect

  /// The distance up to which a pixel counts: to the centre of the next cell, from the far edge of the cell after that.
  static var reach: Int { 12 }
  static var side: Int { 4 }

  /// The cells for the pixels of `target`, which must be in `visible`, a part of `window`.
  init(around target: Rect, in window: Rect, visible: Rect) {
    func cells(_ rect: Rect) -> Rect {
      func range(_ pixels: Range<Int>, _ start: Int) -> Range<Int> {
        let (first, end) = (pixels.lowerBound - start, pixels.upperBound - start)
        return first / Self.side..<(end + Self.side - 1) / Self.side
      }
      return Rect(range(rect.columns, window.x), range(rect.rows, window.y))
    }
    let all = cells(visible)
    inner = cells(target)
    needed = inner.grown(by: 1).intersection(all)
    counted = needed.grown(by: 1).intersection(all)
    source = Rect(
      x: window.x + counted.x * Self.side, y: window.y + counted.y * Self.side,
      width: counted.width * Self.side, height: counted.height * Self.side
    ).intersection(visible)
    origin = (window.x, window.y)
  }

  // MARK: Weights of cells

  /// The weights of the cells of the target and of all their neighbours.
  struct Weights {
    /// In units of 2^-12, below 1, row by row. Beyond the edge they are those of the cells at the edge.
    fileprivate var values: PaddedCells<Int16>
    /// Whether all are the largest one.
    let areAllLargest: Bool
  }

  /// The largest weight, in units of 2^-12. Eight of it fit in 15 bits.
  static let largest: Int16 = 4095

  /// For each sum of counts, 0 to 256, the smooth step from .3 to .5.
  private static let steps: [Int16] = (0...256).map { sum in
    let t = min(1, max(0, (Double(sum) / 256 - 0.3) / 0.2))
    return Int16(min(Double(largest), (t * t * (3 - 2 * t) * 4096).rounded()))
  }

  /// `pixels` are those of `source`.
  func weights(of pixels: Span<UInt32>, _ test: SurfaceTest) -> Weights {
    let counts = counts(of: pixels, test)
    var weights = PaddedCells<Int16>(inner.grown(by: 1))
    var sums = [UInt16](repeating: 0, count: needed.width + 2)
    var areAllLargest = true
    for row in needed.rows {
      counts.addTent(around: row, into: &sums)
      let line = weights.index(column: needed.x, row: row)
      for i in 0..<needed.width {
        let sum = Int(sums[i] &+ 2 &* sums[i &+ 1] &+ sums[i &+ 2])
        let weight = Self.steps[sum]
        weights.cells[line &+ i] = weight
        if weight != Self.largest { areAllLargest = false }
      }
    }
    weights.extendEdges(of: needed)
    return Weights(values: weights, areAllLargest: areAllLargest)
  }

  /// The number of surface pixels of each counted cell, scaled to sixteen pixels.
  private func counts(of pixels: Span<UInt32>, _ test: SurfaceTest) -> PaddedCells<UInt16> {
    var counts = PaddedCells<UInt16>(needed.grown(by: 1))
    let layout = PixelLayout(source)
    for row in counted.rows {
      let line = counts.index(column: counted.x, row: row)
      let cells = cellRow(row)
      for i in 0..<counted.width {
        counts.cells[line &+ i] =
          cells.whole.contains(i)
          ? test.count(inCellAt: cells.first &+ Self.side &* i, of: pixels, stride: source.width)
          : partialCount(
            rect(column: counted.x + i, row: row).intersection(source), of: pixels, layout, test)
      }
    }
    counts.extendEdges(of: counted)
    return counts
  }

  private func rect(column: Int, row: Int) -> Rect {
    Rect(
      x: origin.x + column * Self.side, y: origin.y + row * Self.side, width: Self.side,
      height: Self.side)
  }

  /// The index of the first pixel of a row of counted cells in `source`, and the cells of the row all of whose pixels are there.
  private func cellRow(_ row: Int) -> (first: Int, whole: Range<Int>) {
    let (x, y) = (origin.x + counted.x * Self.side, origin.y + row * Self.side)
    let first = (y - source.y) * source.width + x - source.x
    guard y >= source.y, y + Self.side <= source.maxY else { return (first, 0..<0) }
    let start = x < source.x ? 1 : 0
    return (first, start..<max(start, (source.maxX - x) / Self.side))
  }

  /// The count of a cell at the edge, of which only a part is known.
  private func partialCount(
    _ part: Rect, of pixels: Span<UInt32>, _ layout: PixelLayout, _ test: SurfaceTest
  ) -> UInt16 {
    var count = 0
    for y in part.rows {
      for x in part.columns where test.includes(pixels[layout.index(x: x, y: y)]) { count += 1 }
    }
    return UInt16((16 * count + part.area / 2) / part.area)
  }

  // MARK: Weights of pixels

  /// Interpolates the weights of a row of pixels between the centres of the cells above and below. `line` gets one for each column
  /// of `weights`: the first one is that of the cell left of the first cell of the target.
  @_lifetime(line: copy line)
  func interpolate(_ weights: Weights, row: Int, into line: inout MutableSpan<Int16>) {
    let (cell, part) = (row - origin.y).quotientAndRemainder(dividingBy: Self.side)
    let isUpper = part < 2
    let first = weights.values.index(column: inner.x - 1, row: isUpper ? cell - 1 : cell)
    let second = first + weights.values.stride
    let share = Int16([5, 7, 1, 3][part])
    let values = weights.values.cells.span
    for i in 0..<inner.width + 2 {
      line[i] = (values[first + i] &* (8 &- share) &+ values[second + i] &* share) &>> 3
    }
  }

  /// The number of cells in a line of `interpolate`.
  var lineLength: Int { inner.width + 2 }

  /// The column of a pixel, counted from the first pixel of the first cell of the target.
  func offset(ofColumn x: Int) -> Int { x - origin.x - inner.x * Self.side }
}

/// A value for each cell of a rectangle of cells.
private struct PaddedCells<Value: FixedWidthInteger & BitwiseCopyable> {
  let rect: Rect
  var cells: [Value]
  var stride: Int { rect.width }

  init(_ rect: Rect) {
    self.rect = rect
    cells = Array(repeating: 0, count: rect.area)
  }

  func index(column: Int, row: Int) -> Int { (row - rect.y) * rect.width + column - rect.x }

  /// Gives the cells outside of `inner` the values of the nearest cells in it.
  mutating func extendEdges(of inner: Rect) {
    for row in inner.rows {
      let (first, last) = (
        index(column: inner.x, row: row), index(column: inner.maxX - 1, row: row)
      )
      for i in index(column: rect.x, row: row)..<first { cells[i] = cells[first] }
      for i in last..<index(column: rect.maxX, row: row) { cells[i] = cells[last] }
    }
    for row in rect.rows where !inner.rows.contains(row) {
      let nearest = row < inner.y ? inner.y : inner.maxY - 1
      let (to, from) = (index(column: rect.x, row: row), index(column: rect.x, row: nearest))
      for i in 0..<rect.width { cells[to + i] = cells[from + i] }
    }
  }
}

extension PaddedCells<UInt16> {
  /// The sum of three cells of a column, the middle one twice, for each column.
  func addTent(around row: Int, into sums: inout [UInt16]) {
    let middle = index(column: rect.x, row: row)
    for i in 0..<rect.width {
      sums[i] =
        cells[middle - rect.width + i] &+ 2 &* cells[middle + i]
        &+ cells[middle + rect.width + i]
    }
  }
}

extension Rect {
  fileprivate func grown(by distance: Int) -> Rect {
    Rect(
      x: x - distance, y: y - distance, width: width + 2 * distance,
      height: height + 2 * distance)
  }
}
