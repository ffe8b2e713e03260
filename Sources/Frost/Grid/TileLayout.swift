package import Raster

/// The division of a rectangle of cells or pixels into tiles of equal size. Tiles are numbered row
/// by row from 0, and each is contiguous in memory.
package struct TileLayout: Equatable, Sendable {
  /// All cells or pixels that the tiles hold.
  package let bounds: Rect
  /// The size of a tile, in cells or pixels; powers of two.
  package let width, height: Int
  /// The number of tiles in a row.
  let tilesPerRow: Int

  /// The tiles that cover `rect`; the first one starts at its top left corner. `width` and `height`
  /// must be powers of two.
  init(covering rect: Rect, width: Int, height: Int) {
    self.width = width
    self.height = height
    tilesPerRow = (rect.width + width - 1) / width
    let rowCount = (rect.height + height - 1) / height
    bounds = Rect(
      x: rect.x, y: rect.y, width: tilesPerRow * width, height: rowCount * height)
  }

  /// The number of tiles.
  package var tileCount: Int { tilesPerRow * (bounds.height / height) }

  /// The tile that holds the cell (x, y), which must be in `bounds`.
  package func tile(x: Int, y: Int) -> Int {
    (y - bounds.y) / height * tilesPerRow + (x - bounds.x) / width
  }

  /// The cells that a tile holds.
  package func rect(ofTile tile: Int) -> Rect {
    Rect(
      x: bounds.x + tile % tilesPerRow * width, y: bounds.y + tile / tilesPerRow * height,
      width: width, height: height)
  }

  /// The rows of tiles that hold the rows of cells `rows`, which must not be empty.
  func tileRows(holding rows: Range<Int>) -> Range<Int> {
    (rows.lowerBound - bounds.y) / height..<(rows.upperBound - 1 - bounds.y) / height + 1
  }

  /// Calls `body` with the intersection of `rect` and each tile that it intersects, in the order of
  /// the tiles. Parts of `rect` outside `bounds` are ignored.
  package func forEachTile(of rect: Rect, _ body: (TilePart) -> Void) {
    let rect = rect.intersection(bounds)
    if rect.isEmpty { return }
    let (columnShift, rowShift) = (width.trailingZeroBitCount, height.trailingZeroBitCount)
    let (left, right) = (rect.x &- bounds.x, rect.maxX &- bounds.x)
    let (top, bottom) = (rect.y &- bounds.y, rect.maxY &- bounds.y)
    var row = top &>> rowShift
    while row &<< rowShift < bottom {
      let start = row &<< rowShift
      let rows = max(top, start) &- start..<min(bottom, start &+ height) &- start
      var column = left &>> columnShift
      while column &<< columnShift < right {
        let start = column &<< columnShift
        let columns = max(left, start) &- start..<min(right, start &+ width) &- start
        body(
          TilePart(
            tile: row &* tilesPerRow &+ column,
            origin: (bounds.x &+ start, bounds.y &+ row &<< rowShift), columns: columns,
            rows: rows))
        column &+= 1
      }
      row &+= 1
    }
  }
}

/// A rectangle of cells within one tile.
package struct TilePart {
  /// The number of the tile.
  package let tile: Int
  /// The first cell of the tile.
  package let origin: (x: Int, y: Int)
  /// The columns and rows of cells, counted from the first cell of the tile; not empty.
  package let columns, rows: Range<Int>

  /// The cells, in the coordinates of the grid.
  package var rect: Rect {
    Rect(
      x: origin.x + columns.lowerBound, y: origin.y + rows.lowerBound, width: columns.count,
      height: rows.count)
  }
}
