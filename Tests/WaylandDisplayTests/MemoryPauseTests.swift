import Testing

@testable import WaylandDisplay

@Suite struct MemoryPauseTests {
  @Test func pausesGrowUntilThereIsEnough() throws {
    var pause = MemoryPause()
    #expect(!pause.isPausing(now: .zero) && pause.end == nil)
    var now = Duration.zero
    var last = Duration.zero
    for _ in 0..<4 {
      pause.note(isEnough: false, now: now)
      let end = try #require(pause.end)
      #expect(end - now > last && pause.isPausing(now: end - .milliseconds(1)))
      // A deadline that is over would wake the daemon all the time.
      #expect(!pause.isPausing(now: end) && pause.end == nil)
      (last, now) = (end - now, end)
    }
    pause.note(isEnough: true, now: now)
    pause.note(isEnough: false, now: now)
    #expect(pause.end.map { $0 - now < last } == true)
  }
}
