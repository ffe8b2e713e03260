/// When wallpaper is looked for where windows covered it: several times after something has changed there, after pauses that grow
/// while it is not found.
///
/// One attempt is not enough: what covers the wallpaper only while the probe is shown changes nothing that is compared.
struct HiddenSearch {
  /// The number of attempts that are still to be made.
  private var count = 0
  private var retry = Self.pauses
  /// No attempt is made before.
  private var start = Duration.zero

  private static let pauses = RetryPause(.milliseconds(50), doublings: 7)
  /// The attempts after a change. With the pauses they take some three seconds.
  private static let attempts = 7
  /// Changes that are so far apart are not those of one window.
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
