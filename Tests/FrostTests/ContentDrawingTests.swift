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
      let state = scene.state(over: glass)
      let drawn = drawnWholeAndInParts(scene.pane, over: glass, using: &dice) {
        target, pixels, layout in
        state.draw(target, of: scene.pane, over: &pixels, layout)
      }
      #expect(drawn != nil, "\(dice): \(scene)")
      #expect(drawn?.isPremultiplied == true, "\(dice): \(scene)")
    }
  }

  @Test func contentChangesPixelsInItsRegionOnly() {
    var dice = Dice(seed: 501)
    for _ in 0..<200 {
      let scene = ContentScene(using: &dice)
      let region = ContentState(Contents([scene.content])).region(of: scene.pane)
      #expect(region.subtracting(Region(scene.pane)).isEmpty, "\(dice)")
      // All pixels that either polarity changes on either extreme of glass.
      for (polarity, glass) in [(Polarity.light, 0xffff_ffff), (.dark, 0xff00_0000)] {
        let picture = scene.drawn(polarity, over: UInt32(glass))
        var touched = Region()
        for y in scene.pane.rows {
          for x in scene.pane.columns
          where picture[x - scene.pane.x, y - scene.pane.y] != glass {
            touched.form(union: Rect(x: x, y: y, width: 1, height: 1))
          }
        }
        #expect(touched.subtracting(region).isEmpty, "\(dice): \(scene)")
      }
    }
  }

  /// The pixels that `follow` returns, with those that it is given, are all that change.
  @Test func contentThatFollowsItsGlassEqualsNewContent() {
    var dice = Dice(seed: 504)
    for _ in 0..<40 {
      let (screen, pane) = (
        Rect(x: -20, y: -10, width: 300, height: 200),
        Rect(x: -20 + dice.roll(0...40), y: dice.roll(0...40), width: 220, height: 120)
      )
      let items = (0..<dice.roll(1...5)).map { _ in
        Content(
          .strokes(width: dice.roll(1...90), height: dice.roll(1...60), using: &dice),
          x: dice.roll(-30...200), y: dice.roll(-30...110),
          vibrancy: ([nil] + Vibrancy.allCases).randomElement(using: &dice) ?? nil)
      }
      var picture = Bitmap.desktop(width: screen.width, height: screen.height, using: &dice)
      let material = Material(sigma: Double(dice.roll(0...12)))
      func glass() -> PictureGlass { PictureGlass(pane: pane, picture: screen, material: material) }
      var live = glass()
      var state = ContentState(Contents(items))
      var shown = Bitmap(width: pane.width, height: pane.height)
      var damage = screen
      for _ in 0..<6 {
        live.update(
          with: picture.pixels.span, PixelLayout(screen), isOpaque: true, damage: damage)
        let changed = live.settle()
        let polarity: Polarity = dice.roll(0...3) == 0 ? .dark : .light
        let turned = state.adapt(to: polarity, live.glass, changedIn: changed, of: pane)
        var all = Bitmap(width: pane.width, height: pane.height)
        live.draw(pane, into: &all)
        let whole = all.with(state, pane)
        for rect in changed.union(turned).intersection(pane).rects {
          for y in rect.rows {
            for x in rect.columns { shown[x - pane.x, y - pane.y] = whole[x - pane.x, y - pane.y] }
          }
        }
        var fresh = glass()
        fresh.update(with: picture.pixels.span, PixelLayout(screen), isOpaque: true, damage: screen)
        _ = fresh.settle()
        var new = ContentState(Contents(items))
        _ = new.adapt(to: polarity, fresh.glass, changedIn: Region(pane), of: pane)
        #expect(shown == all.with(new, pane), "\(dice)")
        damage = dice.rect(in: screen)
        let color = UInt32(truncatingIfNeeded: dice.next()) | 0xff00_0000
        for y in damage.rows {
          for x in damage.columns { picture[x - screen.x, y - screen.y] = color }
        }
      }
    }
  }

  /// Texts of random vibrancies on random glass, shapes and pictures.
  @Test func contentEqualsModel() {
    var dice = Dice(seed: 502)
    var worst = 0.0
    for round in 0..<400 {
      var scene = ContentScene(using: &dice)
      scene.vibrancy = Vibrancy.allCases[round % Vibrancy.allCases.count]
      let others = (0..<dice.roll(0...2)).map { _ in
        PaneRecipe.Item(
          picture: .strokes(width: dice.roll(1...50), height: dice.roll(1...50), using: &dice),
          x: dice.roll(-45...75), y: dice.roll(-45...75),
          vibrancy: ([nil] + Vibrancy.allCases).randomElement(using: &dice) ?? nil)
      }
      let items = (others + [scene.item]).shuffled(using: &dice)
      let glass = Bitmap.anything(
        width: scene.pane.width, height: scene.pane.height, isOpaque: round % 3 > 0, using: &dice
      ).opaque(round % 3 > 0)
      let drawn = glass.with(items.map(\.content), scene.polarity, scene.pane)
      let (left, top) = (scene.pane.x, scene.pane.y)
      var golden = GoldenPicture(scene.pane) { x, y in levels(glass[x - left, y - top]) }
      GoldenContents(items, on: scene.pane).lay(on: &golden, scene.polarity)
      worst = max(worst, GoldenError(drawn, from: golden).worst)
    }
    // Roundings of half a level of the veil and of each item; the later steps reduce the error of the earlier ones.
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
        let clear = Bitmap(width: 12, height: 12)
        let glass = clear.with([content], polarity, clear.bounds)
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

  var item: PaneRecipe.Item { .init(picture: picture, x: x, y: y, vibrancy: vibrancy) }
  var content: Content { item.content }

  var description: String {
    "\(picture.width)x\(picture.height) at \(x), \(y) of \(pane), \(vibrancy?.rawValue ?? "plain")"
  }

  func state(over glass: Bitmap) -> ContentState {
    ContentState([content], polarity, over: glass, pane)
  }

  func drawn(_ polarity: Polarity, over glass: Bitmap) -> Bitmap {
    glass.with([content], polarity, pane)
  }

  func drawn(_ polarity: Polarity, over color: UInt32) -> Bitmap {
    drawn(polarity, over: Bitmap(width: pane.width, height: pane.height, filledWith: color))
  }
}

extension PaneRecipe.Item {
  fileprivate var content: Content { Content(picture, x: x, y: y, vibrancy: vibrancy) }
}

extension Bitmap {
  fileprivate func opaque(_ isOpaque: Bool) -> Bitmap {
    isOpaque ? Bitmap(width: width, height: height, pixels: pixels.map { $0 | 0xff00_0000 }) : self
  }
}
