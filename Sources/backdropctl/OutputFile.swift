import Control
import Glibc
import Linux
import Raster

/// A file that is written atomically: to a temporary file in the same folder, which is renamed
/// when it is complete. So an existing file is either unchanged or replaced.
struct OutputFile: ~Copyable {
  private let path: String
  private let temporaryPath: String
  private let file: FileDescriptor

  /// Creates the temporary file, so that a path that cannot be written fails before any work.
  /// Throws `cannotCreate`.
  init(path: String) throws(Failure) {
    let target = try replaceablePath(path)
    let end = target.lastIndex(of: "/")
    let directory = end.map { String(target[...$0]) } ?? ""
    var template = Array("\(directory).backdropctl-XXXXXX".utf8CString)
    let raw = unsafe template.withUnsafeMutableBufferPointer { template in
      unsafe template.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    guard raw >= 0 else { throw failure(path, errorText(errno)) }
    file = FileDescriptor(owning: raw)
    self.path = target
    temporaryPath = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { unsafe unlink(temporaryPath) }

  /// Writes the picture and renames the file. Throws `cannotCreate`.
  func write(png bitmap: Bitmap, isOpaque: Bool) throws(Failure) {
    if let text = writePNG(bitmap, isOpaque: isOpaque, to: file) { throw failure(path, text) }
    try finish()
  }

  /// Writes bytes and renames the file. Throws `cannotCreate`.
  func write(_ bytes: [UInt8]) throws(Failure) {
    let code = unsafe bytes.withUnsafeBytes { unsafe file.write($0, at: 0) }
    if code != 0 { throw failure(path, errorText(code)) }
    try finish()
  }

  private func finish() throws(Failure) {
    // `mkstemp` creates files with the mode 0600. A file that exists keeps its own.
    var information = stat()
    if unsafe stat(path, &information) == 0 {
      fchmod(file.raw, information.st_mode & 0o7777)
    } else {
      let mask = umask(0)
      umask(mask)
      fchmod(file.raw, 0o666 & ~mask)
    }
    guard unsafe rename(temporaryPath, path) == 0 else { throw failure(path, errorText(errno)) }
  }
}

/// The path to rename to: `path`, or the target if it is a symbolic link, which is kept. Throws if
/// the file is not a regular one, such as a directory or a device.
private func replaceablePath(_ path: String) throws(Failure) -> String {
  var information = stat()
  guard unsafe stat(path, &information) == 0 else { return path }
  switch information.st_mode & S_IFMT {
  case S_IFREG: break
  case S_IFDIR: throw failure(path, errorText(EISDIR))
  default: throw failure(path, "the path is that of no regular file")
  }
  guard let resolved = unsafe realpath(path, nil) else { throw failure(path, errorText(errno)) }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

private func failure(_ path: String, _ text: String) -> Failure {
  Failure(.cannotCreate, "cannot write \(path): \(text); name a file in a folder you may write to")
}
