@testable import Frost
import Raster
import TestDice
import Testing

/// Faded decorations, and the regions that a pane covers.
@Suite struct DecorationPartsTests {
  @Test func fadedShadowIsScaledShadow() {
    var dice = Dice(seed: 501)
    for _ in 0..<40 {
      let size = dice.paneSize(upTo: 60)
      let pane = Rect(x: 0, y: 0, width: size.width, height: size.height)
      let style = DecorationStyle(corner: .random(using: &dice), shadow: .random(using: &dice))
      let decoration = Decoration(style, width: pane.width, height: pane.height)
      let presence =
        [0, 1, Double.random(in: 0...1, using: &dice)].randomElement(using: &dice) ?? 0
      let full = decoration.drawn(around: pane, over: 0)
      let part = decoration.faded(to: presence).drawn(around: pane, over: 0)
      expectShare(presence, of: full, part, "\(dice)")
    }
  }

  @Test func fadedBorderIsScaledBorder() {
    var dice = Dice(seed: 502)
    for _ in 0..<40 {
      let size = dice.paneSize(upTo: 60)
      let pane = Rect(x: 0, y: 0, width: size.width, height: size.height)
      let color = Color(white: 1, alpha: .random(in: 0.1...1, using: &dice))
      let style = DecorationStyle(
        border: Border(width: .random(in: 0.2...9, using: &dice), color: color))
      let decoration = Decoration(style, width: pane.width, height: pane.height)
      let presence = Double.random(in: 0...1, using: &dice)
      let full = decoration.drawn(around: pane, over: 0xff00_0000)
      let part = decoration.faded(to: presence).drawn(around: pane, over: 0xff00_0000)
      #expect(part.pixels.allSatisfy { $0 >> 24 == 255 }, "\(dice)")
      expectShare(presence, of: full.withoutAlpha, part.withoutAlpha, "\(dice)")
    }
  }

  private func expectShare(_ share: Double, of full: Bitmap, _ part: Bitmap, _ what: String) {
    var worst = 0.0
    for (whole, pixel) in zip(full.pixels, part.pixels) {
      for shift: UInt32 in [0, 8, 16, 24] {
        let wanted = Double(whole >> shift & 255) * share
        worst = max(worst, abs(Double(pixel >> shift & 255) - wanted))
      }
    }
    // Both are rounded.
    #expect(worst <= 1.01, "\(what): \(share): \(worst)")
  }

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
