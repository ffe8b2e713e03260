import Testing

@testable import WaylandDisplay

@Suite struct MemoryPauseTests {
  @Test func pausesGrow() throws {
    var pause = MemoryPause()
    #expect(!pause.isPausing(now: .zero) && pause.end == nil)
    var now = Duration.zero
    var last = Duration.zero
    for _ in 0..<4 {
      pause.recordFailure(now: now)
      let end = try #require(pause.end)
      #expect(end - now > last)
      #expect(pause.isPausing(now: end - .milliseconds(1)) && !pause.isPausing(now: end))
      (last, now) = (end - now, end)
    }
  }
}
