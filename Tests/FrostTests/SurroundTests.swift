@testable import Frost
import Raster
import TestDice
import Testing

/// The backdrop that is kept around a pane.
@Suite struct SurroundTests {
  /// Whatever the order of the parts: in the end it is the backdrop, and each time what has changed is
  /// said, and nothing else but what may have.
  @Test func manyPartsAreTheWhole() {
    var dice = Dice(seed: 500)
    for round in 0..<40 {
      let screen = Rect(x: 0, y: 0, width: 80, height: 60)
      let size = dice.paneSize(upTo: 50)
      let pane = Rect(
        x: dice.roll(0...40), y: dice.roll(0...30), width: size.width, height: size.height)
      let style = OutlineStyle(
        corner: .random(using: &dice), shadow: Shadow(radius: 6, color: Color(white: 0)))
      let soft = Outline(style, width: pane.width, height: pane.height).softParts(of: pane)
        .map { $0.intersection(screen) }
      var backdrop = Bitmap.noise(width: screen.width, height: screen.height, using: &dice)
      var surround = Surround(soft)
      #expect(surround.missing == Region(soft))
      var seen = Region()
      for _ in 0..<30 {
        let damage = dice.rect(in: screen)
        let before = surround.picture(screen)
        if dice.roll(0...2) > 0 { backdrop.paint(damage, UInt32(truncatingIfNeeded: dice.next())) }
        let layout = PixelLayout.random(around: damage, using: &dice)
        let changed = surround.absorb(layout.pixels(of: backdrop).span, layout, damage: damage)
        var reachable = Region(soft).intersection(damage)
        seen.form(union: reachable)
        #expect(changed.contains(surround.picture(screen).difference(from: before)), "\(round)")
        reachable.subtract(changed)
        #expect(reachable.area + changed.area == Region(soft).intersection(damage).area)
        var missing = Region(soft)
        missing.subtract(seen)
        #expect(surround.missing == missing)
      }
      for rect in surround.hulls(of: Region(screen)) {
        surround.absorb(backdrop, rect)
      }
      #expect(surround.missing.isEmpty)
      let shown = surround.picture(screen)
      let isRight = soft.allSatisfy { rect in
        rect.rows.allSatisfy { y in rect.columns.allSatisfy { shown[$0, y] == backdrop[$0, y] } }
      }
      #expect(isRight, "round \(round)")
    }
  }
}

/// What is there in part, and where an outline is opaque.
@Suite struct OutlinePartsTests {
  @Test func aFadedShadowIsItsShareOfTheShadow() {
    var dice = Dice(seed: 501)
    for _ in 0..<40 {
      let size = dice.paneSize(upTo: 60)
      let pane = Rect(x: 0, y: 0, width: size.width, height: size.height)
      let style = OutlineStyle(corner: .random(using: &dice), shadow: .random(using: &dice))
      let outline = Outline(style, width: pane.width, height: pane.height)
      let presence =
        [0, 1, Double.random(in: 0...1, using: &dice)].randomElement(using: &dice) ?? 0
      let full = outline.drawn(around: pane, over: 0)
      let part = outline.faded(to: presence).drawn(around: pane, over: 0)
      expectShare(presence, of: full, part)
    }
  }

  @Test func aFadedBorderIsItsShareOfTheBorder() {
    var dice = Dice(seed: 502)
    for _ in 0..<40 {
      let size = dice.paneSize(upTo: 60)
      let pane = Rect(x: 0, y: 0, width: size.width, height: size.height)
      let color = Color(white: 1, alpha: .random(in: 0.1...1, using: &dice))
      let style = OutlineStyle(
        border: Border(width: .random(in: 0.2...9, using: &dice), color: color))
      let outline = Outline(style, width: pane.width, height: pane.height)
      let presence = Double.random(in: 0...1, using: &dice)
      let full = outline.drawn(around: pane, over: 0xff00_0000)
      let part = outline.faded(to: presence).drawn(around: pane, over: 0xff00_0000)
      #expect(part.pixels.allSatisfy { $0 >> 24 == 255 })
      expectShare(presence, of: full.withoutAlpha, part.withoutAlpha)
    }
  }

  private func expectShare(_ share: Double, of full: Bitmap, _ part: Bitmap) {
    var worst = 0.0
    for (whole, pixel) in zip(full.pixels, part.pixels) {
      for shift: UInt32 in [0, 8, 16, 24] {
        let wanted = Double(whole >> shift & 255) * share
        worst = max(worst, abs(Double(pixel >> shift & 255) - wanted))
      }
    }
    // Each is rounded on its own.
    #expect(worst <= 1.01, "\(share): \(worst)")
  }

  @Test func theRegionThatIsCoveredIsThatOfEveryPixel() {
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
          #expect(isIn == (covered >= share))
          wanted += covered >= share ? 1 : 0
        }
      }
      #expect(region.area == wanted)
    }
  }
}

extension Outline {
  /// A pane whose glass is all of one colour.
  fileprivate func drawn(around pane: Rect, over glass: UInt32) -> Bitmap {
    let bounds = bounds(of: pane)
    var picture = Bitmap(width: bounds.width, height: bounds.height, filledWith: glass)
    var pixels = picture.pixels.mutableSpan
    finish(bounds, of: pane, in: &pixels, PixelLayout(bounds))
    return picture
  }
}

extension Surround {
  fileprivate mutating func absorb(_ backdrop: Bitmap, _ rect: Rect) {
    _ = absorb(backdrop.pixels.span, PixelLayout(backdrop.bounds), damage: rect)
  }

  /// What is known of a screen; the rest is clear.
  fileprivate func picture(_ screen: Rect) -> Bitmap {
    var picture = Bitmap(width: screen.width, height: screen.height)
    forEachPart(of: screen) { part, pixels, layout in
      for y in part.rows {
        for x in part.columns { picture[x, y] = pixels[layout.index(x: x, y: y)] }
      }
    }
    return picture
  }
}

extension Bitmap {
  fileprivate var withoutAlpha: Bitmap {
    Bitmap(width: width, height: height, pixels: pixels.map { $0 & 0x00ff_ffff })
  }

  fileprivate mutating func paint(_ rect: Rect, _ color: UInt32) {
    for y in rect.rows {
      for x in rect.columns { self[x, y] = color }
    }
  }

  /// The pixels whose colours differ.
  fileprivate func difference(from other: Bitmap) -> Region {
    Region(
      pixels.indices.filter { (pixels[$0] ^ other.pixels[$0]) & 0x00ff_ffff != 0 }.map {
        Rect(x: $0 % width, y: $0 / width, width: 1, height: 1)
      })
  }
}

extension Region {
  fileprivate func contains(_ other: Region) -> Bool {
    var rest = other
    rest.subtract(self)
    return rest.isEmpty
  }
}

extension PixelLayout {
  /// A picture's pixels where it has them.
  fileprivate func pixels(of picture: Bitmap) -> [UInt32] {
    var pixels = [UInt32](repeating: 0x0bad_0bad, count: pixelCount)
    for y in bounds.intersection(picture.bounds).rows {
      for x in bounds.intersection(picture.bounds).columns {
        pixels[index(x: x, y: y)] = picture[x, y]
      }
    }
    return pixels
  }
}
