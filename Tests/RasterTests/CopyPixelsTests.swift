import Raster
import TestDice
import Testing

@Suite struct CopyPixelsTests {
  @Test(arguments: 0..<300)
  func copyReplacesTheRectangleOnly(seed: Int) {
    var dice = Dice(seed: seed)
    let rect = Rect(
      x: dice.roll(-50...50), y: dice.roll(-50...50), width: dice.roll(0...20),
      height: dice.roll(0...8))
    func layout() -> PixelLayout {
      let bounds = Rect(
        rect.x - dice.roll(0...5)..<rect.maxX + dice.roll(0...5),
        rect.y - dice.roll(0...5)..<rect.maxY + dice.roll(0...5))
      return PixelLayout(bounds, stride: bounds.width + dice.roll(0...3))
    }
    let (from, to) = (layout(), layout())
    func pixels(_ layout: PixelLayout) -> [UInt32] {
      (0..<layout.pixelCount).map { _ in .random(in: 0 ... .max, using: &dice) }
    }
    let (source, before) = (pixels(from), pixels(to))
    var target = before
    var span = target.mutableSpan
    copyPixels(of: rect, from: source.span, from, to: &span, to)
    for index in before.indices {
      let (x, y) = (to.bounds.x + index % to.stride, to.bounds.y + index / to.stride)
      let isCopied = rect.contains(x: x, y: y)
      #expect(target[index] == (isCopied ? source[from.index(x: x, y: y)] : before[index]))
    }
  }
}
