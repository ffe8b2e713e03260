/// Gives every colour the luminosity of a layer, as far as the layer's opacity goes; W3C's SetLum and
/// ClipColor. All of it scales with alpha, so premultiplied colours need no division.
struct Luminosity: ToneStep {
  /// Of the layer, where full white is 1.
  private let target: Float
  private let opacity: Float

  init(_ color: Color) {
    target = Float(0.30 * color.red + 0.59 * color.green + 0.11 * color.blue)
    opacity = Float(color.alpha)
  }

  @inline(__always)
  func applied(to cells: FourCells) -> FourCells {
    var out = cells
    for i in stride(from: 0, to: 8, by: 2) {
      let colour = SIMD4(
        Float(cells.br[i]), Float(cells.ga[i]), Float(cells.br[i + 1]), Float(cells.ga[i + 1]))
      let result = applied(to: colour)
      out.br[i] = Int16(result[0])
      out.ga[i] = Int16(result[1])
      out.br[i + 1] = Int16(result[2])
    }
    return out
  }

  /// Blue, green, red and alpha of one cell, in units of the plane; the result is rounded half up.
  @inline(__always)
  private func applied(to below: SIMD4<Float>) -> SIMD4<Float> {
    let alpha = below[3]
    let wanted = target * alpha
    let own = 0.11 * below[0] + 0.59 * below[1] + 0.30 * below[2]
    // From the gray of that luminosity: the colour's own way off gray, shortened until it fits.
    var way = below - own
    let least = min(way[0], min(way[1], way[2]))
    let most = max(way[0], max(way[1], way[2]))
    if wanted + least < 0 { way *= wanted / -least }
    if wanted + most > alpha { way *= (alpha - wanted) / most }
    let lit = way + wanted
    let mixed = below + (lit - below) * opacity + 0.5
    return SIMD4(
      min(max(mixed[0], 0), alpha), min(max(mixed[1], 0), alpha), min(max(mixed[2], 0), alpha),
      alpha)
  }
}
