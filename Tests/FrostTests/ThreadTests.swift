import Frost
import Raster
import TestDice
import Testing

@Suite struct ThreadTests {
  @Test(arguments: [0, 2, 4.9, 9.5, 15, 30, 60, 130, 200])
  func resultIsIndependentOfThreadCount(sigma: Double) {
    var dice = Dice(seed: Int(sigma))
    let screen = Bitmap.noise(width: 1111, height: 777, using: &dice)
    let pane = Rect(x: 13, y: 5, width: 1031, height: 703)
    let material = Material(sigma: sigma, tone: Tone(saturation: 1.8, brightness: 0.1))
    let alone = frosted(screen, pane: pane, material: material)
    for threads in [2, 3, 7] {
      let result = frosted(screen, pane: pane, material: material, threads: threads)
      #expect(result == alone, "\(dice): \(threads) threads")
    }
  }

  @Test(arguments: [0, 2, 4.9, 9.5, 15, 30, 60, 130, 200])
  func partialUpdateByTwoThreadsEqualsWholeUpdate(sigma: Double) {
    var dice = Dice(seed: Int(sigma))
    var screen = Bitmap.noise(width: 1111, height: 777, using: &dice)
    let pane = Rect(x: 13, y: 5, width: 1031, height: 703)
    let material = Material(sigma: sigma, tone: Tone(saturation: 1.8, brightness: 0.1))
    var glass = PictureGlass(pane: pane, picture: screen.bounds, material: material)
    glass.threads = 2
    var picture = Bitmap(width: pane.width, height: pane.height)
    _ = glass.update(with: screen, damage: screen.bounds)
    for _ in 0..<3 {
      let damage = Rect.random(in: screen.bounds, using: &dice)
        .hull(Rect(x: 500, y: 300, width: 1, height: 1))
      for y in damage.rows { for x in damage.columns { screen[x, y] ^= 0xff_ffff } }
      _ = glass.update(with: screen, damage: damage)
      for part in glass.settle().rects { glass.draw(part, into: &picture) }
    }
    #expect(picture == frosted(screen, pane: pane, material: material), "\(dice)")
  }

  /// Bands write to memory with space between the rows, which must not change.
  @Test(arguments: [2, 15, 30])
  func bandsDoNotWriteBetweenRows(sigma: Double) {
    var dice = Dice(seed: 15)
    let screen = Bitmap.noise(width: 1100, height: 720, using: &dice)
    let pane = Rect(x: 30, y: 9, width: 1033, height: 701)
    var glass = PictureGlass(pane: pane, picture: screen.bounds, material: Material(sigma: sigma))
    glass.threads = 3
    glass.update(only: glass.sourceRegion, of: screen, true, using: &dice)
    _ = glass.settle()
    let layout = PixelLayout(pane.grown(by: 3), stride: pane.width + 11)
    let untouched = layout.garbage(using: &dice)
    var pixels = untouched
    var span = pixels.mutableSpan
    glass.draw(pane, into: &span, layout)
    let alone = frosted(screen, pane: pane, material: Material(sigma: sigma))
    let isRight = pixels.indices.allSatisfy { i in
      let x = layout.bounds.x + i % layout.stride
      let y = layout.bounds.y + i / layout.stride
      let isInside = pane.contains(x: x, y: y)
      return pixels[i] == (isInside ? alone[x - pane.x, y - pane.y] : untouched[i])
    }
    #expect(isRight, "\(dice)")
  }
}
