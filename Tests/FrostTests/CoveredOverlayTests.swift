import Raster
import TestDice
import Testing

@testable import Frost

/// The pixels that tell a covered overlay.
@Suite struct CoveredOverlayTests {
  private static let layout = PixelLayout(Rect(x: 8, y: 16, width: 40, height: 24))

  private struct Picture {
    var backdrop: [UInt32] = []
    var overlay: [UInt32] = []
    var screen: [UInt32] = []

    init(_ dice: inout Dice, _ blend: (_ over: Int, _ below: Int, _ share: Int) -> Int) {
      let layout = CoveredOverlayTests.layout
      for y in layout.bounds.rows {
        for x in layout.bounds.columns {
          let share = Int(LeakShare.at(x: x, y: y))
          let below = UInt32(dice.roll(0...0xff_ffff))
          var (over, shown) = (UInt32(255 - share) << 24, UInt32(0))
          for shift: UInt32 in [0, 8, 16] {
            let own = dice.roll(0...255 - share)
            over |= UInt32(own) << shift
            shown |= UInt32(min(255, blend(own, Int(below >> shift & 255), share))) << shift
          }
          backdrop.append(below)
          overlay.append(over)
          screen.append(shown)
        }
      }
    }
  }

  private static func exact(_ over: Int, _ below: Int, _ share: Int) -> Int {
    over + (2 * below * share + 255) / 510
  }

  @Test(arguments: 0..<8)
  func coveredPixelsAreCounted(seed: Int) {
    var dice = Dice(seed: seed)
    var picture = Picture(&dice, Self.exact)
    let (layout, bounds) = (Self.layout, Self.layout.bounds)
    func count() -> Int {
      countCovered(
        bounds, every: 1, onScreen: picture.screen.span, layout, overlay: picture.overlay.span,
        layout
      ).covered
    }
    #expect(count() == 0)
    let covered = dice.roll(1...bounds.area)
    for i in 0..<covered { picture.screen[i] = 0xff_ffff ^ picture.overlay[i] & 0x80_8080 }
    let isLight = (0..<covered).count { i in
      [0, 8, 16].contains { shift in
        let leak = Int(picture.screen[i] >> shift & 255) - Int(picture.overlay[i] >> shift & 255)
        return leak < 0 || leak > 255 - Int(picture.overlay[i] >> 24)
      }
    }
    #expect(count() == isLight)
  }

  /// Tinted pixels are one level off, and whole blocks of them are found.
  @Test(arguments: 0..<8)
  func tintedBlocksAreFound(seed: Int) {
    var dice = Dice(seed: seed)
    let (layout, bounds) = (Self.layout, Self.layout.bounds)
    let pixels = (0..<bounds.area).map { _ in UInt32(dice.roll(0...0xff_ffff)) }
    var screen = pixels.map { tinted($0) }
    for (one, other) in zip(pixels, screen) {
      for shift: UInt32 in [0, 8, 16] {
        #expect(abs(Int(one >> shift & 255) - Int(other >> shift & 255)) == 1)
      }
    }
    func region() -> Region {
      tintedRegion(of: bounds, onScreen: screen.span, layout, pixels.span, layout)
    }
    #expect(region() == Region(bounds))
    let (x, y) = (dice.roll(8...47), dice.roll(16...39))
    screen[layout.index(x: x, y: y)] = pixels[layout.index(x: x, y: y)]
    let block = Rect(x: x & ~7, y: y & ~7, width: 8, height: 8)
    #expect(region() == Region(bounds).subtracting(Region(block)))
  }
}
