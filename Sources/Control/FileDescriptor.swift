import Glibc

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
  /// A file in memory, without a name, that holds pixels: what a reply may be accompanied by.
  package static func makePixelFile(_ pixels: Span<UInt32>) throws(ControlError) -> FileDescriptor {
    let name = "/backdropd-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let raw = unsafe shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard raw >= 0 else { throw .system(action: "make a file in memory", errno: errno) }
    let file = FileDescriptor(owning: raw)
    _ = unsafe shm_unlink(name)
    let code = unsafe pixels.withUnsafeBytes { bytes in unsafe file.write(bytes) }
    if code != 0 { throw .system(action: "write pixels to memory", errno: code) }
    return file
  }

  /// The first `count` pixels of a file that another process made; nil when it holds fewer.
  ///
  /// It is read, not mapped: a file that its maker cuts short meanwhile must not kill us.
  package func readPixels(_ count: Int) -> [UInt32]? {
    var information = stat()
    guard unsafe fstat(raw, &information) == 0, information.st_size / 4 >= count else { return nil }
    var pixels = [UInt32](repeating: 0, count: count)
    let isWhole = unsafe pixels.withUnsafeMutableBytes { bytes in unsafe read(into: bytes) }
    return isWhole ? pixels : nil
  }

  /// Returns an `errno`, or 0.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
      let count = unsafe pwrite(raw, rest.baseAddress, rest.count, done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return count < 0 ? errno : ENOSPC }
      done += count
    }
    return 0
  }

  private func read(into bytes: UnsafeMutableRawBufferPointer) -> Bool {
    var done = 0
    while done < bytes.count {
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[done...])
      let count = unsafe pread(raw, rest.baseAddress, rest.count, done)
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return true
  }
}
