/// A tone as the affine map it is: three rows, for blue, green and red, of four columns, for blue,
/// green, red and alpha. Colours are premultiplied, so the constant term is a multiple of alpha.
struct ToneMatrix: Equatable, Sendable {
  /// Fixed point, `one` is 1.0, in the order blue, green, red, alpha.
  var blue, green, red: SIMD4<Int32>

  /// 12 bits: coefficients reach +-8, and a product with a 15-bit colour fits 32 bits.
  static let one = 4096.0

  static let identity = ToneMatrix(Tone())

  init(_ tone: Tone) {
    func row(_ own: Int, _ tint: Double) -> SIMD4<Int32> {
      // Saturation, with the weights of UIImageEffects: s + (1 - s) * w on the diagonal.
      let luminance = SIMD4<Double>(0.0722, 0.7152, 0.2126, 0)
      var row = luminance * (1 - tone.saturation)
      row[own] += tone.saturation
      // Contrast about mid-gray, then brightness.
      row *= tone.contrast
      row[3] += 0.5 * (1 - tone.contrast) + tone.brightness
      // The tint, source-over.
      row *= 1 - tone.tint.alpha
      row[3] += tint * tone.tint.alpha
      let limits = SIMD4<Double>(repeating: 7.99)
      row = (row * Self.one).clamped(lowerBound: -limits * Self.one, upperBound: limits * Self.one)
      return SIMD4<Int32>(
        Int32(row[0].rounded()), Int32(row[1].rounded()), Int32(row[2].rounded()),
        Int32(row[3].rounded()))
    }
    blue = row(0, tone.tint.blue)
    green = row(1, tone.tint.green)
    red = row(2, tone.tint.red)
  }
}
