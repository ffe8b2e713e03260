import Control
import Glibc
import Linux
import Raster

/// A file that is written. One that is regular, or does not exist, is written atomically: to a temporary file in the same
/// folder, which is renamed when it is complete. So an existing file is either unchanged or replaced. A pipe and a device, and
/// the standard output, whose name is `-`, are written directly. A pipe that no program reads within `answerPatience` is an error.
struct OutputFile: ~Copyable {
  /// The name for messages.
  private let name: String
  private let file: FileDescriptor
  /// Nil if the file is written directly.
  private let replacement: Replacement?

  private struct Replacement {
    let path, temporaryPath: String
  }

  /// Opens the file, so that a path that cannot be written fails before any work. Throws `cannotCreate`.
  init(path: String) throws(Failure) {
    let isStandardOutput = [standardStream, "/dev/stdout"].contains(path)
    name = isStandardOutput ? "the standard output" : path
    if isStandardOutput {
      file = try Self.opened(dup(STDOUT_FILENO), name)
      replacement = nil
    } else if let path = try replaceablePath(path) {
      let start = path.folderOfPath.map { $0 == "/" ? "/" : "\($0)/" } ?? ""
      var template = "\(start).backdropctl-XXXXXX".systemText
      file = try Self.opened(unsafe mkstemp(&template), name)
      let temporaryPath = unsafe String(systemText: template)
      replacement = Replacement(path: path, temporaryPath: temporaryPath)
    } else {
      file = try Self.openedInTime(path)
      replacement = nil
    }
  }

  deinit {
    if let replacement { unsafe unlink(replacement.temporaryPath.systemText) }
  }

  private static func opened(_ raw: Int32, _ name: String) throws(Failure) -> FileDescriptor {
    guard raw >= 0 else { throw failure(name, errorText(errno)) }
    return FileDescriptor(owning: raw)
  }

  /// Opens a file that is written directly. To open a pipe waits for a program that reads it, which may be started at the same time.
  private static func openedInTime(_ path: String) throws(Failure) -> FileDescriptor {
    let opened = answerInTime { _ -> Result<FileDescriptor, SystemError> in
      let raw = unsafe open(path.systemText, O_WRONLY | O_CLOEXEC)
      return raw < 0 ? .failure(SystemError(code: errno)) : .success(FileDescriptor(owning: raw))
    }
    guard let opened else {
      let seconds = answerPatience.components.seconds
      throw Failure(
        .cannotCreate,
        "cannot write \(path): no program came to read this pipe for \(seconds) s; start one")
    }
    do throws(SystemError) { return try opened.get() } catch { throw failure(path, "\(error)") }
  }

  /// Writes the picture. Throws `cannotCreate`.
  func write(png bitmap: Bitmap, isOpaque: Bool) throws(Failure) {
    if isatty(file.raw) == 1 { throw failure(name, "it is a terminal, which shows no pictures") }
    if let text = writePNG(bitmap, isOpaque: isOpaque, to: file) { throw failure(name, text) }
    try finish()
  }

  /// Writes bytes. Throws `cannotCreate`.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.write(file.raw, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(name, errorText(errno)) }
      rest = rest.dropFirst(count)
    }
    try finish()
  }

  private func finish() throws(Failure) {
    guard let replacement else { return }
    let path = replacement.path.systemText
    // `mkstemp` creates files with the mode 0600. A file that exists keeps its own.
    var information = stat()
    if unsafe stat(path, &information) == 0 {
      fchmod(file.raw, information.st_mode & 0o7777)
    } else {
      let mask = umask(0)
      umask(mask)
      fchmod(file.raw, 0o666 & ~mask)
    }
    guard unsafe rename(replacement.temporaryPath.systemText, path) == 0 else {
      throw failure(name, errorText(errno))
    }
  }
}

/// The path to rename to: `path`, or the target if it is a symbolic link, which is kept. Nil if the file is written directly.
/// Throws if it cannot be written.
private func replaceablePath(_ path: String) throws(Failure) -> String? {
  var information = stat()
  guard unsafe stat(path.systemText, &information) == 0 else { return path }
  switch information.st_mode & S_IFMT {
  case S_IFREG: break
  case S_IFIFO, S_IFCHR: return nil
  case S_IFDIR: throw failure(path, errorText(EISDIR))
  default: throw failure(path, "the path is that of no regular file")
  }
  guard let resolved = unsafe realpath(path.systemText, nil) else {
    throw failure(path, errorText(errno))
  }
  defer { unsafe free(resolved) }
  return unsafe String(systemText: resolved)
}

private func failure(_ name: String, _ text: String) -> Failure {
  Failure(.cannotCreate, "cannot write \(name): \(text); name a file in a folder you may write to")
}
