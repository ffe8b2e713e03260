@testable import Engine
@testable import Frost
import Raster
import TestDice
import Testing

/// A cell of a tile or of a grid.
private typealias Cell = SIMD2<Int>

private func cells(_ rect: Rect) -> Set<Cell> {
  Set(rect.rows.flatMap { y in rect.columns.map { Cell($0, y) } })
}

/// The cells of a part, counted from the first cell of its tile.
private func cells(_ part: TilePart) -> Set<Cell> {
  cells(part.rect.translated(x: -part.origin.x, y: -part.origin.y))
}

extension Dice {
  /// A part of a tile of 32 columns.
  fileprivate mutating func part(height: Int) -> TilePart {
    let rect = rect(in: Rect(x: 0, y: 0, width: 32, height: height))
    return TilePart(
      tile: roll(0...9), origin: (roll(-99...99), roll(-99...99)), columns: rect.columns,
      rows: rect.rows)
  }
}

/// `TileMask` and the bits of a `TilePart` against sets of cells.
@Suite struct TileMaskTests {
  @Test func bitsArePerColumnForAllRanges() {
    for start in 0..<32 {
      for end in start + 1...32 {
        let part = TilePart(tile: 0, origin: (0, 0), columns: start..<end, rows: 0..<1)
        let wanted = (start..<end).reduce(UInt32(0)) { $0 | 1 << UInt32($1) }
        #expect(part.bits == wanted, "\(start)..<\(end)")
      }
    }
  }

  @Test(arguments: [16, 32], 0..<40)
  func operationsAgreeWithSetsOfCells(height: Int, seed: Int) {
    var dice = Dice(seed: seed)
    var (mask, other) = (TileMask(), TileMask())
    var (model, otherModel): (Set<Cell>, Set<Cell>) = ([], [])
    for _ in 0..<150 {
      let part = dice.part(height: height)
      let inPart = cells(part)
      switch dice.roll(0...5) {
      case 0:
        mask.insert(part)
        model.formUnion(inPart)
      case 1:
        mask.insert(part, in: other)
        model.formUnion(inPart.intersection(otherModel))
      case 2:
        mask.subtract(part)
        model.subtract(inPart)
      case 3:
        mask.subtract(part, notIn: other)
        model.subtract(inPart.subtracting(otherModel))
      case 4:
        (mask, other) = (other, mask)
        (model, otherModel) = (otherModel, model)
      default:
        other.insert(part)
        otherModel.formUnion(inPart)
      }
      #expect(members(of: mask) == model, "\(dice)")
      #expect(mask.isEmpty == model.isEmpty, "\(dice)")
      let query = dice.part(height: height)
      #expect(mask.contains(query) == model.isSuperset(of: cells(query)), "\(dice)")
      let isFound = !model.subtracting(otherModel).isDisjoint(with: cells(query))
      #expect(mask.intersects(query, notIn: other) == isFound, "\(dice)")
    }
  }

  private func members(of mask: TileMask) -> Set<Cell> {
    Set((0..<32).flatMap { y in (0..<32).filter { mask[y] >> $0 & 1 == 1 }.map { Cell($0, y) } })
  }

  @Test func newMaskIsEmpty() {
    #expect(TileMask().isEmpty)
    #expect(members(of: TileMask()).isEmpty)
  }
}

/// `TileLayout` against single cells.
@Suite struct TileLayoutTests {
  @Test(arguments: [16, 32], 0..<60)
  func everyCellIsInOnePart(height: Int, seed: Int) {
    var dice = Dice(seed: seed)
    let covered = Rect(
      x: dice.roll(-200...200), y: dice.roll(-200...200), width: dice.roll(1...150),
      height: dice.roll(1...150))
    let layout = TileLayout(covering: covered, width: 32, height: height)
    #expect(layout.bounds.contains(covered), "\(dice)")
    #expect(layout.bounds.area == layout.tileCount * 32 * height, "\(dice)")
    for _ in 0..<10 {
      // Parts of the rectangle may lie outside the tiles.
      let rect = dice.rect(in: layout.bounds.grown(by: 40))
      let parts = parts(of: rect, in: layout)
      let visited = parts.map { cells($0.rect) }
      #expect(
        visited.reduce(into: []) { $0.formUnion($1) } == cells(rect.intersection(layout.bounds)),
        "\(dice): \(rect)")
      #expect(
        visited.reduce(0) { $0 + $1.count } == rect.intersection(layout.bounds).area,
        "\(dice): \(rect)")
      // Callers rely on the order of rows.
      #expect(zip(parts, parts.dropFirst()).allSatisfy { $0.tile < $1.tile }, "\(dice): \(rect)")
      for part in parts { expectConsistent(part, in: layout, "\(dice): \(rect)") }
    }
  }

  private func parts(of rect: Rect, in layout: TileLayout) -> [TilePart] {
    var parts: [TilePart] = []
    layout.forEachTile(of: rect) { parts.append($0) }
    return parts
  }

  private func expectConsistent(_ part: TilePart, in layout: TileLayout, _ place: Comment) {
    let whole = layout.rect(ofTile: part.tile)
    #expect(part.origin == (whole.x, whole.y), place)
    #expect(whole.contains(part.rect), place)
    #expect(layout.bounds.contains(whole), place)
    #expect(
      cells(part.rect).allSatisfy { layout.tile(x: $0.x, y: $0.y) == part.tile }, place)
    let rowOfTiles = part.tile / layout.tilesPerRow
    #expect(layout.tileRows(holding: part.rect.rows) == rowOfTiles..<rowOfTiles + 1, place)
  }

  @Test func rectangleOutsideTheTilesHasNoParts() {
    let layout = TileLayout(
      covering: Rect(x: 10, y: 10, width: 40, height: 40), width: 32, height: 32)
    #expect(parts(of: Rect(x: -20, y: 0, width: 30, height: 90), in: layout).isEmpty)
    #expect(parts(of: .zero, in: layout).isEmpty)
  }
}
