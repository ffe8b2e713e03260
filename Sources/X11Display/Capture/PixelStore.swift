import CLinux
import Glibc
import Linux

/// The kernel refused shared memory; the text names the reason.
struct SharedMemoryError: Error {
  let text: String

  /// From `errno`.
  fileprivate init(byteCount: Int) {
    text = "the kernel refused \(byteCount) bytes of shared memory (\(errorText(errno)))"
  }
}

/// Memory that the server can map too: a file in memory without a name. The kernel frees it when no process has
/// it open or mapped, so a daemon that is killed leaves nothing behind.
@safe struct SharedMemory: ~Copyable {
  let address: UnsafeMutablePointer<UInt32>
  let pixelCount: Int
  /// The open file, until it is given to the server; then -1.
  private var file: Int32

  init(pixelCount: Int) throws(SharedMemoryError) {
    let byteCount = 4 * pixelCount
    let file = unsafe memfd_create("backdropd", UInt32(MFD_CLOEXEC))
    if file < 0 { throw SharedMemoryError(byteCount: byteCount) }
    var memory: UnsafeMutableRawPointer?
    if ftruncate(file, byteCount) == 0 {
      unsafe memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    }
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else {
      let error = SharedMemoryError(byteCount: byteCount)
      close(file)
      throw error
    }
    unsafe address = memory.bindMemory(to: UInt32.self, capacity: pixelCount)
    self.pixelCount = pixelCount
    self.file = file
  }

  /// The open file, which the caller must close. Traps if it was taken before.
  mutating func takeFile() -> Int32 {
    precondition(file >= 0)
    defer { file = -1 }
    return file
  }

  deinit {
    unsafe munmap(address, 4 * pixelCount)
    if file >= 0 { close(file) }
  }
}

/// Memory for pixels that are transferred between the daemon and the server.
///
/// A class, because the server uses its memory, which must have one owner.
@safe final class PixelStore {
  private let memory: Memory
  private let address: UnsafeMutablePointer<UInt32>
  let pixelCount: Int
  /// The identifier of the segment at the server; nil if the memory is private.
  let segment: UInt32?
  private enum Memory: ~Copyable {
    case shared(SharedMemory)
    case own
  }

  var isShared: Bool { segment != nil }

  /// A store in shared memory, which the server attaches.
  init(_ shared: consuming SharedMemory, _ x: inout XConnection) {
    segment = x.attach(file: shared.takeFile())
    unsafe address = shared.address
    pixelCount = shared.pixelCount
    memory = .shared(shared)
  }

  /// A store in private memory, filled with zeros.
  init(pixelCount: Int) {
    unsafe address = .allocate(capacity: pixelCount)
    unsafe address.initialize(repeating: 0, count: pixelCount)
    segment = nil
    self.pixelCount = pixelCount
    memory = .own
  }

  deinit {
    if segment == nil { unsafe address.deallocate() }
  }

  /// Detaches the segment from the server. Must be called before the last reference ends.
  func release(_ x: inout XConnection) {
    guard let segment else { return }
    x.detach(segment: segment)
  }

  /// Calls `body` with all pixels, or with `count` pixels from the index `start` on. Traps if there are not
  /// so many.
  func withPixels<Result>(
    from start: Int = 0, count: Int? = nil, _ body: (Span<UInt32>) -> Result
  ) -> Result {
    let count = count ?? pixelCount - start
    precondition(start >= 0 && count >= 0 && start + count <= pixelCount)
    return unsafe body(UnsafeBufferPointer(start: address + start, count: count).span)
  }

  /// The same with pixels that `body` may change.
  func withMutablePixels<Result>(
    from start: Int = 0, count: Int? = nil, _ body: (inout MutableSpan<UInt32>) -> Result
  ) -> Result {
    let count = count ?? pixelCount - start
    precondition(start >= 0 && count >= 0 && start + count <= pixelCount)
    var span = unsafe UnsafeMutableBufferPointer(start: address + start, count: count).mutableSpan
    return body(&span)
  }
}
