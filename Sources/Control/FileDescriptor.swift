import Glibc
package import Raster

/// `F_GET_SEALS`, which Glibc does not show.
private let getSeals: Int32 = 1034

/// An open file, closed when its owner lets go of it.
package struct FileDescriptor: ~Copyable, Sendable {
  /// For a system call; never to be closed.
  package let raw: Int32

  package init(owning raw: Int32) {
    precondition(raw >= 0)
    self.raw = raw
  }

  deinit { _ = close(raw) }
}

extension FileDescriptor {
  /// A file in memory, without a name, that holds the pixels of pictures one after another: what a
  /// request or a reply may be accompanied by.
  package static func makePixelFile(
    _ pictures: [Bitmap]
  ) throws(ControlError) -> FileDescriptor {
    let name = "/backdropd-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let raw = unsafe shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard raw >= 0 else { throw .system(action: "make a file in memory", errno: errno) }
    let file = FileDescriptor(owning: raw)
    _ = unsafe shm_unlink(name)
    var start = 0
    for picture in pictures {
      let code = unsafe picture.pixels.withUnsafeBytes { unsafe file.write($0, at: start) }
      if code != 0 { throw .system(action: "write pixels to memory", errno: code) }
      start += 4 * picture.pixels.count
    }
    return file
  }

  /// Whether it is a file as `makePixelFile` makes it. Such a file is read at once; a pipe, a device or
  /// a file of another host could keep a reader waiting.
  var isInMemory: Bool {
    // Only a file in memory has seals, be it none.
    pixelCount != nil && fcntl(raw, getSeals) >= 0
  }

  /// How many pixels it holds now; nil when it is no plain file.
  var pixelCount: Int? {
    var information = stat()
    guard unsafe fstat(raw, &information) == 0, information.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return information.st_size / 4
  }

  /// `count` pixels, from pixel `start` on, of a file that another process made; nil when it does not
  /// hold them.
  ///
  /// It is read, not mapped: a file that its maker cuts short meanwhile must not kill us.
  package func readPixels(_ count: Int, from start: Int = 0) -> [UInt32]? {
    guard let pixelCount, pixelCount - start >= count else { return nil }
    var pixels = [UInt32](repeating: 0, count: count)
    let isWhole = unsafe pixels.withUnsafeMutableBytes { bytes in
      unsafe read(into: bytes, at: 4 * start)
    }
    return isWhole ? pixels : nil
  }

  /// Returns an `errno`, or 0.
  private func write(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Int32 {
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

  private func read(into bytes: UnsafeMutableRawBufferPointer, at start: Int) -> Bool {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = unsafe pread(raw, rest.baseAddress, rest.count, start + done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return true
  }
}
