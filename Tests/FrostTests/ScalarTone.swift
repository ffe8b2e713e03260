@testable import Frost

/// The scalar twin of the tone of one cell, with the arithmetic of the glass.
struct ScalarTone {
  private var steps: [([Int]) -> [Int]] = []

  init(_ tone: Tone) {
    var matrix: [[Double]]? = (0..<3).map { Self.matrixRow($0, tone) }
    var bends: [Bend]?
    // A luminosity layer, the factor of the normal layers on top, and their sum.
    var lit: (color: Color, rest: Float, rise: [Float])?
    func flushLight() {
      if let (color, rest, rise) = lit { steps.append(Self.luminosity(color, rest, rise)) }
      lit = nil
    }
    if matrix == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]] { matrix = nil }
    for layer in tone.layers + [Layer(.normal, tone.tint)] where layer.color.alpha > 0 {
      let color = [layer.color.blue, layer.color.green, layer.color.red]
      let opacity = layer.color.alpha
      if layer.mode == .normal, let rows = matrix {
        matrix = zip(rows, color).map { row, channel in
          row[0..<3].map { $0 * (1 - opacity) } + [row[3] * (1 - opacity) + channel * opacity]
        }
      } else if layer.mode == .normal, let three = bends {
        bends = zip(three, color).map { $0.covered($1, opacity) }
      } else if layer.mode == .normal, let (below, rest, rise) = lit {
        let left = Float(1 - opacity)
        lit = (below, rest * left, zip(rise, color).map { $0 * left + Float($1 * opacity) })
      } else {
        flush(&matrix, &bends)
        flushLight()
        if layer.mode == .luminosity {
          lit = (layer.color, 1, [0, 0, 0])
        } else {
          bends = color.map { Bend(layer.mode, $0, opacity) }
        }
      }
    }
    flush(&matrix, &bends)
    flushLight()
  }

  /// Tones blue, green, red and alpha, in units of a plane.
  func toned(_ cell: [Int]) -> [Int] { steps.reduce(cell) { $1($0) } }

  /// The coefficients of a channel for blue, green, red and alpha.
  private static func matrixRow(_ own: Int, _ tone: Tone) -> [Double] {
    var row = [0.0722, 0.7152, 0.2126, 0].map { $0 * (1 - tone.saturation) }
    row[own] += tone.saturation
    row = row.map { $0 * tone.contrast }
    row[3] += 0.5 * (1 - tone.contrast) + tone.brightness
    return row
  }

  private mutating func flush(_ matrix: inout [[Double]]?, _ bends: inout [Bend]?) {
    if let rows = matrix { append(rows) }
    if let three = bends { append(three) }
    (matrix, bends) = (nil, nil)
  }

  private mutating func append(_ rows: [[Double]]) {
    var bits = 12
    let largest = rows.map { row in row.reduce(1) { $0 + abs($1) } }.max() ?? 1
    while bits > 0 && largest * Double(1 << bits) * 16320 > 2e9 { bits -= 1 }
    let fixed = rows.map { row in row.map { Int(($0 * Double(1 << bits)).rounded()) } }
    steps.append { cell in
      (0..<3).map { channel in
        let sum = zip(fixed[channel], cell).reduce((1 << bits) / 2) { $0 + $1.0 * $1.1 }
        return min(max(sum >> bits, 0), cell[3])
      } + [cell[3]]
    }
  }

  private mutating func append(_ three: [Bend]) {
    var bits = 14
    let steepest = three.flatMap { [$0.low, $0.high, 1] }.max() ?? 1
    while steepest * Double(1 << bits) > 32767 { bits -= 1 }
    let one = Double(1 << bits)
    steps.append { cell in
      three.enumerated().map { channel, bend in
        let alpha = cell[3]
        let knee = Int((bend.knee * 16320).rounded()) * alpha / 16320
        let rise = Int((bend.rise * 16320 * one).rounded()) * alpha / 16320
        let low = min(cell[channel], knee) * Int((bend.low * one).rounded())
        let high = max(cell[channel] - knee, 0) * Int((bend.high * one).rounded())
        return min((low + high + rise + (1 << bits) / 2) >> bits, alpha)
      } + [cell[3]]
    }
  }

  private struct Bend {
    var knee = 1.0, low = 0.0, high = 0.0, rise = 0.0

    init(_ mode: BlendMode, _ s: Double, _ opacity: Double) {
      switch mode {
      case .colorDodge:
        knee = 1 - min(s, 511.0 / 512)
        low = 1 / knee
      case .overlay: (knee, low, high) = (0.5, 2 * s, 2 * (1 - s))
      default: rise = s
      }
      low = opacity * low + 1 - opacity
      high = opacity * high + 1 - opacity
      rise *= opacity
    }

    func covered(_ s: Double, _ opacity: Double) -> Bend {
      var bend = self
      bend.low *= 1 - opacity
      bend.high *= 1 - opacity
      bend.rise = rise * (1 - opacity) + s * opacity
      return bend
    }
  }

  /// In single precision, with the same order of operations as the glass.
  private static func luminosity(
    _ color: Color, _ rest: Float, _ rise: [Float]
  ) -> ([Int]) -> [Int] {
    let target = Float(0.30 * color.red + 0.59 * color.green + 0.11 * color.blue)
    let opacity = Float(color.alpha)
    return { cell in
      let below = cell.map { Float($0) }
      let alpha = below[3]
      let wanted = target * alpha
      let own = 0.11 * below[0] + 0.59 * below[1] + 0.30 * below[2]
      let deltas = below[0..<3].map { $0 - own }
      let (least, most) = (deltas.min() ?? 0, deltas.max() ?? 0)
      let part = min(1, wanted / max(-least, 1e-3), (alpha - wanted) / max(most, 1e-3))
      return (0..<3).map { channel in
        let lit = deltas[channel] * part + wanted
        let mixed =
          (below[channel] + (lit - below[channel]) * opacity) * rest + alpha * rise[channel] + 0.5
        return Int(min(max(mixed, 0), alpha))
      } + [cell[3]]
    }
  }
}
