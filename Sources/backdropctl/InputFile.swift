import Control
import Glibc
import Linux

/// A file of any type that is read sequentially.
struct InputFile: ~Copyable {
  let path: String
  private let file: FileDescriptor

  init(path: String) throws(Failure) {
    let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { throw Self.failure(path) }
    file = FileDescriptor(owning: raw)
    self.path = path
  }

  init(standardInput: Void) throws(Failure) {
    let raw = dup(STDIN_FILENO)
    guard raw >= 0 else { throw Self.failure("the standard input") }
    file = FileDescriptor(owning: raw)
    path = "the standard input"
  }

  /// Reads the next `limit` bytes, or fewer at the end of the file.
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
