import Frost
import Panes
import Raster
import TestDice
import Testing

@testable import Pictures

@Suite struct DeclaredWallpaperTests {
  private let blue: UInt32 = 0xff20_4060

  private func wallpaper(_ mode: WallpaperMode) -> DeclaredWallpaper {
    DeclaredWallpaper(path: "", mode: mode, color: Color(hex: 0x204060))
  }

  /// A picture in its own size is copied pixel by pixel.
  @Test(arguments: [WallpaperMode.center, .tile], 0..<20)
  func pixelsInOwnSizeAreCopied(mode: WallpaperMode, seed: Int) throws {
    var dice = Dice(seed: seed)
    let target = WallpaperTarget(
      output: "a", width: 2 * dice.roll(1...60), height: 2 * dice.roll(1...60))
    let picture = Bitmap.noise(
      width: 2 * dice.roll(1...60), height: 2 * dice.roll(1...60), using: &dice)
    var wanted = Bitmap(width: target.width, height: target.height, filledWith: blue)
    let (left, top) = (
      (target.width - picture.width) / 2, (target.height - picture.height) / 2
    )
    for y in 0..<target.height {
      for x in 0..<target.width {
        if mode == .tile {
          wanted[x, y] = picture[x % picture.width, y % picture.height]
        } else if picture.bounds.contains(x: x - left, y: y - top) {
          wanted[x, y] = picture[x - left, y - top]
        }
      }
    }
    expectSame(try wallpaper(mode).drawn(picture, on: target), wanted)
  }

  /// Each pixel whose place is clear has the colour of the picture there, or that around it.
  @Test(arguments: [WallpaperMode.fill, .fit, .stretch], 0..<20)
  func scaledPictureIsWhereItBelongs(mode: WallpaperMode, seed: Int) throws {
    var dice = Dice(seed: seed)
    let target = WallpaperTarget(
      output: "a", width: dice.roll(20...200), height: dice.roll(20...200))
    // Quarters of different colours.
    let (width, height) = (2 * dice.roll(10...150), 2 * dice.roll(10...150))
    let colors: [UInt32] = [0xffff_0000, 0xff00_ff00, 0xff00_00ff, 0xffff_ffff]
    func quarter(_ x: Double, _ y: Double) -> UInt32 {
      colors[(x < Double(width) / 2 ? 0 : 1) + (y < Double(height) / 2 ? 0 : 2)]
    }
    var picture = Bitmap(width: width, height: height)
    for y in 0..<height { for x in 0..<width { picture[x, y] = quarter(Double(x), Double(y)) } }
    let drawn = try wallpaper(mode).drawn(picture, on: target)
    let place = WallpaperPlace(mode, width: width, height: height, on: target)
    for y in 0..<target.height {
      for x in 0..<target.width {
        let (px, py) = (
          (Double(x) + 0.5 - place.x) / place.scaleX, (Double(y) + 0.5 - place.y) / place.scaleY
        )
        // A filter reaches two pixels of the larger picture.
        let (nearX, nearY) = (2 + 2 / place.scaleX, 2 + 2 / place.scaleY)
        let edges = [(px, Double(width), nearX), (py, Double(height), nearY)]
        if edges.contains(where: { value, length, near in
          [0, length / 2, length].contains { abs(value - $0) < near }
        }) {
          continue
        }
        let isInside = px > 0 && py > 0 && px < Double(width) && py < Double(height)
        #expect(drawn[x, y] == (isInside ? quarter(px, py) : blue), "\(x),\(y)")
      }
    }
  }

  @Test func translucentPictureIsOverTheColor() throws {
    let picture = Bitmap(width: 4, height: 4, filledWith: 0x8000_0000)
    let target = WallpaperTarget(output: "a", width: 4, height: 4)
    let drawn = try wallpaper(.fill).drawn(picture, on: target)
    #expect(drawn.pixels.allSatisfy { $0 == 0xff10_2030 })
    expectSame(
      try wallpaper(.fill).drawn(nil, on: target), Bitmap(width: 4, height: 4, filledWith: blue))
  }

  /// An output of more pixels than a canvas may have is drawn in bands without a seam.
  @Test func largeOutputHasNoSeam() throws {
    let target = WallpaperTarget(output: "a", width: 8192, height: 4096)
    let picture = Bitmap(width: 8, height: 8, filledWith: 0xff12_3456)
    let drawn = try wallpaper(.fill).drawn(picture, on: target)
    #expect((drawn.width, drawn.height) == (8192, 4096))
    // The right edge may have the colour around it.
    let band = (0..<4096).filter { drawn.pixels[$0 * 8192 + 4000] != 0xff12_3456 }
    #expect(band.allSatisfy { $0 < 2 || $0 > 4093 })
  }
}
