/// The colours of text that takes its colour from the glass: of the glass right around it, and its own.
/// Both are functions of one pixel of glass alone.
///
/// Contrast is WCAG 2's, (L + 0.05) / (l + 0.05) of two luminances. Where white (black) would have less
/// contrast with the glass than 1.18 times what the text needs, the glass gives way. What is left between
/// white (black) and the need is for the text to keep some hue of the glass. Of a label:
///
///     text    glass around it    the text           rounded to 8 bits, of all colours
///     light   at most   0.1477   at least 0.855     0.1492 and 0.8521: a contrast of 4.53
///     dark    at least  0.2155   at most  0.0074    0.2137 and 0.0075: a contrast of 4.58
///
/// So a label has its contrast against whatever glass is around it, be it noise or an edge. Fainter text
/// has it against the glass at its own pixel.
struct Ink {
  /// How far, in light, text is on the way from the glass to white, or to black; further if its contrast
  /// asks for it.
  private let lightShare, darkShare: Float
  /// At least, against the glass around it.
  private let contrast: Float
  /// The most luminance of the glass around light text, and the least around dark text.
  private let darkRoom, lightRoom: Float

  init(contrast: Float, lightShare: Float, darkShare: Float) {
    self.contrast = contrast
    self.lightShare = lightShare
    self.darkShare = darkShare
    let room = 1.18 * contrast
    darkRoom = 1.05 / room - 0.05
    lightRoom = 0.05 * room - 0.05
  }

  /// The glass around text where it has to give way.
  @inline(__always)
  func ground(_ glass: Light, _ polarity: Polarity) -> Light? {
    switch polarity {
    case .light: glass.luminance > darkRoom ? glass.darkened(to: darkRoom) : nil
    case .dark: glass.luminance < lightRoom ? glass.lightened(to: lightRoom) : nil
    }
  }

  /// Text on such a ground: light text is the ground and more light, dark text has less of its light.
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

  /// What is left around text of a pixel of glass that gives way as far as `halo` says. Translucent glass
  /// is taken for what it shows over black, and gives way no further than its alpha.
  @inline(__always)
  func ground(
    _ pixel: UInt32, halo: UInt16, _ polarity: Polarity, _ tables: LightTables
  ) -> UInt32 {
    guard let ground = ground(tables.light(of: pixel), polarity) else { return pixel }
    return mixed(pixel, tables.pixel(ground, alpha: pixel &>> 24), halo)
  }

  /// A pixel of such a ground and the text that covers it; text is opaque, whatever the glass is.
  @inline(__always)
  func text(
    over pixel: UInt32, coverage: UInt16, _ polarity: Polarity, _ tables: LightTables
  ) -> UInt32 {
    let glass = tables.light(of: pixel)
    // Where it has not given way in full: text that is as readable as if it had.
    let text = text(on: ground(glass, polarity) ?? glass, polarity)
    return mixed(pixel, tables.pixel(text, alpha: 255), coverage)
  }
}
