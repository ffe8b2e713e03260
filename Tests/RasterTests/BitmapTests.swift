import Raster
import TestDice
import Testing

@Suite struct BitmapTests {
  /// Whatever the rectangle's place and the stride of the memory are.
  @Test(arguments: 0..<100)
  func copyOfRectangleHasItsPixels(seed: Int) {
    var dice = Dice(seed: seed)
    let bounds = Rect(x: dice.roll(-9...9), y: dice.roll(-9...9), width: 13, height: 11)
    let layout = PixelLayout(bounds, stride: dice.roll(13...17))
    let memory = (0..<layout.pixelCount).map { UInt32($0) }
    let rect = dice.rect(in: bounds)
    let copy = Bitmap(rect, of: memory.span, layout)
    #expect((copy.width, copy.height) == (rect.width, rect.height))
    for y in rect.rows {
      for x in rect.columns {
        #expect(
          copy[x - rect.x, y - rect.y] == memory[(y - bounds.y) * layout.stride + x - bounds.x])
      }
    }
  }

  @Test func lastRowNeedsNoWholeStride() {
    let layout = PixelLayout(Rect(x: 3, y: 4, width: 5, height: 3), stride: 8)
    #expect(layout.pixelCount == 21)
    #expect(layout.index(x: 3, y: 4) == 0)
    #expect(layout.index(x: 7, y: 6) == 20)
    #expect(PixelLayout(.zero, stride: 8).pixelCount == 0)
  }

  @Test func layoutFromRowStartsAtItsFirstPixel() {
    let layout = PixelLayout(Rect(x: 3, y: 4, width: 5, height: 3), stride: 8)
    let part = layout.from(row: 5)
    #expect(part == PixelLayout(Rect(x: 3, y: 5, width: 5, height: 2), stride: 8))
    #expect(part.index(x: 3, y: 5) == 0)
    #expect(part.pixelCount == layout.pixelCount - layout.index(x: 3, y: 5))
    #expect(layout.from(row: 7).pixelCount == 0)
  }
}
