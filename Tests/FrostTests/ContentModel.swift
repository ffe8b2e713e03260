@testable import Frost
import Glibc
import Raster
import TestDice

/// The reference of vibrant content: computes each pixel in float64, and the halo from all covered
/// pixels. Pixels are blue, green, red and alpha, from 0 to 255.
struct ContentModel {
  let vibrancy: Vibrancy
  let polarity: Polarity
  /// The coverage of each pixel, 0 to 1, row by row.
  private let coverage: [[Double]]
  private let radius: Double

  init(_ picture: Bitmap, _ vibrancy: Vibrancy, _ polarity: Polarity) {
    (self.vibrancy, self.polarity) = (vibrancy, polarity)
    let coverage = (0..<picture.height).map { y in
      (0..<picture.width).map { x in Double(picture[x, y] >> 24) / 255 }
    }
    let down = (0..<picture.width).map { x in coverage.map { $0[x] } }
    let edges = (coverage + down).map { line in
      zip([0] + line, line + [0]).map { abs($0 - $1) }.reduce(0, +)
    }
    let area = coverage.joined().reduce(0, +)
    radius = 3 + min(16, 5 + 1.5 * 2 * area / max(1e-9, edges.reduce(0, +)))
    self.coverage = coverage
  }

  /// The result for the pixel (x, y) of the picture, or outside it, over `pixel`.
  func drawn(over pixel: [Double], x: Int, y: Int) -> [Double] {
    let isInside = coverage.indices.contains(y) && coverage[y].indices.contains(x)
    let covered = isInside ? coverage[y][x] : 0
    let end = polarity == .light ? 1.0 : 0.0
    guard let contrast = vibrancy.contrast else {
      let share: [Vibrancy: Double] = [.fill: 0.2, .secondaryFill: 0.16, .tertiaryFill: 0.12]
      return mix(
        pixel, [255 * end, 255 * end, 255 * end, 255], covered * share[vibrancy, default: 0.29])
    }
    let needed = 1.18 * contrast
    let ground = ground(pixel.prefix(3).map(light), needed).map { min(level($0), pixel[3]) }
    let shown = mix(pixel, ground + [pixel[3]], halo(x: x, y: y))
    let text = text(self.ground(shown.prefix(3).map(light), needed), contrast).map(level) + [255]
    return mix(shown, text, covered)
  }

  /// The weight of the halo at (x, y), 0 to 1.
  func halo(x: Int, y: Int) -> Double {
    var nearest = Double.infinity
    for (row, line) in coverage.enumerated() {
      for (column, share) in line.enumerated() where share > 0 {
        let square = Double((x - column) * (x - column) + (y - row) * (y - row))
        let lack = 1 - min(1, share * 255 / 127)
        nearest = min(nearest, square + radius * radius * lack)
      }
    }
    let part = min(1, max(0, (radius - nearest.squareRoot()) / (radius - 3)))
    return part * part * (3 - 2 * part)
  }

  private func ground(_ glass: [Double], _ contrast: Double) -> [Double] {
    switch polarity {
    case .light: set(glass, min(luminance(glass), 1.05 / contrast - 0.05))
    case .dark: set(glass, max(luminance(glass), 0.05 * contrast - 0.05))
    }
  }

  private func text(_ ground: [Double], _ contrast: Double) -> [Double] {
    let l = luminance(ground)
    let shares: [Vibrancy: (Double, Double)] = [
      .label: (0.855, 0.9926), .secondary: (0.32, 0.867),
    ]
    let (light, dark) = shares[vibrancy, default: (0, 0)]
    switch polarity {
    case .light: return set(ground, max(l + light * (1 - l), contrast * (l + 0.05) - 0.05))
    case .dark: return set(ground, min(l - dark * l, (l + 0.05) / contrast - 0.05))
    }
  }

  /// The light with the given luminance: all channels scaled down, or the same amount added to all,
  /// limited at white.
  private func set(_ light: [Double], _ luminance: Double) -> [Double] {
    let l = FrostTests.luminance(light)
    if luminance == l { return light }
    if luminance < l { return light.map { $0 * luminance / l } }
    let most = (light.max() ?? 0) - l
    let part = most + luminance > 1 ? (1 - luminance) / most : 1
    return light.map { luminance + part * ($0 - l) }
  }

  private func mix(_ a: [Double], _ b: [Double], _ share: Double) -> [Double] {
    zip(a, b).map { $0 + ($1 - $0) * share }
  }
}

extension Vibrancy {
  /// The contrast of a pixel of text with its glass: 15 % more than promised except for labels,
  /// because of the neighbouring glass. Nil for shapes.
  fileprivate var contrast: Double? {
    [.label: 4.5, .secondary: 3.45, .tertiary: 2.3, .quaternary: 1.725][self]
  }

  /// The promised contrast of text.
  static let promises: [(Vibrancy, Double)] = [
    (.label, 4.5), (.secondary, 3), (.tertiary, 2), (.quaternary, 1.5),
  ]
}

/// The linear light of an sRGB level, 0 to 255.
private func light(_ level: Double) -> Double {
  let v = level / 255
  return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4)
}

private func level(_ light: Double) -> Double {
  255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055)
}

/// The luminance of linear light: blue, green and red.
private func luminance(_ light: [Double]) -> Double {
  0.0722 * light[0] + 0.7152 * light[1] + 0.2126 * light[2]
}

private let lights = (0..<256).map { light(Double($0)) }

/// The relative luminance (WCAG 2) of an opaque pixel.
func luminance(_ pixel: UInt32) -> Double {
  luminance([0, 8, 16].map { lights[Int(pixel >> $0 & 255)] })
}

func contrast(_ one: UInt32, _ other: UInt32) -> Double {
  contrast(luminance(one), luminance(other))
}

func contrast(_ one: Double, _ other: Double) -> Double {
  (max(one, other) + 0.05) / (min(one, other) + 0.05)
}

extension Bitmap {
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
