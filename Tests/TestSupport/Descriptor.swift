import Glibc

/// A file descriptor that is closed with its owner, and by every `exec`.
package struct Descriptor: ~Copyable {
  package let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// An error with the text of `errno`. No other call may come in between.
  static func failure(_ what: String) -> TestFailure {
    TestFailure("\(what): \(unsafe String(cString: strerror(errno)))")
  }

  /// A file without a name, which one process writes and another one reads later.
  static func temporaryFile() throws(TestFailure) -> Descriptor {
    var path = Array("/tmp/backdropd-test-XXXXXX".utf8CString)
    let number = unsafe mkstemp(&path)
    guard number >= 0 else { throw failure("mkstemp in /tmp") }
    let file = Descriptor(owning: number)
    unsafe unlink(path)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return file
  }

  /// All bytes of a file from its start, independent of the file offset.
  func contents() -> [UInt8] {
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65536)
    while true {
      let count = unsafe pread(number, &chunk, chunk.count, all.count)
      guard count > 0 else { return all }
      all += chunk[..<count]
    }
  }

  /// Up to 64 KiB that have arrived; empty at the end of the stream and on an error.
  func nextBytes() -> [UInt8] {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = unsafe read(number, &chunk, chunk.count)
    return Array(chunk[..<max(0, count)])
  }
}

/// The indices of the descriptors that can be read or have ended; none after the timeout.
func firstReadable(_ numbers: [Int32], until deadline: ContinuousClock.Instant) -> [Int] {
  var polled = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  while true {
    let left = ContinuousClock.now.duration(to: deadline)
    let milliseconds = Int32(clamping: max(0, left.wholeMilliseconds))
    let count = unsafe poll(&polled, nfds_t(polled.count), milliseconds)
    if count < 0 && errno == EINTR { continue }
    return polled.indices.filter { polled[$0].revents != 0 }
  }
}

extension Duration {
  /// Rounded up, so that a wait for it never ends early.
  var wholeMilliseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
