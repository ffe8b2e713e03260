import Glibc

/// A colour as the light that it gives: blue, green and red, each from 0 to 1. Unlike the levels of
/// sRGB, light adds up, and luminance is its weighted mean. So a colour can be given any luminance
/// exactly, whatever its hue.
struct Light {
  var channels: SIMD3<Float>

  /// Relative luminance as WCAG 2 has it, 0 (black) to 1 (white).
  var luminance: Float {
    0.0722 * channels.x + 0.7152 * channels.y + 0.2126 * channels.z
  }

  /// Its light weakened, all channels by the same share, to a luminance below its own.
  func darkened(to luminance: Float) -> Light {
    Light(channels: channels * (luminance / self.luminance))
  }

  /// The same light added to all channels, up to a luminance above its own. A channel that would end
  /// above white ends there, and the colour comes as much nearer to gray: W3C's SetLum and ClipColor.
  func lightened(to luminance: Float) -> Light {
    let way = channels - self.luminance
    let most = max(way.x, way.y, way.z)
    let room = 1 - luminance
    return Light(channels: way * (most > room ? room / most : 1) + luminance)
  }
}

/// The way from levels of sRGB to light, and back (IEC 61966-2-1).
struct LightTables: Sendable {
  /// Of each level.
  private let lights: [Float]
  /// The nearest to each 1/16384 of light: where it is dark, a level is five of them.
  private let levels: [UInt8]
  private static let steps = 1 << 14

  static let sRGB = LightTables()

  private init() {
    lights = (0..<256).map { level in
      let share = Double(level) / 255
      return Float(share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4))
    }
    levels = (0...Self.steps).map { step in
      let light = Double(step) / Double(Self.steps)
      let share = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
      return UInt8((255 * share).rounded())
    }
  }

  @inline(__always)
  func light(ofLevel level: UInt32) -> Float { lights[Int(level)] }

  /// Of an opaque pixel. A translucent one gives the light that it would over black.
  @inline(__always)
  func light(of pixel: UInt32) -> Light {
    Light(
      channels: SIMD3(
        lights[Int(pixel & 255)], lights[Int(pixel &>> 8 & 255)], lights[Int(pixel &>> 16 & 255)]))
  }

  /// The nearest pixel of an alpha, 0 to 255, above which no channel goes.
  @inline(__always)
  func pixel(_ light: Light, alpha: UInt32) -> UInt32 {
    let steps = light.channels * Float(Self.steps) + 0.5
    @inline(__always)
    func level(_ step: Float) -> UInt32 { min(UInt32(levels[Int(step)]), alpha) }
    return level(steps.x) | level(steps.y) &<< 8 | level(steps.z) &<< 16 | alpha &<< 24
  }
}
