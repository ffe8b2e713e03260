import Linux
import TestSupport
import Testing

@Suite struct MemoryEventsTests {
  /// The file of a control group, here an ordinary one: each change of it is an event, but only the counts of its two
  /// limits matter.
  @Test func memoryEventsAreThoseOfTheLimits() throws {
    let folder = try TemporaryDirectory()
    func write(_ high: Int, _ max: Int, _ low: Int) throws {
      try writeText(
        "low \(low)\nhigh \(high)\nmax \(max)\noom 0\n", to: folder.path + "/memory.events")
    }
    try write(1, 2, 3)
    var events = MemoryEvents(folder: folder.path)
    #expect(events.descriptor >= 0)
    var taken = [events.take()]
    for (high, max, low) in [(1, 2, 4), (2, 2, 4), (2, 3, 4)] {
      try write(high, max, low)
      taken += [events.take(), events.take()]
    }
    #expect(taken == [false, false, false, true, false, true, false])
    var none = MemoryEvents(folder: folder.path + "/none")
    taken = [none.take()]
    #expect(none.descriptor == -1 && taken == [false])
  }
}
