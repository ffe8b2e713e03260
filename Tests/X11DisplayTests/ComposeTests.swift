import Raster
import TestDice
import Testing

@testable import X11Display

/// Two pictures with different bounds, and a rectangle in both of them.
private struct ComposedPictures {
  let source: Bitmap
  let from: PixelLayout
  let target: Bitmap
  let layout: PixelLayout
  let rect: Rect

  init(using dice: inout Dice) {
    let rect = Rect(
      x: dice.roll(-50...50), y: dice.roll(-50...50), width: dice.roll(0...20),
      height: dice.roll(0...8))
    func layout() -> PixelLayout {
      let bounds = Rect(
        rect.x - dice.roll(0...5)..<rect.maxX + dice.roll(0...5),
        rect.y - dice.roll(0...5)..<rect.maxY + dice.roll(0...5))
      return PixelLayout(bounds, stride: bounds.width + dice.roll(0...3))
    }
    func bitmap(_ layout: PixelLayout) -> Bitmap {
      var bitmap = Bitmap.noise(
        width: layout.stride, height: layout.bounds.height, using: &dice)
      for index in bitmap.pixels.indices {
        let alpha = [0, 255, UInt32(dice.roll(0...255))][dice.roll(0...2)]
        var pixel = alpha << 24
        for shift: UInt32 in [0, 8, 16] {
          pixel |= .random(in: 0...alpha, using: &dice) << shift
        }
        bitmap.pixels[index] = pixel
      }
      return bitmap
    }
    self.rect = rect
    from = layout()
    self.layout = layout()
    source = bitmap(from)
    target = bitmap(self.layout)
  }
}

@Suite struct ComposeTests {
  @Test(arguments: 0..<300)
  func copyReplacesTheRectangleOnly(seed: Int) {
    var dice = Dice(seed: seed)
    let pictures = ComposedPictures(using: &dice)
    let before = pictures.target
    var target = before
    var span = target.pixels.mutableSpan
    copyPixels(
      of: pictures.rect, from: pictures.source.pixels.span, pictures.from, to: &span,
      pictures.layout)
    var expected = before
    for index in before.pixels.indices {
      let (x, y) = pictures.layout.place(of: index)
      guard pictures.rect.contains(x: x, y: y) else { continue }
      expected.pixels[index] = pictures.source.pixels[pictures.from.index(x: x, y: y)]
    }
    #expect(target == expected)
  }

  @Test(arguments: 0..<300)
  func blendIsWithinTwoLevelsOfTheFormula(seed: Int) {
    var dice = Dice(seed: seed)
    let pictures = ComposedPictures(using: &dice)
    let before = pictures.target
    var target = before
    let opacity = [0, .max, UInt32.random(in: 0 ... .max, using: &dice)][dice.roll(0...2)]
    let layer = WindowLayer(
      source: .window(1), region: Region(pictures.rect), isTranslucent: true,
      hasAlpha: .random(using: &dice), opacity: opacity)
    var span = target.pixels.mutableSpan
    blend(
      pictures.source.pixels.span, pictures.from, onto: &span, pictures.layout, pictures.rect, layer
    )
    let share = Double(opacity) / Double(UInt32.max)
    var (largestError, isOutsideKept) = (0.0, true)
    for index in before.pixels.indices {
      let (x, y) = pictures.layout.place(of: index)
      let (old, new) = (before.pixels[index], target.pixels[index])
      guard pictures.rect.contains(x: x, y: y) else {
        if new != old { isOutsideKept = false }
        continue
      }
      var pixel = pictures.source.pixels[pictures.from.index(x: x, y: y)]
      if !layer.hasAlpha { pixel |= 0xff00_0000 }
      let alpha = Double(pixel >> 24) / 255 * share
      for shift: UInt32 in [0, 8, 16, 24] {
        let below = Double(old >> shift & 255) * (1 - alpha)
        let exact = Double(pixel >> shift & 255) * share + below
        largestError = max(largestError, abs(Double(new >> shift & 255) - exact))
      }
    }
    // The opacity is rounded down to one of 256, each product to a level.
    #expect(largestError <= 2 && isOutsideKept)
  }

  @Test(arguments: 0..<100)
  func opaquePixelReplacesAndClearPixelKeeps(seed: Int) {
    var dice = Dice(seed: seed)
    let layout = PixelLayout(Rect(x: 0, y: 0, width: 2, height: 1))
    let old = (0..<2).map { _ in UInt32.random(in: 0 ... .max, using: &dice) | 0xff00_0000 }
    let new = [old[0] ^ 0x00ab_cdef, 0]
    var target = old
    var span = target.mutableSpan
    let layer = WindowLayer(
      source: .window(1), region: Region(layout.bounds), isTranslucent: true, hasAlpha: true)
    blend(new.span, layout, onto: &span, layout, layout.bounds, layer)
    #expect(target == [new[0], old[1]])
  }
}

extension PixelLayout {
  fileprivate func place(of index: Int) -> (x: Int, y: Int) {
    (bounds.x + index % stride, bounds.y + index / stride)
  }
}
