import Raster
import TestDice
import Testing

@testable import Frost

/// A picture, a backdrop, and a rectangle in both of them.
private struct ComposedPictures {
  let rect: Rect
  let picture: Bitmap
  let from: PixelLayout
  let backdrop: Bitmap
  let layout: PixelLayout
  let opacity: UInt8
  let hasAlpha: Bool

  init(using dice: inout Dice) {
    rect = Rect(
      x: dice.roll(-50...50), y: dice.roll(-50...50), width: dice.roll(0...40),
      height: dice.roll(0...8))
    from = .random(around: rect, using: &dice)
    layout = .random(around: rect, using: &dice)
    func bitmap(_ layout: PixelLayout) -> Bitmap {
      .anything(width: layout.stride, height: layout.bounds.height, isOpaque: false, using: &dice)
    }
    picture = bitmap(from)
    backdrop = bitmap(layout)
    opacity = [0, 255, UInt8(dice.roll(0...255))][dice.roll(0...2)]
    hasAlpha = .random(using: &dice)
  }

  var composed: Bitmap {
    var result = backdrop
    var span = result.pixels.mutableSpan
    compose(
      rect, of: picture.pixels.span, from, opacity: opacity, hasAlpha: hasAlpha, onto: &span, layout
    )
    return result
  }

  /// The composed pixel of the picture over a pixel of the backdrop, each channel as `share` says.
  func pixel(_ x: Int, _ y: Int, over below: UInt32, _ share: (UInt32, UInt32) -> UInt32) -> UInt32
  {
    let pixel = picture.pixels[from.index(x: x, y: y)] | (hasAlpha ? 0 : 0xff00_0000)
    let rest = 255 - share(pixel >> 24, UInt32(opacity))
    return [0, 8, 16, 24].reduce(0) { result, shift in
      let own = share(pixel >> shift & 255, UInt32(opacity))
      return result | min(255, own + share(below >> shift & 255, rest)) << shift
    }
  }
}

@Suite struct ComposeOntoTests {
  /// pixman rounds each product of two levels to the nearest.
  @Test(arguments: 0..<500)
  func pixelsEqualThoseOfCompositors(seed: Int) {
    var dice = Dice(seed: seed)
    let pictures = ComposedPictures(using: &dice)
    let (before, layout) = (pictures.backdrop, pictures.layout)
    var expected = before
    for index in before.pixels.indices {
      let x = layout.bounds.x + index % layout.stride
      let y = layout.bounds.y + index / layout.stride
      guard pictures.rect.contains(x: x, y: y) else { continue }
      expected.pixels[index] = pictures.pixel(x, y, over: before.pixels[index]) { level, share in
        UInt32((Double(level) * Double(share) / 255).rounded())
      }
    }
    #expect(pictures.composed == expected, "\(dice)")
  }

  @Test func opaquePixelReplacesAndClearPixelKeeps() {
    var dice = Dice(seed: 1)
    for count in 1..<40 {
      let layout = PixelLayout(Rect(x: 0, y: 0, width: count, height: 1))
      let picture = (0..<count).map { _ in
        Bool.random(using: &dice) ? 0 : UInt32.random(in: 0 ... .max, using: &dice) | 0xff00_0000
      }
      let before = (0..<count).map { _ in UInt32.random(in: 0 ... .max, using: &dice) }
      var target = before
      var span = target.mutableSpan
      compose(layout.bounds, of: picture.span, layout, onto: &span, layout)
      #expect(target == zip(picture, before).map { $0 == 0 ? $1 : $0 }, "\(dice)")
    }
  }
}
