@testable import Frost
import Testing

@Suite struct DitherTests {
  @Test func anOrderedDitherHasEveryThresholdOnce() {
    let thresholds = (0..<64).map { place in
      Int(Dither.ordered.thresholds[Dither.index(x: place % 8, y: place / 8)])
    }
    #expect(thresholds.sorted() == (0..<64).map { 4 * $0 + 2 })
  }

  /// Else coarse patterns show: of any four neighbours, each must lie in a quarter of its own.
  @Test func theFourThresholdsOfASquareLieFarApart() {
    func threshold(_ x: Int, _ y: Int) -> Int {
      Int(Dither.ordered.thresholds[Dither.index(x: x, y: y)])
    }
    for y in stride(from: 0, to: 8, by: 2) {
      for x in stride(from: 0, to: 8, by: 2) {
        let four = [
          threshold(x, y), threshold(x + 1, y), threshold(x, y + 1), threshold(x + 1, y + 1),
        ]
        #expect(four.map { $0 / 64 } == [0, 2, 3, 1])
      }
    }
  }

  @Test func bothChannelsAndBothPeriodsOfARowAreAlike() {
    for dither in [Dither.ordered, .none] {
      let thresholds = dither.thresholds
      #expect(thresholds.count == 8 * 32)
      for i in thresholds.indices {
        let x = i % 32 / 2
        #expect(thresholds[i] == thresholds[Dither.index(x: x, y: i / 32)])
      }
    }
  }
}
