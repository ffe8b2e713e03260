@testable import Frost

/// The scalar twin of the tone of one cell, with the arithmetic of the glass.
struct ScalarTone {
  private var steps: [([Int]) -> [Int]] = []
  /// Whether cells are toned before they are interpolated.
  private(set) var isAffine = true
  private(set) var hasLuminosity = false
  /// The limits of each channel in units of a plane, if the tone is affine between them.
  private(set) var limits: [ClosedRange<Int>]?

  init(_ tone: Tone) {
    var matrix: Matrix? = Matrix(tone)
    var bends: [Bend]?
    // A luminosity layer, the factor of the normal layers on top, and their sum.
    var lit: (color: Color, rest: Float, rise: [Float])?
    func flush() {
      if let matrix, !matrix.isIdentity {
        steps.append(matrix.step)
        limits = matrix.limits
        if !matrix.isAffine { isAffine = false }
      }
      if let three = bends { steps.append(Self.step(three)) }
      if let (color, rest, rise) = lit { steps.append(Self.luminosity(color, rest, rise)) }
      (matrix, bends, lit) = (nil, nil, nil)
    }
    for layer in tone.layers + [Layer(.normal, tone.tint)] where layer.color.alpha > 0 {
      let color = [layer.color.blue, layer.color.green, layer.color.red]
      let opacity = layer.color.alpha
      if layer.mode == .luminosity {
        flush()
        lit = (layer.color, 1, [0, 0, 0])
        (isAffine, hasLuminosity) = (false, true)
      } else if layer.mode == .normal, let three = bends {
        bends = zip(three, color).map { $0.covered($1, opacity) }
      } else if layer.mode == .normal, let (below, rest, rise) = lit {
        let left = Float(1 - opacity)
        lit = (below, rest * left, zip(rise, color).map { $0 * left + Float($1 * opacity) })
      } else {
        let three = color.map { Bend(layer.mode, $0, opacity) }
        if let mapped = matrix?.mapped(by: three) {
          matrix = mapped
        } else {
          flush()
          bends = three
          isAffine = false
        }
      }
    }
    flush()
    if steps.count > 1 { limits = nil }
  }

  /// Tones blue, green, red and alpha, in units of a plane.
  func toned(_ cell: [Int]) -> [Int] { steps.reduce(cell) { $1($0) } }

  /// An affine map of each channel from all three, and the limits of the results.
  private struct Matrix {
    /// The coefficients for blue, green, red and alpha.
    var rows: [[Double]]
    var low = [0.0, 0, 0]
    var high = [1.0, 1, 1]

    init(_ tone: Tone) {
      rows = (0..<3).map { own in
        var row = [0.0722, 0.7152, 0.2126, 0].map { $0 * (1 - tone.saturation) }
        row[own] += tone.saturation
        row = row.map { $0 * tone.contrast }
        row[3] += 0.5 * (1 - tone.contrast) + tone.brightness
        return row
      }
    }

    var isIdentity: Bool { rows == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]] }

    /// The extreme results for the eight corners of the colour cube.
    private func reach(_ channel: Int) -> (Double, Double) {
      let row = rows[channel]
      let results = (0..<8).map { corner -> Double in
        var result = row[3]
        for axis in 0..<3 where corner >> axis & 1 == 1 { result += row[axis] }
        return result
      }
      return (results.min() ?? 0, results.max() ?? 0)
    }

    var isAffine: Bool {
      (0..<3).allSatisfy { reach($0).0 > low[$0] - 1e-6 && reach($0).1 < high[$0] + 1e-6 }
    }

    /// nil if a map bends for a result of this one.
    func mapped(by bends: [Bend]) -> Matrix? {
      var mapped = self
      for (i, bend) in bends.enumerated() {
        let least = min(max(reach(i).0, low[i]), high[i])
        let most = min(max(reach(i).1, low[i]), high[i])
        var (slope, offset) = (bend.low, bend.rise)
        if most >= bend.knee + 1e-6 {
          if least <= bend.knee - 1e-6 { return nil }
          (slope, offset) = (bend.high, bend.rise + (bend.low - bend.high) * bend.knee)
        }
        mapped.rows[i] = rows[i].map { $0 * slope }
        mapped.rows[i][3] += offset
        mapped.low[i] = min(max(low[i] * slope + offset, 0), 1)
        mapped.high[i] = min(max(high[i] * slope + offset, mapped.low[i]), 1)
      }
      return mapped
    }

    /// The limits of opaque cells in units of a plane.
    var limits: [ClosedRange<Int>] {
      zip(low, high).map { Int(($0 * 16320).rounded())...Int(($1 * 16320).rounded()) }
    }

    var step: ([Int]) -> [Int] {
      var bits = 14
      let largest = rows.flatMap { $0.prefix(3) }.map { abs($0) }.max() ?? 0
      let most = rows.map { row in row.reduce(1) { $0 + abs($1) } }.max() ?? 1
      while bits > 0
        && (largest * Double(1 << bits) > 32767 || most * Double(1 << bits) * 16320 > 2e9)
      {
        bits -= 1
      }
      let (one, half) = (Double(1 << bits), (1 << bits) / 2)
      let fixed = rows.map { row in row[0..<3].map { Int(($0 * one).rounded()) } }
      let constants = zip(rows, fixed).map { row, fixed in
        let missing = row[0] + row[1] + row[2] - Double(fixed.reduce(0, +)) / one
        return Int(((row[3] + missing / 2) * 16320 * one).rounded())
      }
      let limits = limits
      return { cell in
        (0..<3).map { channel in
          let alpha = cell[3]
          let sum = zip(fixed[channel], cell).reduce(constants[channel] * alpha / 16320 + half) {
            $0 + $1.0 * $1.1
          }
          let limit = limits[channel]
          return min(
            max(sum >> bits, limit.lowerBound * alpha / 16320), limit.upperBound * alpha / 16320)
        } + [cell[3]]
      }
    }
  }

  private static func step(_ three: [Bend]) -> ([Int]) -> [Int] {
    var bits = 14
    let steepest = three.flatMap { [$0.low, $0.high, 1] }.max() ?? 1
    while steepest * Double(1 << bits) > 32767 { bits -= 1 }
    let one = Double(1 << bits)
    return { cell in
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
      default: (low, high, rise) = (0, 0, s)
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
      let values = cell.map { Float($0) }
      let own = Float(3604 * cell[0] + 19333 * cell[1] + 9831 * cell[2]) / 32768
      let below = own - min(values[0], values[1], values[2])
      let above = max(values[0], values[1], values[2]) - own
      let wanted = target * values[3]
      let reached = min(wanted * above, (values[3] - wanted) * below)
      let part = min(below * above, reached) / max(below * above, 1e-3)
      let kept = (1 - opacity) * rest
      let scale = part * (opacity * rest) + kept
      return (0..<3).map { channel in
        let flat = values[3] * (target * opacity * rest + rise[channel]) + (own * kept + 0.5)
        return Int((values[channel] - own) * scale + flat)
      } + [cell[3]]
    }
  }
}
