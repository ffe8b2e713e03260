import Raster
import TestDice
import Testing

@testable import Frost

/// Pixels that are recovered below several overlays.
@Suite struct StackedOverlayTests {
  private static let layout = PixelLayout(Rect(x: 5, y: 11, width: 37, height: 26))

  /// Overlays with random colours, the lowest first: one of glass, and others that let more through.
  private struct Stack {
    var overlays: [[UInt32]] = []

    init(_ dice: inout Dice, count: Int) {
      let bounds = StackedOverlayTests.layout.bounds
      for number in 0..<count {
        var overlay: [UInt32] = []
        for y in bounds.rows {
          for x in bounds.columns {
            let share = number == 0 ? Int(LeakShare.at(x: x, y: y)) : dice.roll(40...255)
            var pixel = UInt32(255 - share) << 24
            for shift: UInt32 in [0, 8, 16] {
              pixel |= UInt32(dice.roll(0...255 - share)) << shift
            }
            overlay.append(pixel)
          }
        }
        overlays.append(overlay)
      }
    }

    var pixels: OverlayPixels {
      overlays.reduce(into: OverlayPixels(StackedOverlayTests.layout.bounds)) {
        $0.append($1.span, StackedOverlayTests.layout)
      }
    }

    func screen(over backdrop: [UInt32]) -> [UInt32] {
      overlays.reduce(backdrop) { below, overlay in
        zip(below, overlay).map { below, pixel in
          let share = Int(255 - pixel >> 24)
          return [UInt32(0), 8, 16].reduce(0) { result, shift in
            let product = Int(below >> shift & 255) * share
            let sum = Int(pixel >> shift & 255) + (2 * product + 255) / 510
            return result | UInt32(min(255, sum)) << shift
          }
        }
      }
    }
  }

  private static func recover(
    _ screen: [UInt32], below stack: Stack, into backdrop: inout [UInt32], where used: [Bool]? = nil
  ) -> [Rect] {
    var span = backdrop.mutableSpan
    return recoverBackdrop(
      layout.bounds, fromScreen: screen.span, layout, below: stack.pixels, where: used, into: &span,
      layout)
  }

  /// The recovered backdrop looks the same below the overlays, and is found to be the same then.
  @Test(arguments: 0..<20, [1, 2, 3])
  func recoveredBackdropExplainsTheScreen(seed: Int, count: Int) {
    var dice = Dice(seed: seed)
    let stack = Stack(&dice, count: count)
    let truth = (0..<Self.layout.pixelCount).map { _ in UInt32(dice.roll(0...0xff_ffff)) }
    var backdrop = [UInt32](repeating: 0x80_8080, count: truth.count)
    let screen = stack.screen(over: truth)
    #expect(!Self.recover(screen, below: stack, into: &backdrop).isEmpty)
    #expect(stack.screen(over: backdrop) == screen)
    let recovered = backdrop
    #expect(Self.recover(screen, below: stack, into: &backdrop).isEmpty)
    #expect(backdrop == recovered)
  }

  /// Changes of overlays over a constant backdrop end.
  @Test(arguments: 0..<20)
  func updatesOfOverlaysEndWithoutAChange(seed: Int) {
    var dice = Dice(seed: seed)
    let truth = (0..<Self.layout.pixelCount).map { _ in UInt32(dice.roll(0...0xff_ffff)) }
    let stacks = (0..<2).map { _ in Stack(&dice, count: 2) }
    var backdrop = [UInt32](repeating: 0x80_8080, count: truth.count)
    for round in 0..<12 {
      for stack in stacks {
        let changed = Self.recover(stack.screen(over: truth), below: stack, into: &backdrop)
        if round == 11 { #expect(changed.isEmpty) }
      }
    }
  }

  /// Only pixels that may be used change.
  @Test func otherPixelsStay() {
    var dice = Dice(seed: 1)
    let stack = Stack(&dice, count: 2)
    let truth = [UInt32](repeating: 0xf0_c010, count: Self.layout.pixelCount)
    let used = truth.map { _ in Bool.random(using: &dice) }
    var backdrop = [UInt32](repeating: 0x20_4060, count: truth.count)
    _ = Self.recover(stack.screen(over: truth), below: stack, into: &backdrop, where: used)
    for (pixel, isUsed) in zip(backdrop, used) where !isUsed { #expect(pixel == 0x20_4060) }
    #expect(zip(backdrop, used).contains { $0.1 && $0.0 != 0x20_4060 })
  }

  /// A window between both overlays is told in nearly all pixels.
  @Test(arguments: 0..<8)
  func windowBetweenOverlaysIsTold(seed: Int) {
    var dice = Dice(seed: seed)
    let stack = Stack(&dice, count: 2)
    let truth = (0..<Self.layout.pixelCount).map { _ in UInt32(dice.roll(0...0xff_ffff)) }
    var (lower, upper) = (stack, stack)
    lower.overlays.removeLast()
    upper.overlays.removeFirst()
    func share(_ screen: [UInt32]) -> Double {
      let shows = upper.pixels.showThrough(
        lower.pixels, onScreen: screen.span, Self.layout)
      return Double(shows.count { $0 }) / Double(shows.count)
    }
    #expect(share(stack.screen(over: truth)) == 1)
    #expect(share(upper.screen(over: truth)) < 0.1)
  }

  private func forEachIndex(in rect: Rect, _ body: (Int) -> Void) {
    for y in rect.rows { for x in rect.columns { body(Self.layout.index(x: x, y: y)) } }
  }

  /// A pattern is found where it is below an overlay, and not where something else is between both or above.
  @Test(arguments: 0..<8)
  func patternIsFound(seed: Int) {
    var dice = Dice(seed: seed)
    let stack = Stack(&dice, count: 1)
    let bounds = Self.layout.bounds
    let former = (0..<Self.layout.pixelCount).map { _ in UInt32(dice.roll(0...0xff_ffff)) }
    var pattern = [UInt32](repeating: 0, count: former.count)
    stack.pixels.drawPattern(over: former.span, Self.layout, to: &pattern, Self.layout)
    let window = Rect(x: 16, y: 16, width: 8, height: 8)
    let cover = Rect(x: 24, y: 24, width: 3, height: 3)
    var below = pattern
    forEachIndex(in: window) { below[$0] = former[$0] }
    var screen = stack.screen(over: below)
    forEachIndex(in: cover) { screen[$0] = 0xff_ffff }
    var search = PatternSearch(in: bounds)
    search.compare(
      stack.pixels, onScreen: screen.span, Self.layout, over: pattern.span, Self.layout,
      after: former.span, Self.layout)
    let (found, others) = search.result
    #expect(others.intersection(bounds) == Region(window))
    let covered = Rect(x: 24, y: 24, width: 8, height: 8)
    #expect(found.intersection(bounds) == Region(bounds).subtracting(Region([window, covered])))
    // It can hardly be seen.
    let shown = stack.screen(over: pattern)
    for (one, other) in zip(shown, stack.screen(over: former)) {
      for shift: UInt32 in [0, 8, 16] {
        #expect(abs(Int(one >> shift & 255) - Int(other >> shift & 255)) <= 4)
      }
    }
  }
}
