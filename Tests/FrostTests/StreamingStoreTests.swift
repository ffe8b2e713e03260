import Raster
import TestDice
import Testing

@testable import Frost

/// Large glass is stored past the caches, in whole cache lines.
@Suite struct StreamingStoreTests {
  private static let materials = [
    Material(sigma: 20), Material(sigma: 3, isDithered: false), Material(sigma: 12, noise: 0.05),
  ]

  @Test(arguments: materials)
  func largeDrawEqualsSmallDraws(material: Material) {
    var dice = Dice(seed: Int(material.sigma))
    let screen = Bitmap.noise(width: 2048, height: 530, using: &dice)
    let pane = Rect(x: 0, y: 5, width: 2048, height: 520)
    var glass = PictureGlass(pane: pane, picture: screen.bounds, material: material)
    _ = glass.update(with: screen, damage: screen.bounds)
    _ = glass.settle()
    var expected = Bitmap(width: pane.width, height: pane.height)
    for y in stride(from: pane.y, to: pane.maxY, by: 130) {
      glass.draw(Rect(x: 0, y: y, width: pane.width, height: 130), into: &expected)
    }
    let garbage: UInt32 = 0x1234_5678
    var pixels = [UInt32](repeating: garbage, count: 2064 * pane.height)
    var places: Set<Int> = []
    // At each place in a cache line.
    for shift in 0..<16 {
      let bounds = Rect(pane.x - shift..<pane.maxX, pane.rows)
      let layout = PixelLayout(bounds, stride: 2064)
      for i in pixels.indices { pixels[i] = garbage }
      var span = pixels.mutableSpan
      places.insert(span.countBeforeCacheLine(at: shift))
      glass.draw(pane, into: &span, layout)
      let isRight = pixels.indices.allSatisfy { i in
        let (x, y) = (i % 2064 - shift, i / 2064)
        let isInside = x >= 0 && x < pane.width
        return pixels[i] == (isInside ? expected[x, y] : garbage)
      }
      #expect(isRight, "\(dice), shift \(shift)")
    }
    #expect(places == Set(0..<16))
  }
}
