import CLinux
import Glibc

/// The service manager's end of `$NOTIFY_SOCKET`.
struct NotifySocket: ~Copyable {
  let path: String
  private let descriptor: Descriptor

  init(in directory: String) throws(TestFailure) {
    path = directory + "/notify"
    unsafe unlink(path)
    let kind = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
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
    guard bound == 0 else { throw Descriptor.failure("bind \(path)") }
  }

  deinit { unsafe unlink(path) }

  /// Waits for `READY=1`. Throws with the log of the program if it ends before or does not send it in time.
  func waitUntilReady(_ process: Child, within timeout: Duration) throws(TestFailure) {
    let deadline = ContinuousClock.now + timeout
    while true {
      let ready = firstReadable([descriptor.number, process.endDescriptor], until: deadline)
      guard ready.contains(0) else {
        let how = ready.isEmpty ? "was not ready after \(timeout)" : "ended before it was ready"
        throw TestFailure("\(process.name) \(how); its log:\n\(process.err)")
      }
      let message = String(decoding: descriptor.nextBytes(), as: UTF8.self)
      if message.split(separator: "\n").contains("READY=1") { return }
    }
  }
}
