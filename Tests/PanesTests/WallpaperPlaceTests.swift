import Panes
import TestDice
import Testing

/// The places of wallpapers against the way in which swaybg computes them: it draws into a buffer of its own scale, and the
/// compositor shows that on all of the output.
@Suite struct WallpaperPlaceTests {
  /// Where swaybg draws the top left and the bottom right corner of a picture, in pixels of the output.
  private func corners(
    _ mode: WallpaperMode, _ width: Double, _ height: Double, on target: WallpaperTarget
  ) -> [Double] {
    let (bufferWidth, bufferHeight) = (
      Double(target.width) / target.ratio, Double(target.height) / target.ratio
    )
    var (scaleX, scaleY, x, y) = (1.0, 1.0, 0.0, 0.0)
    let isWider = bufferWidth / bufferHeight > width / height
    switch mode {
    case .stretch: (scaleX, scaleY) = (bufferWidth / width, bufferHeight / height)
    case .fill where isWider, .fit where !isWider:
      scaleX = bufferWidth / width
      scaleY = scaleX
      y = bufferHeight / 2 / scaleX - height / 2
    case .fill, .fit:
      scaleX = bufferHeight / height
      scaleY = scaleX
      x = bufferWidth / 2 / scaleX - width / 2
    case .center: (x, y) = (bufferWidth / 2 - width / 2, bufferHeight / 2 - height / 2)
    case .tile: break
    }
    return [x * scaleX, y * scaleY, (x + width) * scaleX, (y + height) * scaleY]
      .map { $0 * target.ratio }
  }

  @Test(arguments: WallpaperMode.allCases)
  func placesAreThoseOfSwaybg(mode: WallpaperMode) {
    var dice = Dice(seed: 3)
    for _ in 0..<2000 {
      let (width, height) = (dice.roll(1...5000), dice.roll(1...5000))
      let ratio = [1, 0.75, 0.625, 0.875][dice.roll(0...3)]
      let target = WallpaperTarget(
        output: "a", width: dice.roll(1...8000), height: dice.roll(1...5000), ratio: ratio)
      let place = WallpaperPlace(mode, width: width, height: height, on: target)
      let found = [
        place.x, place.y, place.x + Double(width) * place.scaleX,
        place.y + Double(height) * place.scaleY,
      ]
      let wanted = corners(mode, Double(width), Double(height), on: target)
      for (one, other) in zip(found, wanted) {
        #expect(abs(one - other) < 1e-6, "\(width)x\(height) on \(target): \(found), \(wanted)")
      }
    }
  }

  /// Each mode keeps its promise.
  @Test func pictureCoversOrFitsTheOutput() {
    var dice = Dice(seed: 4)
    for _ in 0..<2000 {
      let (width, height) = (dice.roll(1...5000), dice.roll(1...5000))
      let target = WallpaperTarget(
        output: "a", width: dice.roll(1...8000), height: dice.roll(1...5000))
      func edges(_ mode: WallpaperMode) -> (left: Double, top: Double, right: Double, low: Double) {
        let place = WallpaperPlace(mode, width: width, height: height, on: target)
        return (
          place.x, place.y, place.x + Double(width) * place.scaleX - Double(target.width),
          place.y + Double(height) * place.scaleY - Double(target.height)
        )
      }
      let (fill, fit, stretch) = (edges(.fill), edges(.fit), edges(.stretch))
      let error = 1e-6
      #expect(fill.left < error && fill.top < error && fill.right > -error && fill.low > -error)
      #expect(fit.left > -error && fit.top > -error && fit.right < error && fit.low < error)
      #expect(
        min(abs(fit.left), abs(fit.top)) < error && min(abs(fill.left), abs(fill.top)) < error)
      #expect(stretch.left == 0 && stretch.top == 0 && abs(stretch.right) < error)
      for (mode, one) in [("fill", fill), ("fit", fit), ("center", edges(.center))] {
        #expect(abs(one.left + one.right) < error && abs(one.top + one.low) < error, "\(mode)")
      }
    }
  }

  @Test func settingsDeclareAWallpaper() throws {
    var settings = DaemonSettings()
    #expect(DeclaredWallpaper(settings) == nil && DeclaredWallpaper(.standard) == nil)
    try DaemonSetting.wallpaperMode.read("tile", &settings)
    #expect(DeclaredWallpaper(settings) == nil)
    try DaemonSetting.wallpaperColor.read("#204060", &settings)
    #expect(DeclaredWallpaper(settings)?.text == "#204060")
    try DaemonSetting.wallpaper.read("/a b.png", &settings)
    #expect(DeclaredWallpaper(settings)?.text == "/a b.png (tile)")
    #expect(DaemonSetting.wallpaperColor.write(settings) == "#204060")
    for (setting, text) in [
      (DaemonSetting.wallpaper, "a.png"), (.wallpaper, ""), (.wallpaperMode, "Fill"),
      (.wallpaperColor, "red"), (.wallpaperColor, "#20406080"),
    ] {
      #expect(throws: PaneError.self) { try setting.read(text, &settings) }
    }
  }
}
