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

  /// The mean of 16x16 dithered pixels of a slope differs little from that of the slope.
  @Test func meansOfSlopesAreAccurate() {
    var worst = 0.0
    for step in 0...28 {
      for direction in 0..<4 {
        let slope = 0.005 * Double(step)
        let across = [1, 0, 0.7, 0.7][direction] * slope
        let down = [0, 1, 0.7, -0.7][direction] * slope
        for phase in 0..<16 {
          var error = 0.0
          for y in 0..<16 {
            for x in 0..<16 {
              let value = Double(phase) / 16 + across * Double(x) + down * Double(y)
              let threshold = Double(dither.values[dither.index(x: x, y: y)]) / 256
              error += (value + threshold).rounded(.down) - value
            }
          }
          worst = max(worst, abs(error / 256))
        }
      }
    }
    #expect(worst <= 0.037, "\(worst)")
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
