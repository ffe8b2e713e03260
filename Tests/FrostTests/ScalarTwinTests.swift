import Frost
import Raster
import TestDice
import Testing

/// Sigmas of every branch of the plan, including the limits of the branches.
private let sigmas: [Double] = [
  0, 0.3, 2, 3.3, 3.4, 4.9, 5, 9.5, 9.6, 15, 19.2, 30, 40, 80, 160, 200,
]

@Suite struct ScalarTwinTests {
  @Test(arguments: sigmas)
  func simdEqualsScalar(sigma: Double) {
    var dice = Dice(seed: Int(sigma * 10) + 1000)
    for round in 0..<Effort.rounds(8) {
      let scene = TwinScene.random(sigma: sigma, using: &dice)
      let isRight = scene.equalsScalarTwin(using: &dice)
      #expect(isRight, "\(dice): round \(round): \(scene)")
    }
  }

  /// A large screen has another plan; only here are the coarsest cells used.
  @Test(arguments: [40.0, 80, 160, 200])
  func simdEqualsScalarOnScreenLargerThanKernel(sigma: Double) {
    var dice = Dice(seed: Int(sigma) + 2000)
    let (width, height) = (Int(8 * sigma) + 3, Int(8 * sigma))
    let screen = Bitmap.anything(width: width, height: height, isOpaque: true, using: &dice)
    let material = Material(sigma: sigma, tone: .random(using: &dice))
    for corner in [(0, 0), (width - 37, 0), (0, height - 21), (width - 37, height - 21)] {
      let pane = Rect(x: corner.0, y: corner.1, width: 37, height: 21)
      let scene = TwinScene(screen: screen, isOpaque: true, pane: pane, material: material)
      let isRight = scene.equalsScalarTwin(using: &dice)
      #expect(isRight, "\(dice): \(scene)")
    }
  }

  /// Stripes of pure colours, between which saturated channels reach black and white.
  @Test(arguments: [3.5, 7, 12, 20.0, 40, 80])
  func bentPixelsEqualScalar(sigma: Double) {
    var dice = Dice(seed: Int(sigma) + 4000)
    for round in 0..<Effort.rounds(3) {
      var screen = Bitmap(width: Int(8 * sigma) + 90, height: Int(8 * sigma) + 60)
      let colours = (0..<16).map { _ in
        [0, 8, 16].reduce(UInt32(0xff00_0000)) { $0 | (Bool.random(using: &dice) ? 255 : 0) << $1 }
      }
      let (across, down) = (
        Int.random(in: 10...120, using: &dice), Int.random(in: 10...120, using: &dice)
      )
      for y in 0..<screen.height {
        for x in 0..<screen.width { screen[x, y] = colours[(x / across + 5 * (y / down)) % 16] }
      }
      let width = Int.random(in: 1...90, using: &dice)
      let pane = Rect(
        x: Int.random(in: 0...screen.width - width, using: &dice),
        y: Int.random(in: 0...screen.height - 23, using: &dice), width: width, height: 23)
      let scene = TwinScene(
        screen: screen, isOpaque: true, pane: pane,
        material: Material(
          sigma: sigma, tone: round % 3 == 2 ? .random(using: &dice) : Tone(saturation: 1.8),
          noise: round % 4 == 3 ? 0.1 : 0, isDithered: round % 2 == 0))
      let isRight = scene.equalsScalarTwin(using: &dice)
      #expect(isRight, "\(dice): round \(round): \(scene)")
    }
  }

  /// Extreme values for 16 bits: full white next to full black.
  @Test(arguments: sigmas)
  func valuesDoNotWrapWhereWhiteMeetsBlack(sigma: Double) {
    var dice = Dice(seed: 3000)
    let extremes = [
      Tone(), Tone(saturation: 100, contrast: 100, brightness: 1),
      Tone(saturation: -100, contrast: 100, brightness: -1), Tone(contrast: -100, brightness: 100),
    ]
    for period in [1, 4, 64] {
      for (across, down) in [(true, true), (true, false), (false, true)] {
        var screen = Bitmap(width: 67, height: 35, filledWith: 0xff00_0000)
        for y in 0..<35 {
          for x in 0..<67 {
            let isWhite = (across ? x / period : 0) & 1 ^ (down ? y / period : 0) & 1 == 0
            let colour: UInt32 = down ? 0xffff_ffff : 0xff00_ffff
            screen[x, y] = isWhite ? colour : 0xffff_ffff ^ colour | 0xff00_0000
          }
        }
        for tone in extremes {
          let scene = TwinScene(
            screen: screen, isOpaque: true, pane: screen.bounds.grown(by: -1),
            material: Material(sigma: sigma, tone: tone))
          let isRight = scene.equalsScalarTwin(using: &dice)
          #expect(isRight, "\(dice): period \(period): \(scene)")
        }
      }
    }
  }
}

/// The input of one comparison.
private struct TwinScene: CustomStringConvertible {
  var screen: Bitmap
  var isOpaque: Bool
  var pane: Rect
  var material: Material

  var description: String { "\(screen.bounds), pane \(pane), opaque \(isOpaque), \(material)" }

  static func random(sigma: Double, using dice: inout Dice) -> TwinScene {
    let sizes = [1, 1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33, 47, 64, 65, 101, 150, 199]
    let width = sizes.randomElement(using: &dice) ?? 1
    let height = min(150, sizes.randomElement(using: &dice) ?? 1)
    let isOpaque = Bool.random(using: &dice)
    let screen = Bitmap.anything(width: width, height: height, isOpaque: isOpaque, using: &dice)
    let isWhole = Int.random(in: 0..<4, using: &dice) == 0
    return TwinScene(
      screen: screen, isOpaque: isOpaque,
      pane: isWhole ? screen.bounds : Rect.random(in: screen.bounds, using: &dice),
      material: Material(
        sigma: sigma, tone: Bool.random(using: &dice) ? Tone() : .random(using: &dice),
        noise: Int.random(in: 0..<3, using: &dice) == 0 ? .random(in: 0...0.25, using: &dice) : 0,
        isDithered: Bool.random(using: &dice)))
  }

  /// Draws the glass in parts and compares it with the scalar twin. The input memory has only the
  /// required pixels and random values around them. The output memory around the pane must not
  /// change.
  func equalsScalarTwin(using dice: inout Dice) -> Bool {
    var glass = PictureGlass(pane: pane, picture: screen.bounds, material: material)
    glass.update(only: glass.source(for: screen.bounds), of: screen, isOpaque, using: &dice)
    _ = glass.settle()
    let layout = PixelLayout.random(around: pane, using: &dice)
    let untouched = layout.garbage(using: &dice)
    var pixels = untouched
    for part in pane.cut(using: &dice) {
      var span = pixels.mutableSpan
      glass.draw(part, into: &span, layout)
    }
    let expected = ScalarTwin(screen, material: material, isOpaque: isOpaque).frosted(pane)
    for (i, pixel) in pixels.enumerated() {
      let x = layout.bounds.x + i % layout.stride
      let y = layout.bounds.y + i / layout.stride
      let right = pane.contains(x: x, y: y) ? expected[x - pane.x, y - pane.y] : untouched[i]
      if pixel != right { return false }
    }
    return true
  }
}
