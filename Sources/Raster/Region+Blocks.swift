extension Region {
  /// A region that contains rectangles, which may overlap. If there are at most `limit` of them,
  /// and their union has at most `limit` rectangles, it is their union. Otherwise it consists of
  /// the blocks of a grid that they touch, cut at the bounds of all rectangles. Blocks are squares
  /// of `blockSize` pixels whose corners lie at multiples of `blockSize`.
  ///
  /// The union of many rectangles may have many more rectangles, and computing it takes more time
  /// than processing the additional pixels. With blocks the time is O(rectangles + touched blocks +
  /// blocks in the bounds).
  package init(covering rects: [Rect], blockSize: Int = 64, limit: Int = 32) {
    if rects.count <= limit {
      self.init(rects)
      if self.rects.count <= limit { return }
    }
    let bounds = rects.reduce(Rect.zero) { $0.hull($1) }
    self = Region(disjoint: Blocks(rects, in: bounds, size: blockSize).rects).intersection(bounds)
  }
}

/// The blocks of a square grid that rectangles touch.
private struct Blocks {
  private let size: Int
  private let columns, rows: Range<Int>
  private var isTouched: [Bool]

  init(_ rects: [Rect], in bounds: Rect, size: Int) {
    self.size = size
    columns = Self.blocks(bounds.columns, size)
    rows = Self.blocks(bounds.rows, size)
    isTouched = Array(repeating: false, count: columns.count * rows.count)
    for rect in rects where !rect.isEmpty {
      let touched = Self.blocks(rect.columns, size)
      for row in Self.blocks(rect.rows, size) {
        for column in touched { isTouched[index(column, row)] = true }
      }
    }
  }

  /// The numbers of the blocks that contain a range of pixels.
  private static func blocks(_ pixels: Range<Int>, _ size: Int) -> Range<Int> {
    if pixels.isEmpty { return 0..<0 }
    return floor(pixels.lowerBound, size)..<floor(pixels.upperBound - 1, size) + 1
  }

  /// The quotient rounded down.
  private static func floor(_ pixel: Int, _ size: Int) -> Int {
    pixel >= 0 ? pixel / size : -((size - 1 - pixel) / size)
  }

  private func index(_ column: Int, _ row: Int) -> Int {
    (row - rows.lowerBound) * columns.count + column - columns.lowerBound
  }

  /// The touched blocks as disjoint rectangles, joined where possible.
  var rects: [Rect] {
    var bands = Bands()
    for row in rows { bands.append(edges(ofRow: row), row * size..<(row + 1) * size) }
    return bands.rects
  }

  /// The columns of pixels where runs of touched blocks start and end in turn, in ascending order.
  private func edges(ofRow row: Int) -> [Int] {
    var edges: [Int] = []
    for column in columns where isTouched[index(column, row)] {
      if edges.last == column * size {
        edges[edges.count - 1] += size
      } else {
        edges += [column * size, (column + 1) * size]
      }
    }
    return edges
  }
}
