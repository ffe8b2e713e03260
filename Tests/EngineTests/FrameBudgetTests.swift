import Engine
import TestDice
import Testing

/// `FrameBudget` as a value, without an engine.
@Suite struct FrameBudgetTests {
  private static let interval = Duration.milliseconds(16)
  private var budget = FrameBudget()
  private var time = Duration.seconds(5)
  private var processorTime = Duration.seconds(1)

  /// Draws frames of some cost, as often as the budget allows, for some time. Returns the share of the processor.
  @discardableResult
  private mutating func draw(cost: () -> Duration, for length: Duration) -> Double {
    let (start, used) = (time, processorTime)
    while time - start < length {
      budget.beginFrame(now: time, processorTime: processorTime)
      processorTime += cost()
      time += max(Self.interval, budget.distance)
    }
    return (processorTime - used) / (time - start)
  }

  @Test mutating func withoutAShareNothingIsLimited() {
    draw(cost: { .milliseconds(50) }, for: .seconds(1))
    #expect(budget.distance == .zero)
  }

  @Test(arguments: 0..<30 as Range<UInt64>)
  mutating func shareIsNotExceeded(seed: UInt64) {
    var dice = Dice(seed: seed)
    let share = Double(dice.roll(2...60)) / 100
    budget.share = share
    let mean = dice.roll(1...12)
    let cost: () -> Duration = { .microseconds(dice.roll(500 * mean...1500 * mean)) }
    draw(cost: cost, for: .seconds(3))
    let used = draw(cost: cost, for: .seconds(20))
    let demanded = Double(mean) / 16
    #expect(used <= share * 1.05, "seed \(seed)")
    // It is used too, if so much is demanded.
    #expect(used >= min(share, demanded) * 0.9, "seed \(seed)")
  }

  /// From one frame to the next the distance changes by a small part of the whole change.
  @Test mutating func rateFallsAndRisesSmoothly() {
    budget.share = 0.1
    for cost in [1, 8, 1] {
      let goal = max(Self.interval, .milliseconds(10 * cost))
      let first = max(Self.interval, budget.distance)
      var last = first
      for _ in 0..<200 {
        draw(cost: { .milliseconds(cost) }, for: .nanoseconds(1))
        let next = max(Self.interval, budget.distance)
        let step = next - last
        let whole = goal - first
        #expect(max(step, .zero - step) <= max(whole, .zero - whole) / 4 + .microseconds(100))
        last = next
      }
      #expect(max(last - goal, goal - last) < .milliseconds(1))
    }
  }

  @Test mutating func glassStaysLiveWithAnyShare() {
    budget.share = 0.01
    draw(cost: { .seconds(2) }, for: .seconds(30))
    #expect(budget.distance == FrameBudget.longestDistance)
  }

  /// A second after a pause, the cost before it counts little.
  @Test mutating func pauseIsForgotten() {
    budget.share = 0.1
    draw(cost: { .milliseconds(20) }, for: .seconds(3))
    time += .seconds(20)
    draw(cost: { .milliseconds(1) }, for: .seconds(1))
    #expect(budget.distance < .milliseconds(60))
  }
}
