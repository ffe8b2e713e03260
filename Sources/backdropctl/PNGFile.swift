import Control

/// The bytes of a PNG file that was checked for completeness without decoding it.
struct PNGFile {
  let path: String
  let bytes: [UInt8]

  /// The valid width and height of a picture, and the largest number of its pixels: 1 GiB.
  static let sideRange: ClosedRange<UInt32> = 1...32767
  static let pixelLimit = 1 << 28
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The largest size of a file, in bytes: more than `pixelLimit` pixels without compression.
  private static let byteLimit = 1 << 31

  /// Reads a file. Throws `noInput`, or `data` if it is not a complete PNG file.
  init(path: String) throws(Failure) {
    self.path = path
    let input = try InputFile(path: path)
    // Checks the start first, so that an endless device is rejected.
    let start = try input.read(upTo: 1 << 16)
    if start.isEmpty { throw Self.failure(path, "the file is empty") }
    guard start.starts(with: Self.signature) else {
      throw Failure(.data, "cannot read \(path): \(otherPicture(path, start))")
    }
    if start.dropFirst(12).starts(with: "CgBI".utf8) {
      let text =
        "the file is a CgBI picture, which only Apple's programs read; save it as plain PNG"
      throw Failure(.data, "cannot read \(path): \(text)")
    }
    bytes = try start + input.read(upTo: Self.byteLimit)
    guard bytes.count < Self.byteLimit, hasEnd else { throw failure("the file is cut short") }
  }

  /// Whether all chunks up to the last one are complete. libpng does not read past the pixels.
  private var hasEnd: Bool {
    // A chunk consists of length, type, data and checksum.
    var start = 8
    while start + 12 <= bytes.count {
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let next = start + 12 + length
      if bytes[start + 4..<start + 8].elementsEqual("IEND".utf8) { return next <= bytes.count }
      start = next
    }
    return false
  }

  /// Throws `data` if the size exceeds a limit.
  func check(width: UInt32, height: UInt32, pixelLimit: Int) throws(Failure) {
    guard Self.sideRange.contains(width), Self.sideRange.contains(height),
      Int(width) * Int(height) <= pixelLimit
    else {
      throw failure(
        "the picture is \(width)x\(height); the limits are 32767 pixels a side and \(pixelLimit) "
          + "pixels in all")
    }
  }

  /// A `data` failure of this file.
  func failure(_ text: String) -> Failure { Self.failure(path, text) }

  private static func failure(_ path: String, _ text: String) -> Failure {
    Failure(.data, "cannot read \(path): \(text); give a complete PNG file")
  }
}
