import Raster
import TestDice
import Testing

@testable import Frost

/// How well a backdrop is recovered after a change behind an overlay.
@Suite struct LeakFidelityTests {
  /// The largest error and the mean square of all errors of the channels.
  private func errors(
    _ sample: LeakSample, _ behind: (_ x: Int, _ y: Int) -> UInt32
  ) -> (largest: Double, meanSquare: Double) {
    var (largest, sum) = (0.0, 0.0)
    sample.forEachPixel { x, y, _, below in
      for shift: UInt32 in [0, 8, 16] {
        let error = Double(below >> shift & 255) - Double(behind(x, y) >> shift & 255)
        largest = max(largest, abs(error))
        sum += error * error
      }
    }
    return (largest, sum / Double(3 * sample.target.area))
  }

  /// The bounds of each pixel hold for a blur of any size: it makes no error larger. 46 dB are a mean square of 1.63.
  private func expectFaithful(_ sample: LeakSample, _ color: UInt32) {
    let errors = errors(sample) { _, _ in color }
    #expect(errors.largest <= 1.5 && errors.meanSquare <= 1.63, "\(String(color, radix: 16))")
  }

  private let target = Rect(x: 0, y: 0, width: 24, height: 16)

  /// The leaks of 123 to 127 are the same, and those of 128 to 132: their middles are wrong by 2 at the ends.
  private static let ambiguous = [123, 127, 128, 132]

  @Test func greysAreRecovered() {
    for level: UInt32 in 8...0xf5 where !Self.ambiguous.contains(Int(level)) {
      var sample = LeakSample(target, wanted: 0xff80_8080)
      _ = sample.follow { _, _ in level * 0x1_0101 }
      expectFaithful(sample, level * 0x1_0101)
    }
  }

  /// Levels up to 5 have no leaks, so they cannot be told from black; nor those from 250 on from white.
  @Test func blackAndWhiteAreExact() {
    for color: UInt32 in [0, 0xff, 0xff00, 0xff_0000, 0xff_ff00, 0xff_ffff] {
      var sample = LeakSample(target, wanted: 0xff80_8080)
      _ = sample.follow { _, _ in 0x60_4080 }
      _ = sample.follow { _, _ in color }
      #expect(sample.backdrop.allSatisfy { $0 == color | 0xff00_0000 })
    }
  }

  /// Errors do not add up: the result is that of the last change alone.
  @Test(arguments: 0..<50)
  func flatColorsAreRecoveredAfterManyChanges(seed: Int) {
    var dice = Dice(seed: seed)
    var sample = LeakSample(target, wanted: 0xff80_8080)
    let untouched = sample
    var color: UInt32 = 0
    for _ in 0..<20 {
      color = (0..<3).reduce(0) { all, _ in
        var level = dice.roll(8...0xf5)
        while Self.ambiguous.contains(level) { level = dice.roll(8...0xf5) }
        return all << 8 | UInt32(level)
      }
      _ = sample.follow { _, _ in color }
      expectFaithful(sample, color)
      // Only the overlay changes.
      let wanted = (0..<3).reduce(UInt32(0xff)) { all, _ in
        all << 8 | UInt32(dice.roll(0x40...0xc0))
      }
      sample.wanted = sample.wanted.map { _ in wanted }
      #expect(sample.follow { _, _ in color }.isEmpty)
    }
    var once = untouched
    _ = once.follow { _, _ in color }
    #expect(sample.backdrop == once.backdrop)
  }

  /// Around a change, only the blocks with changed pixels are another backdrop, and only their rows are reported.
  @Test(arguments: 0..<50)
  func changeOfAPartStaysInItsBlocks(seed: Int) {
    var dice = Dice(seed: seed)
    let target = Rect(x: 0, y: 0, width: 64, height: 48)
    var sample = LeakSample(target, wanted: 0xff80_8080)
    _ = sample.follow { _, _ in 0x40_6080 }
    let part = Rect(
      x: dice.roll(0...50), y: dice.roll(0...40), width: dice.roll(1...14), height: dice.roll(1...8)
    )
    let before = sample.backdrop
    let result = sample.follow { x, y in part.contains(x: x, y: y) ? 0xe0_d0c0 : 0x40_6080 }
    let left = part.x & ~7, top = part.y & ~7
    let blocks = Rect(left..<(part.maxX + 7) & ~7, top..<(part.maxY + 7) & ~7).intersection(target)
    #expect(Region(result) == Region(blocks))
    sample.forEachPixel { x, y, _, below in
      let old = before[y * target.width + x]
      #expect(blocks.contains(x: x, y: y) || below == old)
    }
    // And back.
    _ = sample.follow { _, _ in 0x40_6080 }
    #expect(sample.backdrop == before)
  }

  /// A slope has no flat blocks, but the mean of 16x16 pixels is right.
  @Test(arguments: [1, 2, 3, 5, 8, 16])
  func meansOfGradientsAreRecovered(pixelsPerLevel: Int) {
    let target = Rect(x: 0, y: 0, width: 128, height: 64)
    var sample = LeakSample(target, wanted: 0xff80_8080)
    func behind(_ x: Int, _ y: Int) -> UInt32 {
      let (across, down) = (UInt32(x / pixelsPerLevel), UInt32(y / pixelsPerLevel))
      return (20 + across) << 16 | (210 - across) << 8 | (60 + down)
    }
    _ = sample.follow(behind)
    for top in stride(from: 0, to: 64, by: 16) {
      for left in stride(from: 0, to: 128, by: 16) {
        for shift: UInt32 in [0, 8, 16] {
          var sum = 0
          for y in top..<top + 16 {
            for x in left..<left + 16 {
              sum += Int(sample.backdrop[y * target.width + x] >> shift & 255)
              sum -= Int(behind(x, y) >> shift & 255)
            }
          }
          #expect(abs(sum) <= 256 * 3 / 2, "\(left),\(top): \(Double(sum) / 256)")
        }
      }
    }
  }
}
