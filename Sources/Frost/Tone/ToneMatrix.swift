/// An affine map of colours: saturation, contrast and brightness, and normal layers on top of them.
/// The result is clamped to 0 and alpha once, at the end.
struct ToneMatrix: ToneStep {
  /// The rows for blue, green and red. The columns are blue, green, red and alpha. Colours are
  /// premultiplied, so the constant term is a multiple of alpha.
  private let exact: [SIMD4<Double>]
  private let blue, green, red: Row
  /// The number of fraction bits of the rows.
  private let bits: Int32

  init(_ tone: Tone) {
    self.init(
      (0..<3).map { own in
        // Saturation s with the luminance weights w of Apple's UIImageEffects (Rec. 709): row = (1
        // - s) * w, plus s on the diagonal.
        let luminance = SIMD4<Double>(0.0722, 0.7152, 0.2126, 0)
        var row = luminance * (1 - tone.saturation)
        row[own] += tone.saturation
        // Contrast about mid-gray, then brightness.
        row *= tone.contrast
        row[3] += 0.5 * (1 - tone.contrast) + tone.brightness
        return row
      })
  }

  private init(_ rows: [SIMD4<Double>]) {
    exact = rows
    // At most 12 bits, and few enough that the sum of four products with plane values fits in 32
    // bits.
    let largest = rows.map { row in (0..<4).reduce(1) { $0 + abs(row[$1]) } }.max() ?? 1
    var bits = 12
    while bits > 0 && largest * Double(1 << bits) * Double(Plane.full) > 2e9 { bits -= 1 }
    self.bits = Int32(bits)
    (blue, green, red) = (Row(rows[0], bits), Row(rows[1], bits), Row(rows[2], bits))
  }

  var isIdentity: Bool {
    exact == [SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0)]
  }

  /// The map with a normal layer of `color` on top of it.
  func covered(by color: Color) -> ToneMatrix {
    let channels = [color.blue, color.green, color.red]
    return ToneMatrix(
      zip(exact, channels).map { row, channel in
        var row = row * (1 - color.alpha)
        row[3] += channel * color.alpha
        return row
      })
  }

  /// One row in fixed point, in the layout of four cells.
  private struct Row: Equatable {
    let br, ga: SIMD8<Int32>

    init(_ row: SIMD4<Double>, _ bits: Int) {
      func fixed(_ i: Int) -> Int32 { Int32((row[i] * Double(1 << bits)).rounded()) }
      let (b, g, r, a) = (fixed(0), fixed(1), fixed(2), fixed(3))
      br = SIMD8(b, r, b, r, b, r, b, r)
      ga = SIMD8(g, a, g, a, g, a, g, a)
    }
  }

  @inline(__always)
  func applied(to cells: FourCells) -> FourCells {
    let wideBR = widened(cells.br)
    let wideGA = widened(cells.ga)
    let alpha = wideGA.oddHalf
    let half = (Int32(1) &<< bits) &>> 1
    @inline(__always)
    func channel(_ row: Row) -> SIMD4<Int32> {
      let products = wideBR &* row.br &+ wideGA &* row.ga
      let sum = products.evenHalf &+ products.oddHalf
      let value = (sum &+ half) &>> bits
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
