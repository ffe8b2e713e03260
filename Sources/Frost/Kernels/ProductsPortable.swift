// Plain Swift for other processors than x86-64.

#if !arch(x86_64) || SCALAR_PRODUCTS
  /// The upper 16 bits of each 32-bit product, rounded down.
  @inline(__always)
  func multiplyHigh(_ a: Signed, _ b: Signed) -> Signed {
    narrowed((widened(a) &* widened(b)) &>> 16)
  }

  /// The mean of each pair of unsigned values, rounded up.
  @inline(__always)
  func roundedMean(_ a: Lanes, _ b: Lanes) -> Lanes { (a | b) &- ((a ^ b) &>> 1) }

  /// Pairs of two channels, alternately from `even` and from `odd`.
  @inline(__always)
  func interleavedPairs(_ even: Lanes, _ odd: Lanes) -> (left: Lanes, right: Lanes) {
    var pairs = SIMD16<UInt32>()
    unsafe pairs.evenHalf = unsafeBitCast(even, to: SIMD8<UInt32>.self)
    unsafe pairs.oddHalf = unsafeBitCast(odd, to: SIMD8<UInt32>.self)
    return unsafe (
      unsafeBitCast(pairs.lowHalf, to: Lanes.self), unsafeBitCast(pairs.highHalf, to: Lanes.self)
    )
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
