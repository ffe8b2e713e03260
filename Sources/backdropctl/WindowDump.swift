import Raster

extension Bitmap {
  /// Decodes what `xwd` writes of a screen of 24 or 32 bits: a header of big-endian words, a colour
  /// map, and rows of pixels in the server's byte order, which must be ours.
  init(windowDump bytes: [UInt8]) throws {
    func word(_ index: Int) -> Int {
      bytes[index * 4..<index * 4 + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    let fail = Failure(.data, "xwd's picture of the screen cannot be read; a bug, please report it")
    guard bytes.count >= 100, word(1) == 7 else { throw fail }
    let (width, height, bytesPerRow) = (word(4), word(5), word(12))
    let isLittleEndian = word(7) == 0
    let start = word(0) + word(19) * 12
    guard isLittleEndian, word(11) == 32, bytesPerRow >= width * 4,
      bytes.count >= start + bytesPerRow * height
    else { throw fail }
    self.init(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let at = start + y * bytesPerRow + x * 4
        pixels[y * width + x] =
          0xFF00_0000 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 1]) << 8
          | UInt32(bytes[at])
      }
    }
  }
}
