@testable import Frost
import Glibc

extension Vibrancy {
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

private let lights = (0..<256).map { light(Double($0)) }

/// The relative luminance (WCAG 2) of an opaque pixel.
func luminance(_ pixel: UInt32) -> Double {
  0.0722 * lights[Int(pixel & 255)] + 0.7152 * lights[Int(pixel >> 8 & 255)]
    + 0.2126 * lights[Int(pixel >> 16 & 255)]
}

func contrast(_ one: UInt32, _ other: UInt32) -> Double {
  contrast(luminance(one), luminance(other))
}

func contrast(_ one: Double, _ other: Double) -> Double {
  (max(one, other) + 0.05) / (min(one, other) + 0.05)
}
