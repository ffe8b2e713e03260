/// The progress of a transition. The time is an argument.
struct TransitionProgress {
  private let length: Duration
  /// The time of its first frame.
  private var start: Duration?

  init(length: Duration) { self.length = length }

  /// The progress of the change at a time, 0 to 1. The first call starts the transition.
  mutating func part(now: Duration) -> Double {
    let passed = now - (start ?? now)
    start = start ?? now
    let part = min(1, passed / length)
    // Smoothstep, 3t^2 - 2t^3: slow at both ends.
    return part * part * (3 - 2 * part)
  }

  func isOver(now: Duration) -> Bool { start.map { now - $0 >= length } ?? false }
}
