import Control
import Glibc

/// The bytes of a PNG file that is whole, as far as that shows without decoding it.
struct PNGFile {
  let path: String
  let bytes: [UInt8]

  /// What a pane's sides may measure, and how many pixels we are ready to hold.
  static let sideRange: ClosedRange<UInt32> = 1...32767
  static let pixelLimit = 1 << 28
  /// More than the pixels that we are ready to hold take without any compression.
  private static let byteLimit = 1 << 31

  init(path: String) throws(Failure) {
    self.path = path
    bytes = try contents(of: path, limit: Self.byteLimit)
    let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    if bytes.isEmpty { throw failure("the file is empty") }
    guard bytes.starts(with: signature) else { throw failure("this is no PNG file") }
    guard hasEnd else { throw failure("the file is cut short") }
  }

  /// Whether every chunk is there, to the last: libpng does not look past the pixels.
  private var hasEnd: Bool {
    // Length, type, data, checksum.
    var start = 8
    while start + 12 <= bytes.count {
      let length = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
      let next = start + 12 + length
      if bytes[start + 4..<start + 8].elementsEqual("IEND".utf8) { return next <= bytes.count }
      start = next
    }
    return false
  }

  func check(width: UInt32, height: UInt32) throws(Failure) {
    guard Self.sideRange.contains(width), Self.sideRange.contains(height),
      Int(width) * Int(height) <= Self.pixelLimit
    else {
      throw failure(
        "the picture is \(width)x\(height); at most 32767 pixels a side, and 2^28 in all, can be "
          + "blurred")
    }
  }

  func failure(_ text: String) -> Failure {
    Failure(.data, "cannot read \(path): \(text); give a PNG file that is whole")
  }
}

private func contents(of path: String, limit: Int) throws(Failure) -> [UInt8] {
  func failure(_ text: String) -> Failure { Failure(.noInput, "cannot read \(path): \(text)") }
  let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard raw >= 0 else { throw failure(errorText(errno)) }
  let file = FileDescriptor(owning: raw)
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(raw, $0.baseAddress, $0.count) }
    if count < 0 { throw failure(errorText(errno)) }
    if count == 0 { break }
    bytes += chunk[..<count]
    // A device that never ends is no file.
    if bytes.count > limit { throw failure("it has more than \(limit) bytes") }
  }
  _ = consume file
  return bytes
}
