// The arithmetic with vectors of 16-bit lanes that all processors share. ProductsSSE2.swift has the products and the sums that
// saturate for x86-64, ProductsPortable.swift those for other processors, ProductsAVX2.swift those of sixteen lanes.

/// Eight signed 16-bit values: one SSE2 vector, which every x86-64 processor supports.
typealias Signed = SIMD8<Int16>

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

// MARK: Sixteen lanes as two of eight

#if !arch(x86_64) || !X86_64_V3 || SCALAR_PRODUCTS
  /// Each product divided by 2^15, rounded half up. The values of `a` must be from -2^14 to 2^14 - 1.
  @inline(__always)
  func roundedProduct(_ a: SIMD16<Int16>, _ b: SIMD16<Int16>) -> SIMD16<Int16> {
    SIMD16(
      lowHalf: roundedProduct(a.lowHalf, b.lowHalf),
      highHalf: roundedProduct(a.highHalf, b.highHalf))
  }

  @inline(__always)
  private func roundedProduct(_ a: Signed, _ b: Signed) -> Signed {
    multiplyHigh(a &+ a, b) &+ ((a &* b) &>> 14 & 1)
  }
#endif
