/// The growing pauses between attempts that fail in a row.
struct RetryPause {
  private var count = 0
  private let first: Duration
  private let doublings: Int

  /// `first` is the first pause. The pause doubles with each failure, at most `doublings` times.
  init(_ first: Duration = .milliseconds(600), doublings: Int = 4) {
    (self.first, self.doublings) = (first, doublings)
  }

  /// Whether attempts have failed so often in a row that another one is not worth a wake-up.
  var isFutile: Bool { count > 2 }

  /// The pause after another failure: by default 0.6 seconds, and twice as long each time, up to 9.6.
  mutating func next() -> Duration {
    defer { count = min(count + 1, doublings) }
    return first * (1 << count)
  }
}
