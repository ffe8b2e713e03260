import Glibc
import Linux

/// The memory of a client, mapped as long as a buffer in it is used.
@safe final class MappedPool {
  private let address: UnsafeMutableRawPointer
  let byteCount: Int
  /// Identifies the file among all files in memory of this machine.
  let inode: UInt64

  /// Takes a descriptor, and closes it. Nil if it cannot be mapped or is too short.
  init?(_ descriptor: Int32, byteCount: Int) {
    let file = FileDescriptor(owning: descriptor)
    var status = stat()
    guard byteCount > 0, unsafe fstat(file.raw, &status) == 0, status.st_size >= byteCount else {
      return nil
    }
    let memory = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.raw, 0)
    guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
    unsafe address = memory
    self.byteCount = byteCount
    inode = UInt64(status.st_ino)
  }

  deinit { unsafe munmap(address, byteCount) }

  /// Calls `body` with the pixels from an offset in bytes, a multiple of four.
  func withPixels<Result>(from offset: Int, _ body: (inout MutableSpan<UInt32>) -> Result) -> Result
  {
    precondition(offset >= 0 && offset <= byteCount && offset % 4 == 0)
    let start = unsafe (address + offset).assumingMemoryBound(to: UInt32.self)
    var span = unsafe MutableSpan(_unsafeStart: start, count: (byteCount - offset) / 4)
    return body(&span)
  }
}
