import Glibc

/// How many bytes a socket's path may have.
let longestSocketPath = 107

/// What one attempt to send or receive came to.
enum Transfer: Equatable {
  case moved(byteCount: Int)
  /// Later, says `poll`. A blocking socket: its time is over.
  case wouldBlock
  /// The other side has closed its end, or is gone.
  case ended
}

// The system calls of Unix sockets. All that is unsafe about them stays in this file.
extension FileDescriptor {
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

  /// The next client of a listening socket, or an `errno`.
  func accept() -> Result<Int32, AcceptError> {
    let raw = Glibc.accept(raw, nil, nil)
    if raw < 0 { return .failure(AcceptError(code: errno)) }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    _ = fcntl(raw, F_SETFL, O_NONBLOCK)
    return .success(raw)
  }

  /// Who runs the process at the other end.
  var peerUser: uid_t? {
    // struct ucred: pid, uid, gid.
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    let code = unsafe getsockopt(raw, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
    return code == 0 && size == 12 ? credentials[1] : nil
  }

  /// Lets a blocking socket give up after a time.
  func setTimeout(seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      _ = unsafe setsockopt(raw, SOL_SOCKET, option, &time, size)
    }
  }

  /// Sends bytes from `start` on, and the file `file` when it is given. Never raises SIGPIPE.
  func send(_ bytes: [UInt8], from start: Int, attaching file: Int32?) -> Transfer {
    var rights = RightsMessage(descriptor: file ?? -1)
    let count = unsafe bytes.withUnsafeBytes { bytes in
      unsafe withUnsafeMutableBytes(of: &rights) { rights in
        let rest = unsafe UnsafeMutableRawBufferPointer(
          mutating: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        var part = unsafe iovec(iov_base: rest.baseAddress, iov_len: rest.count)
        return unsafe withUnsafeMutablePointer(to: &part) { part in
          var message = unsafe msghdr()
          unsafe message.msg_iov = part
          unsafe message.msg_iovlen = 1
          if file != nil {
            unsafe message.msg_control = rights.baseAddress
            unsafe message.msg_controllen = rights.count
          }
          return retry { unsafe sendmsg(raw, &message, Int32(MSG_NOSIGNAL)) }
        }
      }
    }
    return transfer(count)
  }

  /// Appends what has arrived, at most `limit` bytes of it. A file that came along takes the place
  /// of `attachment`.
  func receive(
    into buffer: inout [UInt8], limit: Int, attachment: inout FileDescriptor?
  ) -> Transfer {
    var rights = RightsMessage(descriptor: -1)
    let count = unsafe withUnsafeTemporaryAllocation(byteCount: limit, alignment: 1) { bytes in
      let count = unsafe receive(into: bytes, &rights)
      if count > 0 { unsafe buffer.append(contentsOf: bytes[..<count]) }
      return count
    }
    if count > 0, let file = rights.received { attachment = FileDescriptor(owning: file) }
    return transfer(count)
  }

  private func receive(
    into bytes: UnsafeMutableRawBufferPointer, _ rights: inout RightsMessage
  ) -> Int {
    unsafe withUnsafeMutableBytes(of: &rights) { rights in
      var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return unsafe withUnsafeMutablePointer(to: &part) { part in
        var message = unsafe msghdr()
        unsafe message.msg_iov = part
        unsafe message.msg_iovlen = 1
        unsafe message.msg_control = rights.baseAddress
        // Room for one file: the system closes those for which there is none.
        unsafe message.msg_controllen = RightsMessage.length
        return retry { unsafe recvmsg(raw, &message, Int32(MSG_CMSG_CLOEXEC)) }
      }
    }
  }

  private func transfer(_ count: Int) -> Transfer {
    if count > 0 { return .moved(byteCount: count) }
    if count == 0 { return .ended }
    return errno == EAGAIN ? .wouldBlock : .ended
  }

  /// Stopping a process and continuing it interrupts a call that has a time limit.
  private func retry(_ call: () -> Int) -> Int {
    while true {
      let count = call()
      if count >= 0 || errno != EINTR { return count }
    }
  }
}

struct AcceptError: Error {
  let code: Int32
}

/// `struct cmsghdr`, and one file descriptor behind it.
private struct RightsMessage {
  private var length = Self.length
  private var level = SOL_SOCKET
  private var type = Int32(SCM_RIGHTS)
  private var descriptor: Int32
  private var padding: Int32 = 0

  /// Without the padding.
  static let length = 20

  init(descriptor: Int32) { self.descriptor = descriptor }

  /// The file that `recvmsg` wrote here, if it did.
  var received: Int32? {
    length == Self.length && level == SOL_SOCKET && descriptor >= 0 ? descriptor : nil
  }
}

private func withSocketAddress<R>(
  _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> R
) -> R {
  precondition(path.utf8.count <= longestSocketPath)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  return unsafe withUnsafeBytes(of: &address) { bytes in
    unsafe bytes.withMemoryRebound(to: sockaddr.self) { bytes in
      guard let start = bytes.baseAddress else { preconditionFailure("an address has bytes") }
      return unsafe body(start, socklen_t(MemoryLayout<sockaddr_un>.size))
    }
  }
}
