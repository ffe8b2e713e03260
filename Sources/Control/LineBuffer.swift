import Linux

/// Divides the bytes from a client into lines.
struct LineBuffer {
  /// The largest length of a line in bytes, without the newline: an `apply` of 256 panes of 1 KiB.
  static let longestLine = 1 << 18

  private(set) var bytes: [UInt8] = []
  /// The number of bytes at the start that contain no newline.
  private var searched = 0

  /// Whether `nextLine` returns a line or throws.
  private(set) var hasLine = false

  /// Whether no part of a line has been received.
  var isEmpty: Bool { bytes.isEmpty }

  /// Calls `read`, which appends received bytes to its argument.
  mutating func append(_ read: (inout [UInt8]) -> Transfer) -> Transfer {
    defer { search() }
    return read(&bytes)
  }

  /// Records the end of file, which ends the last line.
  mutating func end() {
    if !bytes.isEmpty { bytes.append(UInt8(ascii: "\n")) }
    search()
  }

  private mutating func search() {
    let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n"))
    searched = end ?? bytes.count
    hasLine = end != nil || searched > Self.longestLine
  }

  /// Removes and returns the next complete line, without its newline; nil if there is none. Throws
  /// `lineTooLong` if a complete or incomplete line exceeds the limit; after that the buffer must
  /// not be used.
  mutating func nextLine() throws(RequestError) -> [UInt8]? {
    if searched > Self.longestLine { throw .lineTooLong(limit: Self.longestLine) }
    guard hasLine else { return nil }
    let line = Array(bytes[..<searched])
    bytes.removeSubrange(...searched)
    searched = 0
    search()
    return line
  }
}
