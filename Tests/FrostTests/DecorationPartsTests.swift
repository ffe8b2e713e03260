@testable import Frost
import Raster
import TestDice
import Testing

/// The regions that a pane covers.
@Suite struct DecorationPartsTests {
  /// Nothing is drawn in the plain region, and it is as large as border and corners allow.
  @Test func plainRegionIsNotDecorated() {
    var dice = Dice(seed: 504)
    for _ in 0..<60 {
      let size = dice.paneSize(upTo: 60)
      let pane = Rect(
        x: dice.roll(-9...9), y: dice.roll(-9...9), width: size.width, height: size.height)
      let border = Border(
        width: [0, .random(in: 0.2...9, using: &dice)].randomElement(using: &dice) ?? 0,
        color: Color(white: 1, alpha: .random(in: 0.1...1, using: &dice)))
      let style = DecorationStyle(
        corner: .random(using: &dice), border: border, shadow: .random(using: &dice))
      let decoration = Decoration(style, width: pane.width, height: pane.height)
      let bounds = decoration.bounds(of: pane)
      let glass: UInt32 = 0xff80_4020
      let picture = decoration.drawn(around: pane, over: glass)
      let plain = decoration.plainRegion(of: pane)
      #expect(plain.rects.allSatisfy { pane.contains($0) }, "\(dice)")
      for rect in plain.rects {
        for y in rect.rows {
          for x in rect.columns { #expect(picture[x - bounds.x, y - bounds.y] == glass, "\(dice)") }
        }
      }
      let isBare = !(style.corner.radius > 0) && !style.border.isVisible
      #expect((plain == Region(pane)) == isBare, "\(dice)")
    }
  }

  @Test func coveredRegionContainsExactlyTheCoveredPixels() {
    var dice = Dice(seed: 503)
    for _ in 0..<60 {
      let size = dice.paneSize(upTo: 60)
      let pane = Rect(
        x: dice.roll(-9...9), y: dice.roll(-9...9), width: size.width, height: size.height)
      let mask = CornerMask(.random(using: &dice), width: pane.width, height: pane.height)
      let share = Bool.random(using: &dice) ? 0.5 : 1.0
      let region = mask.region(of: pane, coveredBy: share)
      var wanted = 0
      for y in pane.rows {
        for x in pane.columns {
          let covered = Double(mask.coverage(x: x - pane.x, y: y - pane.y)) / Double(Weight.one)
          let isIn = region.intersects(Rect(x: x, y: y, width: 1, height: 1))
          #expect(isIn == (covered >= share), "\(dice)")
          wanted += covered >= share ? 1 : 0
        }
      }
      #expect(region.area == wanted, "\(dice)")
    }
  }
}

extension Decoration {
  /// The decoration over glass of one colour.
  fileprivate func drawn(around pane: Rect, over glass: UInt32) -> Bitmap {
    let bounds = bounds(of: pane)
    var picture = Bitmap(width: bounds.width, height: bounds.height, filledWith: glass)
    var pixels = picture.pixels.mutableSpan
    finish(bounds, of: pane, in: &pixels, PixelLayout(bounds))
    return picture
  }
}

extension Bitmap {
  fileprivate var withoutAlpha: Bitmap {
    Bitmap(width: width, height: height, pixels: pixels.map { $0 & 0x00ff_ffff })
  }
}
