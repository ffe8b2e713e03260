import Raster

@testable import Engine

extension BackdropStore {
  /// Whether all cells of a region are current.
  func isValid(_ region: Region, of key: GridKey) -> Bool {
    guard let grid = grids[key] else { return false }
    var areValid = true
    for rect in region.rects {
      grid.tiles.forEachTile(of: rect) { part in
        let isValid = grid.slot(of: part.tile).map { slots.states[$0].valid.contains(part) }
        if isValid != true { areValid = false }
      }
    }
    return areValid
  }
}
