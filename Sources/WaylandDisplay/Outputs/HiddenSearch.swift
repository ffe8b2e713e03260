/// The times at which wallpaper is searched where windows covered it. There are several attempts after a change in that region.
/// The pauses between them grow until wallpaper is found.
///
/// One attempt is not enough: if a window covers the wallpaper only while the probe is shown, no later change is detected.
struct HiddenSearch {
  /// The number of attempts that are still to be made.
  private var count = 0
  private var retry = Self.pauses
  /// The earliest time of the next attempt.
  private var start = Duration.zero

  private static let pauses = RetryPause(.milliseconds(50), doublings: 7)
  /// The number of attempts after a change. With the pauses they take about three seconds.
  private static let attempts = 7
  /// The time between changes after which they have different causes, so that the pauses start again.
  private static let calm = Duration.seconds(10)

  /// The time of the next attempt; nil if none is needed.
  var deadline: Duration? { count > 0 ? start : nil }

  /// Starts the attempts again, because something has changed on the screen.
  mutating func restart() { count = Self.attempts }

  /// Begins an attempt, if one is due.
  mutating func begin(now: Duration) -> Bool {
    guard count > 0, start <= now else { return false }
    if now - start > Self.calm { retry = Self.pauses }
    count -= 1
    start = now + retry.next()
    return true
  }

  /// Records that wallpaper was found.
  mutating func recordSuccess() { retry = Self.pauses }
}
