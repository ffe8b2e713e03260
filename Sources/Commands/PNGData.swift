import CZlib

/// The compressed data of a PNG file, and what they must hold.
///
/// libpng expands all data of a file, also those behind the last row, so that a file of 2 MB may take seconds. This check expands
/// the data once more before that, which takes 7 % of the time of `blur` for a file of 43 MB.
struct PNGData {
  /// The places of the data in the bytes of the file.
  private let parts: [Range<Int>]
  /// The bytes of all rows of a picture, each with one for its filter.
  private let expandedCount: Int

  /// zlib expands a byte to at most so many.
  private static let largestRatio = 1032
  /// Encoders may add some bytes. To expand these takes a fraction of a second.
  private static let slack = 1 << 26

  /// `header`: the 13 bytes of a valid chunk IHDR.
  init(header: ArraySlice<UInt8>, parts: [Range<Int>]) {
    self.parts = parts
    let bytes = Array(header)
    func number(at place: Int) -> Int { bytes[place..<place + 4].reduce(0) { $0 << 8 | Int($1) } }
    let (width, height) = (number(at: 0), number(at: 4))
    let samples = [2: 3, 4: 2, 6: 4][bytes[9]] ?? 1
    let bits = Int(bytes[8]) * samples
    // Interlaced rows are parts of at least one pixel in each of seven passes.
    let rows = bytes[12] == 0 ? height : 2 * height + 7
    let pixels = bytes[12] == 0 ? width : width + 8
    expandedCount = rows * (1 + (pixels * bits + 7) / 8)
  }

  /// Whether the data of `file` are more than the picture needs.
  func isTooLarge(in file: [UInt8]) -> Bool {
    let limit = expandedCount + Self.slack
    let count = parts.reduce(0) { $0 + $1.count }
    return count > limit / Self.largestRatio && expands(file, beyond: limit)
  }

  private func expands(_ file: [UInt8], beyond limit: Int) -> Bool {
    var stream = unsafe z_stream()
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit_(&stream, ZLIB_VERSION, size) == Z_OK else { return false }
    defer { unsafe inflateEnd(&stream) }
    var room = [UInt8](repeating: 0, count: 1 << 16)
    var expanded = 0
    for part in parts {
      var data = Array(file[part])
      let isOpen = unsafe data.withUnsafeMutableBufferPointer { data in
        unsafe stream.next_in = data.baseAddress
        unsafe stream.avail_in = UInt32(data.count)
        while unsafe stream.avail_in > 0, expanded <= limit {
          let (status, count) = unsafe expand(&stream, into: &room)
          expanded += count
          // The end, or an error that libpng tells better.
          if status != Z_OK { return false }
        }
        return expanded <= limit
      }
      if !isOpen { break }
    }
    return expanded > limit
  }

  /// The status of one call of zlib, and the number of bytes that it has written.
  private func expand(
    _ stream: inout z_stream, into room: inout [UInt8]
  ) -> (status: Int32, count: Int) {
    unsafe room.withUnsafeMutableBufferPointer { room in
      unsafe stream.next_out = room.baseAddress
      unsafe stream.avail_out = UInt32(room.count)
      let status = unsafe inflate(&stream, Z_NO_FLUSH)
      return (status, room.count - Int(unsafe stream.avail_out))
    }
  }
}
