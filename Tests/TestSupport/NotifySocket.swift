import CLinux
import Glibc

/// The service manager's end of `$NOTIFY_SOCKET`.
package struct NotifySocket: ~Copyable {
  package let path: String
  private let descriptor: Descriptor

  /// Creates the socket `notify` in a directory.
  package init(in directory: String) throws(TestFailure) {
    path = directory + "/notify"
    unsafe unlink(path)
    descriptor = try boundSocket(at: path, SOCK_DGRAM)
  }

  deinit { unsafe unlink(path) }

  /// Waits for `READY=1`. Throws with the log of the program if it ends before or does not send it in time.
  package func waitUntilReady(
    _ process: Child, within timeout: Duration = .seconds(10)
  ) throws(TestFailure) {
    try wait(for: "READY=1", of: process, within: timeout)
  }

  /// Waits for a line. Throws with the log of the program if it ends before or does not send it in time.
  package func wait(
    for line: String, of process: Child, within timeout: Duration = .seconds(10)
  ) throws(TestFailure) {
    let deadline = ContinuousClock.now + timeout
    while true {
      let ready = firstReadable([descriptor.number, process.endDescriptor], until: deadline)
      guard ready.contains(0) else {
        let how = ready.isEmpty ? "did not send it within \(timeout)" : "ended before"
        throw TestFailure("\(line): \(process.name) \(how); its log:\n\(process.err)")
      }
      let message = String(decoding: descriptor.nextBytes(), as: UTF8.self)
      if message.split(separator: "\n").contains(line[...]) { return }
    }
  }

  /// Discards all messages that have arrived.
  package func discard() {
    while !firstReadable([descriptor.number], until: .now).isEmpty { _ = descriptor.nextBytes() }
  }
}
