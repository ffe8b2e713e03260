@testable import Frost
import Testing

@Suite struct DitherTests {
  private let dither = Grain(Material(sigma: 0), isOpaque: true)

  @Test func ditherHasEachThresholdOnce() {
    let thresholds = (0..<128).map { place in
      Int(dither.values[dither.index(x: place % 16, y: place / 16)])
    }
    #expect(thresholds.sorted() == (0..<128).map { 2 * $0 + 1 })
  }

  /// So the mean of 8x8 pixels of one colour is that colour.
  @Test func halvesOfTheDitherHaveEvenThresholds() {
    for left in [0, 8] {
      let thresholds = (0..<64).map { place in
        Int(dither.values[dither.index(x: left + place % 8, y: place / 8)])
      }
      #expect(thresholds.sorted().map { $0 / 4 } == Array(0..<64), "\(left)")
      #expect(thresholds.reduce(0, +) == 64 * 128, "\(left)")
    }
  }

  /// Otherwise coarse patterns are visible: the thresholds of each 2x2 square, and of four neighbours in a row or a
  /// column, must be in different quarters of the range.
  @Test func neighbouringThresholdsAreInDifferentQuarters() {
    func quarters(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Set<Int> {
      Set(
        (0..<4).map { i in
          let at = dither.index(x: x + i % width, y: y + i / width)
          return Int(dither.values[at]) / 64
        })
    }
    for y in 0..<8 {
      for x in 0..<16 {
        #expect(quarters(x, y, 4, 1).count == 4)
        #expect(quarters(x, y, 1, 4).count == 4)
        if x % 2 == 0, y % 2 == 0 { #expect(quarters(x, y, 2, 2).count == 4) }
      }
    }
  }

  /// The mean of 16x16 dithered pixels of a slope differs little from that of the slope.
  @Test(arguments: [(1, 0, 48), (0, 1, 48), (0.7, 0.7, 28), (0.7, -0.7, 28)])
  func meansOfSlopesAreAccurate(across: Double, down: Double, steepest: Int) {
    var worst = 0.0
    for step in 0...steepest {
      let slope = 0.005 * Double(step)
      for phase in 0..<16 {
        var error = 0.0
        for y in 0..<16 {
          for x in 0..<16 {
            let value =
              Double(phase) / 16 + slope * (across * Double(x) + down * Double(y))
            let threshold = Double(dither.values[dither.index(x: x, y: y)]) / 256
            error += (value + threshold).rounded(.down) - value
          }
        }
        worst = max(worst, abs(error / 256))
      }
    }
    #expect(worst <= 0.03, "\(worst)")
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
