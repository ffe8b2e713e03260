import Glibc

/// Memory for tiles of 4096 bytes. Only tiles that were written occupy physical memory.
///
/// One mapping holds all tiles, so the address of a tile is computed, and threads can write
/// different tiles at the same time. The kernel allocates a page of zeros at its first write;
/// `discard` releases it at once. If pages are larger than a tile, discarded tiles keep their
/// memory.
@safe struct TileMemory<Element: BitwiseCopyable>: ~Copyable {
  private let address: UnsafeMutablePointer<Element>
  private let byteCount: Int
  /// The number of elements, including one extra tile: kernels read whole vectors past the last
  /// tile.
  let elementCount: Int

  /// Terminates the program if the kernel maps no memory, also some moments later.
  init(tileCount: Int) {
    byteCount = (tileCount + 1) * tileByteCount
    elementCount = byteCount / MemoryLayout<Element>.stride
    guard let memory = unsafe mapRepeatedly(byteCount: byteCount) else {
      fatalError("out of memory: the kernel maps no \(byteCount) bytes")
    }
    // A huge page would make one tile occupy 2 MiB.
    unsafe madvise(memory, byteCount, MADV_NOHUGEPAGE)
    unsafe address = memory.bindMemory(to: Element.self, capacity: elementCount)
  }

  deinit { unsafe munmap(address, byteCount) }

  static var elementsPerTile: Int { tileByteCount / MemoryLayout<Element>.stride }

  /// Calls `body` with all elements.
  borrowing func withElements<Result>(_ body: (Span<Element>) -> Result) -> Result {
    unsafe body(UnsafeBufferPointer(start: address, count: elementCount).span)
  }

  /// Calls `body` with all elements for writing.
  mutating func withMutableElements<Result>(
    _ body: (inout MutableSpan<Element>) -> Result
  ) -> Result {
    var span = unsafe UnsafeMutableBufferPointer(start: address, count: elementCount).mutableSpan
    return body(&span)
  }

  /// Sets a tile to zeros and releases its memory.
  mutating func discard(tile: Int) {
    precondition(tile >= 0 && (tile + 1) * tileByteCount < byteCount)
    let start = unsafe address + tile * Self.elementsPerTile
    if unsafe madvise(start, tileByteCount, MADV_DONTNEED) != 0 {
      unsafe memset(start, 0, tileByteCount)
    }
  }
}

/// The size of a tile in bytes: one page of memory on x86-64.
package let tileByteCount = 4096

/// Maps memory, with pauses after attempts that fail: another program may take it for a moment only.
private func mapRepeatedly(byteCount: Int) -> UnsafeMutableRawPointer? {
  for attempt in 0..<5 {
    if attempt > 0 { usleep(10_000) }
    let memory = unsafe mmap(
      nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    if unsafe memory != MAP_FAILED { return unsafe memory }
  }
  return nil
}
