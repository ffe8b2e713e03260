/// Detects windows that raise themselves above a pane each time that it is raised above them. Such a race
/// differs from a user who raises windows only by its rate.
///
/// A window that rests takes no part. It may be above a pane, too: if the window above which the pane was raised was
/// lowered or destroyed at the same time.
struct Races: Sendable {
  private struct Race {
    let start: Duration
    var raises = 0
  }

  private var races: [UInt32: Race] = [:]
  /// The windows that were moved or restacked since panes were raised last.
  private var moved: Set<UInt32> = []

  /// The number of raises within `span` after which panes stay below the window.
  static let limit = 20
  /// The duration of a race.
  static let span = Duration.seconds(1)

  /// The windows that panes stay below.
  var lost: Set<UInt32> { Set(races.filter { $0.value.raises >= Self.limit }.keys) }

  /// Records that panes were raised because these windows were above them.
  mutating func recordRaise(above windows: Set<UInt32>, now: Duration) {
    for id in windows.intersection(moved) {
      var race = races[id] ?? Race(start: now)
      if race.raises < Self.limit, now - race.start > Self.span { race = Race(start: now) }
      race.raises += 1
      races[id] = race
    }
    moved = []
  }

  /// Records that a window was moved or restacked. If its race started longer than `span` ago, the
  /// race ends.
  mutating func recordMove(of window: UInt32, now: Duration) {
    moved.insert(window)
    if let race = races[window], now - race.start > Self.span { races[window] = nil }
  }

  /// Ends the race with a window that was unmapped or destroyed.
  mutating func end(against window: UInt32) {
    races[window] = nil
    moved.remove(window)
  }
}
