import TestDice
import Testing

@testable import X11Display

/// No identifier is made twice while a resource has it, over many ranges.
struct ResourceIDsTests {
  private static let base: UInt32 = 0x0140_0000

  @Test(arguments: [1, 4] as [UInt32])
  func identifiersAreThoseOfTheConnection(step: UInt32) {
    let mask = (UInt32(1) << 20 - 1) * step
    var ids = ResourceIDs(base: Self.base, mask: mask)
    for i in 1...1000 as ClosedRange<UInt32> {
      let id = ids.next()
      #expect(id == Self.base | i * step)
    }
    #expect(!ids.needsMore)
  }

  /// The server says which identifiers are unused when it has executed the earlier requests. The answer arrives later.
  @Test(arguments: 0..<8)
  func identifiersInUseAreNotMadeAgain(seed: Int) {
    var dice = Dice(seed: seed)
    let mask: UInt32 = 1 << 16 - 1
    var ids = ResourceIDs(base: Self.base, mask: mask)
    var used: Set<UInt32> = []
    // Identifiers of earlier requests, which the server has executed.
    var known: Set<UInt32> = []
    var answer: (start: UInt32, count: UInt32)?
    for _ in 0..<400_000 {
      if ids.needsMore {
        ids.recordQuestion()
        answer = Self.largestGap(in: known, mask)
      } else if let (start, count) = answer, dice.roll(0...300) == 0 {
        ids.add(start: start, count: count)
        answer = nil
      }
      let id = ids.next()
      #expect(used.insert(id).inserted)
      if dice.roll(0...20) == 0 { known = used }
      // Resources live for some time.
      if used.count > 2000 {
        for id in used where dice.roll(0...1) == 0 { used.remove(id) }
        known = used
      }
    }
    let id = ids.next()
    #expect(id & ~mask == Self.base)
  }

  /// The largest gap; of two that are equally large, the first.
  private static func largestGap(in used: Set<UInt32>, _ mask: UInt32) -> (UInt32, UInt32) {
    var best: (start: UInt32, count: UInt32) = (0, 0)
    var start = base
    for id in used.sorted() + [base + mask + 1] {
      if id - start > best.count { best = (start, id - start) }
      start = id + 1
    }
    return best
  }

  @Test func serverWithoutUnusedIdentifiersIsAskedAgain() {
    var ids = ResourceIDs(base: Self.base, mask: 1 << 15 - 1)
    while !ids.needsMore { _ = ids.next() }
    ids.recordQuestion()
    #expect(!ids.needsMore)
    ids.add(start: 0, count: 0)
    #expect(ids.needsMore)
    for _ in 0..<(1 << 16) { _ = ids.next() }
    let id = ids.next()
    #expect(id == Self.base | (1 << 15 - 1))
  }
}
