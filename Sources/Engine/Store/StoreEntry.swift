import Frost
package import Panes
package import Raster

/// The tiles of one grid of the store, for reports.
package struct StoreEntry: Equatable, Sendable {
  /// The content of the pixels.
  package enum Content: Equatable, Sendable {
    /// Everything below the panes of a layer, or the wallpaper.
    case windows(below: StackingLayer), wallpaper
    /// Everything below a pane, with other panes. Only this pane has such an entry.
    case panes(below: StackingLayer)
    /// Everything below a window of another client.
    case window(UInt32)
    /// The client in a window, in its own coordinates.
    case client(UInt32)
  }

  package let content: Content
  /// The name of the output, and its orientation.
  package let output: String
  package let orientation: Orientation
  /// The smallest rectangle that contains all pixels on which the tiles depend, in the coordinates of the display.
  package let region: Rect
  /// The edge length of a cell in pixels; 1 for pixels at full resolution.
  package let cell: Int
  /// The number of tiles, and of those that shown panes need.
  package let tileCount, pinnedTileCount: Int
  package let byteCount: Int
  /// The time since a pane last needed one of them; zero if one does.
  package let age: Duration
  /// The number of parts of tiles that panes began to need while all their cells had values (`hits`), or not (`misses`).
  package let hits, misses: Int

  init(_ grid: StoredGrid, _ slots: TileSlots, now: Duration) {
    let key = grid.key
    content =
      switch key.backdrop {
      case .captured(.belowPanes(let layer)): .windows(below: layer)
      case .captured(.belowWindow(let window)): .window(window.number)
      case .captured(.client(let window)), .composed(.client(let window), _): .client(window.number)
      case .captured(.wallpaper), .composed(.wallpaper, _): .wallpaper
      case .composed(.belowPanes(let layer), _): .panes(below: layer)
      case .composed(.belowWindow(let window), _): .window(window.number)
      }
    (output, orientation) = (key.output.name, key.output.orientation)
    cell =
      switch key.kind {
      case .cells(let reduction): reduction.cell
      case .pixels: 1
      }
    let used = grid.usedTiles
    let parts = used.map { grid.source(ofCells: grid.tiles.rect(ofTile: $0.tile)) }
    region = parts.reduce(Rect.zero) { $0.hull($1) }.intersection(key.output.bounds)
    tileCount = used.count
    pinnedTileCount = used.count { !slots.states[$0.slot].needed.isEmpty }
    byteCount = used.count * tileByteCount
    age = grid.needs.isEmpty ? now - grid.lastNeeded : .zero
    (hits, misses) = (grid.hits, grid.misses)
  }
}
