import Frost
import Raster
import TestDice
import Testing

@Suite struct PixelGridTests {
  /// The result of each update contains every changed pixel.
  @Test(arguments: 0..<20)
  func anySequenceOfUpdatesEqualsPicture(seed: Int) {
    var dice = Dice(seed: 500 + seed)
    let output = Rect(
      x: dice.roll(-40...40), y: dice.roll(-40...40), width: dice.roll(1...120),
      height: dice.roll(1...90))
    let grid = PixelGrid(output: output)
    var picture = Bitmap.noise(width: output.width, height: output.height, using: &dice)
    _ = grid.update(with: picture.pixels.span, PixelLayout(output), output)
    for step in 0..<30 {
      let before = picture
      let damage = dice.rect(in: output)
      if dice.roll(0...2) > 0 {
        let color = UInt32(truncatingIfNeeded: dice.next())
        for y in damage.rows {
          for x in damage.columns { picture[x - output.x, y - output.y] = color }
        }
      }
      let changed = grid.update(with: picture.pixels.span, PixelLayout(output), damage)
      var read = Bitmap(width: output.width, height: output.height)
      var pixels = read.pixels.mutableSpan
      grid.copy(output, into: &pixels, PixelLayout(output))
      #expect(read == picture, "seed \(seed), step \(step)")
      let differing = picture.pixels.indices.filter {
        (picture.pixels[$0] ^ before.pixels[$0]) & 0x00ff_ffff != 0
      }
      let isReported = differing.allSatisfy { i in
        let (x, y) = (output.x + i % output.width, output.y + i / output.width)
        return changed.intersects(Rect(x: x, y: y, width: 1, height: 1))
      }
      #expect(isReported && damage.contains(changed.bounds), "seed \(seed), step \(step)")
    }
  }

  @Test func discardedTileIsZero() {
    let output = Rect(x: 3, y: 5, width: 100, height: 80)
    let grid = PixelGrid(output: output)
    let picture = Bitmap(width: 100, height: 80, filledWith: 0x1234_5678)
    _ = grid.update(with: picture.pixels.span, PixelLayout(output), output)
    let tile = grid.tiles.tile(x: 50, y: 50)
    grid.discard(tile: tile)
    var read = Bitmap(width: 100, height: 80)
    var pixels = read.pixels.mutableSpan
    grid.copy(output, into: &pixels, PixelLayout(output))
    for y in output.rows {
      for x in output.columns {
        let isInTile = grid.tiles.rect(ofTile: tile).contains(x: x, y: y)
        #expect(read[x - 3, y - 5] == (isInTile ? 0 : 0x1234_5678))
      }
    }
  }
}
