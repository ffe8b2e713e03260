internal import CBuiltins

// The only unchecked memory accesses of Frost in release builds. Every kernel checks the range of
// its loads and stores in a precondition before its loop.

/// Two channels of eight pixels, or sixteen values of a plane's half row. Loops over whole frames
/// process two vectors, one cache line, per iteration.
typealias Lanes = SIMD16<UInt16>

extension Span where Element: BitwiseCopyable {
  /// Starts to load the cache line of the element at `index`, which may be outside the span.
  ///
  /// With it, a kernel that reads several rows at once is twice as fast on pixels that another process has just
  /// written: processors do not recognise the order of its loads.
  @inline(__always)
  func prefetch(at index: Int) {
    unsafe withUnsafeBytes { bytes in
      let address =
        UInt(bitPattern: bytes.baseAddress) &+ UInt(bitPattern: MemoryLayout<Element>.size &* index)
      unsafe prefetchCacheLine(UnsafeRawPointer(bitPattern: address))
    }
  }
}

extension Span where Element: BitwiseCopyable {
  /// Loads the vector that starts at element `index`. No alignment is needed. Unchecked in release
  /// builds.
  @inline(__always)
  func load<V: SIMD & BitwiseCopyable>(_: V.Type = V.self, at index: Int) -> V {
    assert(index >= 0 && index * MemoryLayout<Element>.size + MemoryLayout<V>.size <= byteCount)
    return unsafe withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.unsafelyUnwrapped.loadUnaligned(
        fromByteOffset: index &* MemoryLayout<Element>.size, as: V.self)
    }
  }

  private var byteCount: Int { count * MemoryLayout<Element>.size }
}

extension MutableSpan where Element: BitwiseCopyable {
  /// Loads the vector that starts at element `index`. No alignment is needed. Unchecked in release
  /// builds.
  @inline(__always)
  func load<V: SIMD & BitwiseCopyable>(_: V.Type = V.self, at index: Int) -> V {
    assert(index >= 0 && index * MemoryLayout<Element>.size + MemoryLayout<V>.size <= byteCount)
    return unsafe withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.unsafelyUnwrapped.loadUnaligned(
        fromByteOffset: index &* MemoryLayout<Element>.size, as: V.self)
    }
  }

  /// Stores a vector that starts at element `index`. Unchecked in release builds.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func store<V: SIMD & BitwiseCopyable>(_ vector: V, at index: Int) {
    assert(index >= 0 && index * MemoryLayout<Element>.size + MemoryLayout<V>.size <= byteCount)
    unsafe withUnsafeMutableBytes { bytes in
      unsafe bytes.baseAddress.unsafelyUnwrapped.storeBytes(
        of: vector, toByteOffset: index &* MemoryLayout<Element>.size, as: V.self)
    }
  }

  private var byteCount: Int { count * MemoryLayout<Element>.size }
}
