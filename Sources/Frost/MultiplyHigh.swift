/// Eight signed 16-bit values: what SSE2, which every x86-64 has, multiplies at once.
typealias Signed = SIMD8<Int16>

/// The upper half of each 32-bit product, rounded down: one instruction on x86.
///
/// Spelled out element by element, because the standard library's conversions of vectors are calls
/// wherever a function grows; the compiler makes vectors of this again.
@inline(__always)
func multiplyHigh(_ a: Signed, _ b: Signed) -> Signed {
  narrowed((widened(a) &* widened(b)) &>> 16)
}

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

/// Clamped to 0 ... full. By masks: a comparison of vectors would be a call.
@inline(__always)
func inRange(_ v: Signed) -> Signed {
  let full = Signed(repeating: Int16(Plane.full))
  let positive = v & ~(v &>> 15)
  let below = full &- positive
  return full &- (below & ~(below &>> 15))
}
