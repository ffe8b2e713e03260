import CLinux
import Glibc
package import Linux
package import Raster

/// `F_GET_SEALS` of Linux, which the Glibc module does not export.
private let getSeals: Int32 = 1034

/// Files with pixels and other bytes.
extension FileDescriptor {
  /// An unnamed file in memory with the pixels of pictures, one after the other: the attachment of
  /// a request or a reply. Throws `system`.
  package static func makePixelFile(
    _ pictures: [Bitmap]
  ) throws(ControlError) -> FileDescriptor {
    let raw = unsafe memfd_create("backdropd", UInt32(MFD_CLOEXEC))
    guard raw >= 0 else { throw .system(action: "make a file in memory", errno: errno) }
    let file = FileDescriptor(owning: raw)
    let code = file.write(pictures)
    if code != 0 { throw .system(action: "write pixels to memory", errno: code) }
    return file
  }

  /// An empty file at a path, which only the user can read. Throws `system`.
  static func create(path: String) throws(ControlError) -> FileDescriptor {
    let raw = unsafe open(
      path.systemText, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard raw >= 0 else { throw .system(action: "create \(path)", errno: errno) }
    return FileDescriptor(owning: raw)
  }

  /// Waits until the bytes are on the disk. Returns an `errno`, or 0, also if the file system cannot tell.
  func sync() -> Int32 { fdatasync(raw) == 0 || errno == EINVAL ? 0 : errno }

  /// Writes the pixels of pictures, one after the other. Returns an `errno`, or 0.
  func write(_ pictures: [Bitmap]) -> Int32 {
    var start = 0
    for picture in pictures {
      let code = unsafe picture.pixels.withUnsafeBytes { unsafe write($0, at: start) }
      if code != 0 { return code }
      start += 4 * picture.pixels.count
    }
    return 0
  }

  /// All bytes of a regular file; nil if they cannot be read.
  func readBytes() -> [UInt8]? {
    var information = stat()
    guard unsafe fstat(raw, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: Int(information.st_size))
    let code = unsafe bytes.withUnsafeMutableBytes { unsafe read(into: $0, at: 0) }
    return code == 0 ? bytes : nil
  }

  /// Whether it is a file in memory, such as `makePixelFile` makes. Reading it does not block, as
  /// reading a pipe, a device or a network file could.
  var isInMemory: Bool {
    // `F_GET_SEALS` succeeds for files in memory only.
    pixelCount != nil && fcntl(raw, getSeals) >= 0
  }

  /// The number of pixels that the file holds now; nil if it is not a regular file.
  var pixelCount: Int? {
    var information = stat()
    guard unsafe fstat(raw, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return information.st_size / 4
  }

  /// Reads `count` pixels from pixel `start` on, of a file that another process made. Throws ENODATA if the file does not hold
  /// them, and what the system tells if it cannot be read.
  ///
  /// The file is read and not mapped, because an access to a mapping that the other process
  /// truncates would end this process.
  package func readPixels(_ count: Int, from start: Int = 0) throws(SystemError) -> [UInt32] {
    guard let pixelCount, pixelCount - start >= count else { throw SystemError(code: ENODATA) }
    var code: Int32 = 0
    let pixels = unsafe [UInt32](unsafeUninitializedCapacity: count) { memory, initialized in
      code = unsafe read(into: UnsafeMutableRawBufferPointer(memory), at: 4 * start)
      initialized = code == 0 ? count : 0
    }
    if code != 0 { throw SystemError(code: code) }
    return pixels
  }

  /// Writes all bytes. Returns an `errno`, or 0.
  package func write(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int32 {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = unsafe pwrite(raw, rest.baseAddress, rest.count, start + done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return count < 0 ? errno : ENOSPC }
      done += count
    }
    return 0
  }

  /// Reads all bytes. Returns an `errno`, which is ENODATA at the end of the file, or 0.
  private func read(into bytes: UnsafeMutableRawBufferPointer, at start: Int) -> Int32 {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = unsafe pread(raw, rest.baseAddress, rest.count, start + done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return count < 0 ? errno : ENODATA }
      done += count
    }
    return 0
  }
}
