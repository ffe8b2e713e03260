/// An affine map of colours whose results are limited to a range for each channel: saturation, contrast and
/// brightness, limited to black and white, and affine maps of each channel on top of them, such as normal layers.
///
/// A map of a channel on top of the limits maps the limits too, so any number of them is one matrix.
struct ToneMatrix: ToneStep {
  /// The rows for blue, green and red. The columns are blue, green, red and alpha. Colours are
  /// premultiplied, so the constant term is a multiple of alpha.
  private let rows: [SIMD4<Double>]
  /// The limits of blue, green and red, as multiples of alpha.
  private let limits: [ClosedRange<Double>]
  private let blue, green, red: Row
  /// The number of fraction bits of the rows.
  private let bits: Int32
  /// The limits of opaque cells in fixed point.
  let fixedLimits: ToneLimits

  /// Saturation, then contrast and brightness, limited to 0...1.
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
      }, limits: [0...1, 0...1, 0...1])
  }

  private init(_ rows: [SIMD4<Double>], limits: [ClosedRange<Double>]) {
    self.rows = rows
    self.limits = limits
    // At most 14 bits, and few enough that a coefficient fits in 16 bits and a sum in 32.
    let largest = rows.map { row in (0..<3).map { abs(row[$0]) }.max() ?? 0 }.max() ?? 0
    let most = rows.map { row in (0..<4).reduce(1) { $0 + abs(row[$1]) } }.max() ?? 1
    var bits = 14
    while bits > 0
      && (largest * Double(1 << bits) > 32767
        || most * Double(1 << bits) * Double(Plane.full) > 2e9)
    { bits -= 1 }
    self.bits = Int32(bits)
    (blue, green, red) = (Row(rows[0], bits), Row(rows[1], bits), Row(rows[2], bits))
    func cells(_ limit: (ClosedRange<Double>) -> Double) -> FourCells {
      let fixed = limits.map { Int16((limit($0) * Double(Plane.full)).rounded()) }
      return FourCells(
        br: Signed(repeating: fixed[0], and: fixed[2]),
        ga: Signed(repeating: fixed[1], and: Int16(Plane.full)))
    }
    fixedLimits = ToneLimits(low: cells(\.lowerBound), high: cells(\.upperBound))
  }

  var isIdentity: Bool {
    rows == [SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0)]
  }

  // MARK: Ranges

  /// The range of blue, green and red without the limits, for colours of 0...1.
  private var reach: [ClosedRange<Double>] {
    rows.map { row in
      let terms = (0..<3).map { row[$0] }
      return row[3] + terms.reduce(0) { $0 + min($1, 0) }...row[3]
        + terms.reduce(0) { $0 + max($1, 0) }
    }
  }

  /// Whether no colour reaches the limits, apart from the rounding of coefficients.
  var isAffine: Bool {
    zip(reach, limits).allSatisfy {
      $0.lowerBound > $1.lowerBound - 1e-6 && $0.upperBound < $1.upperBound + 1e-6
    }
  }

  /// The range of blue, green and red.
  var range: [ClosedRange<Double>] { zip(reach, limits).map { $0.clamped(to: $1) } }

  /// The map with one affine map for each channel, blue, green and red, on top of it.
  func mapped(by maps: [ChannelMap]) -> ToneMatrix {
    let constant = SIMD4<Double>(0, 0, 0, 1)
    return ToneMatrix(
      zip(rows, maps).map { $0 * $1.slope + constant * $1.offset },
      limits: zip(limits, maps).map { limit, map in
        let low = limit.lowerBound * map.slope + map.offset
        return (low...max(low, limit.upperBound * map.slope + map.offset)).clamped(to: 0...1)
      })
  }

  // MARK: Fixed point

  /// One row in fixed point, in the layout of four cells.
  private struct Row: Equatable {
    let br, ga: Signed
    /// The constant term, with one half for rounding, in units of the plane times those of the
    /// coefficients.
    let start: Int32

    init(_ row: SIMD4<Double>, _ bits: Int) {
      let one = Double(1 << bits)
      let fixed = (0..<3).map { Int16((row[$0] * one).rounded()) }
      br = Signed(repeating: fixed[0], and: fixed[2])
      ga = Signed(repeating: fixed[1], and: 0)
      // The constant makes up for the rounding of the coefficients: mid-gray is exact.
      let missing = row[0] + row[1] + row[2] - fixed.reduce(0) { $0 + Double($1) } / one
      start =
        Int32(((row[3] + missing / 2) * Double(Plane.full) * one).rounded())
        + Int32((1 << bits) >> 1)
    }

    /// The result of a cell that is not opaque, before it is limited.
    func result(of cells: FourCells, at i: Int, bits: Int) -> Int {
      let alpha = Int(cells.ga[i + 1])
      let half = (1 << bits) >> 1
      var sum = (Int(start) - half) * alpha / Int(Plane.full) + half
      sum += Int(br[0]) * Int(cells.br[i]) + Int(br[1]) * Int(cells.br[i + 1])
      return (sum + Int(ga[0]) * Int(cells.ga[i])) >> bits
    }
  }

  @inline(__always)
  func applied(to cells: FourCells) -> FourCells {
    if !cells.areOpaque { return appliedToTranslucent(cells) }
    @inline(__always)
    func channel(_ row: Row) -> SIMD4<Int32> {
      let products = pairProducts(cells.br, row.br) &+ pairProducts(cells.ga, row.ga)
      return (products &+ row.start) &>> bits
    }
    let full = SIMD4(repeating: Int32(Plane.full))
    let br = interleaved(channel(blue), channel(red))
    let ga = interleaved(channel(green), full)
    return fixedLimits.limited(FourCells(br: br, ga: ga))
  }

  private func appliedToTranslucent(_ cells: FourCells) -> FourCells {
    let (low, high) = (fixedLimits.low, fixedLimits.high)
    var out = cells
    for i in stride(from: 0, to: 8, by: 2) {
      let alpha = Int(cells.ga[i + 1])
      func result(_ row: Row, _ low: Int16, _ high: Int16) -> Int16 {
        let value = row.result(of: cells, at: i, bits: Int(bits))
        let full = Int(Plane.full)
        return Int16(min(max(value, Int(low) * alpha / full), Int(high) * alpha / full))
      }
      out.br[i] = result(blue, low.br[0], high.br[0])
      out.br[i + 1] = result(red, low.br[1], high.br[1])
      out.ga[i] = result(green, low.ga[0], high.ga[0])
    }
    return out
  }
}

/// The smallest and the largest results of a map, for opaque cells.
struct ToneLimits: Equatable {
  let low, high: FourCells

  @inline(__always)
  func limited(_ cells: FourCells) -> FourCells {
    FourCells(
      br: smaller(larger(cells.br, low.br), high.br), ga: smaller(larger(cells.ga, low.ga), high.ga)
    )
  }
}

/// An affine map of one channel, with full white as 1.
struct ChannelMap: Equatable {
  var slope, offset: Double
}
