/// Computes the colours of vibrant text: the colour of the text, and that of the glass directly
/// around it (the ground). Both depend on one pixel of glass only.
///
/// Contrast is that of WCAG 2: (L + 0.05) / (l + 0.05) of two relative luminances L >= l. If white
/// (or black) text would have less contrast with the glass than 1.18 times the required contrast,
/// the glass is darkened (or lightened) until it has. The factor 1.18 leaves a margin in which the
/// text keeps some hue of the glass. The luminances for a label:
///
///     text    ground             text               worst case after rounding to 8 bits
///     light   at most   0.1477   at least 0.855     0.1492 and 0.8521: a contrast of 4.53
///     dark    at least  0.2155   at most  0.0074    0.2137 and 0.0075: a contrast of 4.58
///
/// So a label has the required contrast with any glass around it, including noise and edges.
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

  /// A pixel of glass mixed with its ground by the weight `halo`. Translucent glass counts as
  /// composed over black; its colours stay at most its alpha.
  @inline(__always)
  func ground(
    _ pixel: UInt32, halo: UInt16, _ polarity: Polarity, _ tables: LightTables
  ) -> UInt32 {
    guard let ground = ground(tables.light(of: pixel), polarity) else { return pixel }
    return mixed(pixel, tables.pixel(ground, alpha: pixel &>> 24), halo)
  }

  /// A pixel of ground mixed with the text by the weight `coverage`. Text is opaque even over
  /// translucent glass.
  @inline(__always)
  func text(
    over pixel: UInt32, coverage: UInt16, _ polarity: Polarity, _ tables: LightTables
  ) -> UInt32 {
    let glass = tables.light(of: pixel)
    // The halo may be incomplete here. The text gets the colour for the full ground.
    let text = text(on: ground(glass, polarity) ?? glass, polarity)
    return mixed(pixel, tables.pixel(text, alpha: 255), coverage)
  }
}
