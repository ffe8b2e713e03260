import Glibc

/// A Unix socket that clients can connect to, and that accepts none of them.
package struct SilentSocket: ~Copyable {
  package let path: String
  private let descriptor: Descriptor

  /// Creates the socket `silent` in a directory.
  package init(in directory: String) throws(TestFailure) {
    path = directory + "/silent"
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = Descriptor(owning: socket(AF_UNIX, kind, 0))
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    precondition(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let bound = unsafe withUnsafePointer(to: &address) { typed in
      unsafe typed.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0, listen(descriptor.number, 8) == 0 else {
      throw Descriptor.failure("bind \(path)")
    }
  }

  deinit { unsafe unlink(path) }
}
