/// Detects races of an overlay with windows that raise themselves above it each time it is raised
/// above them. A race differs from a user who raises windows only by its rate.
struct Races: Sendable {
  private struct Race {
    let start: Duration
    var raises = 0
  }

  private var races: [UInt32: Race] = [:]

  /// The number of raises within `span` after which the overlay stays below the window.
  static let limit = 20
  /// The duration of a race.
  static let span = Duration.seconds(1)

  /// Whether the overlay stays below a window.
  func isLost(against window: UInt32) -> Bool { (races[window]?.raises ?? 0) >= Self.limit }

  /// Records that the overlay was raised because these windows were above it.
  mutating func noteRaise(above windows: [UInt32], now: Duration) {
    for id in windows { races[id, default: Race(start: now)].raises += 1 }
  }

  /// Records that a window was moved or restacked. If its race started longer than `span` ago, the
  /// race ends.
  mutating func noteMove(of window: UInt32, now: Duration) {
    if let race = races[window], now - race.start > Self.span { races[window] = nil }
  }

  /// Ends the race with a window that was unmapped or destroyed.
  mutating func end(against window: UInt32) { races[window] = nil }
}
