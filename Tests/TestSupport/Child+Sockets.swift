import CLinux
import Glibc

extension Child {
  /// The program's own numbers of its descriptors that are connected to the X server `display`.
  ///
  /// The kernel does not list the peer of a client's socket in `/proc`, so this function duplicates each
  /// descriptor for a moment. It needs the same permission as a debugger.
  package func descriptors(connectedTo display: String) -> [Int32] {
    let path = Array("/tmp/.X11-unix/X\(display.dropFirst())".utf8)
    return namesInDirectory("/proc/\(pid)/fd").compactMap { Int32($0) }.filter { number in
      let copy = pidfd_getfd(endDescriptor, number, 0)
      guard copy >= 0 else { return false }
      return peerPath(of: Descriptor(owning: copy)) == path
    }.sorted()
  }
}

/// The path of the Unix socket at the other end. An abstract path is returned without its leading zero.
private func peerPath(of socket: borrowing Descriptor) -> [UInt8]? {
  var address = sockaddr_un()
  var length = socklen_t(MemoryLayout<sockaddr_un>.size)
  let code = unsafe withUnsafeMutablePointer(to: &address) { typed in
    unsafe typed.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe getpeername(socket.number, $0, &length)
    }
  }
  guard code == 0, Int32(address.sun_family) == AF_UNIX else { return nil }
  return unsafe withUnsafeBytes(of: address.sun_path) { bytes in
    unsafe Array(bytes.drop { $0 == 0 }.prefix { $0 != 0 })
  }
}
