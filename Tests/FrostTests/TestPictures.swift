import Frost
import Raster
import TestDice

extension Bitmap {
  /// Random black and white pixels.
  static func blackAndWhiteNoise(width: Int, height: Int, using dice: inout Dice) -> Bitmap {
    var picture = Bitmap(width: width, height: height)
    for i in picture.pixels.indices {
      picture.pixels[i] = Bool.random(using: &dice) ? 0xffff_ffff : 0xff00_0000
    }
    return picture
  }

  /// A picture like a desktop: windows, stripes like text, and gradients.
  static func desktop(width: Int, height: Int, using dice: inout Dice) -> Bitmap {
    var picture = Bitmap(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let red = UInt32(60 + 120 * y / height)
        let green = UInt32(90 + 60 * x / width)
        picture[x, y] = 0xff00_0000 | red << 16 | green << 8 | UInt32(200 - 90 * y / height)
      }
    }
    for _ in 0..<12 {
      let box = Rect.random(in: picture.bounds, using: &dice)
      let paper = UInt32(truncatingIfNeeded: dice.next()) | 0xff00_0000
      for y in box.rows {
        for x in box.columns {
          let isInk = y % 14 < 9 && dice.next() % 5 < 2
          picture[x, y] = isInk ? ~paper | 0xff00_0000 : paper
        }
      }
    }
    return picture
  }

  /// A picture of random colours whose alpha consists of strokes, dots, blocks or noise, some of
  /// them translucent.
  static func strokes(width: Int, height: Int, using dice: inout Dice) -> Bitmap {
    var picture = Bitmap(width: width, height: height)
    if width * height == 0 { return picture }
    for _ in 0..<dice.roll(0...5) {
      let alpha = UInt32([255, 255, dice.roll(0...255)].randomElement(using: &dice) ?? 255)
      let box = dice.rect(in: picture.bounds)
      let isNoise = dice.roll(0...5) == 0
      for y in box.rows {
        for x in box.columns {
          let color = UInt32(truncatingIfNeeded: dice.next())
          picture[x, y] = premultiplied(color, isNoise ? alpha * UInt32(dice.roll(0...1)) : alpha)
        }
      }
    }
    return picture
  }
}

extension Rect {
  /// A random rectangle that is not empty.
  static func random(in bounds: Rect, using dice: inout Dice) -> Rect {
    let width = Int.random(in: 1...bounds.width, using: &dice)
    let height = Int.random(in: 1...bounds.height, using: &dice)
    return Rect(
      x: Int.random(in: bounds.x...bounds.maxX - width, using: &dice),
      y: Int.random(in: bounds.y...bounds.maxY - height, using: &dice), width: width,
      height: height)
  }
}

extension PictureGlass {
  /// Reads a part of a picture of the whole screen.
  mutating func update(with screen: Bitmap, damage: Rect, isOpaque: Bool = true) -> Bool {
    update(with: screen.pixels.span, PixelLayout(screen.bounds), isOpaque: isOpaque, damage: damage)
  }

  /// Draws a part to a picture of the pane.
  func draw(_ part: Rect, into picture: inout Bitmap) {
    var pixels = picture.pixels.mutableSpan
    draw(part, into: &pixels, PixelLayout(glass.pane))
  }
}

/// The glass of a whole pane, computed at once.
func frosted(
  _ screen: Bitmap, pane: Rect? = nil, material: Material, isOpaque: Bool = true, threads: Int = 1
) -> Bitmap {
  let pane = pane ?? screen.bounds
  var glass = PictureGlass(pane: pane, picture: screen.bounds, material: material)
  glass.threads = threads
  _ = glass.update(with: screen, damage: screen.bounds, isOpaque: isOpaque)
  var picture = Bitmap(width: pane.width, height: pane.height)
  for part in glass.settle().rects { glass.draw(part, into: &picture) }
  return picture
}
