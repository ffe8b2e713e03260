import Glibc
package import Raster

/// A landscape at dusk: a sky, a low sun, and four ranges of hills, the nearest one the darkest.
package func landscape(width: Int, height: Int) -> Bitmap {
  var picture = Bitmap(width: width, height: height)
  for x in 0..<width {
    let across = Double(x) / Double(width)
    let ridges = hills.map { $0.ridge(at: across) }
    for y in 0..<height {
      let down = Double(y) / Double(height)
      let nearest = ridges.lastIndex { down >= $0 }
      let color =
        if let nearest {
          hills[nearest].color(below: down - ridges[nearest])
        } else {
          skyColor(across, down, aspect: Double(width) / Double(height))
        }
      picture.pixels[y * width + x] = color.pixel
    }
  }
  return picture
}

/// The sky from the top to the horizon, with a sun in a glow.
private func skyColor(_ across: Double, _ down: Double, aspect: Double) -> RGB {
  let sky = mix(
    [RGB(0x16_2447), RGB(0x4B_3F72), RGB(0xC3_5A74), RGB(0xF5_A25D), RGB(0xFB_D786)],
    down / 0.62)
  let (dx, dy) = ((across - 0.62) * aspect, down - 0.5)
  let distance = (dx * dx + dy * dy).squareRoot()
  let glow = sky.mixed(with: RGB(0xFF_E8B0), 0.75 * exp(-distance * 5))
  // The edge of the disc is two pixels wide at 1080 rows.
  let disc = min(1, max(0, (0.085 - distance) * 540))
  return glow.mixed(with: RGB(0xFF_F6DC), disc)
}

/// A range of hills, from side to side.
private struct Hills: Sendable {
  /// The mean height of the ridge, and how far it goes up and down, as shares of the height of the picture.
  let level, swing: Double
  let phase: Double
  let ridgeColor, footColor: RGB

  func ridge(at across: Double) -> Double {
    let waves = [(1.7, 0.55), (4.3, 0.28), (9.1, 0.12), (23.0, 0.05)]
    return level
      + waves.reduce(0) { $0 - swing * $1.1 * sin(2 * .pi * $1.0 * across + phase * $1.0) }
  }

  func color(below depth: Double) -> RGB { ridgeColor.mixed(with: footColor, min(1, depth * 4)) }
}

/// The furthest first.
private let hills = [
  Hills(
    level: 0.56, swing: 0.07, phase: 0.4, ridgeColor: RGB(0xB0_6A83), footColor: RGB(0xE0_9A86)),
  Hills(
    level: 0.66, swing: 0.07, phase: 2.1, ridgeColor: RGB(0x7A_4E77), footColor: RGB(0xB1_6F80)),
  Hills(
    level: 0.77, swing: 0.06, phase: 4.0, ridgeColor: RGB(0x43_3560), footColor: RGB(0x70_4A72)),
  Hills(
    level: 0.89, swing: 0.06, phase: 5.3, ridgeColor: RGB(0x1B_1B3A), footColor: RGB(0x33_2A52)),
]

/// A colour with channels from 0 to 255.
private struct RGB: Sendable {
  private var channels: SIMD3<Double>

  init(_ hex: Int) {
    channels = SIMD3(Double(hex >> 16 & 255), Double(hex >> 8 & 255), Double(hex & 255))
  }

  func mixed(with other: RGB, _ share: Double) -> RGB {
    var mixed = self
    mixed.channels += (other.channels - channels) * share
    return mixed
  }

  var pixel: UInt32 {
    let levels = (channels + 0.5).clamped(
      lowerBound: .zero, upperBound: SIMD3(repeating: 255))
    return 0xff00_0000 | UInt32(levels.x) << 16 | UInt32(levels.y) << 8 | UInt32(levels.z)
  }
}

/// The colour at a place between colours in equal distances: 0 is the first, 1 the last one.
private func mix(_ colors: [RGB], _ place: Double) -> RGB {
  let position = min(max(0, place), 1) * Double(colors.count - 1)
  let index = min(Int(position), colors.count - 2)
  return colors[index].mixed(with: colors[index + 1], position - Double(index))
}
