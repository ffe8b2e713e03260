import Glibc

/// A file in memory, without a name, of zeros.
package final class MemoryFile {
  package let number: Int32

  package init(byteCount: Int) throws(TestFailure) {
    let name = "/backdropd-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    number = unsafe shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw Descriptor.failure("shm_open") }
    _ = unsafe shm_unlink(name)
    resize(to: byteCount)
  }

  deinit { close(number) }

  package func resize(to byteCount: Int) { _ = ftruncate(number, byteCount) }
}
