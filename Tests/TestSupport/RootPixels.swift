import Raster

/// How a server stores the pixels of a drawable: depth 16 with 5, 6 and 5 bits in half a word, depth 30 with 10 bits
/// for each colour, any other depth as they are.
struct RootPixels {
  let depth: Int

  /// Whether pixels are stored as they are.
  private var isPlain: Bool { depth != 16 && depth != 30 }

  /// The number of 32-bit words of a row of an image.
  func wordsPerRow(width: Int) -> Int { depth == 16 ? (width + 1) / 2 : width }

  /// The value of a colour: the upper bits of each channel, repeated below if the depth has more bits.
  func value(of color: UInt32) -> UInt32 {
    if isPlain { return color }
    let (red, green, blue) = (color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF)
    if depth == 16 { return (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3 }
    return (red << 2 | red >> 6) << 20 | (green << 2 | green >> 6) << 10 | (blue << 2 | blue >> 6)
  }

  /// The opaque colour of a value. 5 and 6 bits are extended by their upper bits, as pixman does; 10 bits are rounded.
  func color(of value: UInt32) -> UInt32 {
    if isPlain { return value | 0xFF00_0000 }
    let (red, green, blue): (UInt32, UInt32, UInt32)
    if depth == 16 {
      (red, green, blue) = (value >> 11, value >> 5 & 0x3F, value & 0x1F)
      return 0xFF00_0000 | (red << 3 | red >> 2) << 16 | (green << 2 | green >> 4) << 8
        | (blue << 3 | blue >> 2)
    }
    (red, green, blue) = (value >> 20 & 0x3FF, value >> 10 & 0x3FF, value & 0x3FF)
    func rounded(_ channel: UInt32) -> UInt32 { UInt32((Double(channel) * 255 / 1023).rounded()) }
    return 0xFF00_0000 | rounded(red) << 16 | rounded(green) << 8 | rounded(blue)
  }

  /// The image of a picture.
  func words(of picture: Bitmap) -> [UInt32] {
    if isPlain { return picture.pixels }
    if depth != 16 { return picture.pixels.map { value(of: $0) } }
    return (0..<picture.height).flatMap { y in
      stride(from: 0, to: picture.width, by: 2).map { x in
        let next = x + 1 < picture.width ? value(of: picture[x + 1, y]) : 0
        return value(of: picture[x, y]) | next << 16
      }
    }
  }

  /// The opaque picture in an image. Nil if the image has another size.
  func picture(in words: [UInt32], width: Int, height: Int) -> Bitmap? {
    let rowLength = wordsPerRow(width: width)
    if words.count != rowLength * height { return nil }
    if isPlain {
      return Bitmap(width: width, height: height, pixels: words.map { $0 | 0xFF00_0000 })
    }
    var picture = Bitmap(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let word = words[y * rowLength + (depth == 16 ? x / 2 : x)]
        let value = depth == 16 ? word >> UInt32(x % 2 * 16) & 0xFFFF : word
        picture[x, y] = color(of: value)
      }
    }
    return picture
  }
}
