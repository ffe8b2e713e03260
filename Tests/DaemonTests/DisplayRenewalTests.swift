import TestDice
import Testing

@testable import Daemon

/// The times at which a display is opened again because memory was lacking.
@Suite struct DisplayRenewalTests {
  @Test func firstTurnIsAtOnceAndTheOthersLater() {
    var renewal = DisplayRenewal()
    var now = Duration.seconds(7)
    for seconds in [1, 4, 16, 64, 256, 1024, 3600, 3600] {
      let isDue = renewal.takeTurn(now: now)
      #expect(isDue && renewal.next == now + .seconds(seconds))
      let isEarly = renewal.takeTurn(now: renewal.next - .nanoseconds(1))
      #expect(!isEarly)
      now = renewal.next
    }
  }

  @Test func intervalIsShortAgainAfterAnHourWithoutATurn() {
    var renewal = DisplayRenewal()
    for _ in 0..<4 { _ = renewal.takeTurn(now: renewal.next) }
    #expect(renewal.next == .seconds(1 + 4 + 16 + 64))
    let now = renewal.next + .seconds(3601)
    let isDue = renewal.takeTurn(now: now)
    #expect(isDue && renewal.next == now + .seconds(1))
  }

  /// However often memory is lacking, panes are hidden for a moment some 40 times a day at most.
  @Test(arguments: 0..<20) func turnsOfADayAreFew(seed: Int) {
    var dice = Dice(seed: 9100 + seed)
    var (renewal, now, count) = (DisplayRenewal(), Duration.zero, 0)
    while now < .seconds(86_400) {
      if renewal.takeTurn(now: now) { count += 1 }
      now += .milliseconds(dice.roll(1...20_000))
    }
    #expect(count < 40, "\(dice): \(count)")
  }
}
