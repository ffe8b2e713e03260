/// How the server stores the pixels of a drawable in an image. Each row is padded to whole words of 32 bits, little
/// endian.
///
/// The rest of the daemon knows BGRX only: captured pixels are expanded as soon as they arrive, and drawn ones are
/// compressed right before they are sent.
enum PixelFormat: Sendable {
  /// Blue, green and red with 8 bits each, and 8 bits without a meaning, or alpha: depths 24 and 32.
  case bgrx8
  /// Red, green and blue with 5, 6 and 5 bits: depth 16.
  case rgb565
  /// Red, green and blue with 10 bits each, and 2 bits without a meaning: depth 30.
  case rgb30

  /// The bits of each colour in a pixel.
  struct Masks: Equatable {
    let red, green, blue: UInt32
  }

  /// Nil if pixels of this form cannot be converted.
  init?(depth: UInt8, bitsPerPixel: UInt8, _ masks: Masks) {
    switch (depth, bitsPerPixel, masks) {
    case (24, 32, Masks(red: 0xff_0000, green: 0xff00, blue: 0xff)): self = .bgrx8
    case (16, 16, Masks(red: 0xf800, green: 0x7e0, blue: 0x1f)): self = .rgb565
    case (30, 32, Masks(red: 0x3ff0_0000, green: 0xf_fc00, blue: 0x3ff)): self = .rgb30
    default: return nil
    }
  }

  /// The number of 32-bit words of a row of an image. At most `width`, so an image fits where its BGRX pixels do.
  func wordsPerRow(width: Int) -> Int { self == .rgb565 ? (width + 1) / 2 : width }

  /// The size of an image.
  func byteCount(width: Int, height: Int) -> Int { 4 * wordsPerRow(width: width) * height }

  /// The pixel value of a BGRX colour, without dither.
  func pixel(_ color: UInt32) -> UInt32 {
    switch self {
    case .bgrx8: color
    case .rgb565: color >> 8 & 0xf800 | color >> 5 & 0x7e0 | color >> 3 & 0x1f
    case .rgb30: widened(color)
    }
  }
}
