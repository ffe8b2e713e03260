import Raster
import TestDice
import Testing

@testable import WaylandDisplay

@Suite struct MarkedTilesTests {
  /// A mark is opaque and in its tile; only the marks of touched tiles change, and they differ from what is wanted by two
  /// levels at most, near black and white by three.
  @Test(arguments: 0..<100)
  func marksShowTheVersionOfTheirTile(seed: Int) {
    var dice = Dice(seed: seed)
    let bounds = Rect(
      x: dice.roll(-99...99), y: dice.roll(-99...99), width: dice.roll(1...300),
      height: dice.roll(1...200))
    let opaque = dice.rect(in: bounds)
    var tiles = MarkedTiles(bounds)
    let all = tiles.indices(touching: Region(bounds))
    #expect(all.count == ((bounds.width + 63) / 64) * ((bounds.height + 63) / 64))
    tiles.touch(all) { opaque.contains(x: $0, y: $1) }
    for _ in 0..<20 {
      let before = tiles
      let touched = tiles.indices(touching: Region(dice.rect(in: bounds)))
      tiles.touch(touched) { opaque.contains(x: $0, y: $1) }
      for tile in all {
        guard let mark = tiles.mark(tile) else {
          #expect(before.mark(tile) == nil)
          continue
        }
        #expect(opaque.contains(x: mark.x, y: mark.y))
        let place = Region(Rect(x: mark.x, y: mark.y, width: 1, height: 1))
        #expect(tiles.indices(touching: place) == [tile])
        let wanted = UInt32(truncatingIfNeeded: dice.next())
        let (old, new) = (
          before.pixel(ofMark: tile, wanted: wanted), tiles.pixel(ofMark: tile, wanted: wanted)
        )
        #expect((old != new) == touched.contains(tile))
        #expect(new >> 24 == 255)
        for shift: UInt32 in [0, 8, 16] {
          let (value, wanted) = (Int(new >> shift & 255), Int(wanted >> shift & 255))
          #expect(abs(value - wanted) <= ((2...253).contains(wanted) ? 2 : 3))
        }
      }
    }
  }

  @Test func tileWithOpaquePixelsHasAMark() {
    var tiles = MarkedTiles(Rect(x: 0, y: 0, width: 128, height: 64))
    tiles.touch([0, 1]) { x, _ in x < 64 }
    #expect(tiles.mark(0) != nil && tiles.mark(1) == nil)
  }
}
