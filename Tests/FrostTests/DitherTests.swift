@testable import Frost
import Testing

@Suite struct DitherTests {
  private let dither = Grain(Material(sigma: 0), isOpaque: true)

  @Test func ditherHasEachThresholdOnce() {
    let thresholds = (0..<64).map { place in
      Int(dither.values[dither.index(x: place % 8, y: place / 8)])
    }
    #expect(thresholds.sorted() == (0..<64).map { 4 * $0 + 2 })
  }

  /// Otherwise coarse patterns are visible: the thresholds of each 2x2 square must be in different
  /// quarters of the range.
  @Test func neighbouringThresholdsAreInDifferentQuarters() {
    func threshold(_ x: Int, _ y: Int) -> Int {
      Int(dither.values[dither.index(x: x, y: y)])
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

  @Test func thresholdsOfBothChannelsAreEqual() {
    let plain = Grain(Material(sigma: 0, isDithered: false), isOpaque: true)
    for grain in [dither, plain] {
      for y in 0..<20 {
        for x in 0..<20 {
          let at = grain.index(x: x, y: y)
          #expect(grain.greenAlpha == 0)
          #expect(grain.values[at] == grain.values[at + 1])
          // Kernels read sixteen pixels from here on at once.
          for i in 0..<16 {
            #expect(grain.values[at + 2 * i] == grain.values[grain.index(x: x + i, y: y)])
          }
        }
      }
    }
    #expect(plain.values.allSatisfy { $0 == 128 })
  }
}
