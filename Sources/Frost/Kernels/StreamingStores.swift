// Stores that bypass the caches. A frame that is larger than them would only displace what they contain, and each
// of its cache lines would be read from memory before it is overwritten.

import Synchronization

#if arch(x86_64) && !SCALAR_PRODUCTS
  internal import _Builtin_intrinsics.intel.sse2
  internal import _Builtin_intrinsics.intel.sse
  #if X86_64_V3
    internal import _Builtin_intrinsics.intel
  #endif

  extension MutableSpan where Element == UInt32 {
    /// Stores eight pixels from the index `index` on, past the caches. The address must be a multiple of 32
    /// bytes. Unchecked in release builds. Whole cache lines should be stored together.
    @inline(__always)
    @_lifetime(self: copy self)
    mutating func storeStreaming(_ pixels: Lanes, at index: Int) {
      assert(index >= 0 && index + 8 <= count)
      unsafe withUnsafeMutableBytes { bytes in
        let start = unsafe bytes.baseAddress.unsafelyUnwrapped + 4 &* index
        #if X86_64_V3
          let target = unsafe start.assumingMemoryBound(to: __m256i.self)
          unsafe _mm256_stream_si256(target, unsafeBitCast(pixels, to: __m256i.self))
        #else
          let target = unsafe start.assumingMemoryBound(to: __m128i.self)
          unsafe _mm_stream_si128(target, unsafeBitCast(pixels.lowHalf, to: __m128i.self))
          unsafe _mm_stream_si128(target + 1, unsafeBitCast(pixels.highHalf, to: __m128i.self))
        #endif
      }
    }
  }

#else
  extension MutableSpan where Element == UInt32 {
    @inline(__always)
    mutating func storeStreaming(_ pixels: Lanes, at index: Int) { store(pixels, at: index) }
  }
#endif

extension MutableSpan where Element == UInt32 {
  /// Stores sixteen pixels, a cache line, from the index `index` on; past the caches if `isStreaming`, which must be the same
  /// for a whole frame. Unchecked in release builds.
  @inline(__always)
  @_lifetime(self: copy self)
  mutating func store(_ eight: Lanes, _ nextEight: Lanes, at index: Int, isStreaming: Bool) {
    if isStreaming {
      storeStreaming(eight, at: index)
      storeStreaming(nextEight, at: index &+ 8)
    } else {
      store(eight, at: index)
      store(nextEight, at: index &+ 8)
    }
  }
}

/// Makes the streaming stores of this thread visible to other threads and processes before its later stores.
func finishStreaming() { atomicMemoryFence(ordering: .sequentiallyConsistent) }

extension MutableSpan where Element == UInt32 {
  /// The number of elements from `index` on that precede the next start of a cache line; 0 if the element at `index` is there.
  func countBeforeCacheLine(at index: Int) -> Int {
    unsafe withUnsafeBytes { bytes in
      (0 &- Int(bitPattern: bytes.baseAddress) / 4 &- index) & 15
    }
  }
}
