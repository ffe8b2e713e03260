/// Whether a pixel may be part of a surface: it differs from the background by at most 12 levels in each channel, or has exactly
/// one of the given colours.
struct SurfaceTest {
  private let background, lowest, highest: SIMD4<UInt32>
  private let colors: [SIMD4<UInt32>]

  static var tolerance: Int { 12 }

  init(_ background: UInt32, _ colors: [UInt32]) {
    func bound(_ move: (Int) -> Int) -> SIMD4<UInt32> {
      let levels = [0, 8, 16].map { shift in
        UInt32(min(255, max(0, move(Int(background >> UInt32(shift) & 0xff))))) << UInt32(shift)
      }
      return SIMD4(repeating: levels.reduce(0xff00_0000, |))
    }
    self.background = SIMD4(repeating: background)
    lowest = bound { $0 - Self.tolerance }
    highest = bound { $0 + Self.tolerance }
    self.colors = colors.map { SIMD4(repeating: $0 | 0xff00_0000) }
  }

  /// Whether each of four pixels may be part of one.
  @inline(__always)
  private func test(_ pixels: SIMD4<UInt32>) -> SIMDMask<SIMD4<Int32>> {
    let pixels = pixels | 0xff00_0000
    var result = smallerBytes(pixels, highest) .== pixels .& smallerBytes(pixels, lowest) .== lowest
    let colors = colors.span
    for i in colors.indices { result = result .| (pixels .== colors[i]) }
    return result
  }

  func includes(_ pixel: UInt32) -> Bool { test(SIMD4(repeating: pixel))[0] }

  /// The number of pixels that may be part of one in the 4 x 4 pixels from an index on.
  @inline(__always)
  func count(inCellAt first: Int, of pixels: Span<UInt32>, stride: Int) -> UInt16 {
    precondition(first >= 0 && first + 3 * stride + 4 <= pixels.count)
    func row(_ number: Int) -> SIMD4<UInt32> { pixels.load(at: first &+ number &* stride) }
    let (a, b, c, d) = (row(0), row(1), row(2), row(3))
    // Most cells have nothing but the background.
    let differences =
      ((a ^ background) | (b ^ background) | (c ^ background) | (d ^ background)) & 0x00ff_ffff
    let halves = differences.lowHalf | differences.highHalf
    if halves[0] | halves[1] == 0 { return 16 }
    var sums = SIMD4<UInt32>()
    func count(_ four: SIMD4<UInt32>) {
      sums = sums &+ SIMD4<UInt32>().replacing(with: 1, where: test(four))
    }
    count(a)
    count(b)
    count(c)
    count(d)
    return UInt16(truncatingIfNeeded: sums[0] &+ sums[1] &+ sums[2] &+ sums[3])
  }
}
