@testable import Engine
import TestDice
import Testing

/// `LRUList` against an array in order of recency.
@Suite struct LRUListTests {
  @Test(arguments: 0..<100)
  func operationsAgreeWithArray(seed: Int) {
    var dice = Dice(seed: seed)
    var list = LRUList()
    var model: [Int] = []
    let largest = dice.roll(0...40)
    for _ in 0..<400 {
      let number = dice.roll(0...largest)
      if let index = model.firstIndex(of: number) {
        list.remove(number)
        model.remove(at: index)
      } else {
        list.append(number)
        model.append(number)
      }
      #expect(list.count == model.count, "\(dice)")
      #expect(list.oldest == model.first, "\(dice)")
      let other = dice.roll(0...2 * largest + 1)
      #expect(list.contains(other) == model.contains(other), "\(dice)")
    }
    #expect(drain(&list) == model, "\(dice)")
    #expect(list.count == 0)
  }

  /// Removes all numbers, the oldest first.
  private func drain(_ list: inout LRUList) -> [Int] {
    var numbers: [Int] = []
    while let oldest = list.oldest {
      numbers.append(oldest)
      list.remove(oldest)
    }
    return numbers
  }

  @Test func emptyListHasNoOldestNumber() {
    let list = LRUList()
    #expect(list.oldest == nil)
    #expect(list.count == 0)
    #expect(!list.contains(0))
  }
}
