import Raster
import TestDice
import Testing

@testable import Frost

/// The verdict about a compositor by a sample.
@Suite struct BlendingSampleTests {
  private typealias Blend = (_ over: Int, _ below: Int, _ share: Int) -> Int

  private static func exact(_ over: Int, _ below: Int, _ share: Int) -> Int {
    over + (2 * below * share + 255) / 510
  }

  private static func truncating(_ over: Int, _ below: Int, _ share: Int) -> Int {
    over + below * share / 255
  }

  /// Ignores the alpha of the upper picture.
  private static func adding(_ over: Int, _ below: Int, _ share: Int) -> Int {
    share == 0 ? over : over + below
  }

  /// A sample near a flat colour or near random pixels, at any place.
  private static func sample(_ dice: inout Dice) -> BlendingSample {
    let rect = Rect(
      x: dice.roll(-40...40), y: dice.roll(-40...40), width: dice.roll(16...40),
      height: dice.roll(16...40))
    let flat = dice.roll(0...2)
    let color = [0, 0xff_ffff, UInt32(dice.roll(0...0xff_ffff))][flat]
    let pixels = (0..<rect.area).map { _ in
      Bool.random(using: &dice) ? color : UInt32(dice.roll(0...0xff_ffff))
    }
    return BlendingSample(
      rect, near: (flat < 2 ? pixels.map { _ in color } : pixels).span, PixelLayout(rect),
      seed: UInt64(dice.roll(0...1000)))
  }

  private static func screen(of sample: BlendingSample, _ blend: Blend) -> [UInt32] {
    zip(sample.upper, sample.lower).map { upper, lower in
      [0, 8, 16].reduce(UInt32(0)) { pixel, shift in
        let sum = blend(
          Int(upper >> shift & 255), Int(lower >> shift & 255), Int(255 - upper >> 24))
        return pixel | UInt32(min(255, sum)) << UInt32(shift)
      }
    }
  }

  @Test(arguments: 0..<50)
  func exactBlendingShowsTheWantedPixels(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = Self.sample(&dice)
    let screen = Self.screen(of: sample, Self.exact)
    #expect(screen == sample.wanted)
    #expect(sample.verdict(onScreen: screen.span, sample.layout) == .exact)
  }

  @Test(arguments: 0..<50)
  func otherBlendingIsToldOnAnyBackground(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = Self.sample(&dice)
    for blend in [Self.truncating, Self.adding] {
      let screen = Self.screen(of: sample, blend)
      guard case .other = sample.verdict(onScreen: screen.span, sample.layout) else {
        Issue.record("seed \(seed)")
        continue
      }
    }
  }

  @Test(arguments: 0..<50)
  func otherPicturesDecideNothing(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = Self.sample(&dice)
    let color = UInt32(dice.roll(0...0xff_ffff))
    for screen in [
      sample.wanted.map { _ in color }, sample.wanted.map { _ in UInt32(dice.roll(0...0xff_ffff)) },
    ] {
      #expect(sample.verdict(onScreen: screen.span, sample.layout) == nil)
    }
    let far = PixelLayout(sample.layout.bounds.translated(x: 100, y: 0))
    #expect(sample.verdict(onScreen: sample.wanted.span, far) == nil)
  }

  /// Opaque and translucent surfaces of any colour above a part of the sample, or above all of it.
  @Test(arguments: 0..<300)
  func coversNeverChangeTheVerdict(seed: Int) {
    var dice = Dice(seed: seed)
    let sample = Self.sample(&dice)
    for blend in [Self.exact, Self.truncating] {
      var screen = Self.screen(of: sample, blend)
      for _ in 0..<dice.roll(1...3) {
        let rect = dice.rect(in: sample.layout.bounds)
        let (alpha, color) = (dice.roll(1...255), UInt32(dice.roll(0...0xff_ffff)))
        for y in rect.rows {
          for x in rect.columns {
            let i = sample.layout.index(x: x, y: y)
            screen[i] = [0, 8, 16].reduce(UInt32(0)) { pixel, shift in
              let own = Int(color >> shift & 255) * alpha
              let below = Int(screen[i] >> shift & 255) * (255 - alpha)
              return pixel | UInt32((own + below + 127) / 255) << UInt32(shift)
            }
          }
        }
      }
      let verdict = sample.verdict(onScreen: screen.span, sample.layout)
      let isExact = blend(0, 150, 1) == 1
      #expect(verdict == nil || (verdict == .exact) == isExact, "seed \(seed)")
    }
  }
}
