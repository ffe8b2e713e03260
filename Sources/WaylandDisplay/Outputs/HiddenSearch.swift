/// When wallpaper is looked for where windows covered it: when something has changed there, after pauses that grow while it is
/// not found.
struct HiddenSearch {
  /// Whether something has changed on the screen there since the last attempt.
  private var isChanged = false
  private var retry = Self.pauses
  /// No attempt is made before.
  private var start = Duration.zero

  private static let pauses = RetryPause(.milliseconds(50), doublings: 7)
  /// Changes that are so far apart are not those of one window.
  private static let calm = Duration.seconds(10)

  /// The time of the next attempt; nil if none is needed.
  var deadline: Duration? { isChanged ? start : nil }

  mutating func noteChange() { isChanged = true }

  /// Begins an attempt, if one is due.
  mutating func begin(now: Duration) -> Bool {
    guard isChanged, start <= now else { return false }
    if now - start > Self.calm { retry = Self.pauses }
    isChanged = false
    start = now + retry.next()
    return true
  }

  /// Notes that wallpaper was found.
  mutating func noteSuccess() { retry = Self.pauses }
}
