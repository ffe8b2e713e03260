import TestDice
import Testing

@testable import X11Display

@Suite struct RequestLogTests {
  @Test(arguments: 0..<200)
  func laterNumberIsLaterAcrossTheWraparound(seed: Int) {
    var dice = Dice(seed: seed)
    let most = RequestSequence(Int32.max)
    let random = RequestSequence.random(in: 0 ... .max, using: &dice)
    let starts: [RequestSequence] = [0, 1, .max, most, random]
    let distances: [RequestSequence] = [1, most, .random(in: 1...most, using: &dice)]
    for start in starts {
      #expect(!isLater(start, than: start))
      for distance in distances {
        #expect(isLater(start &+ distance, than: start), "\(start) + \(distance)")
        #expect(!isLater(start, than: start &+ distance), "\(start) + \(distance)")
      }
    }
  }

  /// The model numbers requests without wraparound.
  @Test(arguments: 0..<200)
  func logAgreesWithAListAcrossTheWraparound(seed: Int) {
    var dice = Dice(seed: seed)
    var log = RequestLog()
    var model: [Int] = []
    var last = (1 << 32) - dice.roll(1...300)
    for _ in 0..<300 {
      switch dice.roll(0...3) {
      case 0:
        // Most errors and events come with a number near the last ones.
        let reached = last - dice.roll(0...20)
        log.removeAll(before: UInt32(truncatingIfNeeded: reached))
        model.removeAll { $0 < reached }
      default:
        // Questions have numbers, too, and are not in the log.
        last += dice.roll(1...4)
        model.append(last)
        log.append(
          SentRequest(
            sequence: UInt32(truncatingIfNeeded: last), name: .mapWindow,
            subject: UInt32(truncatingIfNeeded: last &* 7), sibling: nil))
      }
      let wrong = (last - 25...last + 2).filter { number in
        let expected = model.contains(number) ? UInt32(truncatingIfNeeded: number &* 7) : nil
        return log.request(numbered: UInt32(truncatingIfNeeded: number))?.subject != expected
      }
      #expect(wrong.isEmpty)
    }
  }

  @Test func laterRequestIsFoundByItsSubject() {
    var log = RequestLog()
    log.append(SentRequest(sequence: .max, name: .destroyWindow, subject: 1, sibling: nil))
    log.append(SentRequest(sequence: 0, name: .mapWindow, subject: 2, sibling: nil))
    #expect(log.contains(.destroyWindow, about: 1, after: .max - 1))
    #expect(!log.contains(.destroyWindow, about: 1, after: .max), "the server has reached it")
    #expect(log.contains(.mapWindow, about: 2, after: .max))
    #expect(!log.contains(.destroyWindow, about: 2, after: .max))
  }

  @Test func requestThatTheServerReachedStaysInTheLog() {
    var log = RequestLog()
    log.append(SentRequest(sequence: 5, name: .createWindow, subject: 1, sibling: nil))
    log.append(SentRequest(sequence: 6, name: .configureWindow, subject: 2, sibling: 3))
    log.removeAll(before: 6)
    #expect(log.request(numbered: 5)?.subject == nil)
    let request = log.request(numbered: 6)
    #expect(request?.name == .configureWindow && request?.subject == 2 && request?.sibling == 3)
  }
}

@Suite struct FifoTests {
  @Test(arguments: 0..<50)
  func queueAgreesWithAList(seed: Int) {
    var dice = Dice(seed: seed)
    var queue = Fifo<Int>()
    var model: [Int] = []
    // A queue that is long at times, so that its head is cut off in each way.
    for number in 0..<1000 {
      let isGrowing = number / 200 % 2 == 0
      if dice.roll(0...3) > (isGrowing ? 0 : 2) {
        queue.append(number)
        model.append(number)
      } else if !model.isEmpty {
        queue.removeFirst()
        model.removeFirst()
      }
      let least = number - dice.roll(0...300)
      let isSame =
        queue.count == model.count && queue.isEmpty == model.isEmpty && queue.first == model.first
        && queue.first { $0 >= least } == model.first { $0 >= least }
      #expect(isSame, "step \(number)")
    }
  }

  @Test func emptyQueueHasNoFirstElement() {
    var queue = Fifo<Int>()
    #expect(queue.isEmpty && queue.first == nil && queue.first { _ in true } == nil)
    queue.append(1)
    queue.removeFirst()
    #expect(queue.isEmpty && queue.first == nil)
  }
}
