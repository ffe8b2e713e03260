import Frost
import Panes
import Raster
import TestDice
import Testing

/// Long gradients: what is seen of them is the mean of many pixels, which dither makes finer than a level.
@Suite struct GradientTests {
  /// The largest error of the means of blocks of 16x16 pixels, and the mean error, in levels.
  @Test(arguments: NamedMaterial.all.map(\.name))
  func meansOfBlocksEqualTheModel(name: String) throws {
    var dice = Dice(seed: 800)
    var material = try MaterialChoice(
      parsing: name == "tint" ? "tint #2060C0" : name
    ).material
    material.noise = 0
    var (worst, sum, count) = (0.0, 0.0, 0)
    for i in 0..<Effort.rounds(2) {
      let isVertical = i % 2 == 1
      let backdrop = Bitmap.gradient(length: 1920, isVertical: isVertical, using: &dice)
      let pane =
        isVertical
        ? Rect(x: 16, y: 0, width: 16, height: 1920) : Rect(x: 0, y: 16, width: 1920, height: 16)
      let golden = PaneRecipe(backdrop: backdrop, pane: pane, material: material).golden()
      let painted = PaintedPane(material: material).painted(
        on: backdrop, isOpaque: true, pane)
      for y in stride(from: pane.y, to: pane.maxY, by: 16) {
        for x in stride(from: pane.x, to: pane.maxX, by: 16) {
          var error = SIMD4<Double>.zero
          for row in y..<y + 16 {
            for column in x..<x + 16 {
              error += levels(painted[column, row]) - golden[column, row]
            }
          }
          error /= 256
          for channel in 0..<3 {
            worst = max(worst, abs(error[channel]))
            sum += error[channel]
            count += 1
          }
        }
      }
    }
    #expect(worst <= 0.05, "\(name): \(worst)")
    #expect(abs(sum / Double(count)) <= 0.01, "\(name)")
  }
}

extension Bitmap {
  /// A gradient between two random colours, 64 pixels wide or high.
  fileprivate static func gradient(
    length: Int, isVertical: Bool, using dice: inout Dice
  ) -> Bitmap {
    let ends = (0..<2).map { _ in (0..<3).map { _ in Double(dice.roll(0...255)) } }
    let colors = (0..<length).map { place in
      let share = Double(place) / Double(length - 1)
      return (0..<3).reduce(0xFF00_0000 as UInt32) { color, i in
        let level = ends[0][i] + (ends[1][i] - ends[0][i]) * share
        return color | UInt32(level.rounded()) << (8 * UInt32(i))
      }
    }
    return isVertical
      ? Bitmap(
        width: 64, height: length, pixels: colors.flatMap { Array(repeating: $0, count: 64) })
      : Bitmap(width: length, height: 64, pixels: (0..<64).flatMap { _ in colors })
  }
}
