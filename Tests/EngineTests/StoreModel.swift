@testable import Engine
@testable import Frost
import Panes
import Raster

/// The plain model of one grid of a `BackdropStore`: the state of every cell of a field.
struct ModelGrid {
  let key: GridKey
  /// The cells that owners may need. It extends beyond the output, whose pixels are mirrored there.
  let field: Rect
  let tiles: TileLayout
  var needs: [NeedOwner: Region] = [:]
  /// Per cell of the field, row by row.
  private(set) var states: [CellState]
  /// The number of times that the store may have given up the grid.
  private(set) var generation = 0
  /// The time since which each tile with values is not needed.
  private(set) var evictable: [Int: Int] = [:]
  /// The real pixel columns and rows that each column and row of the field depends on.
  private let columns, rows: [Set<Int>]

  struct CellState: OptionSet {
    let rawValue: UInt8
    static let known = CellState(rawValue: 1)
    static let valid = CellState(rawValue: 2)
    static let requested = CellState(rawValue: 4)
    static let needed = CellState(rawValue: 8)
  }

  init(_ key: GridKey) {
    self.key = key
    let output = key.output.bounds
    var (cell, before, after) = (1, 0, 0)
    switch key.kind {
    case .pixels:
      tiles = PixelGrid(output: output).tiles
      field = output
    case .cells(let reduction):
      (cell, before, after) = (reduction.cell, reduction.before, reduction.after)
      tiles = CellGrid(GridGeometry(output: output, reduction: reduction)).tiles
      let (width, height) = ((output.width + cell - 1) / cell, (output.height + cell - 1) / cell)
      field = Rect(x: 0, y: 0, width: width, height: height).grown(by: 9).intersection(tiles.bounds)
    }
    let origin = key.kind == .pixels ? (x: 0, y: 0) : (x: output.x, y: output.y)
    columns = field.columns.map { column in
      let first = origin.x + column * cell
      return Set((first - before..<first + cell + after).map { mirror($0, in: output.columns) })
    }
    rows = field.rows.map { row in
      let first = origin.y + row * cell
      return Set((first - before..<first + cell + after).map { mirror($0, in: output.rows) })
    }
    states = Array(repeating: [], count: field.area)
  }

  // MARK: Cells

  private func index(x: Int, y: Int) -> Int { (y - field.y) * field.width + x - field.x }

  func state(x: Int, y: Int) -> CellState { states[index(x: x, y: y)] }

  /// Whether all cells of a region have a state.
  func areAll(_ region: Region, _ state: CellState) -> Bool {
    region.rects.allSatisfy { rect in
      rect.rows.allSatisfy { y in
        rect.columns.allSatisfy { self.state(x: $0, y: y).contains(state) }
      }
    }
  }

  private mutating func update(_ rect: Rect, _ body: (inout CellState) -> Void) {
    for y in rect.rows { for x in rect.columns { body(&states[index(x: x, y: y)]) } }
  }

  /// The part of the field in each tile.
  private func cells(ofTile tile: Int) -> Rect { tiles.rect(ofTile: tile).intersection(field) }

  /// The cells that are needed and neither current nor requested.
  var missing: Set<SIMD2<Int>> {
    var cells: Set<SIMD2<Int>> = []
    for y in field.rows {
      for x in field.columns
      where state(x: x, y: y).isDisjoint(with: [.valid, .requested])
        && state(x: x, y: y).contains(.needed)
      {
        cells.insert(SIMD2(x, y))
      }
    }
    return cells
  }

  // MARK: Tiles

  var neededTiles: Set<Int> { tiles(with: .needed) }

  /// The tiles that occupy memory.
  var presentTiles: Set<Int> { neededTiles.union(evictable.keys) }

  private func tiles(with state: CellState) -> Set<Int> {
    var found: Set<Int> = []
    for y in field.rows {
      for x in field.columns where self.state(x: x, y: y).contains(state) {
        found.insert(tiles.tile(x: x, y: y))
      }
    }
    return found
  }

  /// A cell of a tile that has a value.
  func knownCell(ofTile tile: Int) -> Rect? {
    let rect = cells(ofTile: tile)
    for y in rect.rows {
      for x in rect.columns where state(x: x, y: y).contains(.known) {
        return Rect(x: x, y: y, width: 1, height: 1)
      }
    }
    return nil
  }

  // MARK: Operations

  /// Returns the numbers of parts of tiles that became needed, with all values and without.
  mutating func setNeed(
    of owner: NeedOwner, _ region: Region, time: Int
  ) -> (hits: Int, misses: Int) {
    let old = needs[owner] ?? Region()
    // A region with the same pixels in other rectangles is no change.
    let added = old.rects == region.rects ? [] : region.subtracting(old).rects
    var (hits, misses) = (0, 0)
    for rect in added {
      for tile in 0..<tiles.tileCount {
        let part = cells(ofTile: tile).intersection(rect)
        if part.isEmpty { continue }
        if areAll(Region(part), .known) { hits += 1 } else { misses += 1 }
      }
    }
    let before = neededTiles
    needs[owner] = region.isEmpty ? nil : region
    update(field) { $0.remove(.needed) }
    for rect in needs.values.flatMap(\.rects) { update(rect) { $0.insert(.needed) } }
    let after = neededTiles
    for tile in after { evictable[tile] = nil }
    for tile in before.subtracting(after) {
      if knownCell(ofTile: tile) == nil { remove(tile: tile) } else { evictable[tile] = time }
    }
    return (hits, misses)
  }

  /// Cells that are being captured stay so if the capture includes the change.
  mutating func damage(_ damage: Rect, isCaptured: Bool) {
    for (y, row) in zip(field.rows, rows) where !row.isDisjoint(with: damage.rows) {
      for (x, column) in zip(field.columns, columns) where !column.isDisjoint(with: damage.columns)
      {
        let index = index(x: x, y: y)
        if isCaptured, states[index].contains(.requested) { continue }
        states[index].subtract([.valid, .requested])
      }
    }
  }

  mutating func invalidate() { update(field) { $0.subtract([.valid, .requested]) } }

  mutating func request(_ cells: Rect) { update(cells) { $0.insert(.requested) } }

  mutating func fail(_ cells: Rect) { update(cells) { $0.remove(.requested) } }

  mutating func update(with cells: Rect, time: Int) {
    update(cells) {
      if $0.contains(.requested) { $0.insert(.valid) }
      $0.insert(.known)
      $0.remove(.requested)
    }
    let needed = neededTiles
    for tile in 0..<tiles.tileCount
    where tiles.rect(ofTile: tile).intersects(cells) && !needed.contains(tile) {
      evictable[tile] = evictable[tile] ?? time
    }
  }

  /// Gives up the memory of a tile.
  mutating func remove(tile: Int) {
    evictable[tile] = nil
    update(cells(ofTile: tile)) { $0.formIntersection(.needed) }
  }

  /// Gives up the grid if it holds nothing.
  mutating func removeIfEmpty() {
    if needs.isEmpty && presentTiles.isEmpty { generation += 1 }
  }
}

/// The real pixel of which `pixel` is the mirror image, half-sample symmetric.
private func mirror(_ pixel: Int, in pixels: Range<Int>) -> Int {
  var pixel = pixel
  while !pixels.contains(pixel) {
    let edge = pixel < pixels.lowerBound ? pixels.lowerBound : pixels.upperBound
    pixel = 2 * edge - 1 - pixel
  }
  return pixel
}
