import Frost
import Raster
import TestDice

extension Glass {
  /// Absorbs one rectangle, from memory in which all around it is garbage.
  @discardableResult
  mutating func absorb(
    only source: Rect, of screen: Bitmap, _ isOpaque: Bool, damage: Rect? = nil,
    using dice: inout Dice
  ) -> Bool {
    let layout = PixelLayout.random(around: source, using: &dice)
    var pixels = layout.garbage(using: &dice)
    for y in source.rows {
      for x in source.columns { pixels[layout.index(x: x, y: y)] = screen[x, y] }
    }
    return absorb(pixels.span, layout, isOpaque: isOpaque, damage: damage ?? self.screen)
  }
}

extension PixelLayout {
  /// Sometimes tight, sometimes with room on any side and between the rows.
  static func random(around rect: Rect, using dice: inout Dice) -> PixelLayout {
    func room() -> Int {
      Bool.random(using: &dice) ? 0 : Int.random(in: 1...9, using: &dice)
    }
    let bounds = Rect(
      rect.x - room()..<rect.maxX + room(), rect.y - room()..<rect.maxY + room())
    return PixelLayout(bounds, pixelsPerRow: bounds.width + room())
  }

  /// As many random pixels as the memory must hold at least.
  func garbage(using dice: inout Dice) -> [UInt32] {
    (0..<pixelCount).map { _ in UInt32(truncatingIfNeeded: dice.next()) }
  }
}

extension Rect {
  /// Parts that together are the whole.
  func cut(using dice: inout Dice) -> [Rect] {
    let x = Int.random(in: self.x...maxX, using: &dice)
    let y = Int.random(in: self.y...maxY, using: &dice)
    return [
      Rect(self.x..<x, self.y..<y), Rect(x..<maxX, self.y..<y), Rect(self.x..<x, y..<maxY),
      Rect(x..<maxX, y..<maxY),
    ]
  }
}

extension Bitmap {
  /// Noise, black and white, or flat; where it is not opaque, premultiplied.
  static func anything(width: Int, height: Int, isOpaque: Bool, using dice: inout Dice) -> Bitmap {
    var picture: Bitmap
    switch Int.random(in: 0..<4, using: &dice) {
    case 0: picture = .blackAndWhiteNoise(width: width, height: height, using: &dice)
    case 1:
      let colour = UInt32(truncatingIfNeeded: dice.next()) | 0xff00_0000
      picture = Bitmap(width: width, height: height, filledWith: colour)
    default: picture = .noise(width: width, height: height, using: &dice)
    }
    for i in picture.pixels.indices {
      let alpha = UInt32.random(in: 0...255, using: &dice)
      // What an opaque window leaves in the fourth byte is anything.
      picture.pixels[i] =
        isOpaque
        ? picture.pixels[i] & 0xff_ffff | alpha << 24 : premultiplied(picture.pixels[i], alpha)
    }
    return picture
  }
}

func premultiplied(_ pixel: UInt32, _ alpha: UInt32) -> UInt32 {
  var result = alpha << 24
  for shift: UInt32 in [0, 8, 16] {
    result |= (((pixel >> shift & 255) * alpha + 127) / 255) << shift
  }
  return result
}

extension Tone {
  static func random(using dice: inout Dice) -> Tone {
    func one(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &dice) }
    let layerCount = [0, 0, 1, 2, 4].randomElement(using: &dice) ?? 0
    return Tone(
      saturation: one(-1...5), contrast: one(0...4), brightness: one(-1...1),
      layers: (0..<layerCount).map { _ in .random(using: &dice) }, tint: .random(using: &dice))
  }
}

extension Layer {
  static func random(using dice: inout Dice) -> Layer {
    Layer(BlendMode.allCases.randomElement(using: &dice) ?? .normal, .random(using: &dice))
  }
}

extension Color {
  /// With black, white, clear and opaque among them.
  static func random(using dice: inout Dice) -> Color {
    func component() -> Double {
      switch Int.random(in: 0..<5, using: &dice) {
      case 0: 0
      case 1: 1
      default: Double.random(in: 0...1, using: &dice)
      }
    }
    return Color(red: component(), green: component(), blue: component(), alpha: component())
  }
}
