// Intrinsics, because from plain Swift the compiler emits these instructions only at some x86-64 levels, or emits a call when the
// function is large.

#if arch(x86_64) && !SCALAR_PRODUCTS
  internal import _Builtin_intrinsics.intel.sse2
  internal import _Builtin_intrinsics.intel.sse

  /// The upper 16 bits of each 32-bit product, rounded down.
  @inline(__always)
  func multiplyHigh(_ a: Signed, _ b: Signed) -> Signed {
    Signed(_mm_mulhi_epi16(a.bits, b.bits))
  }

  /// The sums of the products of two neighbouring lanes: a[0] * b[0] + a[1] * b[1], and so on.
  @inline(__always)
  func pairProducts(_ a: Signed, _ b: Signed) -> SIMD4<Int32> {
    unsafe unsafeBitCast(_mm_madd_epi16(a.bits, b.bits), to: SIMD4<Int32>.self)
  }

  /// The values of both, alternating, saturated to 16 bits.
  @inline(__always)
  func interleaved(_ even: SIMD4<Int32>, _ odd: SIMD4<Int32>) -> Signed {
    let packed = unsafe _mm_packs_epi32(
      unsafeBitCast(even, to: __m128i.self), unsafeBitCast(odd, to: __m128i.self))
    return Signed(_mm_unpacklo_epi16(packed, _mm_unpackhi_epi64(packed, packed)))
  }

  /// The smaller value of each lane.
  @inline(__always)
  func smaller(_ a: Signed, _ b: Signed) -> Signed { Signed(_mm_min_epi16(a.bits, b.bits)) }

  /// The larger value of each lane.
  @inline(__always)
  func larger(_ a: Signed, _ b: Signed) -> Signed { Signed(_mm_max_epi16(a.bits, b.bits)) }

  /// Sums, saturated to signed 16 bits.
  @inline(__always)
  func saturatedSum(_ a: Signed, _ b: Signed) -> Signed { Signed(_mm_adds_epi16(a.bits, b.bits)) }

  /// Sums of unsigned values, saturated to 16 bits.
  @inline(__always)
  func cappedSum(_ a: Signed, _ b: Signed) -> Signed { Signed(_mm_adds_epu16(a.bits, b.bits)) }

  /// The smaller of each pair of unsigned bytes.
  @inline(__always)
  func smallerBytes(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>) -> SIMD4<UInt32> {
    unsafe unsafeBitCast(
      _mm_min_epu8(unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self)),
      to: SIMD4<UInt32>.self)
  }

  /// The smaller value of each lane.
  @inline(__always)
  func smaller(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    _mm_min_ps(a, b)
  }

  /// The larger value of each lane.
  @inline(__always)
  func larger(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    _mm_max_ps(a, b)
  }

  /// Each value as a `Float`.
  @inline(__always)
  func floats(_ v: SIMD4<Int32>) -> SIMD4<Float> {
    unsafe _mm_cvtepi32_ps(unsafeBitCast(v, to: __m128i.self))
  }

  /// Each value rounded toward zero. The values must fit in 32 bits.
  @inline(__always)
  func truncated(_ v: SIMD4<Float>) -> SIMD4<Int32> {
    unsafe unsafeBitCast(_mm_cvttps_epi32(v), to: SIMD4<Int32>.self)
  }

  extension Signed {
    @inline(__always)
    init(_ bits: __m128i) { self = unsafe unsafeBitCast(bits, to: Signed.self) }

    @inline(__always)
    var bits: __m128i { unsafe unsafeBitCast(self, to: __m128i.self) }
  }

  #if !X86_64_V3
    /// The mean of each pair of unsigned values, rounded up.
    @inline(__always)
    func roundedMean(_ a: Lanes, _ b: Lanes) -> Lanes {
      unsafe Lanes(
        lowHalf: unsafeBitCast(
          _mm_avg_epu16(
            unsafeBitCast(a.lowHalf, to: __m128i.self), unsafeBitCast(b.lowHalf, to: __m128i.self)),
          to: SIMD8<UInt16>.self),
        highHalf: unsafeBitCast(
          _mm_avg_epu16(
            unsafeBitCast(a.highHalf, to: __m128i.self),
            unsafeBitCast(b.highHalf, to: __m128i.self)),
          to: SIMD8<UInt16>.self))
    }

    /// Pairs of two channels, alternately from `even` and from `odd`.
    @inline(__always)
    func interleavedPairs(_ even: Lanes, _ odd: Lanes) -> (left: Lanes, right: Lanes) {
      (
        interleavedPairs(even.lowHalf, odd.lowHalf), interleavedPairs(even.highHalf, odd.highHalf)
      )
    }

    @inline(__always)
    private func interleavedPairs(_ even: SIMD8<UInt16>, _ odd: SIMD8<UInt16>) -> Lanes {
      let (even, odd) = unsafe (
        unsafeBitCast(even, to: __m128i.self), unsafeBitCast(odd, to: __m128i.self)
      )
      return unsafe Lanes(
        lowHalf: unsafeBitCast(_mm_unpacklo_epi32(even, odd), to: SIMD8<UInt16>.self),
        highHalf: unsafeBitCast(_mm_unpackhi_epi32(even, odd), to: SIMD8<UInt16>.self))
    }
  #endif
#endif
