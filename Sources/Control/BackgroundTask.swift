import CLinux
import Glibc
import Linux
import Synchronization

/// Work on a thread of its own, so that the event loop does not wait for it. Its descriptor becomes readable when
/// there is a result. The thread ends with its result, or with the process.
package final class BackgroundTask<Output: ~Copyable & Sendable>: Sendable {
  private let output = Mutex<Output?>(nil)
  private let event: FileDescriptor

  /// `work` runs on the thread. Throws `system` if there is no thread or no descriptor for it.
  package init(_ work: @escaping @Sendable () -> Output) throws(ControlError) {
    let raw = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard raw >= 0 else { throw .system(action: "make an event", errno: errno) }
    event = FileDescriptor(owning: raw)
    let code = startThread { [self] in
      var result: Output? = work()
      output.withLock { $0 = result.take() }
      var one: UInt64 = 1
      // A lost event would make the event loop wait for ever.
      while unsafe write(event.raw, &one, MemoryLayout.size(ofValue: one)) < 0 { usleep(1000) }
    }
    if code != 0 { throw .system(action: "start a thread", errno: code) }
  }

  /// Becomes readable when `take` returns the result.
  package var descriptor: Int32 { event.raw }

  /// The result, once; nil before it is there.
  package func take() -> Output? {
    // The thread sanitizer knows that the read follows the write, but not how a Mutex orders accesses.
    var count: UInt64 = 0
    guard unsafe read(event.raw, &count, MemoryLayout.size(ofValue: count)) > 0 else { return nil }
    return output.withLock { $0.take() }
  }
}
