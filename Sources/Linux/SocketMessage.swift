import Glibc

/// The result of one attempt to send or receive.
package enum Transfer: Equatable {
  /// At least one byte was transferred.
  case moved(byteCount: Int)
  /// The socket is not ready; a blocking socket reached its timeout.
  case wouldBlock
  /// The other side has closed the connection.
  case ended
}

// Bytes with files. The unsafe code of these system calls is in this file only.
extension FileDescriptor {
  /// The largest number of files that go with the bytes of one call.
  package static var fileLimit: Int { RightsMessage.limit }

  /// Sends bytes, and files together with the first byte. Does not raise SIGPIPE.
  package func send(_ bytes: UnsafeRawBufferPointer, attaching files: [Int32]) -> Transfer {
    var rights = RightsMessage(files)
    let count = unsafe withUnsafeMutableBytes(of: &rights) { rights in
      var part = unsafe iovec(
        iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress), iov_len: bytes.count)
      return unsafe withUnsafeMutablePointer(to: &part) { part in
        var message = unsafe msghdr()
        unsafe message.msg_iov = part
        unsafe message.msg_iovlen = 1
        if !files.isEmpty {
          unsafe message.msg_control = rights.baseAddress
          unsafe message.msg_controllen = RightsMessage.length(files.count)
        }
        return retry { unsafe sendmsg(raw, &message, Int32(MSG_NOSIGNAL)) }
      }
    }
    return transfer(count)
  }

  /// Receives bytes, and files that go with them, which the caller must close. The kernel closes those beyond
  /// `fileLimit`. `isCut` is whether it closed any, because of that or because this process may have no more descriptors.
  package func receive(
    into bytes: UnsafeMutableRawBufferPointer, fileLimit: Int
  ) -> (transfer: Transfer, files: [Int32], isCut: Bool) {
    var rights = RightsMessage([])
    var isCut = false
    let count = unsafe withUnsafeMutableBytes(of: &rights) { rights in
      var part = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return unsafe withUnsafeMutablePointer(to: &part) { part in
        var message = unsafe msghdr()
        unsafe message.msg_iov = part
        unsafe message.msg_iovlen = 1
        unsafe message.msg_control = rights.baseAddress
        unsafe message.msg_controllen = RightsMessage.length(fileLimit)
        let count = retry { unsafe recvmsg(raw, &message, Int32(MSG_CMSG_CLOEXEC)) }
        isCut = unsafe message.msg_flags & Int32(MSG_CTRUNC) != 0
        return count
      }
    }
    return (transfer(count), rights.files, isCut)
  }

  private func transfer(_ count: Int) -> Transfer {
    if count > 0 { return .moved(byteCount: count) }
    if count == 0 { return .ended }
    return errno == EAGAIN ? .wouldBlock : .ended
  }

  /// Repeats a call that a signal interrupted. A call with a timeout is interrupted when the
  /// process is stopped and continued.
  private func retry(_ call: () -> Int) -> Int {
    while true {
      let count = call()
      if count >= 0 || errno != EINTR { return count }
    }
  }
}

/// `struct cmsghdr` followed by file descriptors.
private struct RightsMessage {
  /// The length in bytes, with the descriptors; 0 if there are none, because then `recvmsg` writes nothing.
  private var length: Int
  private var level = SOL_SOCKET
  private var type = Int32(SCM_RIGHTS)
  private var descriptors = InlineArray<16, Int32>(repeating: -1)

  static let limit = 16

  static func length(_ count: Int) -> Int { 16 + 4 * min(count, limit) }

  init(_ files: [Int32]) {
    precondition(files.count <= Self.limit)
    length = files.isEmpty ? 0 : Self.length(files.count)
    for (i, file) in files.enumerated() { descriptors[i] = file }
  }

  /// The descriptors that `recvmsg` wrote.
  var files: [Int32] {
    guard length > 16, level == SOL_SOCKET, type == Int32(SCM_RIGHTS) else { return [] }
    return (0..<(length - 16) / 4).map { descriptors[$0] }
  }
}
