import TestDice
import Testing

@testable import X11Display

struct GlassOpacityTests {
  /// The opacity of the glass, in thousandths, after steps of the window's opacity, in thousandths, each after a pause in
  /// milliseconds.
  private func glass(_ steps: [(after: Int, window: Int)], then pause: Int = 0) -> Int {
    var glass = GlassOpacity()
    var now = Duration.seconds(5)
    var last = UInt32.max
    func wait(_ milliseconds: Int) {
      let end = now + .milliseconds(milliseconds)
      while let deadline = glass.deadline, deadline <= end { glass.record(last, now: deadline) }
      now = end
    }
    for step in steps {
      wait(step.after)
      last = UInt32(UInt64(UInt32.max) * UInt64(step.window) / 1000)
      glass.record(last, now: now)
    }
    wait(pause)
    return Int((Double(glass.value) / Double(UInt32.max) * 1000).rounded())
  }

  @Test func glassFadesWithItsWindow() {
    #expect(glass([(0, 1000)]) == 1000)
    #expect(glass([(0, 1000), (0, 500)]) == 500)
    #expect(glass([(0, 1000), (0, 500), (900, 100), (900, 0)]) == 0)
    #expect(glass([(0, 0), (16, 100), (16, 200), (16, 300)]) == 300)
    // In proportion to the opacity at rest.
    #expect(glass([(0, 700), (300, 350), (16, 70)]) == 100)
    #expect(glass([(0, 700), (300, 800)]) == 1000)
  }

  @Test func glassBehindAWindowThatStaysTranslucentIsWhole() {
    #expect(glass([(0, 700)], then: 250) == 1000)
    #expect(glass([(0, 1000), (0, 700)], then: 900) == 700)
    #expect(glass([(0, 1000), (0, 700)], then: 1100) == 1000)
    #expect(glass([(0, 1000), (0, 1)], then: 1100) == 1000)
  }

  @Test func clearWindowHasNoGlass() {
    #expect(glass([(0, 0)], then: 5000) == 0)
    // It fades in to what it was.
    #expect(glass([(0, 800), (300, 0), (5000, 400)]) == 500)
  }

  /// It never waits for more than one deadline after a change.
  @Test func anyHistoryComesToRest() {
    var dice = Dice(seed: 31)
    for round in 0..<300 {
      let steps = (0..<dice.roll(1...9)).map { _ in
        (after: dice.roll(0...1500), window: dice.roll(0...3) == 0 ? 0 : dice.roll(1...1000))
      }
      let isClear = steps.last?.window == 0
      #expect(glass(steps, then: 1000) == (isClear ? 0 : 1000), "round \(round)")
    }
  }
}
