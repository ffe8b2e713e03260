import Frost
import Raster
import TestDice
import Testing

/// Sigmas of every branch of the plan, including the limits of the branches.
private let sigmas: [Double] = [
  0, 0.3, 2, 3.3, 3.4, 4.9, 5, 9.5, 9.6, 15, 19.2, 30, 40, 80, 160, 200,
]

/// Properties of any frosted picture, independent of the arithmetic.
@Suite struct GlassPropertyTests {
  @Test(arguments: sigmas)
  func constantPictureIsUnchanged(sigma: Double) {
    for isDithered in [false, true] {
      let material = Material(sigma: sigma, isDithered: isDithered)
      // Blue and green together have every level.
      for level: UInt32 in 0..<128 {
        let colour = 0xff00_0000 | (level * 2) << 16 | (255 - level) << 8 | level
        let screen = Bitmap(width: 19, height: 9, filledWith: colour)
        let isRight = frosted(screen, material: material) == screen
        #expect(isRight, "\(level), \(material)")
      }
      for alpha: UInt32 in stride(from: 0, through: 255, by: 5) {
        let screen = Bitmap(width: 9, height: 17, filledWith: premultiplied(0x00ff_8001, alpha))
        let isRight = frosted(screen, material: material, isOpaque: false) == screen
        #expect(isRight, "\(alpha), \(material)")
      }
    }
  }

  @Test(arguments: sigmas)
  func fourthBytesOfOpaquePictureAreIgnored(sigma: Double) {
    var dice = Dice(seed: 5)
    for isDithered in [false, true] {
      let screen = Bitmap.anything(width: 131, height: 77, isOpaque: true, using: &dice)
      let tone = isDithered ? Tone.random(using: &dice) : Tone()
      let result = frosted(
        screen, material: Material(sigma: sigma, tone: tone, isDithered: isDithered))
      #expect(result.pixels.allSatisfy { $0 >> 24 == 255 }, "\(dice)")
    }
  }

  @Test(arguments: sigmas)
  func resultStaysInTheRangeOfThePicture(sigma: Double) {
    var dice = Dice(seed: 6)
    for _ in 0..<4 {
      let dark = UInt32.random(in: 0...254, using: &dice)
      let light = UInt32.random(in: dark...255, using: &dice)
      var screen = Bitmap(width: 117, height: 41)
      for i in screen.pixels.indices {
        let level = Bool.random(using: &dice) ? dark : light
        screen.pixels[i] = 0xff00_0000 | level * 0x1_0101
      }
      let result = frosted(screen, material: Material(sigma: sigma, isDithered: false))
      #expect(result.pixels.allSatisfy { (dark...light).contains($0 & 255) }, "\(dice)")
    }
  }

  @Test(arguments: sigmas)
  func stepResponseIsMonotonic(sigma: Double) {
    for place in 120..<136 {
      var screen = Bitmap(width: 256, height: 1, filledWith: 0xff00_0000)
      for x in place..<256 { screen[x, 0] = 0xffff_ffff }
      let result = frosted(screen, material: Material(sigma: sigma, isDithered: false))
      let levels = result.pixels.map { Int($0 & 255) }
      #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 <= $1 }, "step at \(place)")
    }
  }

  @Test(arguments: sigmas)
  func coloursDoNotExceedAlpha(sigma: Double) {
    var dice = Dice(seed: 7)
    for round in 0..<6 {
      let screen = Bitmap.anything(width: 90, height: 61, isOpaque: false, using: &dice)
      let tone = round < 2 ? Tone() : .random(using: &dice)
      let result = frosted(
        screen, material: Material(sigma: sigma, tone: tone, isDithered: round & 1 == 0),
        isOpaque: false)
      #expect(
        result.pixels.allSatisfy { pixel in
          [0, 8, 16].allSatisfy { pixel >> $0 & 255 <= pixel >> 24 + 1 }
        }, "\(dice)")
    }
  }

  /// Dither prevents bands: in a slow gradient, the mean of 8x8 pixels must equal that of the
  /// 16-bit values. A small sigma leaves the 8-bit steps of the picture, which are not a slow
  /// gradient.
  @Test(arguments: [(5, 0.1), (10, 0.05), (12, 0.05), (16, 0.05), (20, 0.05), (40, 0.05)])
  func meanOfDitheredGradientIsAccurate(sigma: Double, tolerance: Double) {
    var screen = Bitmap(width: 640, height: 48)
    for y in 0..<48 {
      for x in 0..<640 {
        let level = UInt32(100 + (x + y) / 80)
        screen[x, y] = 0xff00_0000 | level << 16 | (255 - level) << 8 | level / 2
      }
    }
    let material = Material(sigma: sigma)
    let result = frosted(screen, material: material)
    let fine = ScalarTwin(screen, material: material).unrounded(screen.bounds)
    var worst = 0.0
    for top in stride(from: 0, to: 48, by: 8) {
      for left in stride(from: 0, to: 640, by: 8) {
        for channel in 0..<3 {
          var (drawn, exact) = (0, 0)
          for y in top..<top + 8 {
            for x in left..<left + 8 {
              drawn += Int(result[x, y] >> (8 * UInt32(channel)) & 255)
              exact += fine[x, y, channel]
            }
          }
          worst = max(worst, abs((Double(drawn) - Double(exact) / 256) / 64))
        }
      }
    }
    #expect(worst <= tolerance)
  }
}
