/// When an overlay may be drawn again for which there was no memory.
struct MemoryPause {
  private var retry = RetryPause()
  /// Nil if the last attempt did not fail.
  private(set) var end: Duration?

  func isPausing(now: Duration) -> Bool { end.map { $0 > now } ?? false }

  mutating func recordFailure(now: Duration) { end = now + retry.next() }
}
