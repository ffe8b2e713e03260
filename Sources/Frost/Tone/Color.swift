/// An sRGB colour and its opacity. Each component is from 0 to 1 and not premultiplied.
package struct Color: Equatable, Sendable {
  package var red, green, blue, alpha: Double

  package init(red: Double, green: Double, blue: Double, alpha: Double) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// `hex` is 0xRRGGBB; `alpha` is from 0 to 1.
  package init(hex: UInt32, alpha: Double = 1) {
    func component(_ shift: UInt32) -> Double { Double(hex >> shift & 255) / 255 }
    self.init(red: component(16), green: component(8), blue: component(0), alpha: alpha)
  }

  /// A gray, from 0 (black) to 1 (white).
  package init(white: Double, alpha: Double = 1) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }

  /// Transparent black.
  package static let none = Color(white: 0, alpha: 0)
}
