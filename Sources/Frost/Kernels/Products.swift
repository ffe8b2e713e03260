/// Eight signed 16-bit values: one SSE2 vector, which every x86-64 processor supports.
typealias Signed = SIMD8<Int16>

#if arch(x86_64) && !SCALAR_PRODUCTS
  // The only intrinsics in the program, beside those of StreamingStores.swift. From plain Swift the compiler emits these instructions only
  // at some x86-64 levels, or emits a call when the function is large.
  internal import _Builtin_intrinsics.intel.sse2
  internal import _Builtin_intrinsics.intel.sse
  #if X86_64_V3
    internal import _Builtin_intrinsics.intel
  #endif

  /// The upper 16 bits of each 32-bit product, rounded down.
  @inline(__always)
  func multiplyHigh(_ a: Signed, _ b: Signed) -> Signed {
    Signed(_mm_mulhi_epi16(a.bits, b.bits))
  }

  #if X86_64_V3
    /// The upper 16 bits of each 32-bit product, rounded down.
    @inline(__always)
    func multiplyHigh(_ a: SIMD16<Int16>, _ b: SIMD16<Int16>) -> SIMD16<Int16> {
      unsafe unsafeBitCast(
        _mm256_mulhi_epi16(
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

    /// Pairs of two channels that are in turn one of `even` and one of `odd`.
    @inline(__always)
    func interleavedPairs(_ even: Lanes, _ odd: Lanes) -> (left: Lanes, right: Lanes) {
      let (even, odd) = unsafe (
        unsafeBitCast(even, to: __m256i.self), unsafeBitCast(odd, to: __m256i.self)
      )
      // Of each half of the vectors.
      let low = unsafe unsafeBitCast(_mm256_unpacklo_epi32(even, odd), to: Lanes.self)
      let high = unsafe unsafeBitCast(_mm256_unpackhi_epi32(even, odd), to: Lanes.self)
      return (
        Lanes(lowHalf: low.lowHalf, highHalf: high.lowHalf),
        Lanes(lowHalf: low.highHalf, highHalf: high.highHalf)
      )
    }

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

    /// Pairs of two channels that are in turn one of `even` and one of `odd`.
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
    fileprivate init(_ bits: __m128i) { self = unsafe unsafeBitCast(bits, to: Signed.self) }

    @inline(__always)
    fileprivate var bits: __m128i { unsafe unsafeBitCast(self, to: __m128i.self) }
  }
#else
  /// The upper 16 bits of each 32-bit product, rounded down.
  @inline(__always)
  func multiplyHigh(_ a: Signed, _ b: Signed) -> Signed {
    narrowed((widened(a) &* widened(b)) &>> 16)
  }

  /// The mean of each pair of unsigned values, rounded up.
  @inline(__always)
  func roundedMean(_ a: Lanes, _ b: Lanes) -> Lanes { (a | b) &- ((a ^ b) &>> 1) }

  /// Pairs of two channels that are in turn one of `even` and one of `odd`.
  @inline(__always)
  func interleavedPairs(_ even: Lanes, _ odd: Lanes) -> (left: Lanes, right: Lanes) {
    var pairs = SIMD16<UInt32>()
    unsafe pairs.evenHalf = unsafeBitCast(even, to: SIMD8<UInt32>.self)
    unsafe pairs.oddHalf = unsafeBitCast(odd, to: SIMD8<UInt32>.self)
    return unsafe (
      unsafeBitCast(pairs.lowHalf, to: Lanes.self), unsafeBitCast(pairs.highHalf, to: Lanes.self)
    )
  }

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

  /// The sums of the products of two neighbouring lanes: a[0] * b[0] + a[1] * b[1], and so on.
  @inline(__always)
  func pairProducts(_ a: Signed, _ b: Signed) -> SIMD4<Int32> {
    let products = widened(a) &* widened(b)
    return products.evenHalf &+ products.oddHalf
  }

  /// The values of both, alternating, saturated to 16 bits.
  @inline(__always)
  func interleaved(_ even: SIMD4<Int32>, _ odd: SIMD4<Int32>) -> Signed {
    var both = Signed()
    for i in 0..<4 {
      both[2 * i] = Int16(clamping: even[i])
      both[2 * i + 1] = Int16(clamping: odd[i])
    }
    return both
  }

  /// The smaller value of each lane.
  @inline(__always)
  func smaller(_ a: Signed, _ b: Signed) -> Signed {
    var smaller = a
    for i in 0..<8 { smaller[i] = min(a[i], b[i]) }
    return smaller
  }

  /// The larger value of each lane.
  @inline(__always)
  func larger(_ a: Signed, _ b: Signed) -> Signed {
    var larger = a
    for i in 0..<8 { larger[i] = max(a[i], b[i]) }
    return larger
  }

  /// Sums, saturated to signed 16 bits.
  @inline(__always)
  func saturatedSum(_ a: Signed, _ b: Signed) -> Signed {
    let sum = widened(a) &+ widened(b)
    var saturated = Signed()
    for i in 0..<8 { saturated[i] = Int16(clamping: sum[i]) }
    return saturated
  }

  /// Sums of unsigned values, saturated to 16 bits.
  @inline(__always)
  func cappedSum(_ a: Signed, _ b: Signed) -> Signed {
    var capped = Signed()
    for i in 0..<8 {
      let sum = Int32(UInt16(bitPattern: a[i])) + Int32(UInt16(bitPattern: b[i]))
      capped[i] = Int16(bitPattern: UInt16(clamping: sum))
    }
    return capped
  }

  /// The smaller value of each lane.
  @inline(__always)
  func smaller(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))
  }

  /// The larger value of each lane.
  @inline(__always)
  func larger(_ a: SIMD4<Float>, _ b: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
  }

  /// Each value as a `Float`.
  @inline(__always)
  func floats(_ v: SIMD4<Int32>) -> SIMD4<Float> {
    SIMD4(Float(v[0]), Float(v[1]), Float(v[2]), Float(v[3]))
  }

  /// Each value rounded toward zero. The values must fit in 32 bits.
  @inline(__always)
  func truncated(_ v: SIMD4<Float>) -> SIMD4<Int32> {
    SIMD4(Int32(v[0]), Int32(v[1]), Int32(v[2]), Int32(v[3]))
  }

  /// The smaller of each pair of unsigned bytes.
  @inline(__always)
  func smallerBytes(_ a: SIMD4<UInt32>, _ b: SIMD4<UInt32>) -> SIMD4<UInt32> {
    var smaller = unsafe unsafeBitCast(a, to: SIMD16<UInt8>.self)
    let other = unsafe unsafeBitCast(b, to: SIMD16<UInt8>.self)
    for i in 0..<16 { smaller[i] = min(smaller[i], other[i]) }
    return unsafe unsafeBitCast(smaller, to: SIMD4<UInt32>.self)
  }
#endif

#if !X86_64_V3 || SCALAR_PRODUCTS
  /// The upper 16 bits of each 32-bit product, rounded down.
  @inline(__always)
  func multiplyHigh(_ a: SIMD16<Int16>, _ b: SIMD16<Int16>) -> SIMD16<Int16> {
    SIMD16(
      lowHalf: multiplyHigh(a.lowHalf, b.lowHalf), highHalf: multiplyHigh(a.highHalf, b.highHalf))
  }

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

extension Signed {
  /// Two values, alternating.
  init(repeating first: Int16, and second: Int16) {
    self.init(first, second, first, second, first, second, first, second)
  }
}

// These conversions are written element by element, because the standard library's vector
// conversions become calls in large functions. The compiler vectorises the code below.

/// Each value as 32 bits.
@inline(__always)
func widened(_ v: Signed) -> SIMD8<Int32> {
  SIMD8(
    Int32(v[0]), Int32(v[1]), Int32(v[2]), Int32(v[3]), Int32(v[4]), Int32(v[5]), Int32(v[6]),
    Int32(v[7]))
}

/// The lower 16 bits of each value.
@inline(__always)
func narrowed(_ v: SIMD8<Int32>) -> Signed {
  Signed(
    Int16(truncatingIfNeeded: v[0]), Int16(truncatingIfNeeded: v[1]),
    Int16(truncatingIfNeeded: v[2]), Int16(truncatingIfNeeded: v[3]),
    Int16(truncatingIfNeeded: v[4]), Int16(truncatingIfNeeded: v[5]),
    Int16(truncatingIfNeeded: v[6]), Int16(truncatingIfNeeded: v[7]))
}

/// The even and the odd lanes. The values must not be negative.
@inline(__always)
func separated(_ v: Signed) -> (even: SIMD4<Int32>, odd: SIMD4<Int32>) {
  let pairs = unsafe unsafeBitCast(v, to: SIMD4<UInt32>.self)
  return unsafe (
    unsafeBitCast(pairs & 0xffff, to: SIMD4<Int32>.self),
    unsafeBitCast(pairs &>> 16, to: SIMD4<Int32>.self)
  )
}

/// The inverse of `separated`. The values must be from 0 to 32767.
@inline(__always)
func joined(_ even: SIMD4<Int32>, _ odd: SIMD4<Int32>) -> Signed {
  unsafe unsafeBitCast(even | odd &<< 16, to: Signed.self)
}

/// The smaller value of each lane. The values must be from 0 to 32767.
@inline(__always)
func smaller(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD4<Int32> {
  unsafe unsafeBitCast(
    smaller(unsafeBitCast(a, to: Signed.self), unsafeBitCast(b, to: Signed.self)),
    to: SIMD4<Int32>.self)
}

/// The larger value of each lane. The values must be from 0 to 32767.
@inline(__always)
func larger(_ a: SIMD4<Int32>, _ b: SIMD4<Int32>) -> SIMD4<Int32> {
  unsafe unsafeBitCast(
    larger(unsafeBitCast(a, to: Signed.self), unsafeBitCast(b, to: Signed.self)),
    to: SIMD4<Int32>.self)
}
