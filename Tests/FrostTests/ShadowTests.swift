@testable import Frost
import Raster
import TestDice
import Testing

@Suite struct ShadowTests {
  @Test func shadowIsTheBlurredOutlineOutsideThePane() {
    var dice = Dice(seed: 300)
    var worst = 0.0
    for _ in 0..<70 {
      let corner = Corner.random(using: &dice)
      let shadow = Shadow.random(using: &dice)
      let (width, height) = dice.paneSize(upTo: 70)
      let model = ShadowModel(shadow, corner, width: width, height: height)
      let drawn = Bitmap.shadow(shadow, corner, model.bounds, width, height)
      #expect(drawn.isPremultiplied, "\(dice)")
      for y in model.bounds.rows {
        for x in model.bounds.columns {
          let pixel = drawn[x - model.bounds.x, y - model.bounds.y]
          for (shift, color) in shadow.channels {
            worst = max(worst, abs(Double(pixel >> shift & 255) - model[x, y] * color))
          }
        }
      }
    }
    // 0.5 of this is the rounding.
    #expect(worst <= 0.6, "\(dice)")
  }

  /// Compares a patch that repeats its middle with one whose corners are too large for that.
  @Test func ninePatchEqualsWholeShadow() {
    var dice = Dice(seed: 301)
    for _ in 0..<60 {
      let corner = Corner.random(using: &dice)
      let shadow = Shadow.random(using: &dice)
      let (width, height) = dice.paneSize(upTo: 300)
      let patch = ShadowPatch(shadow, corner: corner, width: width, height: height)
      let padding = shadow.padding
      let across = PatchAxis(
        paneLength: width, corner: 9999, blur: 0, offset: 0, before: padding.left,
        after: padding.right)
      let down = PatchAxis(
        paneLength: height, corner: 9999, blur: 0, offset: 0, before: padding.top,
        after: padding.bottom)
      let fitted = FittedCorner(corner, width: Double(width), height: Double(height))
      let whole = shadowPixels(shadow, ShadowBlur(sigma: shadow.sigma), fitted, across, down)
      let bounds = shadow.bounds(of: Rect(x: 0, y: 0, width: width, height: height))
      let drawn = Bitmap.shadow(shadow, corner, bounds, width, height, patch)
      #expect(drawn.pixels == whole, "\(dice): \(width)x\(height), \(corner), \(shadow)")
    }
  }

  @Test func patchDoesNotGrowWithThePane() {
    for corner in [Corner(radius: 10), Corner(radius: 20, curve: .continuous), .square] {
      for shadow in [Shadow.maps, .outerView, .roundedView] {
        let patch = ShadowPatch(shadow, corner: corner, width: 300, height: 300)
        let large = ShadowPatch(shadow, corner: corner, width: 7680, height: 4320)
        #expect(patch.fits(width: 7680, height: 4320) && large.fits(width: 300, height: 300))
        #expect(patch.byteCount == large.byteCount && patch.byteCount <= 4 * 280 * 280)
        #expect(!patch.fits(width: 9, height: 300) && !patch.fits(width: 300, height: 9))
        let small = ShadowPatch(shadow, corner: corner, width: 1, height: 1)
        let around = shadow.padding.around(Rect(x: 0, y: 0, width: 1, height: 1))
        #expect(small.byteCount == 4 * around.area)
      }
    }
  }

  @Test func extremeShadowsNeedFewMegabytes() {
    let black = Color(white: 0)
    for radius in [Shadow.radiusRange.lowerBound, Shadow.radiusRange.upperBound] {
      for x in [Shadow.offsetRange.lowerBound, Shadow.offsetRange.upperBound] {
        for y in [0, Shadow.offsetRange.upperBound] {
          let shadow = Shadow(offsetX: x, offsetY: y, radius: radius, color: black)
          for (width, height) in [(1, 1), (9000, 1), (9000, 5000)] {
            let patch = ShadowPatch(
              shadow, corner: Corner(radius: 12), width: width, height: height)
            #expect(patch.byteCount < 10_000_000)
          }
        }
      }
    }
  }

  @Test func paddingEndsWhereShadowIsBelowHalfALevel() {
    var dice = Dice(seed: 302)
    for _ in 0..<60 {
      var shadow = Shadow.random(using: &dice)
      shadow.color.alpha = 1
      // Large enough that the middle of a side depends on no corner.
      let (width, height) = (400, 400)
      let blur = ShadowBlur(sigma: shadow.sigma)
      let padding = shadow.padding
      let sides = [
        (padding.left, -shadow.offsetX), (padding.right, shadow.offsetX),
        (padding.top, -shadow.offsetY), (padding.bottom, shadow.offsetY),
      ]
      for (side, shift) in sides {
        let beyond = 255 * shadow.opacity * blur.halfPlane(side - shift)
        #expect(beyond < 0.5, "\(dice)")
        let last = 255 * shadow.opacity * blur.halfPlane(side - 1 - shift)
        #expect(side == 0 || last >= 0.5, "\(dice)")
      }
      let bounds = shadow.bounds(of: Rect(x: 0, y: 0, width: width, height: height))
      let drawn = Bitmap.shadow(shadow, .square, bounds, width, height)
      let (x, y) = (200 - bounds.x, 200 - bounds.y)
      #expect(padding.left == 0 || drawn[0, y] >> 24 == 1 || shadow.isHard, "\(dice)")
      #expect(
        padding.right == 0 || drawn[drawn.width - 1, y] >> 24 == 1 || shadow.isHard, "\(dice)")
      #expect(padding.top == 0 || drawn[x, 0] >> 24 == 1 || shadow.isHard, "\(dice)")
      #expect(
        padding.bottom == 0 || drawn[x, drawn.height - 1] >> 24 == 1 || shadow.isHard, "\(dice)")
    }
  }

  @Test func presetShadowsHaveMinimalPadding() {
    #expect(Shadow.maps.padding == Padding(left: 8, top: 8, right: 8, bottom: 8))
    #expect(Shadow.outerView.padding == Padding(left: 32, top: 24, right: 32, bottom: 40))
    #expect(Shadow.roundedView.padding == Padding(left: 4, top: 4, right: 4, bottom: 4))
    var unseen = Shadow.maps
    unseen.opacity = 0.001
    #expect(unseen.padding == Padding(left: 0, top: 0, right: 0, bottom: 0))
  }

  @Test func shadowIsNotUnderThePane() {
    var dice = Dice(seed: 303)
    for _ in 0..<60 {
      let corner = Corner.random(using: &dice)
      let shadow = Shadow.random(using: &dice)
      let (width, height) = dice.paneSize(upTo: 120)
      let pane = Rect(x: 0, y: 0, width: width, height: height)
      let mask = CornerMask(corner, width: width, height: height)
      let drawn = Bitmap.shadow(shadow, corner, pane, width, height)
      for y in 0..<height {
        for x in 0..<width where mask.coverage(x: x, y: y) == Weight.one {
          if drawn[x, y] != 0 { Issue.record("\(x), \(y) of \(pane), \(corner), \(shadow)") }
        }
      }
    }
  }

  @Test func shadowDrawnInPartsEqualsWholeShadow() {
    var dice = Dice(seed: 304)
    for _ in 0..<80 {
      let corner = Corner.random(using: &dice)
      let shadow = Shadow.random(using: &dice)
      let size = dice.paneSize(upTo: 200)
      let pane = Rect(
        x: dice.roll(-50...50), y: dice.roll(-50...50), width: size.width, height: size.height)
      let patch = ShadowPatch(shadow, corner: corner, width: size.width, height: size.height)
      let bounds = shadow.bounds(of: pane)
      let before = Bitmap.noise(width: bounds.width, height: bounds.height, using: &dice)
      let drawn = drawnWholeAndInParts(bounds, over: before, using: &dice) {
        target, pixels, layout in
        patch.draw(target, of: pane, into: &pixels, layout)
      }
      let alone = Bitmap.shadow(shadow, corner, bounds, size.width, size.height, at: pane)
      var expected = before
      for y in bounds.rows {
        for x in bounds.columns {
          let (i, j) = (x - bounds.x, y - bounds.y)
          let drawnAlone = alone[i, j]
          expected[i, j] = pane.contains(x: x, y: y) ? sum(before[i, j], drawnAlone) : drawnAlone
        }
      }
      #expect(drawn == expected, "\(dice): \(pane), \(corner), \(shadow)")
    }
  }
}

extension Shadow {
  static func random(using dice: inout Dice) -> Shadow {
    func one() -> Double { Double.random(in: 0...1, using: &dice) }
    let radii = [0, 0.5, 1, 6, 24, 40 * one()]
    let radius = radii.randomElement(using: &dice) ?? 0
    return Shadow(
      offsetX: dice.roll(-20...20), offsetY: dice.roll(0...1) * dice.roll(-60...60),
      radius: radius, opacity: Bool.random(using: &dice) ? 1 : one(),
      color: Color(
        red: one(), green: one(), blue: one(), alpha: Bool.random(using: &dice) ? 1 : one()))
  }

  /// The shift of each channel in a pixel, and its value relative to alpha.
  fileprivate var channels: [(UInt32, Double)] {
    [(0, color.blue), (8, color.green), (16, color.red), (24, 1)]
  }

  /// Whether its opacity changes quickly from pixel to pixel.
  fileprivate var isHard: Bool { radius < 12 }
}

extension Bitmap {
  /// The part `bounds` of the shadow of a pane on transparent pixels. The pane is at (0, 0) if nil.
  fileprivate static func shadow(
    _ shadow: Shadow, _ corner: Corner, _ bounds: Rect, _ width: Int, _ height: Int,
    _ patch: ShadowPatch? = nil, at pane: Rect? = nil
  ) -> Bitmap {
    let pane = pane ?? Rect(x: 0, y: 0, width: width, height: height)
    let patch = patch ?? ShadowPatch(shadow, corner: corner, width: width, height: height)
    var picture = Bitmap(width: bounds.width, height: bounds.height)
    var pixels = picture.pixels.mutableSpan
    patch.draw(bounds, of: pane, into: &pixels, PixelLayout(bounds))
    return picture
  }
}
