import Frost
import Raster
import TestDice
import Testing

/// Glass that is limited to where a window paints.
@Suite struct WindowCoverageTests {
  private func grid(_ picture: Bitmap) -> PixelGrid {
    let grid = PixelGrid(output: picture.bounds)
    _ = grid.update(with: picture.pixels.span, PixelLayout(picture.bounds), picture.bounds)
    return grid
  }

  /// Each channel is within half a level of the exact product, and what is outside of the target stays.
  @Test(arguments: 0..<60) func glassIsScaledByTheAlphaOfTheWindow(seed: Int) {
    var dice = Dice(seed: seed)
    let (width, height) = (dice.roll(1...70), dice.roll(1...40))
    var window = Bitmap.noise(width: width, height: height, using: &dice)
    for i in window.pixels.indices { window.pixels[i] ^= UInt32(dice.roll(0...255)) << 24 }
    let glass = Bitmap.noise(width: width, height: height, using: &dice)
    let full = UInt8(dice.roll(1...255))
    let x = dice.roll(0...width - 1)
    let y = dice.roll(0...height - 1)
    let target = Rect(
      x: x, y: y, width: dice.roll(0...width - x), height: dice.roll(0...height - y))
    var result = glass
    var pixels = result.pixels.mutableSpan
    WindowCoverage(full: full).limit(
      target, of: grid(window), glass: &pixels, PixelLayout(glass.bounds))
    var worst = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let isInside = target.contains(Rect(x: x, y: y, width: 1, height: 1))
        let share = isInside ? min(1, Double(window[x, y] >> 24) / Double(full)) : 1
        for shift: UInt32 in [0, 8, 16, 24] {
          let wanted = share * Double(glass[x, y] >> shift & 0xff)
          worst = max(worst, abs(wanted - Double(result[x, y] >> shift & 0xff)))
        }
      }
    }
    #expect(worst <= 0.5 + 1e-9, "\(dice)")
  }
}
