import Frost
import Raster
import TestDice
import Testing

@Suite struct PartialUpdateTests {
  @Test(arguments: [0, 1.5, 2.4, 4, 5, 8, 10, 17, 20, 45, 90, 200])
  func partialUpdateEqualsWholeUpdate(sigma: Double) {
    var dice = Dice(seed: Int(sigma * 10) + 4)
    for isDithered in [false, true] {
      let size = Rect.random(in: Rect(x: 0, y: 0, width: 320, height: 240), using: &dice)
      var screen = Bitmap.noise(width: size.width, height: size.height, using: &dice)
      let pane = Rect.random(in: screen.bounds, using: &dice)
      let material = Material(
        sigma: sigma,
        tone: Tone(saturation: 1.8, tint: Color(red: 1, green: 0, blue: 0, alpha: 0.2)),
        isDithered: isDithered)
      var glass = PictureGlass(pane: pane, picture: screen.bounds, material: material)
      _ = glass.update(with: screen, damage: screen.bounds)
      var picture = Bitmap(width: pane.width, height: pane.height)
      for part in glass.settle().rects { glass.draw(part, into: &picture) }
      for _ in 0..<25 {
        for _ in 0..<Int.random(in: 1...3, using: &dice) {
          let damage = Rect.random(in: screen.bounds, using: &dice)
            .intersection(Rect.random(in: screen.bounds, using: &dice))
          for y in damage.rows {
            for x in damage.columns {
              screen[x, y] = UInt32(truncatingIfNeeded: dice.next()) | 0xff00_0000
            }
          }
          _ = glass.update(with: screen, damage: damage)
        }
        for part in glass.settle().rects { glass.draw(part, into: &picture) }
        #expect(picture == frosted(screen, pane: pane, material: material), "\(dice)")
      }
    }
  }
}
