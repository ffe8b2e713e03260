import FakeCompositor
import Frost
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

  /// By how many levels a flat colour may be wrong. Some neighbouring colours have the same leaks of all shares; of these
  /// black, white or the middle is chosen.
  static func error(_ color: UInt32) -> Double {
    [0, 8, 16].map { shift in
      let value = Int(color >> shift & 255)
      func leaks(_ value: Int) -> [Int] {
        LeakShare.range.map { (2 * Int($0) * value + 255) / 510 }
      }
      let same = (0...255).filter { leaks($0) == leaks(value) }
      let choice =
        same.contains(0) ? 0 : same.contains(255) ? 255 : Double(same[0] + same[same.count - 1]) / 2
      return abs(choice - Double(value))
    }.max() ?? 0
  }

  /// Whether glass over a flat colour is as near as leaks can tell it.
  static func isRight(_ decibels: Double, _ most: Double, over color: UInt32) -> Bool {
    let error = error(color)
    return error <= 1.5 ? decibels >= 46 && most <= 1.5 : most <= error.rounded(.up)
  }

  @Test(arguments: [6.0, 20, 40])
  func glassFollowsFlatColors(sigma: Double) throws {
    var dice = Dice(seed: Int(sigma))
    let grays: [UInt32] = [0x08_0808, 0x1e_1e1e, 0x64_6464, 0x80_8080, 0xf5_f5f5]
    let flat = grays + (0..<20).map { _ in UInt32(dice.roll(0...0xff_ffff)) }
    let scene = try FakeScene(
      Scenery.photo.picture(width: Self.size.width, height: Self.size.height, seed: 1))
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = sigma
    settings.geometry = try Geometry(parsing: "100x80+30+20")
    try scene.edit { try $0.add(Pane("pane", settings)) }
    try scene.sync()
    func show(_ picture: Bitmap) throws -> ScreenDistance {
      try scene.output.setPicture(picture)
      try scene.run(for: .milliseconds(500))
      return scene.distance(from: try scene.fresh(), on: "one")
    }
    for color in flat {
      let (distance, error) = (try show(Self.flat(color)), Self.error(color))
      print("sigma \(sigma), \(String(color, radix: 16)), error \(error): \(distance)")
      let isRight = Self.isRight(distance.decibels, Double(distance.most), over: color)
      #expect(isRight && distance.around == 0, "\(String(color, radix: 16)): \(distance)")
    }
    for number in 0..<20 {
      let distance = try show(Self.pair(&dice))
      print("sigma \(sigma), pair \(number): \(distance)")
      // Five levels are the largest error of a flat colour.
      #expect(distance.decibels >= 36 && distance.most <= 6 && distance.around == 0, "\(distance)")
    }
  }
}
