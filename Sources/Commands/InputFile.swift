import Control
import Glibc
import Linux
import Synchronization

/// A file of any type that is read sequentially; `-` is the standard input. A pipe to which nothing comes for `answerPatience` is an
/// error, unless it is the standard input, into which the user may type.
struct InputFile: ~Copyable {
  /// The name for messages.
  let path: String
  private let file: FileDescriptor
  /// The bytes that were read when the file was opened.
  private var start: [UInt8]
  /// Whether it is a pipe from which reads do not wait.
  private let isBoundedPipe: Bool

  /// Opens a file. A pipe must be open for writing already, because to wait for a writer could last for ever. Throws `noInput` if
  /// the file cannot be opened, or `usage` if the standard input was read before.
  init(path: String) throws(Failure) {
    let isStandardInput = path == standardStream
    let name = isStandardInput ? "the standard input" : path
    if isStandardInput, isStandardInputTaken.exchange(true, ordering: .relaxed) {
      throw Failure(.usage, "the standard input is given twice; give - once")
    }
    // `open` would end the name at a zero.
    if path.utf8.contains(0) { throw Failure(.noInput, "cannot read '\(path)': it has a zero") }
    let raw =
      unsafe isStandardInput ? dup(0) : open(path.systemText, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard raw >= 0 else { throw Self.failure(name) }
    let file = FileDescriptor(owning: raw)
    let isPipe = !isStandardInput && Self.isPipe(raw)
    start = isPipe ? try Self.firstByte(ofPipe: raw, path) : []
    // Links such as /dev/stdin name the standard input, too.
    isBoundedPipe = isPipe && !Self.isStandardInput(raw)
    self.file = file
    self.path = name
    if !isStandardInput, !isBoundedPipe {
      _ = fcntl(raw, F_SETFL, fcntl(raw, F_GETFL) & ~O_NONBLOCK)
    }
  }

  private static func isPipe(_ raw: Int32) -> Bool {
    var information = stat()
    return unsafe fstat(raw, &information) == 0 && information.st_mode & S_IFMT == S_IFIFO
  }

  private static func isStandardInput(_ raw: Int32) -> Bool {
    var (own, standard) = (stat(), stat())
    return unsafe fstat(raw, &own) == 0 && fstat(STDIN_FILENO, &standard) == 0
      && own.st_dev == standard.st_dev && own.st_ino == standard.st_ino
  }

  /// The first byte of a pipe, if it has arrived. A read without waiting tells whether there is a writer.
  private static func firstByte(ofPipe raw: Int32, _ path: String) throws(Failure) -> [UInt8] {
    var byte: UInt8 = 0
    let count = unsafe Glibc.read(raw, &byte, 1)
    if count == 0 {
      throw Failure(
        .noInput, "cannot read \(path): no program writes to this pipe; start one first")
    }
    return count > 0 ? [byte] : []
  }

  /// Reads the next `limit` bytes, or fewer at the end of the file.
  mutating func read(upTo limit: Int) throws(Failure) -> [UInt8] {
    var bytes = Array(start.prefix(limit))
    start.removeFirst(bytes.count)
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let size = min(chunk.count, limit - bytes.count)
      let count = unsafe chunk.withUnsafeMutableBytes { chunk in
        unsafe Glibc.read(file.raw, chunk.baseAddress, size)
      }
      if count < 0, isBoundedPipe, errno == EAGAIN {
        try awaitPipe()
        continue
      }
      if count < 0 { throw Self.failure(path) }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  private func awaitPipe() throws(Failure) {
    if awaitReadable(file.raw, within: answerPatience) { return }
    let seconds = answerPatience.components.seconds
    throw Failure(
      .noInput,
      "cannot read \(path): nothing came for \(seconds) s from the program that writes to this pipe; end it or let it write"
    )
  }

  private static func failure(_ path: String) -> Failure {
    Failure(.noInput, "cannot read \(path): \(errorText(errno))")
  }
}

/// The name of the standard input and of the standard output, where a command takes or writes a file.
let standardStream = "-"

private let isStandardInputTaken = Atomic(false)
