import TestDice
import Testing

@testable import X11Display

/// When the pixels of a window are read, and what they tell.
@Suite struct AlphaWatchTests {
  /// The counts of a window of 100x100 pixels with an alpha of 255 elsewhere.
  private func counts(_ alphas: [UInt8: Int]) -> AlphaCounts {
    var counts = AlphaCounts()
    for (alpha, count) in alphas { counts.add(alpha, times: count) }
    counts.add(255, times: 10_000 - counts.total)
    return counts
  }

  private func translucent(_ count: Int) -> PaintedAlpha { PaintedAlpha(counts([128: count])) }

  @Test func windowIsOpaqueIfHardlyAnyPixelIsTranslucent() {
    for (alphas, isOpaque) in [
      ([:], true), ([128: 100], true), ([128: 101], false), ([0: 40], true), ([0: 4000], true),
      ([0: 4000, 200: 61], false), ([0: 10_000], false), ([153: 9000], false),
    ] as [([UInt8: Int], Bool)] {
      #expect(PaintedAlpha(counts(alphas)).isOpaque == isOpaque, "\(alphas)")
    }
  }

  @Test func backgroundIsTheLowestFrequentAlpha() {
    for (alphas, alpha) in [
      ([:], 255), ([153: 9000], 153), ([200: 900], 200), ([200: 400], 255), ([0: 10_000], nil),
      ([0: 9800, 180: 150], 180), ([180: 8000, 90: 200], 180),
    ] as [([UInt8: Int], UInt8?)] {
      #expect(PaintedAlpha(counts(alphas)).background == alpha, "\(alphas)")
    }
  }

  /// A terminal with a clear background has glass everywhere.
  @Test func gapsAreFreeParts() {
    for (alphas, hasGaps) in [
      ([:], false), ([153: 9000], false), ([153: 9990, 0: 4], true), ([153: 9990, 70: 4], true),
      ([153: 9990, 80: 4], false), ([0: 7500, 180: 2500], true), ([0: 7501, 180: 2499], false),
    ] as [([UInt8: Int], Bool)] {
      #expect(PaintedAlpha(counts(alphas)).hasGaps == hasGaps, "\(alphas)")
    }
  }

  /// A program that draws at random, and a server that answers some time later.
  @Test(arguments: 0..<200) func readingsAreRareAndTheLastOneSeesAll(seed: Int) {
    var dice = Dice(seed: seed)
    var watch = AlphaWatch()
    var now = Duration.zero
    var readings: [Duration] = []
    // What the window has now, and what is being read.
    var (painted, read) = (translucent(0), translucent(0))
    func answer() { _ = watch.endReading(read) }
    func act() {
      if watch.isReading {
        if dice.roll(0...1) == 0 { answer() }
      } else if watch.beginReading(now: now) {
        readings.append(now)
        read = painted
      }
    }
    for _ in 0..<200 {
      now += .milliseconds(dice.roll(0...120))
      if dice.roll(0...3) == 0 {
        painted = translucent([0, 50, 200, 6000][dice.roll(0...3)])
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
      read = painted
      answer()
    }
    #expect(watch.found == painted, "\(dice)")
    let pauses = zip(readings, readings.dropFirst()).map { $1 - $0 }
    #expect(pauses.allSatisfy { $0 >= .milliseconds(100) }, "\(dice)")
    #expect(pauses.dropFirst(3).allSatisfy { $0 >= .seconds(1) }, "\(dice)")
  }

  @Test func unreadablePixelsChangeNothing() {
    var watch = AlphaWatch()
    #expect(watch.isNew && watch.deadline == .zero)
    for (painted, isChanged) in [
      (nil, false), (translucent(0), true), (nil, false), (translucent(200), true),
    ] {
      watch.recordDamage()
      let isBegun = watch.beginReading(now: watch.deadline ?? .zero)
      let hasChanged = watch.endReading(painted)
      #expect(isBegun && hasChanged == isChanged)
    }
    #expect(watch.found == translucent(200))
  }
}
