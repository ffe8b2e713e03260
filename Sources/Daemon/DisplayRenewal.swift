/// Says when a display is opened again because memory was lacking: at once, and then at growing intervals, because memory can
/// lack for long, and panes are hidden for a moment.
struct DisplayRenewal {
  /// The time from which on it is due.
  private(set) var next = Duration.zero
  private var interval = Self.shortest

  private static let shortest = Duration.seconds(1)
  private static let longest = Duration.seconds(3600)

  /// Whether the display is opened again now; then the next time is later.
  mutating func takeTurn(now: Duration) -> Bool {
    if now < next { return false }
    if now - next > Self.longest { interval = Self.shortest }
    next = now + interval
    interval = min(interval * 4, Self.longest)
    return true
  }
}
