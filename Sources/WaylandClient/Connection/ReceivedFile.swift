import Glibc
import Linux

/// A file descriptor that came with an event. It is closed when nothing refers to it any more, also if no part handles the
/// event.
package final class ReceivedFile: Sendable {
  private let file: FileDescriptor

  /// Takes ownership of an open descriptor.
  package init(owning raw: Int32) { file = FileDescriptor(owning: raw) }

  /// The first bytes of the file; fewer than `count` if it is shorter or cannot be read.
  package func bytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
        return unsafe pread(file.raw, rest.baseAddress, rest.count, off_t(filled))
      }
      if read <= 0 { break }
      filled += read
    }
    return Array(bytes.prefix(filled))
  }
}

extension ReceivedFile: Equatable {
  package static func == (one: ReceivedFile, other: ReceivedFile) -> Bool { one === other }
}
