@testable import Frost
import Raster
import TestDice
import Testing

@Suite struct CornerTests {
  /// In levels of 255. The mask is rounded to 1/128 level, its chords have an error of 1/40, the
  /// model of 1/16.
  private let tolerance = 0.1

  @Test func coverageIsTheAreaInsideTheOutline() {
    var dice = Dice(seed: 100)
    var worst = 0.0
    for _ in 0..<100 {
      let corner = Corner.random(using: &dice)
      let (width, height) = dice.paneSize(upTo: 90)
      let mask = CornerMask(corner, width: width, height: height)
      let model = OutlineModel(corner, width: width, height: height)
      for _ in 0..<30 {
        let (x, y) = randomCornerPixel(mask, using: &dice)
        let error = abs(mask.share(x, y) - model.coverage(x: x, y: y)) * 255
        worst = max(worst, error)
      }
    }
    #expect(worst <= tolerance, "\(dice)")
  }

  @Test func coverageOfLargeCornerIsExact() {
    var dice = Dice(seed: 104)
    for radius in [130.5, 540, 2000] {
      for curve in [Corner.Curve.circular, .continuous] {
        let corner = Corner(radius: radius, curve: curve)
        let mask = CornerMask(corner, width: 7001, height: 6200)
        let model = OutlineModel(corner, width: 7001, height: 6200)
        for _ in 0..<20 {
          let y = dice.roll(0...mask.reach - 1)
          // The first covered pixel of the row, and those right of it.
          var x = (0...mask.reach).first { mask.coverage(x: $0, y: y) > 0 } ?? 0
          x += dice.roll(0...dice.roll(0...9))
          let error = abs(mask.share(x, y) - model.coverage(x: x, y: y)) * 255
          #expect(error <= tolerance, "\(dice): \(x), \(y), \(corner)")
        }
      }
    }
  }

  /// A random pixel of a corner, usually a partly covered one.
  private func randomCornerPixel(_ mask: CornerMask, using dice: inout Dice) -> (Int, Int) {
    let reach = max(1, mask.reach)
    let y = dice.roll(0...reach - 1)
    var x = dice.roll(0...reach - 1)
    for _ in 0..<8 where [0, Weight.one].contains(mask.coverage(x: x, y: y)) {
      x = dice.roll(0...reach - 1)
    }
    return Bool.random(using: &dice) ? (x, y) : (mask.width - 1 - x, mask.height - 1 - y)
  }

  /// The samples are exact except in the cells of the 16x16 that the outline crosses, each with an
  /// error of up to one half.
  @Test func coverageEqualsSixteenBySixteenSamples() {
    var dice = Dice(seed: 101)
    for _ in 0..<60 {
      let corner = Corner.random(using: &dice)
      let (width, height) = dice.paneSize(upTo: 50)
      let mask = CornerMask(corner, width: width, height: height)
      let model = OutlineModel(corner, width: width, height: height)
      for y in 0..<min(height, mask.reach) {
        for x in 0..<min(width, mask.reach) {
          let (share, crossed) = samples(model, x, y)
          let isRight = abs(mask.share(x, y) - share) <= 1 / 255.0 + crossed / 512
          #expect(isRight, "\(dice): \(x), \(y) of \(width)x\(height), \(corner)")
        }
      }
    }
  }

  private func samples(_ model: OutlineModel, _ x: Int, _ y: Int) -> (Double, crossed: Double) {
    var (hits, crossed) = (0, 0)
    func isIn(_ i: Double, _ j: Double) -> Bool {
      model.contains(Double(x) + i / 16, Double(y) + j / 16)
    }
    for j in 0..<16 {
      for i in 0..<16 {
        let (i, j) = (Double(i), Double(j))
        if isIn(i + 0.5, j + 0.5) { hits += 1 }
        let ends = [isIn(i, j), isIn(i + 1, j), isIn(i, j + 1), isIn(i + 1, j + 1)]
        if ends.contains(true), ends.contains(false) { crossed += 1 }
      }
    }
    return (Double(hits) / 256, Double(crossed))
  }

  @Test func coverageIsSymmetricAndIncreasesInward() {
    var dice = Dice(seed: 102)
    for _ in 0..<200 {
      let corner = Corner.random(using: &dice)
      let (width, height) = dice.paneSize(upTo: 70)
      let mask = CornerMask(corner, width: width, height: height)
      let transposed = CornerMask(corner, width: height, height: width)
      var isRight = true
      for y in 0..<height {
        for x in 0..<width {
          let coverage = mask.coverage(x: x, y: y)
          isRight =
            isRight && coverage == mask.coverage(x: width - 1 - x, y: y)
            && coverage == mask.coverage(x: x, y: height - 1 - y)
            && abs(Int(coverage) - Int(transposed.coverage(x: y, y: x))) <= 8
          if 2 * x + 1 < width - 1 {
            isRight = isRight && coverage <= mask.coverage(x: x + 1, y: y)
          }
          if 2 * y + 1 < height - 1 {
            isRight = isRight && coverage <= mask.coverage(x: x, y: y + 1)
          }
          let isInCorner = mask.corners(of: Rect(x: 0, y: 0, width: width, height: height))
            .contains { $0.contains(x: x, y: y) }
          isRight = isRight && (isInCorner || coverage == Weight.one)
        }
      }
      #expect(isRight, "\(dice): \(width)x\(height), \(corner)")
      #expect(
        mask.coverage(x: -1, y: height / 2) == 0 && mask.coverage(x: width, y: 0) == 0, "\(dice)")
      #expect(
        mask.coverage(x: 0, y: height) == 0 && mask.coverage(x: width / 2, y: -1) == 0, "\(dice)")
    }
  }

  @Test func reachOfCornerIsThatOfItsCurve() {
    func reach(_ radius: Double, _ curve: Corner.Curve, _ width: Int, _ height: Int) -> Int {
      CornerMask(Corner(radius: radius, curve: curve), width: width, height: height).reach
    }
    #expect(reach(10, .circular, 100, 100) == 10)
    #expect(reach(10, .continuous, 100, 100) == 16)
    #expect(reach(10, .continuous, 100, 26) == 13)
    #expect(reach(10, .continuous, 20, 100) == 10)
    #expect(reach(10, .circular, 7, 100) == 4)
    #expect(reach(0, .continuous, 7, 7) == 0)
  }

  @Test func capsuleHasRoundEndsWithEitherCurve() {
    for height in [1, 2, 9, 40, 101] {
      let circular = CornerMask(Corner(radius: 1000), width: 200, height: height)
      let continuous = CornerMask(
        Corner(radius: 1000, curve: .continuous), width: 200, height: height)
      for y in 0..<height {
        for x in 0..<100 {
          #expect(abs(circular.share(x, y) - continuous.share(x, y)) < 0.1 / 255)
        }
      }
    }
  }

  @Test func anyRadiusIsFittedToThePane() {
    for radius in [-1, 0, -Double.infinity, .nan] {
      #expect(CornerMask(Corner(radius: radius), width: 9, height: 5).reach == 0)
    }
    for curve in [Corner.Curve.circular, .continuous] {
      for radius in [1e-300, 1e6, .greatestFiniteMagnitude, .infinity] {
        for (width, height) in [(1, 1), (2, 1), (3, 3), (3000, 2500)] {
          let corner = Corner(radius: radius, curve: curve)
          #expect(CornerMask(corner, width: width, height: height).reach <= (height + 1) / 2)
        }
      }
    }
    #expect(abs(CornerMask(Corner(radius: 9), width: 1, height: 1).share(0, 0) - .pi / 4) < 1e-3)
  }

  @Test func cutScalesAllChannelsOfCornersOnly() {
    var dice = Dice(seed: 103)
    for _ in 0..<100 {
      let corner = Corner.random(using: &dice)
      let size = dice.paneSize(upTo: 70)
      let pane = Rect(
        x: dice.roll(-50...50), y: dice.roll(-50...50), width: size.width, height: size.height)
      let mask = CornerMask(corner, width: size.width, height: size.height)
      let glass = Bitmap.anything(
        width: size.width, height: size.height, isOpaque: false, using: &dice)
      var expected = glass
      for y in 0..<size.height {
        for x in 0..<size.width {
          expected[x, y] = scaledByChannel(glass[x, y], Int(mask.coverage(x: x, y: y)))
        }
      }
      let cut = drawnWholeAndInParts(pane, over: glass, using: &dice) { target, pixels, layout in
        mask.cut(target, of: pane, in: &pixels, layout)
      }
      #expect(cut == expected, "\(dice): \(pane), \(corner)")
    }
  }

  private func scaledByChannel(_ pixel: UInt32, _ weight: Int) -> UInt32 {
    [0, 8, 16, 24].reduce(0) { sum, shift in
      let channel = Int(pixel >> UInt32(shift) & 255)
      return sum | UInt32((channel * weight + 16384) / 32768) << UInt32(shift)
    }
  }
}

extension CornerMask {
  fileprivate func share(_ x: Int, _ y: Int) -> Double { Double(coverage(x: x, y: y)) / 32768 }
}
