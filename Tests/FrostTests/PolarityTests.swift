@testable import Frost
import Raster
import TestDice
import Testing

@Suite struct PolarityTests {
  @Test func contentIsWhateverContrastsMore() {
    for level: UInt32 in 0..<256 {
      let glass = Glass.flat(level)
      let own = luminance(level * 0x1_0101)
      let better: Polarity = contrast(1, own) > contrast(0, own) ? .light : .dark
      #expect(content.polarity(on: glass, last: nil) == better, "\(level)")
    }
  }

  /// A glass that wanders about the balance leaves its content as it is; one that goes far turns it.
  @Test func contentDoesNotFlicker() {
    var dice = Dice(seed: 520)
    for first in [Polarity.light, .dark] {
      var last = first
      for _ in 0..<60 {
        let glass = Glass.flat(UInt32(dice.roll(109...126)))
        last = content.polarity(on: glass, last: last)
        #expect(last == first)
      }
      #expect(content.polarity(on: .flat(100), last: last) == .light)
      #expect(content.polarity(on: .flat(134), last: last) == .dark)
    }
  }

  @Test func onlyTheGlassBehindIsAsked() {
    var screen = Bitmap(width: 400, height: 300, filledWith: 0xff00_0000)
    for y in 0..<300 { for x in 200..<400 { screen[x, y] = 0xffff_ffff } }
    var glass = Glass(
      pane: Rect(x: 10, y: 20, width: 380, height: 260), screen: screen.bounds,
      material: Material(sigma: 10))
    _ = glass.absorb(screen, damage: screen.bounds)
    _ = glass.settle()
    let picture = Bitmap(width: 60, height: 30, filledWith: 0xff00_0000)
    for last in [nil, .light, .dark] as [Polarity?] {
      let left = Content(picture, x: 40, y: 50, vibrancy: .label)
      #expect(left.polarity(on: glass, last: last) == .light)
      let right = Content(picture, x: 350, y: 240, vibrancy: .fill)
      #expect(right.polarity(on: glass, last: last) == .dark)
      let outside = Content(picture, x: 380, y: 0, vibrancy: .label)
      #expect(outside.polarity(on: glass, last: last) == last ?? .light)
      let plain = Content(picture, x: 350, y: 240, vibrancy: nil)
      #expect(plain.polarity(on: glass, last: last) == last ?? .light)
    }
  }

  @Test func theMeanLuminanceIsThatOfThePixels() {
    var dice = Dice(seed: 521)
    for _ in 0..<40 {
      let screen = Bitmap.desktop(width: 500, height: 400, using: &dice)
      let pane = Rect(x: 30, y: 20, width: 440, height: 350)
      let material = Material(sigma: Double.random(in: 0...30, using: &dice))
      var glass = Glass(pane: pane, screen: screen.bounds, material: material)
      _ = glass.absorb(screen, damage: screen.bounds)
      _ = glass.settle()
      var picture = Bitmap(width: pane.width, height: pane.height)
      glass.draw(pane, into: &picture)
      let mean = picture.pixels.map { luminance($0) }.reduce(0, +) / Double(pane.area)
      // A sharp picture's is told from 256 of its pixels.
      let tolerance = material.sigma < 10 ? 0.08 : 0.02
      #expect(abs(glass.meanLuminance(of: pane) - mean) <= tolerance, "\(material.sigma)")
    }
  }

  private let content = Content(
    Bitmap(width: 9, height: 5, filledWith: 0xff00_0000), x: 2, y: 1, vibrancy: .label)
}

extension Glass {
  /// Of one gray, opaque.
  fileprivate static func flat(_ level: UInt32) -> Glass {
    let screen = Bitmap(width: 40, height: 30, filledWith: 0xff00_0000 | level * 0x1_0101)
    var glass = Glass(pane: screen.bounds, screen: screen.bounds, material: Material(sigma: 8))
    _ = glass.absorb(screen, damage: screen.bounds)
    _ = glass.settle()
    return glass
  }
}
