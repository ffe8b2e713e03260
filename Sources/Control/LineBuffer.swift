/// Cuts what arrives from a client into lines.
struct LineBuffer {
  /// The newline not counted.
  static let longestLine = 65536

  private(set) var bytes: [UInt8] = []
  /// How many bytes at the front are known to hold no newline.
  private var searched = 0

  /// Whether no line has begun.
  var isEmpty: Bool { bytes.isEmpty }

  /// Lets `read` append to what is here.
  mutating func append(_ read: (inout [UInt8]) -> Transfer) -> Transfer { read(&bytes) }

  /// Whoever ends without a newline has ended a line as well.
  mutating func end() {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
  }

  /// The next whole line, without its newline; nil as long as there is none. Throws when it is, or
  /// becomes, longer than one may be: then nothing more can be read.
  mutating func nextLine() throws(RequestError) -> [UInt8]? {
    let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    searched = end ?? bytes.count
    if searched > Self.longestLine { throw .lineTooLong(limit: Self.longestLine) }
    guard let end else { return nil }
    let line = Array(bytes[..<end])
    bytes.removeSubrange(...end)
    searched = 0
    return line
  }
}
