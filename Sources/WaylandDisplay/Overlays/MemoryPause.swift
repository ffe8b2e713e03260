/// When overlays may be drawn again for which there was no memory.
struct MemoryPause {
  private var retry = RetryPause()
  /// Nil if they may be drawn at any time.
  private(set) var end: Duration?

  /// Whether none may be drawn. Ends the pause if its time is over.
  mutating func isPausing(now: Duration) -> Bool {
    if let end, end <= now { self.end = nil }
    return end != nil
  }

  /// Notes whether there was enough memory for all that was to be drawn.
  mutating func note(isEnough: Bool, now: Duration) {
    if isEnough {
      self = MemoryPause()
    } else {
      end = now + retry.next()
    }
  }
}
