@testable import Frost
import Raster
import TestDice
import Testing

/// The glass that a pane showed before its output changed.
@Suite struct FormerGlassTests {
  /// A pane that keeps its size keeps its pixels.
  @Test func movedGlassIsTheSame() {
    var dice = Dice(seed: 1601)
    for _ in 0..<50 {
      let scene = FormerScene(using: &dice)
      let (x, y) = (dice.roll(-300...300), dice.roll(-300...300))
      let moved = scene.glass.moved(
        to: scene.frame.translated(x: x, y: y), part: scene.part.translated(x: x, y: y))
      let expected = Bitmap(scene.part, of: scene.picture.pixels.span, PixelLayout(scene.part))
      #expect(drawn(moved) == expected, "\(dice)")
    }
  }

  /// On a pane of another size it is interpolated linearly.
  @Test func stretchedGlassEqualsModel() {
    var dice = Dice(seed: 1602)
    for _ in 0..<100 {
      let scene = FormerScene(using: &dice)
      let (frame, part) = dice.frame()
      let moved = drawn(scene.glass.moved(to: frame, part: part))
      var worst = 0.0
      for y in part.rows {
        for x in part.columns {
          for shift in stride(from: UInt32(0), to: 32, by: 8) {
            let level = Double(moved[x - part.x, y - part.y] >> shift & 0xff)
            worst = max(worst, abs(level - scene.level(x, y, on: frame, shift)))
          }
        }
      }
      // Each of the two passes rounds once.
      #expect(worst <= 1.05, "\(dice): \(worst)")
    }
  }

  /// The former glass that a pane without cells draws.
  private func drawn(_ former: FormerGlass) -> Bitmap {
    var picture = Bitmap(width: former.part.width, height: former.part.height)
    var pixels = picture.pixels.mutableSpan
    FormerLayer(former, weight: 1).draw(former.part, over: &pixels, PixelLayout(former.part))
    return picture
  }
}

/// Random glass of a pane of which a part is on its output.
private struct FormerScene {
  let frame, part: Rect
  let picture: Bitmap
  var glass: FormerGlass { FormerGlass(picture, of: part, frame: frame) }

  init(using dice: inout Dice) {
    (frame, part) = dice.frame()
    picture = .noise(width: part.width, height: part.height, using: &dice)
  }

  /// The interpolated level of a channel for the pixel (x, y) of a pane at `place`.
  func level(_ x: Int, _ y: Int, on place: Rect, _ shift: UInt32) -> Double {
    func sample(_ pixel: Int, _ new: Range<Int>, _ old: Range<Int>, _ part: Range<Int>) -> Double {
      let scale = Double(old.count) / Double(new.count)
      let point = Double(old.lowerBound) + (Double(pixel - new.lowerBound) + 0.5) * scale - 0.5
      return min(Double(part.upperBound - 1), max(Double(part.lowerBound), point))
    }
    func level(_ x: Int, _ y: Int) -> Double {
      let (x, y) = (min(x, part.maxX - 1) - part.x, min(y, part.maxY - 1) - part.y)
      return Double(picture[x, y] >> shift & 0xff)
    }
    let column = sample(x, place.columns, frame.columns, part.columns)
    let row = sample(y, place.rows, frame.rows, part.rows)
    let (left, top) = (Int(column.rounded(.down)), Int(row.rounded(.down)))
    let (right, bottom) = (column - Double(left), row - Double(top))
    return (level(left, top) * (1 - right) + level(left + 1, top) * right) * (1 - bottom)
      + (level(left, top + 1) * (1 - right) + level(left + 1, top + 1) * right) * bottom
  }
}

extension Dice {
  /// A rectangle, and a part of it.
  fileprivate mutating func frame() -> (frame: Rect, part: Rect) {
    let frame = Rect(
      x: roll(-99...99), y: roll(-99...99), width: roll(1...70), height: roll(1...70))
    let (left, top) = (roll(0...frame.width - 1), roll(0...frame.height - 1))
    let part = Rect(
      x: frame.x + left, y: frame.y + top, width: roll(1...frame.width - left),
      height: roll(1...frame.height - top))
    return (frame, part)
  }
}
