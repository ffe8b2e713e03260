/// A piecewise linear map of each channel with two slopes that meet at a knee. It represents a
/// layer of the mode color-dodge or overlay, and any normal layers on top of it.
///
/// With full white as 1, a channel x becomes rise + low * min(x, knee) + high * max(x - knee, 0),
/// at most alpha. Colours are premultiplied, so knee and rise are multiplied by alpha.
struct Knee: ToneStep {
  /// The map of one channel.
  private struct Bend: Equatable {
    var knee = 1.0, low = 1.0, high = 1.0, rise = 0.0

    /// The map of a layer whose channel value is `s`; see `BlendMode` for the formulas.
    init(_ mode: BlendMode, _ s: Double, opacity: Double) {
      switch mode {
      case .colorDodge:
        let dodge = min(s, BlendMode.brightestDodge)
        (knee, low, high) = (1 - dodge, 1 / (1 - dodge), 0)
      case .overlay:
        (knee, low, high) = (0.5, 2 * s, 2 * (1 - s))
      case .normal, .luminosity:
        (low, high, rise) = (0, 0, s)
      }
      low = opacity * low + 1 - opacity
      high = opacity * high + 1 - opacity
      rise *= opacity
    }

    /// The affine map to which this one is equal in a range; nil if it bends there.
    func map(in range: ClosedRange<Double>) -> ChannelMap? {
      let tiny = 1e-6
      if range.upperBound < knee + tiny { return ChannelMap(slope: low, offset: rise) }
      if range.lowerBound > knee - tiny {
        return ChannelMap(slope: high, offset: rise + (low - high) * knee)
      }
      return nil
    }

    /// The map with a normal layer on top of it.
    func covered(by s: Double, opacity: Double) -> Bend {
      var bend = self
      bend.low *= 1 - opacity
      bend.high *= 1 - opacity
      bend.rise = bend.rise * (1 - opacity) + s * opacity
      return bend
    }
  }

  private let blue, green, red: Bend
  /// The number of fraction bits of the slopes.
  private let bits: Int
  private let br, ga: Half

  init(_ layer: Layer) {
    let color = layer.color
    func bend(_ s: Double) -> Bend { Bend(layer.mode, s, opacity: color.alpha) }
    self.init(bend(color.blue), bend(color.green), bend(color.red))
  }

  private init(_ blue: Bend, _ green: Bend, _ red: Bend) {
    self.blue = blue
    self.green = green
    self.red = red
    let steepest = [blue, green, red].flatMap { [$0.low, $0.high] }.reduce(1, max)
    // The largest number with which all slopes fit in an Int16. Alpha has the slope 1, which fits
    // up to 14.
    var bits = 14
    while bits > 0 && steepest * Double(1 << bits) > 32767 { bits -= 1 }
    self.bits = bits
    br = Half(blue, red, bits: bits)
    ga = Half(green, nil, bits: bits)
  }

  /// The affine maps of blue, green and red to which this one is equal in the given ranges; nil if a channel
  /// bends there.
  func maps(in ranges: [ClosedRange<Double>]) -> [ChannelMap]? {
    let maps = zip([blue, green, red], ranges).map { $0.map(in: $1) }
    return maps.contains(nil) ? nil : maps.compactMap(\.self)
  }

  /// The map with a normal layer of `color` on top of it.
  func covered(by color: Color) -> Knee {
    Knee(
      blue.covered(by: color.blue, opacity: color.alpha),
      green.covered(by: color.green, opacity: color.alpha),
      red.covered(by: color.red, opacity: color.alpha))
  }

  /// The maps of the two channels of a half row in fixed point. A channel without a map is
  /// unchanged.
  private struct Half: Equatable {
    /// In units of the plane, two channels alternating.
    let knee: Signed
    /// The slopes, low and high alternating.
    let slopes: Signed
    /// The rise plus one half for rounding, in units of the plane times those of the slopes.
    let start: SIMD4<Int32>

    init(_ first: Bend, _ second: Bend?, bits: Int) {
      let one = Double(1 << bits)
      let full = Double(Plane.full)
      func knee(_ bend: Bend?) -> Int16 { Int16(((bend?.knee ?? 1) * full).rounded()) }
      func slope(_ slope: Double?) -> Int16 { Int16(((slope ?? 1) * one).rounded()) }
      func start(_ bend: Bend?) -> Int32 {
        Int32(((bend?.rise ?? 0) * full * one).rounded()) + Int32((1 << bits) >> 1)
      }
      self.knee = Signed(repeating: knee(first), and: knee(second))
      let low = (slope(first.low), slope(second?.low))
      let high = (slope(first.high), slope(second?.high))
      slopes = Signed(low.0, high.0, low.1, high.1, low.0, high.0, low.1, high.1)
      self.start = SIMD4(start(first), start(second), start(first), start(second))
    }

    /// Maps the half row of four opaque cells.
    @inline(__always)
    func applied(to values: Signed, bits: Int) -> Signed {
      let low = smaller(values, knee)
      var sum = WideSum(start)
      sum.add(low, values &- low, times: slopes)
      return smaller(sum.shifted(by: bits), Signed(repeating: Int16(Plane.full)))
    }

    /// Maps one channel, 0 or 1, of one translucent cell.
    func applied(to value: Int, alpha: Int, channel: Int, bits: Int) -> Int {
      let full = Int(Plane.full)
      let half = (1 << bits) >> 1
      let rise = (Int(start[channel]) - half) * alpha / full
      let low = min(value, Int(knee[channel]) * alpha / full)
      let sum = low * Int(slopes[2 * channel]) + (value - low) * Int(slopes[2 * channel + 1])
      return min((sum + rise + half) >> bits, alpha)
    }
  }

  @inline(__always)
  func applied(to cells: FourCells) -> FourCells {
    if cells.areOpaque {
      return FourCells(
        br: br.applied(to: cells.br, bits: bits), ga: ga.applied(to: cells.ga, bits: bits))
    }
    return appliedToTranslucent(cells)
  }

  private func appliedToTranslucent(_ cells: FourCells) -> FourCells {
    var out = cells
    for i in stride(from: 0, to: 8, by: 2) {
      let alpha = Int(cells.ga[i + 1])
      func result(_ half: Half, _ value: Int16, _ channel: Int) -> Int16 {
        Int16(half.applied(to: Int(value), alpha: alpha, channel: channel, bits: bits))
      }
      out.br[i] = result(br, cells.br[i], 0)
      out.br[i + 1] = result(br, cells.br[i + 1], 1)
      out.ga[i] = result(ga, cells.ga[i], 0)
    }
    return out
  }
}
