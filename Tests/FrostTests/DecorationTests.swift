@testable import Frost
import Raster
import TestDice
import Testing

@Suite struct DecorationTests {
  /// Glass, shadow and backdrop have their exact shares of each pixel.
  @Test func glassAndShadowMeetWithoutGap() {
    var dice = Dice(seed: 400)
    for _ in 0..<40 {
      let corner = Corner.random(using: &dice)
      let shadow = Shadow.random(using: &dice)
      let (width, height) = dice.paneSize(upTo: 60)
      let pane = Rect(x: 0, y: 0, width: width, height: height)
      let model = ShadowModel(shadow, corner, width: width, height: height)
      let outline = OutlineModel(corner, width: width, height: height)
      let bounds = shadow.bounds(of: pane)
      var picture = Bitmap(width: bounds.width, height: bounds.height, filledWith: 0xffff_ffff)
      picture.finish(bounds, pane, corner, nil, shadow)
      for _ in 0..<60 {
        let (x, y) = (dice.roll(0...width - 1), dice.roll(0...height - 1))
        let covered = outline.coverage(x: x, y: y, slices: 256)
        let alpha = Double(picture[x - bounds.x, y - bounds.y] >> 24)
        #expect(abs(alpha - 255 * covered - model[x, y]) <= 1.25, "\(dice)")
      }
      #expect(picture.isPremultiplied, "\(dice)")
    }
  }

  /// Compares with the formula in float64, for the same pixels.
  @Test func composedPixelsEqualSourceOver() {
    var dice = Dice(seed: 401)
    for _ in 0..<60 {
      let (width, height) = dice.paneSize(upTo: 60)
      let bounds = Rect(
        x: dice.roll(-9...9), y: dice.roll(-9...9), width: width, height: height)
      let source = Bitmap.anything(width: width, height: height, isOpaque: false, using: &dice)
      let isOpaque = Bool.random(using: &dice)
      let below = Bitmap.anything(width: width, height: height, isOpaque: isOpaque, using: &dice)
      let layout = PixelLayout.random(around: bounds, using: &dice)
      var backdrop = layout.garbage(using: &dice)
      for y in bounds.rows {
        for x in bounds.columns {
          backdrop[layout.index(x: x, y: y)] = below[x - bounds.x, y - bounds.y]
        }
      }
      let composed = drawnWholeAndInParts(bounds, over: source, using: &dice) {
        target, pixels, into in
        compose(
          target.intersection(bounds), of: &pixels, into, over: backdrop.span, layout)
      }
      var worst = 0.0
      for (i, pixel) in (composed?.pixels ?? []).enumerated() {
        for shift: UInt32 in isOpaque ? [0, 8, 16] : [0, 8, 16, 24] {
          func level(_ pixel: UInt32) -> Double { Double(pixel >> shift & 255) }
          let rest = Double(255 - (source.pixels[i] >> 24)) / 255
          let shown = level(source.pixels[i]) + level(below.pixels[i]) * rest
          worst = max(worst, abs(level(pixel) - shown))
        }
      }
      #expect(composed != nil && worst <= 0.501, "\(dice)")
      #expect(composed?.pixels == zip(source.pixels, below.pixels).map { over($0, $1) }, "\(dice)")
    }
  }

  /// Dither may make a colour one level larger than its alpha.
  @Test func colourAboveItsAlphaDoesNotOverflow() {
    for alpha: UInt32 in 0..<255 {
      for below: UInt32 in [0xffff_ffff, 0xff00_ff00, 0xffff_00ff] {
        let result = over(alpha << 24 | (alpha + 1) * 0x1_0101, below)
        #expect(result >> 24 == 255)
        for shift: UInt32 in [0, 8, 16] {
          let expected = below >> shift & 255 == 255 ? 255 : alpha + 1
          #expect(result >> shift & 255 == expected)
        }
      }
    }
  }

  @Test func pixelsOutsideSoftPartsArePlainGlass() {
    var dice = Dice(seed: 402)
    for _ in 0..<60 {
      let corner = Corner.random(using: &dice)
      let shadow = Bool.random(using: &dice) ? Shadow.random(using: &dice) : nil
      let size = dice.paneSize(upTo: 100)
      let pane = Rect(
        x: dice.roll(-50...50), y: dice.roll(-50...50), width: size.width, height: size.height)
      let decoration = Decoration(
        DecorationStyle(corner: corner, shadow: shadow ?? .none), width: pane.width,
        height: pane.height)
      let bounds = decoration.bounds(of: pane)
      var picture = Bitmap(width: bounds.width, height: bounds.height, filledWith: 0xff12_3456)
      picture.finish(bounds, pane, corner, nil, shadow)
      let soft = decoration.bounds(of: pane).subtracting(pane) + decoration.mask.corners(of: pane)
      let isGlass = picture.pixels.indices.filter { picture.pixels[$0] != 0xff12_3456 }
        .allSatisfy { place in
          let (x, y) = (bounds.x + place % bounds.width, bounds.y + place / bounds.width)
          return soft.filter { $0.contains(x: x, y: y) }.count == 1
        }
      #expect(isGlass && soft.allSatisfy { bounds.contains($0) }, "\(dice): \(pane), \(corner)")
    }
  }

  @Test func decorationDrawnInPartsEqualsWholeDecoration() {
    var dice = Dice(seed: 403)
    for _ in 0..<60 {
      let corner = Corner.random(using: &dice)
      let size = dice.paneSize(upTo: 100)
      let pane = Rect(
        x: dice.roll(-50...50), y: dice.roll(-50...50), width: size.width, height: size.height)
      let white = Color(white: 1, alpha: 0.5)
      let decoration = Decoration(
        DecorationStyle(
          corner: corner, border: Border(width: 1.5, color: white), shadow: .random(using: &dice)),
        width: pane.width, height: pane.height)
      let bounds = decoration.bounds(of: pane)
      let glass = Bitmap.noise(width: bounds.width, height: bounds.height, using: &dice)
      let drawn = drawnWholeAndInParts(bounds, over: glass, using: &dice) {
        target, pixels, layout in
        decoration.finish(target, of: pane, in: &pixels, layout)
      }
      #expect(drawn?.isPremultiplied == true, "\(dice): \(pane), \(corner)")
    }
  }
}

extension Bitmap {
  fileprivate mutating func finish(
    _ bounds: Rect, _ pane: Rect, _ corner: Corner, _ border: Border?, _ shadow: Shadow?
  ) {
    let decoration = Decoration(
      DecorationStyle(corner: corner, border: border ?? .none, shadow: shadow ?? .none),
      width: pane.width, height: pane.height)
    var span = pixels.mutableSpan
    decoration.finish(bounds, of: pane, in: &span, PixelLayout(bounds))
  }
}
