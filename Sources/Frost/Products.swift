/// Eight signed 16-bit values: what SSE2, which every x86-64 has, multiplies at once.
typealias Signed = SIMD8<Int16>

#if arch(x86_64)
  // The only instructions that are called by name: the compiler finds these products in plain Swift on
  // some x86-64 levels only.
  internal import _Builtin_intrinsics.intel.sse2

  /// The upper half of each 32-bit product, rounded down.
  @inline(__always)
  func multiplyHigh(_ a: Signed, _ b: Signed) -> Signed {
    Signed(_mm_mulhi_epi16(a.bits, b.bits))
  }

  /// Eight sums of products, in 32 bits.
  struct WideSum {
    private var low, high: SIMD4<Int32>

    @inline(__always)
    init(_ start: Int32) {
      low = SIMD4(repeating: start)
      high = low
    }

    /// Adds a * first + b * second, for `weights` that hold first and second in turn.
    @inline(__always)
    mutating func add(_ a: Signed, _ b: Signed, times weights: Signed) {
      let lower = _mm_unpacklo_epi16(a.bits, b.bits)
      let upper = _mm_unpackhi_epi16(a.bits, b.bits)
      unsafe low &+= unsafeBitCast(_mm_madd_epi16(lower, weights.bits), to: SIMD4<Int32>.self)
      unsafe high &+= unsafeBitCast(_mm_madd_epi16(upper, weights.bits), to: SIMD4<Int32>.self)
    }

    /// The upper 16 bits of each.
    @inline(__always)
    var upperHalf: Signed {
      unsafe Signed(
        _mm_packs_epi32(
          unsafeBitCast(low &>> 16, to: __m128i.self), unsafeBitCast(high &>> 16, to: __m128i.self))
      )
    }
  }

  extension Signed {
    @inline(__always)
    fileprivate init(_ bits: __m128i) { self = unsafe unsafeBitCast(bits, to: Signed.self) }

    @inline(__always)
    fileprivate var bits: __m128i { unsafe unsafeBitCast(self, to: __m128i.self) }
  }
#else
  /// The upper half of each 32-bit product, rounded down.
  @inline(__always)
  func multiplyHigh(_ a: Signed, _ b: Signed) -> Signed {
    narrowed((widened(a) &* widened(b)) &>> 16)
  }

  /// Eight sums of products, in 32 bits.
  struct WideSum {
    private var sum: SIMD8<Int32>

    @inline(__always)
    init(_ start: Int32) { sum = SIMD8(repeating: start) }

    /// Adds a * first + b * second, for `weights` that hold first and second in turn.
    @inline(__always)
    mutating func add(_ a: Signed, _ b: Signed, times weights: Signed) {
      sum &+= widened(a) &* Int32(weights[0]) &+ widened(b) &* Int32(weights[1])
    }

    /// The upper 16 bits of each.
    @inline(__always)
    var upperHalf: Signed { narrowed(sum &>> 16) }
  }
#endif

extension WideSum {
  /// What makes `upperHalf` the nearest value.
  static var half: Int32 { 1 << 15 }
}

extension Signed {
  /// Two values in turn.
  init(repeating first: Int16, and second: Int16) {
    self.init(first, second, first, second, first, second, first, second)
  }
}

// Spelled out element by element, because the standard library's conversions of vectors are calls
// wherever a function grows; the compiler makes vectors of this again.

@inline(__always)
func widened(_ v: Signed) -> SIMD8<Int32> {
  SIMD8(
    Int32(v[0]), Int32(v[1]), Int32(v[2]), Int32(v[3]), Int32(v[4]), Int32(v[5]), Int32(v[6]),
    Int32(v[7]))
}

/// The lower half of each value.
@inline(__always)
func narrowed(_ v: SIMD8<Int32>) -> Signed {
  Signed(
    Int16(truncatingIfNeeded: v[0]), Int16(truncatingIfNeeded: v[1]),
    Int16(truncatingIfNeeded: v[2]), Int16(truncatingIfNeeded: v[3]),
    Int16(truncatingIfNeeded: v[4]), Int16(truncatingIfNeeded: v[5]),
    Int16(truncatingIfNeeded: v[6]), Int16(truncatingIfNeeded: v[7]))
}
