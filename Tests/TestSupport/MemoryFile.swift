import Glibc
import Synchronization

/// A file in memory, without a name, of zeros.
package final class MemoryFile {
  package let number: Int32

  private static let count = Atomic(0)

  /// Creates it with a size in bytes.
  package init(byteCount: Int) throws(TestFailure) {
    let index = Self.count.add(1, ordering: .relaxed).newValue
    let name = "/backdropd-test-\(getpid())-\(index)"
    number = unsafe shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw Descriptor.failure("shm_open") }
    _ = unsafe shm_unlink(name)
    resize(to: byteCount)
  }

  deinit { close(number) }

  /// Cuts or extends it to a size in bytes.
  package func resize(to byteCount: Int) { _ = ftruncate(number, byteCount) }
}
