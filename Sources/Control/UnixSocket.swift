import Glibc
import Linux

/// The largest length of the path of a socket, in bytes: the size of `sun_path` without its final
/// zero.
let longestSocketPath = 107

// The system calls of Unix sockets. Their unsafe code is in this file only.
extension FileDescriptor {
  /// A Unix stream socket. Throws `system`.
  static func makeSocket(isBlocking: Bool) throws(ControlError) -> FileDescriptor {
    var type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    if !isBlocking { type |= Int32(SOCK_NONBLOCK.rawValue) }
    let raw = socket(AF_UNIX, type, 0)
    guard raw >= 0 else { throw .system(action: "make a socket", errno: errno) }
    return FileDescriptor(owning: raw)
  }

  /// Returns an `errno`, or 0.
  func bind(path: String) -> Int32 {
    unsafe withSocketAddress(path) { address, size in
      unsafe Glibc.bind(raw, address, size) == 0 ? 0 : errno
    }
  }

  /// Returns an `errno`, or 0.
  func connect(path: String) -> Int32 {
    unsafe withSocketAddress(path) { address, size in
      unsafe Glibc.connect(raw, address, size) == 0 ? 0 : errno
    }
  }

  /// The descriptor of the next client of a listening socket, or an `errno`.
  func accept() -> Result<Int32, SystemError> {
    let raw = Glibc.accept(raw, nil, nil)
    if raw < 0 { return .failure(SystemError(code: errno)) }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    _ = fcntl(raw, F_SETFL, O_NONBLOCK)
    return .success(raw)
  }

  /// The number of bytes that were sent and that the other side has not received; 0 if it is unknown.
  var unreadByteCount: Int {
    var count: Int32 = 0
    // SIOCOUTQ of linux/sockios.h has this value; see unix(7).
    return unsafe ioctl(raw, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }

  /// Ends the stream to the other side.
  func endSending() { _ = shutdown(raw, Int32(SHUT_WR)) }

  /// Sets the timeout of calls on a blocking socket.
  func setTimeout(seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = unsafe setsockopt(raw, SOL_SOCKET, option, &time, size)
    }
  }

  /// Sends bytes from `start` on, with the file `file` if it is given. Does not raise SIGPIPE.
  func send(_ bytes: [UInt8], from start: Int, attaching file: Int32?) -> Transfer {
    unsafe bytes.withUnsafeBytes { bytes in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      return unsafe send(rest, attaching: file.map { [$0] } ?? [])
    }
  }

  /// Appends at most `limit` received bytes. A file that came with them replaces `attachment`;
  /// its descriptor is -1 if this process may have no more.
  func receive(
    into buffer: inout [UInt8], limit: Int, attachment: inout FileDescriptor?
  ) -> Transfer {
    let (transfer, files, isCut) = unsafe withUnsafeTemporaryAllocation(
      byteCount: limit, alignment: 1
    ) {
      let received = unsafe receive(into: $0, fileLimit: 1)
      if case .moved(let count) = received.transfer {
        unsafe buffer.append(contentsOf: $0[..<count])
      }
      return received
    }
    for file in files { attachment = FileDescriptor(owning: file) }
    // Others that came with the file do not count.
    if isCut, files.isEmpty { attachment = FileDescriptor(missing: ()) }
    return transfer
  }
}

/// Whether a process listens at the path of a socket.
func isListening(_ path: String) -> Bool {
  guard path.systemBytes.count <= longestSocketPath,
    let socket = try? FileDescriptor.makeSocket(isBlocking: false)
  else { return false }
  let code = socket.connect(path: path)
  return code == 0 || code == EAGAIN
}

private func withSocketAddress<R>(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
) -> R {
  precondition(path.systemBytes.count <= longestSocketPath)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) {
    unsafe $0.copyBytes(from: path.systemBytes)
  }
  return unsafe withUnsafeBytes(of: &address) { bytes in
    unsafe bytes.withMemoryRebound(to: sockaddr.self) { bytes in
      guard let start = bytes.baseAddress else { preconditionFailure("an address has bytes") }
      return unsafe body(start, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
