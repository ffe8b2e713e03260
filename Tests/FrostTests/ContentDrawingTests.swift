@testable import Frost
import Raster
import TestDice
import Testing

@Suite struct ContentDrawingTests {
  @Test func contentDrawnInPartsEqualsWholeContent() {
    var dice = Dice(seed: 500)
    for _ in 0..<200 {
      let scene = ContentScene(using: &dice)
      let glass = Bitmap.anything(
        width: scene.pane.width, height: scene.pane.height, isOpaque: false, using: &dice)
      let drawn = drawnWholeAndInParts(scene.pane, over: glass, using: &dice) {
        target, pixels, layout in
        scene.content.draw(target, of: scene.pane, scene.polarity, over: &pixels, layout)
      }
      #expect(drawn != nil, "\(dice): \(scene)")
      #expect(drawn?.isPremultiplied == true, "\(dice): \(scene)")
    }
  }

  @Test func contentChangesPixelsUpToItsBoundsOnly() {
    var dice = Dice(seed: 501)
    for _ in 0..<200 {
      let scene = ContentScene(using: &dice)
      let bounds = scene.content.bounds(of: scene.pane)
      #expect(scene.pane.contains(bounds), "\(dice)")
      // All pixels that either polarity changes on either extreme of glass.
      var touched = Rect.zero
      for (polarity, glass) in [(Polarity.light, 0xffff_ffff), (.dark, 0xff00_0000)] {
        let picture = scene.drawn(polarity, over: UInt32(glass))
        for y in scene.pane.rows {
          for x in scene.pane.columns
          where picture[x - scene.pane.x, y - scene.pane.y] != glass {
            touched = touched.hull(Rect(x: x, y: y, width: 1, height: 1))
          }
        }
      }
      #expect(bounds.contains(touched), "\(dice): \(scene)")
      guard scene.vibrancy?.ink != nil, scene.isStrong else { continue }
      // At its edge a halo is too weak to change a pixel.
      let visible = bounds.grown(by: -3).intersection(scene.pane.grown(by: -4))
      #expect(touched.contains(visible), "\(dice): \(scene)")
    }
  }

  @Test func vibrantContentEqualsModel() {
    var dice = Dice(seed: 502)
    var worst = 0.0
    for round in 0..<400 {
      var scene = ContentScene(using: &dice)
      scene.vibrancy = Vibrancy.allCases[round % Vibrancy.allCases.count]
      let glass = Bitmap.anything(
        width: scene.pane.width, height: scene.pane.height, isOpaque: round % 3 > 0, using: &dice
      ).opaque(round % 3 > 0)
      let drawn = scene.drawn(scene.polarity, over: glass)
      let bounds = scene.content.bounds(of: scene.pane)
      guard let vibrancy = scene.vibrancy, !bounds.isEmpty else { continue }
      let model = ContentModel(scene.picture, vibrancy, scene.polarity)
      for _ in 0..<100 {
        let x = dice.roll(bounds.x...bounds.maxX - 1) - scene.pane.x
        let y = dice.roll(bounds.y...bounds.maxY - 1) - scene.pane.y
        let right = model.drawn(over: levels(glass[x, y]), x: x - scene.x, y: y - scene.y)
        for (level, right) in zip(levels(drawn[x, y]), right) {
          worst = max(worst, abs(level - right))
        }
      }
    }
    // Three roundings of half a level each; the later steps reduce the error of the first one.
    #expect(worst <= 1.25, "\(dice): \(worst)")
  }

  @Test func plainContentIsComposedOverGlass() {
    var dice = Dice(seed: 503)
    for _ in 0..<60 {
      var scene = ContentScene(using: &dice)
      scene.vibrancy = nil
      let glass = Bitmap.noise(
        width: scene.pane.width, height: scene.pane.height, using: &dice)
      var expected = glass
      for y in 0..<scene.picture.height {
        for x in 0..<scene.picture.width
        where glass.bounds.contains(x: x + scene.x, y: y + scene.y) {
          expected[x + scene.x, y + scene.y] = over(
            scene.picture[x, y], glass[x + scene.x, y + scene.y])
        }
      }
      #expect(scene.drawn(scene.polarity, over: glass) == expected, "\(dice)")
    }
  }

  /// Text is opaque even over clear glass.
  @Test func textOverClearGlassHasTheAlphaOfItsCoverage() {
    for polarity in [Polarity.light, .dark] {
      for (vibrancy, _) in Vibrancy.promises {
        var picture = Bitmap(width: 5, height: 5)
        picture[2, 2] = 0xffff_ffff
        picture[4, 2] = 0x8000_0000
        let content = Content(picture, x: 3, y: 3, vibrancy: vibrancy)
        var glass = Bitmap(width: 12, height: 12)
        let bounds = glass.bounds
        var pixels = glass.pixels.mutableSpan
        content.draw(bounds, of: bounds, polarity, over: &pixels, PixelLayout(bounds))
        #expect(glass[5, 5] >> 24 == 255 && glass[7, 5] >> 24 == 128)
        #expect(glass.pixels.count { $0 != 0 } == 2)
        #expect(glass.isPremultiplied)
      }
    }
  }
}

/// Random content on a pane, or partly outside it.
private struct ContentScene: CustomStringConvertible {
  var pane: Rect
  var picture: Bitmap
  var x, y: Int
  var vibrancy: Vibrancy?
  var polarity: Polarity

  init(using dice: inout Dice) {
    let size = dice.paneSize(upTo: 70)
    pane = Rect(
      x: dice.roll(-50...50), y: dice.roll(-50...50), width: size.width, height: size.height)
    picture = .strokes(width: dice.roll(0...40), height: dice.roll(0...40), using: &dice)
    x = dice.roll(-45...75)
    y = dice.roll(-45...75)
    vibrancy = Bool.random(using: &dice) ? .label : Vibrancy.allCases.randomElement(using: &dice)
    if dice.roll(0...7) == 0 { vibrancy = nil }
    polarity = Bool.random(using: &dice) ? .light : .dark
  }

  var content: Content { Content(picture, x: x, y: y, vibrancy: vibrancy) }

  /// Whether each pixel is covered fully or not at all.
  var isStrong: Bool { picture.pixels.allSatisfy { $0 >> 24 == 0 || $0 >> 24 == 255 } }

  var description: String {
    "\(picture.width)x\(picture.height) at \(x), \(y) of \(pane), \(vibrancy?.rawValue ?? "plain")"
  }

  func drawn(_ polarity: Polarity, over glass: Bitmap) -> Bitmap {
    var result = glass
    var pixels = result.pixels.mutableSpan
    content.draw(pane, of: pane, polarity, over: &pixels, PixelLayout(pane))
    return result
  }

  func drawn(_ polarity: Polarity, over color: UInt32) -> Bitmap {
    drawn(polarity, over: Bitmap(width: pane.width, height: pane.height, filledWith: color))
  }
}

private func levels(_ pixel: UInt32) -> [Double] {
  [0, 8, 16, 24].map { Double(pixel >> $0 & 255) }
}

extension Bitmap {
  fileprivate func opaque(_ isOpaque: Bool) -> Bitmap {
    isOpaque ? Bitmap(width: width, height: height, pixels: pixels.map { $0 | 0xff00_0000 }) : self
  }
}
