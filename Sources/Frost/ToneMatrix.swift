/// Saturation, contrast and brightness as the affine map they are: three rows, for blue, green and red,
/// of four columns, for blue, green, red and alpha. Colours are premultiplied, so the constant term is
/// a multiple of alpha. The result is cut off at 0 and alpha.
struct ToneMatrix: ToneStep {
  private let blue, green, red: Row
  let isIdentity: Bool

  /// 12 bits: coefficients reach +-8, and a product with a 15-bit colour fits 32 bits.
  static let one = 4096.0

  init(_ tone: Tone) {
    func row(_ own: Int) -> SIMD4<Int32> {
      // Saturation, with the weights of UIImageEffects: s + (1 - s) * w on the diagonal.
      let luminance = SIMD4<Double>(0.0722, 0.7152, 0.2126, 0)
      var row = luminance * (1 - tone.saturation)
      row[own] += tone.saturation
      // Contrast about mid-gray, then brightness.
      row *= tone.contrast
      row[3] += 0.5 * (1 - tone.contrast) + tone.brightness
      let limits = SIMD4<Double>(repeating: 7.99)
      row = (row * Self.one).clamped(lowerBound: -limits * Self.one, upperBound: limits * Self.one)
      return SIMD4<Int32>(
        Int32(row[0].rounded()), Int32(row[1].rounded()), Int32(row[2].rounded()),
        Int32(row[3].rounded()))
    }
    let one = Int32(Self.one)
    let rows = (0..<3).map(row)
    isIdentity = rows == [SIMD4(one, 0, 0, 0), SIMD4(0, one, 0, 0), SIMD4(0, 0, one, 0)]
    blue = Row(rows[0])
    green = Row(rows[1])
    red = Row(rows[2])
  }

  /// One row, laid out as four cells are.
  private struct Row: Equatable {
    let br, ga: SIMD8<Int32>

    init(_ row: SIMD4<Int32>) {
      br = SIMD8(row[0], row[2], row[0], row[2], row[0], row[2], row[0], row[2])
      ga = SIMD8(row[1], row[3], row[1], row[3], row[1], row[3], row[1], row[3])
    }
  }

  @inline(__always)
  func applied(to cells: FourCells) -> FourCells {
    let wideBR = widened(cells.br)
    let wideGA = widened(cells.ga)
    let alpha = wideGA.oddHalf
    @inline(__always)
    func channel(_ row: Row) -> SIMD4<Int32> {
      let products = wideBR &* row.br &+ wideGA &* row.ga
      let sum = products.evenHalf &+ products.oddHalf
      let value = (sum &+ Int32(Self.one / 2)) &>> 12
      let positive = value & ~(value &>> 31)
      let below = alpha &- positive
      return alpha &- (below & ~(below &>> 31))
    }
    var outBR = SIMD8<Int32>(), outGA = SIMD8<Int32>()
    outBR.evenHalf = channel(blue)
    outBR.oddHalf = channel(red)
    outGA.evenHalf = channel(green)
    outGA.oddHalf = alpha
    return FourCells(br: narrowed(outBR), ga: narrowed(outGA))
  }
}
