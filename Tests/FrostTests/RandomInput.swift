import Frost
import Raster
import TestDice

extension PictureGlass {
  /// Reads one rectangle from memory with random values around it.
  @discardableResult
  mutating func update(
    only source: Rect, of screen: Bitmap, _ isOpaque: Bool, damage: Rect? = nil,
    using dice: inout Dice
  ) -> Bool {
    let layout = PixelLayout.random(around: source, using: &dice)
    var pixels = layout.garbage(using: &dice)
    for y in source.rows {
      for x in source.columns { pixels[layout.index(x: x, y: y)] = screen[x, y] }
    }
    return update(with: pixels.span, layout, isOpaque: isOpaque, damage: damage ?? screen.bounds)
  }
}

extension PixelLayout {
  /// A random layout, sometimes packed, sometimes with space on each side and between the rows.
  static func random(around rect: Rect, using dice: inout Dice) -> PixelLayout {
    func space() -> Int {
      Bool.random(using: &dice) ? 0 : Int.random(in: 1...9, using: &dice)
    }
    let bounds = Rect(
      rect.x - space()..<rect.maxX + space(), rect.y - space()..<rect.maxY + space())
    return PixelLayout(bounds, stride: bounds.width + space())
  }

  /// Random pixels for the memory of the layout.
  func garbage(using dice: inout Dice) -> [UInt32] {
    (0..<pixelCount).map { _ in UInt32(truncatingIfNeeded: dice.next()) }
  }
}

extension Rect {
  /// Random disjoint parts whose union is the rectangle.
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
  /// A random picture: noise, black and white, or flat. It is premultiplied if not opaque.
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
      // The fourth byte of an opaque window has any value.
      picture.pixels[i] =
        isOpaque
        ? picture.pixels[i] & 0xff_ffff | alpha << 24 : premultiplied(picture.pixels[i], alpha)
    }
    return picture
  }
}

/// The pixel with the alpha `alpha`, 0 to 255, its colours multiplied by it.
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
  /// A random colour; components of 0 and 1 are frequent.
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
