import Glibc

/// The contrast of two opaque pixels as WCAG 2 defines it, 1 to 21.
func contrast(_ one: UInt32, _ other: UInt32) -> Double {
  let (a, b) = (luminance(one), luminance(other))
  return (max(a, b) + 0.05) / (min(a, b) + 0.05)
}

private func luminance(_ pixel: UInt32) -> Double {
  func light(_ shift: UInt32) -> Double {
    let share = Double(pixel >> shift & 255) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }
  return 0.2126 * light(16) + 0.7152 * light(8) + 0.0722 * light(0)
}
