import Control
import Glibc
import Raster

/// A PNG file to be: made beside its place and moved there when it is whole, so that what stands in
/// that place is either left alone or replaced.
struct OutputFile: ~Copyable {
  private let path: String
  private let temporaryPath: String
  private let file: FileDescriptor

  /// Fails before any work is done when the file could not be written in the end.
  init(path: String) throws(Failure) {
    let place = try replaceablePath(path)
    let end = place.lastIndex(of: "/")
    let directory = end.map { String(place[...$0]) } ?? ""
    var template = Array("\(directory).backdropctl-XXXXXX".utf8CString)
    let raw = unsafe template.withUnsafeMutableBufferPointer { template in
      unsafe template.baseAddress.map { unsafe mkstemp($0) } ?? -1
    }
    guard raw >= 0 else { throw failure(path, errorText(errno)) }
    file = FileDescriptor(owning: raw)
    self.path = place
    temporaryPath = String(
      decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { unsafe unlink(temporaryPath) }

  func write(png bitmap: Bitmap, isOpaque: Bool) throws(Failure) {
    if let text = writePNG(bitmap, isOpaque: isOpaque, to: file) { throw failure(path, text) }
    let mask = umask(0)
    umask(mask)
    // `mkstemp` made it for our eyes only.
    fchmod(file.raw, 0o666 & ~mask)
    guard unsafe rename(temporaryPath, path) == 0 else { throw failure(path, errorText(errno)) }
  }
}

/// Where the file at `path` is to be made: the end of a link, which stays. Refuses what must not be
/// replaced: a directory, a device.
private func replaceablePath(_ path: String) throws(Failure) -> String {
  var information = stat()
  guard unsafe stat(path, &information) == 0 else { return path }
  switch information.st_mode & S_IFMT {
  case S_IFREG: break
  case S_IFDIR: throw failure(path, errorText(EISDIR))
  default: throw failure(path, "it is no regular file")
  }
  guard let resolved = unsafe realpath(path, nil) else { throw failure(path, errorText(errno)) }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

private func failure(_ path: String, _ text: String) -> Failure {
  Failure(.cannotCreate, "cannot write \(path): \(text); name a file in a folder you may write to")
}
