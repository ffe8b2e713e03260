import Raster
import TestDice
import Testing

@testable import Pictures

private func isPremultiplied(_ pixel: UInt32) -> Bool {
  let alpha = pixel >> 24
  return [0, 8, 16].allSatisfy { pixel >> $0 & 255 <= alpha }
}

/// The mean of each channel.
private func means(_ pixels: some Collection<UInt32>) -> [Double] {
  [0, 8, 16, 24].map { shift in
    Double(pixels.reduce(0) { $0 + Int($1 >> shift & 255) }) / Double(pixels.count)
  }
}

@Suite struct BitmapScalingTests {
  @Test func pictureThatKeepsItsSizeIsCopied() throws {
    var dice = Dice(seed: 1)
    let picture = Bitmap.noise(width: 31, height: 17, using: &dice)
    expectSame(try picture.scaled(by: 1), picture)
    expectSame(try picture.scaled(by: 1.001), picture)
  }

  @Test(arguments: [0.1, 0.3, 0.5, 0.77, 1.25, 2, 3, 8])
  func pictureOfOneColorKeepsItsColor(_ factor: Double) throws {
    for pixel: UInt32 in [0, 0xFFFF_FFFF, 0x8080_4020, 0x0101_0000, 0xFF12_3456] {
      let picture = try Bitmap(width: 23, height: 40, filledWith: pixel).scaled(by: factor)
      let (width, height) = ((23 * factor).rounded(), (40 * factor).rounded())
      expectSame(picture, Bitmap(width: Int(width), height: Int(height), filledWith: pixel))
    }
  }

  /// A smaller picture is an average of all pixels: thin lines do not vanish.
  @Test(arguments: [0.25, 0.5, 0.6, 1.5, 4])
  func scaledNoiseKeepsItsMeanAndStaysPremultiplied(_ factor: Double) throws {
    var dice = Dice(seed: Int(factor * 100))
    var picture = Bitmap(width: 160, height: 120)
    for i in picture.pixels.indices {
      let alpha = UInt32(dice.roll(0...255))
      picture.pixels[i] =
        alpha << 24 | (alpha / 2) << 16 | alpha << 8 | UInt32(dice.roll(0...Int(alpha)))
    }
    let scaled = try picture.scaled(by: factor)
    let bright = scaled.pixels.filter { !isPremultiplied($0) }.count
    #expect(bright == 0)
    for (mean, expected) in zip(means(scaled.pixels), means(picture.pixels)) {
      #expect(abs(mean - expected) < 4)
    }
  }

  @Test func thinLineSurvivesScalingToQuarterSize() throws {
    for line in 0..<40 {
      var picture = Bitmap(width: 40, height: 8, filledWith: 0xFF00_0000)
      for y in 0..<8 { picture[line, y] = 0xFFFF_FFFF }
      let row = try picture.scaled(by: 0.25).pixels[..<10]
      let sum = row.reduce(0) { $0 + Int($1 & 255) }
      #expect((50...80).contains(sum), "\(line): \(sum)")
    }
  }

  @Test func pictureThatWouldBeTooLargeIsRefused() {
    let picture = Bitmap(width: 8000, height: 10)
    #expect(throws: PictureError.largePicture(width: 40000, height: 50)) {
      try picture.scaled(by: 5)
    }
    #expect(throws: PictureError.self) { try picture.scaled(by: .infinity) }
    #expect(throws: PictureError.largePicture(width: 5000, height: 5000)) {
      try Bitmap(width: 50, height: 50).scaled(by: 100)
    }
  }
}
