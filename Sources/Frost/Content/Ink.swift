/// Computes the colour of vibrant text from the pixel below it (the ground), and what the ground needs.
///
/// Contrast is that of WCAG 2: (L + 0.05) / (l + 0.05) of two relative luminances L >= l. If white
/// (or black) text would have less contrast with the glass than 1.18 times the required contrast,
/// a `Veil` darkens (or lightens) the glass until it has. The factor 1.18 leaves a margin in which the
/// text keeps some hue of the glass. The luminances for a label:
///
///     text    ground             text               worst case after rounding to 8 bits
///     light   at most   0.1477   at least 0.855     0.1492 and 0.8521: a contrast of 4.53
///     dark    at least  0.2155   at most  0.0074    0.2137 and 0.0075: a contrast of 4.58
///
/// A label has the required contrast with any ground around it, including noise and edges.
/// Fainter text has it with the glass at its own pixel.
struct Ink {
  /// The position of the text's luminance between that of the glass (0) and white or black (1). The
  /// text goes further if the contrast requires it.
  private let lightShare, darkShare: Float
  /// The smallest contrast with the ground.
  private let contrast: Float
  /// The largest luminance of the ground of light text, and the smallest of that of dark text.
  private let maximumGround, minimumGround: Float

  init(contrast: Float, lightShare: Float, darkShare: Float) {
    self.contrast = contrast
    self.lightShare = lightShare
    self.darkShare = darkShare
    let needed = 1.18 * contrast
    maximumGround = 1.05 / needed - 0.05
    minimumGround = 0.05 * needed - 0.05
  }

  /// The ground for a glass colour; nil if the glass needs no change.
  @inline(__always)
  func ground(_ glass: Light, _ polarity: Polarity) -> Light? {
    switch polarity {
    case .light: glass.luminance > maximumGround ? glass.darkened(to: maximumGround) : nil
    case .dark: glass.luminance < minimumGround ? glass.lightened(to: minimumGround) : nil
    }
  }

  /// The colour of text on a ground: light text adds light to the ground, dark text scales its
  /// light down.
  @inline(__always)
  func text(on ground: Light, _ polarity: Polarity) -> Light {
    let luminance = ground.luminance
    switch polarity {
    case .light:
      return ground.lightened(
        to: max(luminance + lightShare * (1 - luminance), contrast * (luminance + 0.05) - 0.05))
    case .dark:
      return ground.darkened(
        to: min(luminance * (1 - darkShare), (luminance + 0.05) / contrast - 0.05))
    }
  }

  /// The smallest opacity of a veil with which a pixel of glass is a ground for the text, or `least` if that is
  /// enough; 1 if none is. Translucent glass counts as composed over black.
  @inline(__always)
  func veil(
    over pixel: UInt32, atLeast least: Float, _ polarity: Polarity, _ tables: LightTables
  ) -> Float {
    let levels = SIMD3(
      Float(pixel & 255), Float(pixel &>> 8 & 255), Float(pixel &>> 16 & 255))
    let veil = SIMD3<Float>(repeating: polarity == .light ? 0 : Float(pixel &>> 24))
    func isGround(_ opacity: Float) -> Bool {
      let luminance = tables.light(ofLevels: levels + (veil - levels) * opacity).luminance
      return polarity == .light ? luminance <= maximumGround : luminance >= minimumGround
    }
    if isGround(least) { return least }
    var (low, high) = (least, Float(1))
    // Ten steps determine it to a quarter of a level.
    for _ in 0..<10 {
      let middle = (low + high) / 2
      if isGround(middle) { high = middle } else { low = middle }
    }
    return high
  }

  /// A pixel of ground mixed with the text by the weight `coverage`. Text is opaque even over
  /// translucent glass.
  @inline(__always)
  func text(
    over pixel: UInt32, coverage: UInt16, _ polarity: Polarity, _ tables: LightTables
  ) -> UInt32 {
    let glass = tables.light(of: pixel)
    // Even the fullest veil cannot lighten clear glass. The text gets the colour for the right ground.
    let text = text(on: ground(glass, polarity) ?? glass, polarity)
    return mixed(pixel, tables.pixel(text, alpha: 255), coverage)
  }
}
