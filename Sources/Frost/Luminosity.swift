/// Gives every colour the luminosity of a layer, as far as the layer's opacity goes (W3C's SetLum and
/// ClipColor); then what normal layers on top leave of that. All of it scales with alpha, so
/// premultiplied colours need no division.
struct Luminosity: ToneStep {
  /// Of the layer, where full white is 1.
  private let target: Float
  private let opacity: Float
  /// How much of it the layers on top leave, and what they add to blue, green and red.
  private var rest: Float = 1
  private var rise = SIMD3<Float>()

  init(_ color: Color) {
    target = Float(0.30 * color.red + 0.59 * color.green + 0.11 * color.blue)
    opacity = Float(color.alpha)
  }

  func covered(by color: Color) -> Luminosity {
    let left = Float(1 - color.alpha)
    let added = SIMD3(color.blue, color.green, color.red) * color.alpha
    var luminosity = self
    luminosity.rest *= left
    luminosity.rise = rise * left + SIMD3<Float>(added)
    return luminosity
  }

  @inline(__always)
  func applied(to cells: FourCells) -> FourCells {
    let wideBR = widened(cells.br)
    let wideGA = widened(cells.ga)
    let blue = floats(wideBR.evenHalf)
    let green = floats(wideGA.evenHalf)
    let red = floats(wideBR.oddHalf)
    let alpha = floats(wideGA.oddHalf)
    let wanted = target * alpha
    let own = 0.11 * blue + 0.59 * green + 0.30 * red
    // From the gray of that luminosity: the colour's own way off gray, shortened until it fits.
    let (wayBlue, wayGreen, wayRed) = (blue - own, green - own, red - own)
    let least = smaller(smaller(wayBlue, wayGreen), wayRed)
    let most = larger(larger(wayBlue, wayGreen), wayRed)
    let tiny = SIMD4<Float>(repeating: 1e-3)
    var part = smaller(SIMD4(repeating: 1), wanted / larger(-least, tiny))
    part = smaller(part, (alpha - wanted) / larger(most, tiny))
    @inline(__always)
    func result(
      _ below: SIMD4<Float>, _ way: SIMD4<Float>, _ rise: Float
    ) -> SIMD4<Int32> {
      let lit = way * part + wanted
      let mixed = (below + (lit - below) * opacity) * rest + alpha * rise + 0.5
      return wholes(smaller(larger(mixed, SIMD4()), alpha))
    }
    var outBR = SIMD8<Int32>(), outGA = SIMD8<Int32>()
    outBR.evenHalf = result(blue, wayBlue, rise.x)
    outBR.oddHalf = result(red, wayRed, rise.z)
    outGA.evenHalf = result(green, wayGreen, rise.y)
    outGA.oddHalf = wideGA.oddHalf
    return FourCells(br: narrowed(outBR), ga: narrowed(outGA))
  }
}
