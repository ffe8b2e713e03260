import Frost
import Raster

/// A grid in the store and the cells that each owner needs. The cells of a grid of pixels are
/// pixels.
final class StoredGrid {
  let key: GridKey
  let storage: Storage
  let tiles: TileLayout
  /// The slot of each tile in `TileSlots`; nil if the tile has no memory and is not needed.
  private var slots: [Int32?]
  /// The number of tiles with a slot.
  private(set) var tileCount = 0
  /// The number of parts of tiles that owners began to need while all their cells had values (`hits`), or not (`misses`).
  var hits = 0, misses = 0
  /// The time at which an owner last began or ceased to need cells.
  var lastNeeded = Duration.zero
  /// The cells that each owner needs; no owner has an empty region.
  var needs: [NeedOwner: Region] = [:]
  /// Rectangles of cells, which may overlap. They contain all needed cells that are neither current
  /// nor requested, and perhaps others.
  private(set) var suspects: [Rect] = []

  enum Storage {
    case cells(CellGrid)
    case pixels(PixelGrid)
  }

  init(_ key: GridKey) {
    self.key = key
    switch key.kind {
    case .cells(let reduction):
      let grid = CellGrid(GridGeometry(output: key.output.bounds, reduction: reduction))
      (storage, tiles) = (.cells(grid), grid.tiles)
    case .pixels:
      let grid = PixelGrid(
        output: key.output.bounds, comparesAlpha: key.backdrop.view.isClient)
      (storage, tiles) = (.pixels(grid), grid.tiles)
    }
    slots = Array(repeating: nil, count: tiles.tileCount)
  }

  func slot(of tile: Int) -> Int? { slots[tile].map { Int($0) } }

  /// The tiles with a slot, and their slots.
  var usedTiles: [(tile: Int, slot: Int)] {
    slots.enumerated().compactMap { tile, slot in slot.map { (tile, Int($0)) } }
  }

  func setSlot(of tile: Int, _ slot: Int?) {
    tileCount += (slot == nil ? 0 : 1) - (slots[tile] == nil ? 0 : 1)
    slots[tile] = slot.map { Int32($0) }
  }

  /// The cells of a part of a tile that are in one of the rectangles `cells`.
  func mask(of cells: [Rect], in part: TilePart) -> TileMask {
    var mask = TileMask()
    let rect = part.rect
    for one in cells {
      tiles.forEachTile(of: one.intersection(rect)) { mask.insert($0) }
    }
    return mask
  }

  // MARK: Suspects

  /// Adds suspects. Replaces all by their hull if they are many.
  func addSuspect(_ cells: Rect) {
    if suspects.contains(where: { $0.contains(cells) }) { return }
    suspects.append(cells)
    if suspects.count > Self.suspectLimit { suspects = [suspects.reduce(.zero) { $0.hull($1) }] }
  }

  /// The number of suspects above which their hull is examined faster than each of them.
  private static var suspectLimit: Int { 64 }

  /// Returns the suspects and clears them.
  func takeSuspects() -> [Rect] {
    defer { suspects = [] }
    return suspects
  }

  // MARK: Cells and pixels

  /// The cells that depend on pixels in `damage`, as disjoint rectangles.
  func cells(dependingOn damage: Rect) -> [Rect] {
    switch storage {
    case .cells(let grid): grid.geometry.cellParts(dependingOn: damage, in: tiles.bounds)
    case .pixels: [damage.intersection(tiles.bounds)].filter { !$0.isEmpty }
    }
  }

  /// The smallest rectangle of pixels that contains all from which `cells` are computed.
  func source(ofCells cells: Rect) -> Rect {
    switch storage {
    case .cells(let grid): grid.geometry.source(ofCells: cells)
    case .pixels: cells
    }
  }

  /// Computes cells from pixels (BGRX) with up to `threads` threads. `layout` must cover
  /// `source(ofCells: cells)`. Returns a region that contains every cell whose value changed.
  func update(
    with pixels: Span<UInt32>, _ layout: PixelLayout, _ cells: Rect, threads: Int
  ) -> Region {
    switch storage {
    case .cells(let grid):
      grid.update(with: pixels, layout, isOpaque: true, cells: cells, threads: threads)
    case .pixels(let grid):
      grid.update(with: pixels, layout, cells)
    }
  }

  /// Releases the memory of a tile.
  func discard(tile: Int) {
    switch storage {
    case .cells(let grid): grid.discard(tile: tile)
    case .pixels(let grid): grid.discard(tile: tile)
    }
  }
}

/// Identifies a pane that needs cells.
struct NeedOwner: Hashable {
  let number: UInt32
}

/// A rectangle of cells that a capture computes, and the pixels that it needs.
struct CaptureTarget {
  let grid: StoredGrid
  let cells: Rect
  let source: Rect

  init(grid: StoredGrid, cells: Rect) {
    self.grid = grid
    self.cells = cells
    source = grid.source(ofCells: cells)
  }

  var key: GridKey { grid.key }
  /// The view that is captured, or over which panes are composed.
  var view: View { key.backdrop.view }

  /// The same cells in bands of rows, each with a source of about `pixelCount` pixels, or of one row of cells. For
  /// several threads a band is instead a whole row of tiles for each of them.
  func bands(ofPixels pixelCount: Int, threads: Int) -> [CaptureTarget] {
    var (top, height) = (cells.y, max(1, pixelCount * cells.height / max(1, source.area)))
    if threads > 1 {
      height = threads * grid.tiles.height
      top -= (cells.y - grid.tiles.bounds.y) % height
    }
    return stride(from: top, to: cells.maxY, by: height).map { y in
      CaptureTarget(
        grid: grid, cells: Rect(cells.columns, max(y, cells.y)..<min(y + height, cells.maxY)))
    }
  }
}
