import Glibc

/// How a compositor blends.
package enum FakeBlending: Sendable {
  /// With the rounding and saturation of pixman.
  case rounding
  /// Rounds towards black.
  case truncating
  /// In linear light, with a gamma of 2.2.
  case linear

  /// A premultiplied pixel over an opaque one.
  func blended(_ over: UInt32, onto below: UInt32) -> UInt32 {
    let rest = 255 - (over >> 24)
    var result: UInt32 = 0xff00_0000
    for shift: UInt32 in [0, 8, 16] {
      let sum = blended(over >> shift & 255, onto: below >> shift & 255, rest: rest)
      result |= min(255, sum) << shift
    }
    return result
  }

  private func blended(_ over: UInt32, onto below: UInt32, rest: UInt32) -> UInt32 {
    switch self {
    case .rounding:
      let product = below * rest + 128
      return over + (product + product >> 8) >> 8
    case .truncating: return over + below * rest / 255
    case .linear:
      func light(_ level: UInt32) -> Double { pow(Double(level) / 255, 2.2) }
      let sum = light(over) + light(below) * Double(rest) / 255
      return UInt32((255 * pow(sum, 1 / 2.2)).rounded())
    }
  }
}

/// A premultiplied pixel over an opaque one, as pixman blends.
package func blended(_ over: UInt32, onto below: UInt32) -> UInt32 {
  FakeBlending.rounding.blended(over, onto: below)
}
