package import Glibc

/// Whether a server listens at the path of a Unix socket.
package func isListening(at path: String) -> Bool { connect(to: path) != nil }

/// A connection to the server at the path of a Unix socket.
func connection(to path: String) throws(TestFailure) -> Descriptor {
  if let new = connect(to: path) { return new }
  throw TestFailure("cannot connect to \(path)")
}

/// The same; nil if none listens there.
package func connect(to path: String) -> Descriptor? {
  let new = unixSocket(SOCK_STREAM)
  let code = unsafe withAddress(of: path) { unsafe Glibc.connect(new.number, $0, $1) }
  if code == 0 { return new }
  return nil
}

/// A Unix socket of a kind, such as `SOCK_DGRAM`, with a path, at which no file may be. One of `SOCK_STREAM` listens.
package func boundSocket(at path: String, _ kind: __socket_type) throws(TestFailure) -> Descriptor {
  let new = unixSocket(kind)
  let code = unsafe withAddress(of: path) { unsafe bind(new.number, $0, $1) }
  guard code == 0, kind != SOCK_STREAM || listen(new.number, 8) == 0 else {
    throw Descriptor.failure("bind \(path)")
  }
  return new
}

private func unixSocket(_ kind: __socket_type) -> Descriptor {
  Descriptor(owning: socket(AF_UNIX, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0))
}

/// Calls a function of the C library that takes the address of a socket. The length of an address does not include a zero at its
/// end, which would count in an abstract one: that begins with a zero.
private func withAddress(
  of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
) -> Int32 {
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  precondition(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
  unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
  let length = MemoryLayout<sa_family_t>.size + path.utf8.count
  return unsafe withUnsafePointer(to: &address) { typed in
    unsafe typed.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe body($0, socklen_t(length))
    }
  }
}
