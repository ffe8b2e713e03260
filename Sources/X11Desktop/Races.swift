/// Races of an overlay against windows that raise themselves above it each time it has been raised
/// above them. Only the pace tells one from a user who raises a window now and then.
struct Races: Sendable {
  private struct Race {
    let start: Duration
    var raises = 0
  }

  private var races: [UInt32: Race] = [:]

  /// So many raises within `span` are a race, and a lost one: the overlay stays below.
  static let limit = 20
  static let span = Duration.seconds(1)

  func isLost(against window: UInt32) -> Bool { (races[window]?.raises ?? 0) >= Self.limit }

  /// Notes that the overlay was raised because these windows had come above it.
  mutating func noteRaise(above windows: [UInt32], now: Duration) {
    for id in windows { races[id, default: Race(start: now)].raises += 1 }
  }

  /// Notes that a window was placed anew: when its race has begun long ago, a new one begins.
  mutating func noteMove(of window: UInt32, now: Duration) {
    if let race = races[window], now - race.start > Self.span { races[window] = nil }
  }

  /// Forgets what a window did before it was withdrawn.
  mutating func end(against window: UInt32) { races[window] = nil }
}
