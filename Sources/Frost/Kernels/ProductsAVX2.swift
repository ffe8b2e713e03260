// Vectors of sixteen 16-bit lanes with the instructions of processors with AVX2.

#if arch(x86_64) && X86_64_V3 && !SCALAR_PRODUCTS
  internal import _Builtin_intrinsics.intel

  /// Each product divided by 2^15, rounded half up. The values of `a` must be from -2^14 to 2^14 - 1.
  @inline(__always)
  func roundedProduct(_ a: SIMD16<Int16>, _ b: SIMD16<Int16>) -> SIMD16<Int16> {
    unsafe unsafeBitCast(
      _mm256_mulhrs_epi16(
        unsafeBitCast(a, to: __m256i.self), unsafeBitCast(b, to: __m256i.self)),
      to: SIMD16<Int16>.self)
  }

  /// The mean of each pair of unsigned values, rounded up.
  @inline(__always)
  func roundedMean(_ a: Lanes, _ b: Lanes) -> Lanes {
    unsafe unsafeBitCast(
      _mm256_avg_epu16(unsafeBitCast(a, to: __m256i.self), unsafeBitCast(b, to: __m256i.self)),
      to: Lanes.self)
  }

  /// Pairs of two channels, alternately from `even` and from `odd`.
  @inline(__always)
  func interleavedPairs(_ even: Lanes, _ odd: Lanes) -> (left: Lanes, right: Lanes) {
    let (even, odd) = unsafe (
      unsafeBitCast(even, to: __m256i.self), unsafeBitCast(odd, to: __m256i.self)
    )
    // These instructions work on each half of the vectors.
    let low = unsafe unsafeBitCast(_mm256_unpacklo_epi32(even, odd), to: Lanes.self)
    let high = unsafe unsafeBitCast(_mm256_unpackhi_epi32(even, odd), to: Lanes.self)
    return (
      Lanes(lowHalf: low.lowHalf, highHalf: high.lowHalf),
      Lanes(lowHalf: low.highHalf, highHalf: high.highHalf)
    )
  }
#endif
