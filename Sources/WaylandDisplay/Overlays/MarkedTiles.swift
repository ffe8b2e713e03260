import Raster

/// The marks by which a capture shows which buffer of an overlay it contains.
///
/// An overlay is divided into tiles. One opaque pixel of each tile is its mark. The two lowest bits of the three colours of a
/// mark contain the version of the tile; the colours are otherwise as near as possible to the wanted ones. An update of a tile
/// increments its version, so a capture of the screen that shows the mark of the new version contains the update. Marks are
/// opaque, so the backdrop does not change them. Only tiles that an update touches get other marks, because some compositors
/// report the bounding box of all changes as damage.
struct MarkedTiles {
  /// The width and height of a tile, in pixels.
  static let side = 64

  /// The rectangle of the overlay, in the coordinates of its pixels.
  let bounds: Rect
  private let columns: Int
  private var tiles: [Tile]

  private struct Tile {
    /// Nil if no pixel of the tile is opaque.
    var mark: (x: Int, y: Int)?
    var version: UInt32 = 0
  }

  init(_ bounds: Rect) {
    self.bounds = bounds
    columns = Self.columnCount(of: bounds)
    let rows = (bounds.height + Self.side - 1) / Self.side
    tiles = Array(repeating: Tile(), count: columns * rows)
  }

  /// The tiles that a region touches.
  func indices(touching region: Region) -> Set<Int> {
    var found: Set<Int> = []
    for rect in region.intersection(bounds).rects {
      let columns = (rect.x - bounds.x) / Self.side...(rect.maxX - 1 - bounds.x) / Self.side
      let rows = (rect.y - bounds.y) / Self.side...(rect.maxY - 1 - bounds.y) / Self.side
      for row in rows { for column in columns { found.insert(row * self.columns + column) } }
    }
    return found
  }

  /// Counts the versions of tiles up, and finds an opaque pixel for their marks; `isOpaque` says whether a pixel is.
  mutating func touch(_ indices: Set<Int>, _ isOpaque: (_ x: Int, _ y: Int) -> Bool) {
    for index in indices {
      tiles[index].version = (tiles[index].version + 1) & 63
      if let mark = tiles[index].mark, isOpaque(mark.x, mark.y) { continue }
      let rect = Self.rect(of: index, in: bounds)
      // A few places are enough: a tile at a round corner has some opaque ones, a tile in a shadow has none.
      let places = [4, 2, 6, 1, 7].flatMap { y in
        [4, 2, 6, 1, 7].map { x in (rect.x + x * rect.width / 8, rect.y + y * rect.height / 8) }
      }
      tiles[index].mark = places.first { isOpaque($0.0, $0.1) }
    }
  }

  private static func columnCount(of bounds: Rect) -> Int { (bounds.width + side - 1) / side }

  /// The rectangle of a tile of an overlay.
  static func rect(of index: Int, in bounds: Rect) -> Rect {
    let columns = columnCount(of: bounds)
    return Rect(
      x: bounds.x + index % columns * side, y: bounds.y + index / columns * side,
      width: side, height: side
    ).intersection(bounds)
  }

  /// The rectangles of all tiles of an overlay.
  static func tiles(of bounds: Rect) -> [Rect] {
    let rows = (bounds.height + side - 1) / side
    return (0..<columnCount(of: bounds) * rows).map { rect(of: $0, in: bounds) }
  }

  /// The places of all marks.
  var marks: [(x: Int, y: Int)] { tiles.compactMap(\.mark) }

  /// The mark of a tile; nil if it has none.
  func mark(_ index: Int) -> (x: Int, y: Int)? { tiles[index].mark }

  /// The mark of a tile, whose pixel should have the colour `wanted`. It differs by at most 2 levels, near black and white
  /// by 3.
  func pixel(ofMark index: Int, wanted: UInt32) -> UInt32 {
    let version = tiles[index].version
    return [0, 1, 2].reduce(0xff00_0000) { pixel, channel in
      let value = wanted >> (8 * channel) & 255
      let bits = version >> (2 * channel) & 3
      return pixel | Self.nearest(to: value, endingWith: bits) << (8 * channel)
    }
  }

  /// The value of 8 bits that is nearest to another one and ends with two given bits.
  private static func nearest(to value: UInt32, endingWith bits: UInt32) -> UInt32 {
    let near = value & ~3 | bits
    if near > value + 2, near >= 4 { return near - 4 }
    return near + 2 < value && near <= 251 ? near + 4 : near
  }
}
