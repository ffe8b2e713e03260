import Frost
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
  let (psnr, largest) = sigma >= 6 ? (55.0, 3.0) : (50.0, 5.0)
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
  0, 0.1, 0.5, 1, 1.7, 2.39, 2.4, 3, 4.2, 4.99, 5, 5.5, 6, 7.3, 8, 9.59, 9.6, 10, 13, 16, 19.19,
  19.2, 20, 27, 38.3, 38.4, 40, 60, 76.8, 100, 153.6, 200,
]

@Suite struct AccuracyTests {
  @Test(arguments: sigmas)
  func desktopIsBlurredAccurately(sigma: Double) {
    var dice = Dice(seed: 1)
    expectAccurate(
      .desktop(width: 401, height: 303, using: &dice), sigma: sigma, "\(dice): desktop")
  }

  @Test(arguments: sigmas)
  func blackAndWhiteNoiseIsBlurredAccurately(sigma: Double) {
    var dice = Dice(seed: 2)
    expectAccurate(
      .blackAndWhiteNoise(width: 203, height: 171, using: &dice), sigma: sigma,
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
    for _ in 0..<60 {
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
}
