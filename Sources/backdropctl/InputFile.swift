import Control
import Glibc
import Linux
import Synchronization

/// A file of any type that is read sequentially; `-` is the standard input.
struct InputFile: ~Copyable {
  /// The name for messages.
  let path: String
  private let file: FileDescriptor

  /// Throws `noInput` if there is no such file, or `usage` if the standard input was read before.
  init(path: String) throws(Failure) {
    let isStandardInput = path == standardStream
    let name = isStandardInput ? "the standard input" : path
    if isStandardInput, isStandardInputTaken.exchange(true, ordering: .relaxed) {
      throw Failure(.usage, "the standard input is given twice; give - once")
    }
    // `open` would end the name at a zero.
    if path.utf8.contains(0) { throw Failure(.noInput, "cannot read '\(path)': it has a zero") }
    let raw = unsafe isStandardInput ? dup(0) : open(path.systemText, O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { throw Self.failure(name) }
    file = FileDescriptor(owning: raw)
    self.path = name
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

/// The name of the standard input and of the standard output, where a command takes or writes a file.
let standardStream = "-"

private let isStandardInputTaken = Atomic(false)
