import Glibc

/// A client that sends any bytes to the socket of the daemon. Throws if none listens.
package final class ControlConnection {
  private let socket: Descriptor
  private var unread: [UInt8] = []

  package convenience init(_ server: any DisplayServer) throws(TestFailure) {
    try self.init(path: server.controlSocket)
  }

  package init(path: String) throws(TestFailure) {
    socket = try connection(to: path)
    var limit = timeval(tv_sec: 20, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      let size = socklen_t(MemoryLayout<timeval>.size)
      unsafe setsockopt(socket.number, SOL_SOCKET, option, &limit, size)
    }
  }

  /// Sends all bytes. Returns false if the daemon has disconnected.
  @discardableResult
  package func send(_ bytes: [UInt8]) -> Bool {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      sent += count
    }
    return true
  }

  /// Sends a line. Returns false if the daemon has disconnected.
  @discardableResult
  package func send(_ line: String) -> Bool { send(Array("\(line)\n".utf8)) }

  /// Sends bytes in one message with descriptors. Returns whether all were sent.
  @discardableResult
  package func send(_ bytes: [UInt8], attaching files: [Int32]) -> Bool {
    // struct cmsghdr: its length, SOL_SOCKET, SCM_RIGHTS; then the descriptors.
    var words = [Int32(16 + 4 * files.count), 0, SOL_SOCKET, Int32(SCM_RIGHTS)] + files
    if files.count % 2 == 1 { words.append(0) }
    let count = unsafe words.withUnsafeMutableBytes { control in
      unsafe bytes.withUnsafeBytes { bytes in
        var part = unsafe iovec(
          iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
        return unsafe withUnsafeMutablePointer(to: &part) { part in
          var message = unsafe msghdr()
          unsafe message.msg_iov = part
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = control.baseAddress
          unsafe message.msg_controllen = control.count
          return unsafe sendmsg(socket.number, &message, Int32(MSG_NOSIGNAL))
        }
      }
    }
    return count == bytes.count
  }

  /// The next reply; nil if the daemon has disconnected or does not reply for 20 s.
  package func reply() -> String? {
    while true {
      if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
        defer { unread.removeSubrange(...end) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      var chunk = [UInt8](repeating: 0, count: 65536)
      let count = unsafe recv(socket.number, &chunk, chunk.count, 0)
      if count <= 0 { return nil }
      unread += chunk[..<count]
    }
  }

  /// The reply to a line; nil if there is none.
  package func ask(_ line: String) -> String? {
    send(line)
    return reply()
  }

  /// Whether a reply has arrived. Does not wait.
  package var hasReply: Bool {
    var polled = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    return unsafe !unread.isEmpty || poll(&polled, 1, 0) > 0
  }
}
