/// When something is tried again for which the system lacked processes, descriptors or memory: after a second, and after twice as
/// long each time, up to a minute.
struct RetryTimer {
  /// The time of the next attempt; nil if none is due.
  private(set) var time: Duration?
  private var interval = Self.shortest

  private static let shortest = Duration.seconds(1)
  private static let longest = Duration.seconds(60)

  /// Plans another attempt.
  mutating func start(now: Duration) {
    time = now + interval
    interval = min(interval * 2, Self.longest)
  }

  /// Plans the first attempt at a time.
  mutating func start(at time: Duration) { self.time = time }

  /// Returns whether an attempt is due, which ends its plan.
  mutating func takeDue(now: Duration) -> Bool {
    guard let time, time <= now else { return false }
    self.time = nil
    return true
  }

  /// The next failure is the first of a row.
  mutating func recordSuccess() { interval = Self.shortest }
}
