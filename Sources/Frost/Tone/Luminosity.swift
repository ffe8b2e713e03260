/// Gives every colour the luminosity of a layer, mixed by the layer's opacity (SetLum and ClipColor
/// of W3C Compositing and Blending Level 1), then applies the normal layers on top. All terms scale
/// with alpha, so premultiplied colours need no division.
struct Luminosity: ToneStep {
  /// The luminosity of the layer, 0 to 1.
  private let target: Float
  private let opacity: Float
  /// The product of the transparencies of the normal layers on top, and their sum of blue, green
  /// and red.
  private var rest: Float = 1
  private var rise = SIMD3<Float>()

  init(_ color: Color) {
    target = Float(0.30 * color.red + 0.59 * color.green + 0.11 * color.blue)
    opacity = Float(color.alpha)
  }

  /// The same with a normal layer of `color` on top.
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
    // The colour minus its luminosity is added to the gray of the wanted luminosity. It is scaled
    // by the largest part, at most 1, with which all channels are in range.
    let (deltaBlue, deltaGreen, deltaRed) = (blue - own, green - own, red - own)
    let least = smaller(smaller(deltaBlue, deltaGreen), deltaRed)
    let most = larger(larger(deltaBlue, deltaGreen), deltaRed)
    let tiny = SIMD4<Float>(repeating: 1e-3)
    var part = smaller(SIMD4(repeating: 1), wanted / larger(-least, tiny))
    part = smaller(part, (alpha - wanted) / larger(most, tiny))
    @inline(__always)
    func result(
      _ below: SIMD4<Float>, _ delta: SIMD4<Float>, _ rise: Float
    ) -> SIMD4<Int32> {
      let lit = delta * part + wanted
      let mixed = (below + (lit - below) * opacity) * rest + alpha * rise + 0.5
      return truncated(smaller(larger(mixed, SIMD4()), alpha))
    }
    var outBR = SIMD8<Int32>(), outGA = SIMD8<Int32>()
    outBR.evenHalf = result(blue, deltaBlue, rise.x)
    outBR.oddHalf = result(red, deltaRed, rise.z)
    outGA.evenHalf = result(green, deltaGreen, rise.y)
    outGA.oddHalf = wideGA.oddHalf
    return FourCells(br: narrowed(outBR), ga: narrowed(outGA))
  }
}
