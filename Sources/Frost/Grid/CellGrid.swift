package import Raster

/// The cells of an output under one reduction, in tiles.
///
/// Cells are anchored to the output and not to a pane. So the result of any sequence of partial
/// updates equals one update of the whole, bit for bit. The grid does not record which of its cells
/// are current; the caller does.
///
/// This is a class because the standard collections cannot hold a noncopyable value, and the memory
/// of the tiles is one.
package final class CellGrid {
  /// The output and the reduction.
  package let geometry: GridGeometry
  /// The division of the cells into tiles.
  package let tiles: TileLayout
  /// Whether all pixels so far were opaque.
  package private(set) var isOpaque = true
  private var memory: TileMemory<UInt16>

  /// A grid whose cells are all zero. Tiles occupy no memory until they are written.
  package init(_ geometry: GridGeometry) {
    self.geometry = geometry
    tiles = TileLayout(covering: geometry.bounds, width: CellTile.width, height: CellTile.height)
    memory = TileMemory(tileCount: tiles.tileCount)
  }

  /// Computes `cells`, as far as they lie in `tiles.bounds`, from pixels of the output:
  /// premultiplied BGRA, or BGRX if `isOpaque`. Traps if `layout` does not cover
  /// `geometry.source(ofCells: cells)`.
  ///
  /// Uses up to `threads` threads. Returns a region that contains every cell whose value changed;
  /// it is empty if no value changed.
  package func update(
    with pixels: Span<UInt32>, _ layout: PixelLayout, isOpaque: Bool, cells: Rect, threads: Int
  ) -> Region {
    let cells = cells.intersection(tiles.bounds)
    if cells.isEmpty { return Region() }
    precondition(layout.bounds.contains(geometry.source(ofCells: cells)))
    precondition(pixels.count >= layout.pixelCount)
    if !isOpaque { self.isOpaque = false }
    let changes = memory.withMutableElements { elements in
      reduce(
        pixels, layout, isOpaque: isOpaque, geometry, cells, into: &elements, tiles,
        threads: threads)
    }
    return Region(disjoint: changes.filter { !$0.isEmpty })
  }

  /// Calls `body` with the values of all tiles, in the layout of `CellTile`.
  func withValues<Result>(_ body: (Span<UInt16>) -> Result) -> Result { memory.withElements(body) }

  /// Releases the memory of a tile. Its cells become zero.
  package func discard(tile: Int) { memory.discard(tile: tile) }
}

/// The memory layout of a tile: 16 rows, each with blue and red of its 32 cells interleaved, then
/// green and alpha interleaved. The values have the unit of a `Plane`.
enum CellTile {
  static let width = 32
  static let height = 16
  /// The distance from the blue value of a cell to its green value, in values.
  static let pitch = 2 * width
  /// The distance from one row of a tile to the next, in values.
  static let rowStride = 2 * pitch
  /// The distance from one tile to the next, in values.
  static let stride = height * rowStride

  /// Starts to load the row after the one with the value at `index`. The rows of all tiles side by side are a page of memory
  /// apart, and processors do not recognise this order.
  @inline(__always)
  static func prefetchRow(_ values: Span<UInt16>, after index: Int) {
    let next = index &+ rowStride
    for half in 0..<2 {
      values.prefetch(at: next &+ half &* pitch)
      values.prefetch(at: next &+ half &* pitch &+ pitch / 2)
    }
  }

  /// The same for a row that is written.
  @inline(__always)
  static func prefetchRow(_ values: borrowing MutableSpan<UInt16>, after index: Int) {
    prefetchRow(values.span, after: index)
  }
}

extension TileLayout {
  /// The index of the blue value of a cell in a grid's memory.
  @inline(__always)
  func valueIndex(x: Int, y: Int) -> Int {
    let (column, row) = (x &- bounds.x, y &- bounds.y)
    let tile = (row &>> 4) &* tilesPerRow &+ (column &>> 5)
    return tile &* CellTile.stride &+ (row & 15) &* CellTile.rowStride &+ 2 &* (column & 31)
  }

  /// Calls `body` for each part of a row of cells that is contiguous in memory, with its first
  /// cell, the index of that cell's blue value, and the number of cells.
  @inline(__always)
  func forEachRun(
    of columns: Range<Int>, row: Int, _ body: (_ first: Int, _ index: Int, _ count: Int) -> Void
  ) {
    var x = columns.lowerBound
    while x < columns.upperBound {
      let end = min(x &+ CellTile.width &- ((x &- bounds.x) & 31), columns.upperBound)
      body(x, valueIndex(x: x, y: row), end &- x)
      x = end
    }
  }
}
