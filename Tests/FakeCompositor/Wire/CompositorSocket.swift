import CLinux
import Glibc
import Linux
import TestSupport

/// The socket at which the compositor listens.
struct CompositorSocket: ~Copyable {
  private let file: FileDescriptor

  /// Listens at a path that does not exist.
  init(_ path: String) throws(TestFailure) {
    let type = Int32(
      SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    // Traps if there are too many open files.
    file = FileDescriptor(owning: socket(AF_UNIX, type, 0))
    let raw = file.raw
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    precondition(path.utf8.count < MemoryLayout.size(ofValue: address.sun_path))
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
    let code = unsafe withUnsafePointer(to: &address) { typed in
      unsafe typed.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe bind(raw, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard code == 0, listen(raw, 8) == 0 else {
      throw TestFailure("cannot listen at \(path): \(errorText(errno))")
    }
  }

  /// The connection of the next client that waits; nil if none does.
  func nextClient() -> ClientSocket? {
    let raw = accept(file.raw, nil, nil)
    if raw < 0 { return nil }
    _ = fcntl(raw, F_SETFD, FD_CLOEXEC)
    _ = fcntl(raw, F_SETFL, O_NONBLOCK)
    return ClientSocket(FileDescriptor(owning: raw))
  }
}

/// The connection of a client. No call waits.
final class ClientSocket {
  private let file: FileDescriptor

  fileprivate init(_ file: consuming FileDescriptor) { self.file = file }

  /// The bytes and descriptors that have arrived; nil if the client has closed the connection. The caller must close the
  /// descriptors.
  func receive() -> (bytes: [UInt8], descriptors: [Int32])? {
    var bytes: [UInt8] = []
    var descriptors: [Int32] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let (transfer, files, _) = unsafe chunk.withUnsafeMutableBytes {
        unsafe file.receive(into: $0, fileLimit: FileDescriptor.fileLimit)
      }
      descriptors += files
      switch transfer {
      case .moved(let count): bytes += chunk[..<count]
      case .wouldBlock: return (bytes, descriptors)
      case .ended:
        if bytes.isEmpty {
          for descriptor in descriptors { close(descriptor) }
          return nil
        }
        return (bytes, descriptors)
      }
    }
  }

  /// Sends bytes. Returns the number that the socket took; nil if the client has closed the connection.
  func send(_ bytes: [UInt8]) -> Int? {
    if bytes.isEmpty { return 0 }
    let transfer = unsafe bytes.withUnsafeBytes { unsafe file.send($0, attaching: []) }
    switch transfer {
    case .moved(let count): return count
    case .wouldBlock: return 0
    case .ended: return nil
    }
  }
}
