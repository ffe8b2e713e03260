import Glibc

/// An open file descriptor, which is closed at the end of its life.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, for system calls. It must not be closed.
  package let raw: Int32

  /// Takes ownership of an open descriptor. Traps if it is negative.
  package init(owning raw: Int32) {
    precondition(raw >= 0)
    self.raw = raw
  }

  /// Stands for a descriptor that the process could not get: -1, with which all calls fail.
  package init(missing: Void) { raw = -1 }

  deinit { if raw >= 0 { _ = close(raw) } }
}

extension FileDescriptor {
  /// Makes the open descriptor `raw` a Unix stream socket that is connected to the returned one. Neither blocks. The
  /// file that `raw` was for is closed, if no other descriptor is for it.
  package static func makePeer(replacing raw: Int32) throws(SystemError) -> FileDescriptor {
    var pair: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    guard unsafe socketpair(AF_UNIX, type, 0, &pair) == 0 else { throw SystemError(code: errno) }
    let peer = FileDescriptor(owning: pair[0])
    let other = FileDescriptor(owning: pair[1])
    guard dup2(other.raw, raw) >= 0 else { throw SystemError(code: errno) }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    return peer
  }

  /// Whether the process may open one more file.
  package static var hasRoom: Bool {
    let raw = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
    if raw >= 0 { close(raw) }
    return raw >= 0
  }

  /// One more descriptor for the file of another one.
  package static func makeCopy(of raw: Int32) throws(SystemError) -> FileDescriptor {
    let copy = fcntl(raw, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw SystemError(code: errno) }
    return FileDescriptor(owning: copy)
  }

  /// Ends the stream in both directions, also for copies of the descriptor.
  package func endStream() { _ = shutdown(raw, Int32(SHUT_RDWR)) }
}

/// Whether a descriptor is one of a Unix socket. Only these transfer descriptors.
package func isUnixSocket(_ descriptor: Int32) -> Bool {
  var address = sockaddr_storage()
  var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
  let isKnown = unsafe withUnsafeMutablePointer(to: &address) { storage in
    unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe getsockname(descriptor, $0, &length) == 0
    }
  }
  return isKnown && address.ss_family == sa_family_t(AF_UNIX)
}
