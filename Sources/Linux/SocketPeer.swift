package import Glibc

/// The process at the other end of a Unix socket when it was connected: for a client, the one that listens.
package struct SocketPeer: Equatable, Sendable {
  /// Nil if it is in another namespace.
  package let process: Int?
  package let user: uid_t

  /// Nil if the descriptor is not that of a connected Unix socket.
  package init?(of descriptor: Int32) {
    // `struct ucred`: the process, its user and its group.
    var credentials: [UInt32] = [0, 0, 0]
    var size = socklen_t(12)
    let code = unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size)
    guard code == 0, size == 12 else { return nil }
    process = credentials[0] == 0 ? nil : Int(credentials[0])
    user = credentials[1]
  }
}

/// The name of a process, of which the kernel keeps 15 bytes; nil if it does not exist.
package func processName(_ process: Int) -> String? {
  let name = textOfKernelFile("/proc/\(process)/comm").prefix { $0 != "\n" }
  return name.isEmpty ? nil : String(name)
}
