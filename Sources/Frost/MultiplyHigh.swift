/// Eight signed 16-bit values: what SSE2, which every x86-64 has, multiplies at once.
typealias Signed = SIMD8<Int16>

#if arch(x86_64)
  // The only instructions that are called by name. The compiler finds this product in plain Swift on
  // some x86-64 levels only, and a comparison of vectors is a call where a function grows.
  internal import _Builtin_intrinsics.intel.sse2

  /// The upper half of each 32-bit product, rounded down.
  @inline(__always)
  func multiplyHigh(_ a: Signed, _ b: Signed) -> Signed {
    Signed(_mm_mulhi_epi16(a.bits, b.bits))
  }

  /// Clamped to 0 ... full.
  @inline(__always)
  func inRange(_ v: Signed) -> Signed {
    let full = Signed(repeating: Int16(Plane.full))
    return Signed(_mm_min_epi16(_mm_max_epi16(v.bits, Signed().bits), full.bits))
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

  /// Clamped to 0 ... full. By masks: a comparison of vectors would be a call.
  @inline(__always)
  func inRange(_ v: Signed) -> Signed {
    let full = Signed(repeating: Int16(Plane.full))
    let positive = v & ~(v &>> 15)
    let below = full &- positive
    return full &- (below & ~(below &>> 15))
  }
#endif

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
