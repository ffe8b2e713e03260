/// The growing pauses between attempts that fail in a row.
struct RetryPause {
  private var count = 0

  private static let first = Duration.milliseconds(600)
  private static let doublings = 4

  /// Whether attempts have failed so often in a row that another one is not worth a wake-up.
  var isFutile: Bool { count > 2 }

  /// The pause after another failure: 0.6 seconds, and twice as long each time, up to 9.6.
  mutating func next() -> Duration {
    defer { count = min(count + 1, Self.doublings) }
    return Self.first * (1 << count)
  }
}
