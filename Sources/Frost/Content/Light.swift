import Glibc

/// A colour in linear light. Linear light is additive, and luminance is its weighted mean, so a
/// colour of any hue can be set to a given luminance exactly.
struct Light {
  /// Blue, green and red, each from 0 to 1.
  var channels: SIMD3<Float>

  /// The relative luminance of WCAG 2, 0 (black) to 1 (white), with the weights of Rec. 709.
  var luminance: Float {
    0.0722 * channels.x + 0.7152 * channels.y + 0.2126 * channels.z
  }

  /// The colour with all channels scaled by the same factor to a luminance below its own.
  func darkened(to luminance: Float) -> Light {
    Light(channels: channels * (luminance / self.luminance))
  }

  /// The colour with the same amount added to all channels, to a luminance above its own. If a
  /// channel would exceed 1, the differences to gray are scaled down until it is 1: SetLum and
  /// ClipColor of W3C Compositing and Blending Level 1.
  func lightened(to luminance: Float) -> Light {
    let delta = channels - self.luminance
    let most = max(delta.x, delta.y, delta.z)
    let headroom = 1 - luminance
    return Light(channels: delta * (most > headroom ? headroom / most : 1) + luminance)
  }
}

/// Conversion from sRGB levels to linear light and back (IEC 61966-2-1).
struct LightTables: Sendable {
  /// The light of each level.
  private let lights: [Float]
  /// The light of each multiple of 1/16 level.
  private let fineLights: [Float]
  /// The nearest level to each multiple of 1/16384 of light. The darkest levels are five multiples
  /// apart.
  private let levels: [UInt8]
  private static let steps = 1 << 14
  private static let stepsPerLevel = 16

  static let sRGB = LightTables()

  private init() {
    func light(ofLevel level: Double) -> Float {
      let share = level / 255
      return Float(share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4))
    }
    lights = (0..<256).map { light(ofLevel: Double($0)) }
    fineLights = (0...255 * Self.stepsPerLevel).map {
      light(ofLevel: Double($0) / Double(Self.stepsPerLevel))
    }
    levels = (0...Self.steps).map { step in
      let light = Double(step) / Double(Self.steps)
      let share = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
      return UInt8((255 * share).rounded())
    }
  }

  /// The light of an sRGB level, 0 to 255.
  @inline(__always)
  func light(ofLevel level: UInt32) -> Float { lights[Int(level)] }

  /// The light of sRGB levels that are no whole numbers, from 0 to 255.
  @inline(__always)
  func light(ofLevels levels: SIMD3<Float>) -> Light {
    let steps = levels * Float(Self.stepsPerLevel) + 0.5
    return Light(
      channels: SIMD3(
        fineLights[Int(steps.x)], fineLights[Int(steps.y)], fineLights[Int(steps.z)]))
  }

  /// The light of a pixel, premultiplied BGRA. A translucent pixel counts as composed over black.
  @inline(__always)
  func light(of pixel: UInt32) -> Light {
    Light(
      channels: SIMD3(
        lights[Int(pixel & 255)], lights[Int(pixel &>> 8 & 255)], lights[Int(pixel &>> 16 & 255)]))
  }

  /// The nearest pixel with the alpha `alpha`, 0 to 255. Channels are limited to alpha.
  @inline(__always)
  func pixel(_ light: Light, alpha: UInt32) -> UInt32 {
    let steps = light.channels * Float(Self.steps) + 0.5
    @inline(__always)
    func level(_ step: Float) -> UInt32 { min(UInt32(levels[Int(step)]), alpha) }
    return level(steps.x) | level(steps.y) &<< 8 | level(steps.z) &<< 16 | alpha &<< 24
  }
}
