@testable import Frost
import Raster
import TestDice
import Testing

@Suite struct PolarityTests {
  @Test func polarityHasTheHigherContrast() {
    for level: UInt32 in 0..<256 {
      let glass = PictureGlass.flat(level)
      let own = luminance(level * 0x1_0101)
      let better: Polarity = contrast(1, own) > contrast(0, own) ? .light : .dark
      #expect(content.polarity(on: glass, last: nil) == better, "\(level)")
    }
  }

  /// Glass near the balance keeps the polarity; glass further away changes it.
  @Test func contentDoesNotFlicker() {
    var dice = Dice(seed: 520)
    for first in [Polarity.light, .dark] {
      var last = first
      for _ in 0..<60 {
        let glass = PictureGlass.flat(UInt32(dice.roll(109...126)))
        last = content.polarity(on: glass, last: last)
        #expect(last == first, "\(dice)")
      }
      #expect(content.polarity(on: .flat(100), last: last) == .light, "\(dice)")
      #expect(content.polarity(on: .flat(134), last: last) == .dark, "\(dice)")
    }
  }

  @Test func polarityDependsOnTheGlassBehindOnly() {
    var screen = Bitmap(width: 400, height: 300, filledWith: 0xff00_0000)
    for y in 0..<300 { for x in 200..<400 { screen[x, y] = 0xffff_ffff } }
    var glass = PictureGlass(
      pane: Rect(x: 10, y: 20, width: 380, height: 260), picture: screen.bounds,
      material: Material(sigma: 10))
    _ = glass.update(with: screen, damage: screen.bounds)
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

  /// It follows from the mean of the glass below all vibrant items.
  @Test func allContentsHaveOnePolarity() {
    var screen = Bitmap(width: 400, height: 300, filledWith: 0xff00_0000)
    for y in 150..<300 { for x in 0..<400 { screen[x, y] = 0xffff_ffff } }
    let line = Bitmap(width: 60, height: 10, filledWith: 0xff00_0000)
    func lines(_ rows: [Int], _ vibrancy: Vibrancy = .label) -> [Content] {
      rows.map { Content(line, x: 20, y: $0, vibrancy: vibrancy) }
    }
    #expect(polarity(of: lines([20, 250]), over: screen) == .dark)
    #expect(polarity(of: lines([20, 40, 60, 80, 100, 250]), over: screen) == .light)
    #expect(polarity(of: lines([20, 40, 250, 260], .fill), over: screen) == .dark)
  }

  /// A picture below a label counts, one above it or beside it does not.
  @Test func picturesBelowLabelsCount() {
    let white = Bitmap(width: 400, height: 300, filledWith: ~0)
    let label = Content(
      Bitmap(width: 60, height: 10, filledWith: ~0), x: 20, y: 20, vibrancy: .label)
    func black(_ x: Int, alpha: UInt32 = 255) -> Content {
      Content(Bitmap(width: 60, height: 30, filledWith: alpha << 24), x: x, y: 10, vibrancy: nil)
    }
    #expect(polarity(of: [label], over: white) == .dark)
    #expect(polarity(of: [black(20), label], over: white) == .light)
    #expect(polarity(of: [label, black(20)], over: white) == .dark)
    #expect(polarity(of: [black(90), label], over: white) == .dark)
    #expect(polarity(of: [black(50), label], over: white) == .dark, "half of it is black")
    #expect(polarity(of: [black(20, alpha: 100), label], over: white) == .dark)
    #expect(polarity(of: [black(20, alpha: 240), label], over: white) == .light)
  }

  private func polarity(of items: [Content], over screen: Bitmap) -> Polarity {
    var glass = PictureGlass(
      pane: screen.bounds, picture: screen.bounds, material: Material(sigma: 2))
    _ = glass.update(with: screen, damage: screen.bounds)
    _ = glass.settle()
    return Contents(items).polarity(of: screen.bounds, on: glass.glass, last: nil)
  }

  @Test func meanLuminanceEqualsThatOfThePixels() {
    var dice = Dice(seed: 521)
    for _ in 0..<40 {
      let screen = Bitmap.desktop(width: 500, height: 400, using: &dice)
      let pane = Rect(x: 30, y: 20, width: 440, height: 350)
      let material = Material(sigma: Double.random(in: 0...30, using: &dice))
      var glass = PictureGlass(pane: pane, picture: screen.bounds, material: material)
      _ = glass.update(with: screen, damage: screen.bounds)
      _ = glass.settle()
      var picture = Bitmap(width: pane.width, height: pane.height)
      glass.draw(pane, into: &picture)
      let mean = picture.pixels.map { luminance($0) }.reduce(0, +) / Double(pane.area)
      // The mean of a sharp picture is sampled at 256 pixels.
      let tolerance = material.sigma < 10 ? 0.08 : 0.02
      #expect(
        abs(glass.glass.meanLuminance(of: pane) - mean) <= tolerance, "\(dice): \(material.sigma)")
    }
  }

  private let content = Content(
    Bitmap(width: 9, height: 5, filledWith: 0xff00_0000), x: 2, y: 1, vibrancy: .label)
}

extension PictureGlass {
  /// Opaque glass of one gray.
  fileprivate static func flat(_ level: UInt32) -> PictureGlass {
    let screen = Bitmap(width: 40, height: 30, filledWith: 0xff00_0000 | level * 0x1_0101)
    var glass = PictureGlass(
      pane: screen.bounds, picture: screen.bounds, material: Material(sigma: 8))
    _ = glass.update(with: screen, damage: screen.bounds)
    _ = glass.settle()
    return glass
  }
}
