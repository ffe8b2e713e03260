// The one place where Frost touches memory without a bounds check in release builds: every kernel
// states the reach of its loads and stores in a precondition before its loop.

/// Eight pixels' worth of two channels, or sixteen values of a plane's half row. Two of them are a
/// cache line, which is what the loops over whole frames step by.
typealias Lanes = SIMD16<UInt16>

extension Span where Element: BitwiseCopyable {
  /// The vector whose first byte is that of element `index`; no alignment is needed.
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
  @inline(__always)
  func load<V: SIMD & BitwiseCopyable>(_: V.Type = V.self, at index: Int) -> V {
    assert(index >= 0 && index * MemoryLayout<Element>.size + MemoryLayout<V>.size <= byteCount)
    return unsafe withUnsafeBytes { bytes in
      unsafe bytes.baseAddress.unsafelyUnwrapped.loadUnaligned(
        fromByteOffset: index &* MemoryLayout<Element>.size, as: V.self)
    }
  }

  /// Stores a vector so that its first byte is that of element `index`.
  @inline(__always)
  mutating func store<V: SIMD & BitwiseCopyable>(_ vector: V, at index: Int) {
    assert(index >= 0 && index * MemoryLayout<Element>.size + MemoryLayout<V>.size <= byteCount)
    unsafe withUnsafeMutableBytes { bytes in
      unsafe bytes.baseAddress.unsafelyUnwrapped.storeBytes(
        of: vector, toByteOffset: index &* MemoryLayout<Element>.size, as: V.self)
    }
  }

  private var byteCount: Int { count * MemoryLayout<Element>.size }
}
