@testable import Frost
import Raster
import TestDice
import Testing

@Suite struct NoiseTests {
  @Test func noiseHasMeanZero() {
    for noise in [0.004, 0.02, 0.1, 0.25] {
      let tile = NoiseTile(amplitude: noise * 65280)
      for top in stride(from: 0, to: NoiseTile.height, by: 8) {
        for left in stride(from: 0, to: NoiseTile.width, by: 8) {
          let values = (0..<64).map { tile[left + $0 % 8, top + $0 / 8] }
          #expect(values.reduce(0, +) == 0)
          #expect(values.max() == -values.min()!)
          #expect(abs(Double(values.max()!) - noise * 65280 / 2) <= 128)
          #expect(values.allSatisfy { $0 % 256 == 0 })
        }
      }
    }
  }

  private let grain = Grain(Material(sigma: 0, noise: 0.1, isDithered: false), isOpaque: true)

  /// The noise of a pixel of an output.
  private func noise(_ x: Int, _ y: Int) -> Double {
    Double(Int16(bitPattern: grain.values[grain.index(x: x, y: y)])) - 128
  }

  /// Neighbouring pixels, blocks and areas, and all distances in a row up to 1024 pixels: no repetition is
  /// visible.
  @Test func noiseIsUncorrelated() {
    let (width, height) = (1600, 96)
    let values = (0..<height).map { y in (0..<width).map { noise($0, y) } }
    let square = values.joined().reduce(0) { $0 + $1 * $1 } / Double(width * height)
    func correlation(_ dx: Int, _ dy: Int) -> Double {
      var product = 0.0
      for y in 0..<height - dy {
        for x in 0..<width - dx { product += values[y][x] * values[y + dy][x + dx] }
      }
      return product / square / Double((height - dy) * (width - dx))
    }
    for dx in 1...1024 { #expect(abs(correlation(dx, 0)) < 0.1, "\(dx)") }
    for dy in 1...64 { #expect(abs(correlation(0, dy)) < 0.1, "\(dy)") }
    for (dx, dy) in [
      (1, 0), (0, 1), (1, 1), (2, 0), (8, 0), (0, 8), (32, 0), (0, 32), (0, 64), (64, 0),
    ] {
      #expect(abs(correlation(dx, dy)) < 0.05, "\(dx), \(dy)")
    }
  }

  /// The means of rows, and those of columns, differ no more than those of white noise.
  @Test func rowsAndColumnsHaveEqualMeans() {
    let (width, height) = (1920, 1080)
    var (rows, columns) = (
      Array(repeating: 0.0, count: height), Array(repeating: 0.0, count: width)
    )
    var square = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let value = noise(x, y)
        rows[y] += value / Double(width)
        columns[x] += value / Double(height)
        square += value * value / Double(width * height)
      }
    }
    func variance(_ means: [Double]) -> Double {
      means.reduce(0) { $0 + $1 * $1 } / Double(means.count)
    }
    // The variance of the mean of n independent values is that of one divided by n.
    #expect(variance(rows) <= square / Double(width))
    #expect(variance(columns) <= square / Double(height))
  }

  @Test func noiseSaturatesAtBlackAndWhite() {
    for (level, range) in [(0, 0...17), (255, 238...255), (128, 111...145)] {
      let screen = Bitmap(
        width: 300, height: 70, filledWith: 0xff00_0000 | UInt32(level) * 0x1_0101)
      let result = frosted(screen, material: Material(sigma: 20, noise: 0.125))
      for pixel in result.pixels {
        #expect(pixel >> 24 == 255)
        #expect([0, 8, 16].allSatisfy { range.contains(Int(pixel >> $0 & 255)) })
        // Each pixel is gray.
        #expect(pixel & 255 == pixel >> 8 & 255 && pixel & 255 == pixel >> 16 & 255)
      }
    }
  }

  @Test func noiseIsFixedToPixelsOfTheOutput() {
    var dice = Dice(seed: 5)
    let material = Material(sigma: 12, noise: 0.05)
    let flat = Bitmap(width: 400, height: 200, filledWith: 0xff80_8080)
    let (here, there) = (
      Rect(x: 3, y: 5, width: 300, height: 100), Rect(x: 90, y: 71, width: 300, height: 100)
    )
    let common = here.intersection(there)
    func noise(of pane: Rect) -> Bitmap {
      let picture = frosted(flat, pane: pane, material: material)
      return Bitmap(common, of: picture.pixels.span, PixelLayout(pane))
    }
    #expect(noise(of: here) == noise(of: there), "\(dice)")
    var glass = PictureGlass(pane: flat.bounds, picture: flat.bounds, material: material)
    _ = glass.update(with: flat, damage: flat.bounds)
    _ = glass.settle()
    var first = flat
    glass.draw(flat.bounds, into: &first)
    var second = first
    for _ in 0..<20 { glass.draw(.random(in: flat.bounds, using: &dice), into: &second) }
    #expect(first == second, "\(dice)")
  }

  @Test func noiseKeepsColoursWithinAlpha() {
    var dice = Dice(seed: 6)
    for alpha: UInt32 in [0, 1, 7, 60, 200, 254] {
      var screen = Bitmap(width: 83, height: 31)
      for i in screen.pixels.indices {
        screen.pixels[i] = premultiplied(UInt32(truncatingIfNeeded: dice.next()), alpha)
      }
      let result = frosted(
        screen, material: Material(sigma: 8, noise: 0.2), isOpaque: false)
      for pixel in result.pixels {
        #expect(pixel >> 24 == alpha, "\(dice)")
        #expect([0, 8, 16].allSatisfy { pixel >> $0 & 255 <= alpha }, "\(dice)")
      }
    }
  }
}
