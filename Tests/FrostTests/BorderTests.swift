@testable import Frost
import Raster
import TestDice
import Testing

@Suite struct BorderTests {
  /// Compares glass and border after the cut with the shares of each pixel inside the two outlines.
  @Test func borderIsTheAreaBetweenTwoOutlines() {
    var dice = Dice(seed: 200)
    var worst = 0.0
    for _ in 0..<60 {
      let corner = Corner.random(using: &dice)
      let (width, height) = dice.paneSize(upTo: 40)
      let border = Border.random(using: &dice)
      let glass = Bitmap.anything(width: width, height: height, isOpaque: false, using: &dice)
      var drawn = glass
      drawn.finish(corner, border)
      let outer = OutlineModel(corner, width: width, height: height)
      let inner = OutlineModel(corner, width: width, height: height, inset: border.width)
      for _ in 0..<40 {
        let (x, y) = (dice.roll(0...width - 1), dice.roll(0...height - 1))
        let covered = outer.coverage(x: x, y: y, slices: 1024)
        let share = max(0, covered - inner.coverage(x: x, y: y, slices: 1024)) * border.color.alpha
        for (shift, color) in border.channels {
          let below = Double(glass[x, y] >> shift & 255)
          let expected = below * (covered - share) + 255 * color * share
          worst = max(worst, abs(Double(drawn[x, y] >> shift & 255) - expected))
        }
      }
    }
    // The colour, the border and the cut are each rounded to 8 bits.
    #expect(worst <= 1.6, "\(dice)")
  }

  @Test func borderOfStraightSidesHasItsWidth() {
    for width in [0, 0.25, 1, 1.5, 2] {
      var drawn = Bitmap(width: 40, height: 30, filledWith: 0xff00_0000)
      let white = Color(white: 1)
      drawn.finish(Corner(radius: 8), Border(width: width, color: white))
      for i in 0..<4 {
        let level = UInt32((255 * min(1, max(0, width - Double(i)))).rounded())
        for pixel in [drawn[i, 15], drawn[39 - i, 15], drawn[20, i], drawn[20, 29 - i]] {
          #expect(pixel == 0xff00_0000 | level * 0x1_0101)
        }
      }
    }
  }

  @Test func borderKeepsTheAlphaOfOpaqueGlass() {
    var dice = Dice(seed: 201)
    for _ in 0..<100 {
      let corner = Corner.random(using: &dice)
      let (width, height) = dice.paneSize(upTo: 60)
      let border = Border.random(using: &dice)
      var glass = Bitmap(width: width, height: height, filledWith: 0xff12_3456)
      var drawn = glass
      drawn.finish(corner, border)
      glass.finish(corner, nil)
      let isRight = zip(drawn.pixels, glass.pixels).allSatisfy { $0 >> 24 == $1 >> 24 }
      #expect(isRight && drawn.isPremultiplied, "\(dice): \(width)x\(height), \(corner), \(border)")
    }
  }

  @Test func borderDrawnInPartsEqualsWholeBorder() {
    var dice = Dice(seed: 202)
    for _ in 0..<100 {
      let corner = Corner.random(using: &dice)
      let size = dice.paneSize(upTo: 70)
      let pane = Rect(
        x: dice.roll(-50...50), y: dice.roll(-50...50), width: size.width, height: size.height)
      let border = Border.random(using: &dice)
      let mask = BorderMask(border, corner: corner, width: size.width, height: size.height)
      let glass = Bitmap.anything(
        width: size.width, height: size.height, isOpaque: false, using: &dice)
      let drawn = drawnWholeAndInParts(pane, over: glass, using: &dice) { target, pixels, layout in
        mask.draw(target, of: pane, into: &pixels, layout)
      }
      #expect(drawn?.isPremultiplied == true, "\(dice): \(pane), \(corner), \(border)")
    }
  }

  @Test func oversizedBorderFillsThePane() {
    let color = Color(red: 0.2, green: 0.4, blue: 0.6, alpha: 1)
    for (width, height) in [(1, 1), (2, 7), (31, 8)] {
      for border in [4, 100, .infinity] {
        var drawn = Bitmap(width: width, height: height, filledWith: 0xff00_0000)
        drawn.finish(.square, Border(width: border, color: color))
        #expect(drawn.pixels.allSatisfy { $0 == 0xff33_6699 })
      }
    }
    var drawn = Bitmap(width: 5, height: 5, filledWith: 0xff12_3456)
    let start = drawn
    for border in [0, -1, Double.nan] {
      drawn.finish(.square, Border(width: border, color: color))
    }
    #expect(drawn == start)
  }
}

extension Border {
  fileprivate static func random(using dice: inout Dice) -> Border {
    func one() -> Double { Double.random(in: 0...1, using: &dice) }
    let widths = [0.5, 1, 1.25, 3, 4 * one(), 30]
    let width = widths.randomElement(using: &dice) ?? 1
    return Border(
      width: width, color: Color(red: one(), green: one(), blue: one(), alpha: one()))
  }

  /// The shift of each channel in a pixel, and its value for an opaque border, 0 to 1.
  fileprivate var channels: [(UInt32, Double)] {
    [(0, color.blue), (8, color.green), (16, color.red), (24, 1)]
  }
}

extension Bitmap {
  /// Draws the decoration without a shadow over the picture as a whole pane.
  fileprivate mutating func finish(_ corner: Corner, _ border: Border?) {
    let decoration = Decoration(
      DecorationStyle(corner: corner, border: border ?? .none), width: width, height: height)
    let pane = bounds
    var span = pixels.mutableSpan
    decoration.finish(pane, of: pane, in: &span, PixelLayout(pane))
  }

  /// Whether no colour exceeds its alpha.
  var isPremultiplied: Bool {
    pixels.allSatisfy { pixel in [0, 8, 16].allSatisfy { pixel >> $0 & 255 <= pixel >> 24 } }
  }
}
