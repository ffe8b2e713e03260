// 32-bit sums of the products of 16-bit lanes, by intrinsics (see ProductsSSE2.swift) and in plain Swift.

#if arch(x86_64) && !SCALAR_PRODUCTS
  internal import _Builtin_intrinsics.intel.sse2
  #if X86_64_V3
    internal import _Builtin_intrinsics.intel
  #endif

  /// Eight 32-bit sums of products. They wrap on overflow.
  struct WideSum {
    private var low, high: SIMD4<Int32>

    /// `start` holds the initial values of the first four and of the last four sums.
    @inline(__always)
    init(_ start: SIMD4<Int32>) {
      low = start
      high = start
    }

    /// Adds a * first + b * second to each sum. `weights` holds the first and second weight,
    /// interleaved, of four lanes; the last four lanes use the same weights.
    @inline(__always)
    mutating func add(_ a: Signed, _ b: Signed, times weights: Signed) {
      let lower = _mm_unpacklo_epi16(a.bits, b.bits)
      let upper = _mm_unpackhi_epi16(a.bits, b.bits)
      unsafe low &+= unsafeBitCast(_mm_madd_epi16(lower, weights.bits), to: SIMD4<Int32>.self)
      unsafe high &+= unsafeBitCast(_mm_madd_epi16(upper, weights.bits), to: SIMD4<Int32>.self)
    }

    /// Each sum shifted right by `bits`, rounded down and saturated to 16 bits.
    @inline(__always)
    func shifted(by bits: Int) -> Signed {
      unsafe Signed(
        _mm_packs_epi32(
          _mm_srai_epi32(unsafeBitCast(low, to: __m128i.self), Int32(bits)),
          _mm_srai_epi32(unsafeBitCast(high, to: __m128i.self), Int32(bits))))
    }
  }
#else
  /// Eight 32-bit sums of products. They wrap on overflow.
  struct WideSum {
    private var sum: SIMD8<Int32>

    /// `start` holds the initial values of the first four and of the last four sums.
    @inline(__always)
    init(_ start: SIMD4<Int32>) { sum = SIMD8(lowHalf: start, highHalf: start) }

    /// Adds a * first + b * second to each sum. `weights` holds the first and second weight,
    /// interleaved, of four lanes; the last four lanes use the same weights.
    @inline(__always)
    mutating func add(_ a: Signed, _ b: Signed, times weights: Signed) {
      let wide = widened(weights)
      let first = SIMD8(lowHalf: wide.evenHalf, highHalf: wide.evenHalf)
      let second = SIMD8(lowHalf: wide.oddHalf, highHalf: wide.oddHalf)
      sum &+= widened(a) &* first &+ widened(b) &* second
    }

    /// Each sum shifted right by `bits`, rounded down and saturated to 16 bits.
    @inline(__always)
    func shifted(by bits: Int) -> Signed {
      var shifted = sum &>> Int32(bits)
      for i in 0..<8 { shifted[i] = min(max(shifted[i], -32768), 32767) }
      return narrowed(shifted)
    }
  }
#endif

#if arch(x86_64) && X86_64_V3 && !SCALAR_PRODUCTS
  /// Sixteen 32-bit sums of products. They wrap on overflow.
  struct WideSums {
    private var low, high: SIMD8<Int32>

    /// `start` is the initial value of all sums.
    @inline(__always)
    init(_ start: Int32) {
      low = SIMD8(repeating: start)
      high = low
    }

    /// Adds a * first + b * second to each sum. `weights` holds the first and second weight, interleaved.
    @inline(__always)
    mutating func add(_ a: SIMD16<Int16>, _ b: SIMD16<Int16>, times weights: SIMD16<Int16>) {
      unsafe add(
        unsafeBitCast(a, to: __m256i.self), unsafeBitCast(b, to: __m256i.self),
        unsafeBitCast(weights, to: __m256i.self))
    }

    @inline(__always)
    private mutating func add(_ a: __m256i, _ b: __m256i, _ weights: __m256i) {
      let lower = _mm256_madd_epi16(_mm256_unpacklo_epi16(a, b), weights)
      let upper = _mm256_madd_epi16(_mm256_unpackhi_epi16(a, b), weights)
      unsafe low &+= unsafeBitCast(lower, to: SIMD8<Int32>.self)
      unsafe high &+= unsafeBitCast(upper, to: SIMD8<Int32>.self)
    }

    /// Each sum shifted right by `bits`, rounded down and saturated to 16 bits.
    @inline(__always)
    func shifted(by bits: Int) -> SIMD16<Int16> {
      unsafe unsafeBitCast(
        _mm256_packs_epi32(
          _mm256_srai_epi32(unsafeBitCast(low, to: __m256i.self), Int32(bits)),
          _mm256_srai_epi32(unsafeBitCast(high, to: __m256i.self), Int32(bits))),
        to: SIMD16<Int16>.self)
    }
  }
#else
  /// Sixteen 32-bit sums of products. They wrap on overflow.
  struct WideSums {
    private var first, last: WideSum

    /// `start` is the initial value of all sums.
    @inline(__always)
    init(_ start: Int32) {
      first = WideSum(SIMD4(repeating: start))
      last = first
    }

    /// Adds a * first + b * second to each sum. `weights` holds the first and second weight, interleaved.
    @inline(__always)
    mutating func add(_ a: SIMD16<Int16>, _ b: SIMD16<Int16>, times weights: SIMD16<Int16>) {
      first.add(a.lowHalf, b.lowHalf, times: weights.lowHalf)
      last.add(a.highHalf, b.highHalf, times: weights.lowHalf)
    }

    /// Each sum shifted right by `bits`, rounded down and saturated to 16 bits.
    @inline(__always)
    func shifted(by bits: Int) -> SIMD16<Int16> {
      SIMD16(lowHalf: first.shifted(by: bits), highHalf: last.shifted(by: bits))
    }
  }
#endif
