import FakeCompositor
import Panes
import Raster
import TestDice
import TestSupport
import Testing

@testable import WaylandDisplay

/// Glass over colours without grain, which a leak tells with least precision, after changes behind it.
@Suite struct FlatGlassTests {
  private static let size = (width: 160, height: 120)

  private static func flat(_ color: UInt32) -> Bitmap {
    Bitmap(width: size.width, height: size.height, filledWith: color | 0xff00_0000)
  }

  /// Two colours with a straight edge in a random direction between them.
  private static func pair(_ dice: inout Dice) -> Bitmap {
    var picture = flat(UInt32(dice.roll(0...0xff_ffff)))
    let color = UInt32(dice.roll(0...0xff_ffff)) | 0xff00_0000
    let (a, b) = (dice.roll(-9...9), dice.roll(-9...9))
    let middle = a * dice.roll(30...130) + b * dice.roll(20...100)
    for y in 0..<size.height {
      for x in 0..<size.width where a * x + b * y > middle { picture[x, y] = color }
    }
    return picture
  }

  @Test(arguments: [6.0, 20, 40])
  func glassFollowsFlatColors(sigma: Double) throws {
    var dice = Dice(seed: Int(sigma))
    let grays: [UInt32] = [0x08_0808, 0x1e_1e1e, 0x64_6464, 0x80_8080, 0xf5_f5f5]
    let pictures =
      grays.map(Self.flat) + (0..<20).map { _ in Self.flat(UInt32(dice.roll(0...0xff_ffff))) }
      + (0..<20).map { _ in Self.pair(&dice) }
    let scene = try FakeScene(
      Scenery.photo.picture(width: Self.size.width, height: Self.size.height, seed: 1))
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = sigma
    settings.geometry = try Geometry(parsing: "100x80+30+20")
    try scene.edit { try $0.add(Pane("pane", settings)) }
    try scene.sync()
    var worst = (decibels: 99.0, most: 0)
    for (index, picture) in pictures.enumerated() {
      try scene.output.setPicture(picture)
      try scene.run(for: .milliseconds(500))
      let distance = scene.distance(from: try scene.fresh(), on: "one")
      worst = (min(worst.decibels, distance.decibels), max(worst.most, distance.most))
      #expect(
        distance.decibels >= 46 && distance.most <= 1 && distance.around == 0,
        "picture \(index): \(distance)")
    }
    print("sigma \(sigma): at least \(worst.decibels) dB, at most \(worst.most) levels")
  }
}
