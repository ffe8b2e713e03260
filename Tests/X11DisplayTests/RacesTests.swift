import Testing

@testable import X11Display

/// An overlay and a window that both raise themselves.
@Suite struct RacesTests {
  private var races = Races()
  private let start = Duration.seconds(1000)

  /// A window comes above the overlay, which is raised unless it has lost. Returns the number of raises.
  private mutating func raises(
    against window: UInt32 = 7, _ count: Int, every interval: Duration, from begin: Duration
  ) -> Int {
    var raises = 0
    for i in 0..<count {
      let now = begin + interval * i
      races.recordMove(of: window, now: now)
      if races.lost.contains(window) { continue }
      races.recordRaise(above: [window], now: now)
      raises += 1
    }
    return raises
  }

  @Test mutating func windowThatRaisesItselfAtOnceWins() {
    let count = raises(500, every: .milliseconds(1), from: start)
    #expect(count == Races.limit)
    #expect(races.lost.contains(7))
    #expect(!races.lost.contains(8))
  }

  @Test mutating func windowThatIsRaisedSeldomNeverWins() {
    #expect(raises(1000, every: .milliseconds(100), from: start) == 1000)
    #expect(!races.lost.contains(7))
  }

  /// Also while another one raises itself.
  @Test mutating func windowThatRestsNeverWins() {
    races.recordMove(of: 7, now: start)
    for i in 0..<1000 {
      let now = start + .milliseconds(i)
      races.recordMove(of: 8, now: now)
      races.recordRaise(above: [7, 8], now: now)
    }
    #expect(!races.lost.contains(7))
  }

  @Test mutating func raceEndsAfterItsSpan() {
    _ = raises(100, every: .milliseconds(1), from: start)
    #expect(races.lost.contains(7))
    races.recordMove(of: 7, now: start + Races.span)
    #expect(races.lost.contains(7))
    races.recordMove(of: 7, now: start + Races.span + .milliseconds(1))
    #expect(!races.lost.contains(7))
    #expect(raises(100, every: .milliseconds(1), from: start + .seconds(5)) == Races.limit)
  }

  @Test mutating func withdrawnWindowStartsANewRace() {
    _ = raises(100, every: .milliseconds(1), from: start)
    races.end(against: 7)
    #expect(!races.lost.contains(7))
  }

  @Test mutating func windowsHaveSeparateRaces() {
    for i in 0..<Races.limit - 1 {
      for window: UInt32 in [1, 2] { races.recordMove(of: window, now: start) }
      races.recordRaise(above: [1, 2], now: start + .milliseconds(i))
    }
    for window: UInt32 in [1, 2] { races.recordMove(of: window, now: start) }
    races.recordRaise(above: [2], now: start + .milliseconds(20))
    #expect(!races.lost.contains(1))
    #expect(races.lost.contains(2))
  }
}
