/// An entry of the cache: the tiles of one grid.
package struct CacheEntryReport: Codable, Equatable, Sendable {
  /// The content of the pixels: `windows`, `panes`, `wallpaper`, `window` or `client`.
  package var view: String
  /// The layer of panes below which it is, or the number of the window; nil for the wallpaper.
  package var below: String?
  /// The name of the output.
  package var output: String
  /// The rectangle on the screen, in X geometry syntax.
  package var region: String
  /// The counterclockwise rotation of the output in degrees, and whether it is reflected left to right.
  package var rotation: Int
  package var reflected: Bool
  /// The edge length of a cell in pixels; 1 for pixels at full resolution.
  package var cell: Int
  /// The number of tiles and of those that shown panes need, and their memory.
  package var tiles, pinnedTiles, bytes: Int
  /// The time since a pane last needed one of them; 0 if one does.
  package var ageSeconds: Double
  /// The number of parts of tiles that a pane began to need and whose cells all had values (hits) or not (misses).
  package var hits, misses: Int

  package init(
    view: String, below: String?, output: String, region: String, rotation: Int, reflected: Bool,
    cell: Int, tiles: Int, pinnedTiles: Int, bytes: Int, ageSeconds: Double, hits: Int, misses: Int
  ) {
    self.view = view
    self.below = below
    self.output = output
    self.region = region
    self.rotation = rotation
    self.reflected = reflected
    self.cell = cell
    self.tiles = tiles
    self.pinnedTiles = pinnedTiles
    self.bytes = bytes
    self.ageSeconds = ageSeconds
    self.hits = hits
    self.misses = misses
  }
}
