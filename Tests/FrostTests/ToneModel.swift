import Frost

/// The reference of the tone in float64. Channels are from 0 to 1, in the order blue, green, red.
struct ToneModel {
  var saturation = 1.0
  var contrast = 1.0
  var brightness = 0.0
  /// The layers, the lowest first: mode, colour (red, green, blue) and opacity.
  var layers: [(mode: String, color: [Double], opacity: Double)] = []

  func toned(_ blurred: [Double]) -> [Double] {
    var color = adjusted(blurred).map { min(max($0, 0), 1) }
    for layer in layers where layer.opacity > 0 {
      let s = Array(layer.color.reversed())
      let blended =
        switch layer.mode {
        case "normal": s
        case "color-dodge": zip(color, s).map { min(1, $0 / max(1 - $1, 1e-9)) }
        case "overlay": zip(color, s).map { $0 <= 0.5 ? 2 * $0 * $1 : 1 - 2 * (1 - $0) * (1 - $1) }
        default: withLuminosity(of: s, color)
        }
      color = zip(color, blended).map { $0 + ($1 - $0) * layer.opacity }
    }
    return color.map { min(max($0, 0), 1) }
  }

  private func adjusted(_ color: [Double]) -> [Double] {
    let gray = 0.0722 * color[0] + 0.7152 * color[1] + 0.2126 * color[2]
    return color.map {
      let saturated = gray + ($0 - gray) * saturation
      return (saturated - 0.5) * contrast + 0.5 + brightness
    }
  }

  /// SetLum and ClipColor of W3C Compositing and Blending Level 1, step by step.
  private func withLuminosity(of s: [Double], _ color: [Double]) -> [Double] {
    func luminosity(_ c: [Double]) -> Double { 0.11 * c[0] + 0.59 * c[1] + 0.3 * c[2] }
    let shift = luminosity(s) - luminosity(color)
    var result = color.map { $0 + shift }
    let l = luminosity(result)
    let (least, most) = (result.min() ?? 0, result.max() ?? 0)
    if least < 0 { result = result.map { l + ($0 - l) * l / (l - least) } }
    if most > 1 { result = result.map { l + ($0 - l) * (1 - l) / (most - l) } }
    return result
  }
}

extension ToneModel {
  init(_ tone: Tone) {
    saturation = tone.saturation
    contrast = tone.contrast
    brightness = tone.brightness
    layers = (tone.layers + [Layer(.normal, tone.tint)]).map { layer in
      let color = layer.color
      return (layer.mode.rawValue, [color.red, color.green, color.blue], color.alpha)
    }
  }
}
