@testable import Frost
import Raster
import TestDice
import Testing

/// Expects the accuracy that the product promises for a blur without dither: PSNR and largest error
/// against a float64 Gaussian.
private func expectAccurate(
  _ picture: Bitmap, sigma: Double, _ what: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let result = frosted(picture, material: Material(sigma: sigma, isDithered: false))
  let reference = gaussian(picture, sigma: sigma)
  let error = deviation(of: result, from: reference)
  let (psnr, largest) = sigma >= 6 ? (55.0, 3.0) : (50.0, sigma >= 3 ? 3.0 : 5.0)
  // A frame of a few nearly equal pixels, half way between two levels, can be below the bound in 8
  // bits even if each is rounded correctly. Then the PSNR must be within 1 dB of the best.
  let best = deviation(of: rounded(reference, like: picture), from: reference).psnr
  #expect(
    error.psnr >= min(psnr, best - 1), "\(what), sigma \(sigma)", sourceLocation: sourceLocation)
  #expect(error.largest <= largest, "\(what), sigma \(sigma)", sourceLocation: sourceLocation)
  #expect(error.alphaIsExact, "\(what), sigma \(sigma)", sourceLocation: sourceLocation)
}

/// Sigmas of every branch of the plan, including the limits of the branches.
private let sigmas: [Double] = [
  0, 0.1, 0.5, 1, 1.7, 2.4, 3, 3.5, 3.99, 4, 4.5, 4.94, 4.95, 5, 6, 6.99, 7, 8, 9, 9.89, 9.9, 10,
  11, 13, 16, 19.79,
  19.8, 20, 24, 28.99, 29, 40, 60, 76.99, 77, 100, 153.6, 200,
]

@Suite struct AccuracyTests {
  @Test(arguments: sigmas)
  func desktopIsBlurredAccurately(sigma: Double) {
    var dice = Dice(seed: 1)
    expectAccurate(
      .desktop(width: 241, height: 183, using: &dice), sigma: sigma, "\(dice): desktop")
  }

  @Test(arguments: sigmas)
  func blackAndWhiteNoiseIsBlurredAccurately(sigma: Double) {
    var dice = Dice(seed: 2)
    expectAccurate(
      .blackAndWhiteNoise(width: 131, height: 107, using: &dice), sigma: sigma,
      "\(dice): noise")
  }

  @Test(arguments: sigmas)
  func frameSmallerThanKernelIsBlurredAccurately(sigma: Double) {
    var dice = Dice(seed: 3)
    for (width, height) in [(1, 1), (1, 9), (7, 2), (16, 16), (33, 5)] {
      expectAccurate(
        .blackAndWhiteNoise(width: width, height: height, using: &dice), sigma: sigma,
        "\(dice): \(width)x\(height)")
    }
    for _ in 0..<Effort.rounds(8) {
      let width = Int.random(in: 1...randomReach(of: sigma, using: &dice), using: &dice)
      let height = Int.random(
        in: 1...min(randomReach(of: sigma, using: &dice), 10_000 / width), using: &dice)
      expectAccurate(
        .blackAndWhiteNoise(width: width, height: height, using: &dice), sigma: sigma,
        "\(dice): \(width)x\(height)")
    }
  }

  /// The largest length of an edge: from a few pixels to the width of the kernel.
  private func randomReach(of sigma: Double, using dice: inout Dice) -> Int {
    let reaches = [8, 20, 2 + Int(2 * sigma), 2 + Int(9 * sigma)]
    return reaches[Int.random(in: 0..<reaches.count, using: &dice)]
  }

  @Test(arguments: [2.4, 5, 6, 9.6, 10, 19.2, 20, 40])
  func lineAndStepAreBlurredAccuratelyAtEveryGridPhase(sigma: Double) {
    for phase in 0..<64 {
      var line = Bitmap(width: 1920, height: 1, filledWith: 0xff00_0000)
      line[900 + phase, 0] = 0xffff_ffff
      expectAccurate(line, sigma: sigma, "line at phase \(phase)")
      var step = Bitmap(width: 1, height: 1920, filledWith: 0xff00_0000)
      for y in 900 + phase..<1920 { step[0, y] = 0xffff_ffff }
      expectAccurate(step, sigma: sigma, "step at phase \(phase)")
    }
  }

  /// The sigmas at which the plan changes, on a large output.
  private static let limits = (51...20_000).filter {
    Plan(sigma: Double($0 - 1) / 100).shape != Plan(sigma: Double($0) / 100).shape
  }.map { Double($0) / 100 }

  @Test func planChangesAtFewSigmas() { #expect(Self.limits.count == 7) }

  /// Both results are rounded, so they may differ by a level where both plans are exact.
  @Test(arguments: limits)
  func pictureDoesNotChangeWhereThePlanDoes(sigma: Double) {
    let extent = 8 * Int(sigma) + 40
    for seed in 0..<Effort.rounds(1) {
      var dice = Dice(seed: seed)
      let picture = Bitmap.desktop(width: extent + 60, height: extent, using: &dice)
      let below = frosted(picture, material: Material(sigma: sigma - 0.011, isDithered: false))
      let above = frosted(picture, material: Material(sigma: sigma + 0.001, isDithered: false))
      var worst = 0
      for (one, other) in zip(above.pixels, below.pixels) {
        for shift: UInt32 in [0, 8, 16] {
          worst = max(worst, abs(Int(one >> shift & 255) - Int(other >> shift & 255)))
        }
      }
      #expect(worst == 1, "\(dice), sigma \(sigma)")
    }
  }
}

extension Plan {
  /// Everything except the weights of the Gaussian.
  fileprivate var shape: [Int] { [reduction.cell, isHalved ? 1 : 0, doublings] }
}
