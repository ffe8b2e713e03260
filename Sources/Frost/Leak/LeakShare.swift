/// The share of its backdrop that shows through an overlay of glass, in 255ths: 255 less the alpha of the overlay.
///
/// Where a compositor cannot show what is below an overlay, but shows the whole screen, an overlay that is not quite
/// opaque lets the backdrop be computed from the screen: the difference between both is the leak, `share / 255` of the
/// backdrop, rounded. The share differs from pixel to pixel. With one share a flat backdrop would be rounded in the same
/// way everywhere; with many, the errors of neighbours differ, and a blur averages them out.
package enum LeakShare {
  /// The shares of all pixels. A larger one gives more of the backdrop, but shows a change of it for longer, and cannot show
  /// dark glass on a light backdrop: no pixel of the overlay can be darker than black.
  package static let range: ClosedRange<UInt8> = 8...24

  /// The share of a pixel of an output.
  package static func at(x: Int, y: Int) -> UInt8 { shares[(y & 7) * 8 + x & 7] }

  /// 8 rows of 8 shares: an ordered dither (Bayer, 1973) of the range.
  private static let shares: [UInt8] = (0..<64).map { i in
    let (x, y) = (i % 8, i / 8)
    var rank = 0
    for bit in 0..<3 {
      rank = rank << 2 | ((x ^ y) >> bit & 1) << 1 | y >> bit & 1
    }
    return range.lowerBound + UInt8(rank * range.count / 64)
  }

  /// The shares of a row of an output, each twice, for pixels from a multiple of 8 on.
  static func lanes(inRow y: Int) -> Lanes { rows[y & 7] }

  private static let rows: [Lanes] = (0..<8).map { y in
    var lanes = Lanes()
    for x in 0..<8 {
      lanes[2 * x] = UInt16(at(x: x, y: y))
      lanes[2 * x + 1] = UInt16(at(x: x, y: y))
    }
    return lanes
  }
}

/// The leak of a channel: its product with `share / 255`, rounded to the nearest as compositors do.
@inline(__always)
func leak<Values: SIMD<UInt16>>(_ share: Values, of channel: Values) -> Values
where Values.Scalar == UInt16 {
  let product = channel &* share &+ 128
  return (product &+ product &>> 8) &>> 8
}
