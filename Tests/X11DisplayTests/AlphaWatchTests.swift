import TestDice
import Testing

@testable import X11Display

/// When the pixels of a window are read.
@Suite struct AlphaWatchTests {
  /// A program that draws at random, and a server that answers some time later.
  @Test(arguments: 0..<200) func readingsAreRareAndTheLastOneSeesAll(seed: Int) {
    var dice = Dice(seed: seed)
    var watch = AlphaWatch()
    var now = Duration.zero
    var readings: [Duration] = []
    // The share that the window has now, and the one that is being read.
    var (share, read) = (0.0, 0.0)
    func answer() { _ = watch.endReading(translucentShare: read) }
    func act() {
      if watch.isReading {
        if dice.roll(0...1) == 0 { answer() }
      } else if watch.beginReading(now: now) {
        readings.append(now)
        read = share
      }
    }
    for _ in 0..<200 {
      now += .milliseconds(dice.roll(0...120))
      if dice.roll(0...3) == 0 {
        share = [0, 0.005, 0.02, 0.6][dice.roll(0...3)]
        watch.recordDamage()
      }
      act()
    }
    if watch.isReading { answer() }
    while let deadline = watch.deadline {
      now = max(now, deadline)
      let isBegun = watch.beginReading(now: now)
      #expect(isBegun, "\(dice)")
      readings.append(now)
      read = share
      answer()
    }
    #expect(watch.paintsOpaque == (share <= 0.01), "\(dice)")
    #expect(watch.deadline == nil, "nothing was drawn: \(dice)")
    let pauses = zip(readings, readings.dropFirst()).map { $1 - $0 }
    #expect(pauses.allSatisfy { $0 >= .milliseconds(100) }, "\(dice)")
    #expect(pauses.dropFirst(3).allSatisfy { $0 >= .seconds(1) }, "\(dice)")
  }

  @Test func unreadablePixelsChangeNothing() {
    var watch = AlphaWatch()
    #expect(watch.isNew && watch.deadline == .zero)
    for (share, isChanged) in [(nil as Double?, false), (0.0, true), (nil, false), (0.02, true)] {
      watch.recordDamage()
      let isBegun = watch.beginReading(now: watch.deadline ?? .zero)
      let hasChanged = watch.endReading(translucentShare: share)
      #expect(isBegun && hasChanged == isChanged)
    }
    #expect(!watch.paintsOpaque)
  }
}
