import Testing

@testable import Daemon

/// The times of attempts after the system lacked something.
@Suite struct RetryTimerTests {
  @Test func intervalsDoubleUpToAMinute() throws {
    var timer = RetryTimer()
    var now = Duration.seconds(5)
    for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
      timer.start(now: now)
      let time = try #require(timer.time)
      #expect(time == now + .seconds(seconds))
      let isEarly = timer.takeDue(now: time - .nanoseconds(1))
      let isDue = timer.takeDue(now: time)
      #expect(!isEarly && isDue)
      now = time
    }
  }

  @Test func dueAttemptIsTakenOnce() {
    var timer = RetryTimer()
    let isDueWithoutAPlan = timer.takeDue(now: .seconds(99))
    timer.start(at: .seconds(3))
    let isDue = timer.takeDue(now: .seconds(4))
    let isDueAgain = timer.takeDue(now: .seconds(99))
    #expect(!isDueWithoutAPlan && isDue && !isDueAgain)
  }

  @Test func successShortensTheNextInterval() {
    var timer = RetryTimer()
    for _ in 0..<5 { timer.start(now: .zero) }
    timer.recordSuccess()
    timer.start(now: .zero)
    #expect(timer.time == .seconds(1))
  }
}
