/// How the glass looks: a blur, then a tone. Numbers only; names for them live elsewhere.
package struct Material: Equatable, Sendable {
  /// The standard deviation of the blur, in pixels, 0 to 200.
  package var sigma: Double
  package var tone: Tone
  /// Whether the last rounding, to 8 bits, is an ordered one: long gradients then show no bands.
  package var isDithered: Bool

  package init(sigma: Double, tone: Tone = Tone(), isDithered: Bool = true) {
    self.sigma = sigma
    self.tone = tone
    self.isDithered = isDithered
  }

  package static let sigmaRange = 0.0...200.0
}

/// Saturation, then contrast and brightness, then a tint laid over: the colour of the glass.
///
/// All of it is one affine map of a colour, applied between the blur and the expansion.
package struct Tone: Equatable, Sendable {
  /// 1 leaves colours alone, 0 is gray, -1 the complement, above 1 more vivid.
  package var saturation = 1.0
  /// 1 leaves values alone; others stretch them about mid-gray.
  package var contrast = 1.0
  /// Added to every channel, in units of full white; 0 leaves values alone.
  package var brightness = 0.0
  package var tint = Tint.none

  package init(
    saturation: Double = 1, contrast: Double = 1, brightness: Double = 0, tint: Tint = .none
  ) {
    self.saturation = saturation
    self.contrast = contrast
    self.brightness = brightness
    self.tint = tint
  }
}

/// A colour laid over the glass, source-over: each component from 0 to 1, not premultiplied.
package struct Tint: Equatable, Sendable {
  package var red, green, blue, alpha: Double

  package init(red: Double, green: Double, blue: Double, alpha: Double) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  package static let none = Tint(red: 0, green: 0, blue: 0, alpha: 0)
}
