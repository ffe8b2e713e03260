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

  /// The weights of luminosity, in units of 2^-15: blue and red, and green.
  private static var blueAndRed: Signed { Signed(repeating: 3604, and: 9831) }
  private static var green: Signed { Signed(repeating: 19333, and: 0) }

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
    let (blue, red) = separated(cells.br)
    let (green, alpha) = separated(cells.ga)
    let least = floats(smaller(smaller(blue, red), green))
    let most = floats(larger(larger(blue, red), green))
    let products = pairProducts(cells.br, Self.blueAndRed) &+ pairProducts(cells.ga, Self.green)
    let own = floats(products) * 0x1p-15
    let full = floats(alpha)
    // The colour minus its luminosity is added to the gray of the wanted luminosity. It is scaled by the largest
    // part, at most 1, with which all channels are in range: wanted / below and (full - wanted) / above, with one
    // division for both. A gray has no such part, and nothing to scale.
    let wanted = target * full
    let (below, above) = (own - least, most - own)
    let product = below * above
    let reached = smaller(wanted * above, (full - wanted) * below)
    let part = smaller(product, reached) / larger(product, SIMD4(repeating: 1e-3))
    // The rest of the colour itself is mixed in.
    let kept = (1 - opacity) * rest
    let scale = part * (opacity * rest) + kept
    let gray = own * kept + 0.5
    @inline(__always)
    func result(_ channel: SIMD4<Int32>, _ rise: Float) -> SIMD4<Int32> {
      truncated((floats(channel) - own) * scale + (full * (target * opacity * rest + rise) + gray))
    }
    return FourCells(
      br: joined(result(blue, rise.x), result(red, rise.z)),
      ga: joined(result(green, rise.y), alpha))
  }
}
