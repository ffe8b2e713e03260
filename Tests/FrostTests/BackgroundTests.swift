@testable import Frost
import Raster
import TestDice
import Testing

/// The search for the even background of a window.
@Suite struct BackgroundTests {
  @Test func mostFrequentColorIsFound() throws {
    var dice = Dice(seed: 4011)
    for _ in 0..<12 {
      let color = UInt32(truncatingIfNeeded: dice.next()) & 0xff_ffff
      let share = Double.random(in: 0.2...0.9, using: &dice)
      let (width, height) = (dice.roll(200...900), dice.roll(200...700))
      let found = try #require(
        background(width, height) { _, _ in
          Double.random(in: 0...1, using: &dice) < share
            ? color : UInt32(truncatingIfNeeded: dice.next()) & 0xff_ffff
        })
      #expect(
        found.color == color && abs(found.exact - share) < 0.02, "\(dice): \(found), \(share)")
    }
  }

  /// A text of even lines, at any distance of the lines, does not hide the background.
  @Test(arguments: [2, 3, 4, 8, 16, 17]) func linesDoNotHideIt(distance: Int) throws {
    let found = try #require(
      background(900, 600) { _, y in y % distance == 0 ? 0xff_ffff : 0x10_1014 })
    let share = 1 - 1 / Double(distance)
    #expect(found.color == (distance == 2 ? found.color : 0x10_1014))
    #expect(abs(found.exact - max(share, 0.5)) < 0.03, "\(found)")
  }

  @Test func noiseIsNotEven() throws {
    var dice = Dice(seed: 4012)
    let found = try #require(
      background(400, 300) { _, _ in UInt32(truncatingIfNeeded: dice.next()) & 0xff_ffff })
    #expect(!found.isEven)
  }

  /// A toolbar of another grey is a surface; a frequent colour far away, and a rare one, are none.
  @Test func nearColorsAreSurfaces() throws {
    let found = try #require(
      background(500, 400) { x, y in
        if y < 40 { return 0xd8_d8d8 }
        if y < 80 { return 0x20_2020 }
        return y == 100 && x < 30 ? 0xe0_e0e0 : 0xf6_f6f6
      })
    #expect(found.color == 0xf6_f6f6 && found.surfaces == [0xd8_d8d8])
  }

  @Test func givenColorIsKept() throws {
    let window = PixelGrid(output: Rect(x: 0, y: 0, width: 10, height: 10))
    let sample = try #require(ColorSample(of: window, window.output))
    let found = sample.background(0x12_3456)
    #expect(found.color == 0x12_3456 && found.exact == 0 && !found.isEven)
    #expect(ColorSample(of: window, .zero) == nil)
  }

  @Test func luminanceIsThatOfTheColor() {
    func luminance(_ color: UInt32) -> Double {
      Background(color: color, exact: 1, near: 1, surfaces: []).luminance
    }
    #expect(abs(luminance(0xff_ffff) - 1) < 1e-4 && luminance(0) == 0)
    #expect(abs(luminance(0xff_0000) - 0.2126) < 1e-4)
  }

  private func background(_ width: Int, _ height: Int, _ color: (Int, Int) -> UInt32) -> Background?
  {
    var picture = Bitmap(width: width, height: height)
    for y in 0..<height { for x in 0..<width { picture[x, y] = color(x, y) } }
    let grid = PixelGrid(output: picture.bounds)
    _ = grid.update(with: picture.pixels.span, PixelLayout(picture.bounds), picture.bounds)
    return ColorSample(of: grid, picture.bounds)?.mostFrequent
  }
}
