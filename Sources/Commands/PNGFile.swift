import Control

/// The bytes of a PNG file that was checked for completeness without decoding it.
struct PNGFile {
  let path: String
  /// The file without the chunks that change no pixel: libpng expands texts, which may be large.
  let bytes: [UInt8]
  /// The places of its compressed data.
  private let dataParts: [Range<Int>]

  /// The valid width and height of a picture, and the largest number of its pixels, which need 1 GiB of memory.
  static let sideRange: ClosedRange<UInt32> = 1...32767
  static let pixelLimit = 1 << 28
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// The largest size of a file besides its pixels, in bytes.
  fileprivate static let byteLimit = 1 << 26

  /// Reads a file. Throws `noInput`, or `data` if it is not a complete PNG file.
  init(path: String) throws(Failure) {
    self.path = path
    var input = try InputFile(path: path)
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
    let chunks = try readChunks(after: start, of: &input)
    bytes = Self.signature + chunks.flatMap(\.bytes)
    var place = bytes.startIndex + Self.signature.count
    dataParts = chunks.compactMap { chunk in
      defer { place += chunk.bytes.count }
      return chunk.type == "IDAT" ? place + 8..<place + chunk.bytes.count - 4 : nil
    }
  }

  /// Throws `data` if the compressed data hold much more than the picture. libpng must have found the header valid.
  func checkData() throws(Failure) {
    if PNGData(header: bytes[16..<29], parts: dataParts).isTooLarge(in: bytes) {
      throw failure("the file has more data than its pixels need")
    }
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

  fileprivate static func failure(_ path: String, _ text: String) -> Failure {
    Failure(.data, "cannot read \(path): \(text); give a complete PNG file")
  }
}

/// A chunk: its length, its type, its data and their checksum.
private struct Chunk {
  let bytes: ArraySlice<UInt8>

  var type: String { String(decoding: bytes.dropFirst(4).prefix(4), as: UTF8.self) }
  /// Whether it is needed for the pixels. A small letter begins the types of chunks that a reader may leave out.
  var countsForPixels: Bool {
    bytes[bytes.startIndex + 4] & 32 == 0
      || ["tRNS", "gAMA", "cHRM", "sRGB", "iCCP"].contains(type)
  }
}

/// Reads all chunks up to the last one; libpng does not read past the pixels. Returns those that count for the pixels. Stops at a
/// chunk that cannot be right, and at more bytes than the pixels can need. Throws `noInput` or `data`.
private func readChunks(
  after start: [UInt8], of input: inout InputFile
) throws(Failure) -> [Chunk] {
  var bytes = start
  func load(upTo end: Int) throws(Failure) {
    if bytes.count < end { bytes += try input.read(upTo: max(end - bytes.count, 1 << 20)) }
    if bytes.count < end { throw PNGFile.failure(input.path, "the file is cut short") }
  }
  func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
  var places: [Range<Int>] = []
  var place = 8
  // The first chunk has the width and the height. A pixel has at most 8 bytes, and a row one more.
  try load(upTo: 24)
  let side = Int(PNGFile.sideRange.upperBound)
  let pixels = min(min(number(at: 16), side) * min(number(at: 20), side), PNGFile.pixelLimit)
  let limit = 9 * pixels + PNGFile.byteLimit
  repeat {
    try load(upTo: place + 12)
    let type = bytes[place + 4..<place + 8]
    guard type.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 32) }) else {
      throw PNGFile.failure(input.path, "the file is damaged at byte \(place)")
    }
    let end = place + 12 + number(at: place)
    guard end <= limit else {
      throw PNGFile.failure(input.path, "the file has more bytes than its pixels need")
    }
    try load(upTo: end)
    places.append(place..<end)
    place = end
  } while !bytes[places[places.count - 1]].dropFirst(4).starts(with: "IEND".utf8)
  return places.map { Chunk(bytes: bytes[$0]) }.filter(\.countsForPixels)
}
