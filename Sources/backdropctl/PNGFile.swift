import Control
import Glibc

/// The bytes of a PNG file that is whole, as far as that shows without decoding it.
struct PNGFile {
  let path: String
  let bytes: [UInt8]

  /// What a pane's sides may measure, and how many pixels we are ready to hold.
  static let sideRange: ClosedRange<UInt32> = 1...32767
  static let pixelLimit = 1 << 28
  private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
  /// More than the pixels that we are ready to hold take without any compression.
  private static let byteLimit = 1 << 31

  init(path: String) throws(Failure) {
    self.path = path
    let input = try InputFile(path: path)
    // A device that never ends is seen through by its beginning.
    let start = try input.read(upTo: 1 << 16)
    if start.isEmpty { throw Self.failure(path, "the file is empty") }
    guard start.starts(with: Self.signature) else {
      throw Self.failure(path, "this is no PNG file")
    }
    bytes = try start + input.read(upTo: Self.byteLimit)
    guard bytes.count < Self.byteLimit, hasEnd else { throw failure("the file is cut short") }
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

  func check(width: UInt32, height: UInt32, pixelLimit: Int) throws(Failure) {
    guard Self.sideRange.contains(width), Self.sideRange.contains(height),
      Int(width) * Int(height) <= pixelLimit
    else {
      throw failure(
        "the picture is \(width)x\(height); it can have 32767 pixels a side, and \(pixelLimit) in "
          + "all")
    }
  }

  func failure(_ text: String) -> Failure { Self.failure(path, text) }

  private static func failure(_ path: String, _ text: String) -> Failure {
    Failure(.data, "cannot read \(path): \(text); give a PNG file that is whole")
  }
}

/// A file that is read from its beginning, of whatever kind.
private struct InputFile: ~Copyable {
  private let path: String
  private let file: FileDescriptor

  init(path: String) throws(Failure) {
    let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { throw Self.failure(path) }
    file = FileDescriptor(owning: raw)
    self.path = path
  }

  /// The next bytes: `limit` of them, unless the file ends before.
  func read(upTo limit: Int) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let size = min(chunk.count, limit - bytes.count)
      let count = unsafe chunk.withUnsafeMutableBytes { chunk in
        unsafe Glibc.read(file.raw, chunk.baseAddress, size)
      }
      if count < 0 { throw Self.failure(path) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.noInput, "cannot read \(path): \(errorText(errno))")
  }
}
