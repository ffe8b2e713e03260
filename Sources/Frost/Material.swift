/// How the glass looks: a blur, then a tone, then noise. Numbers only; names for them live elsewhere.
package struct Material: Equatable, Sendable {
  /// The standard deviation of the blur, in pixels, 0 to 200.
  package var sigma: Double
  package var tone: Tone
  /// Every pixel is made lighter or darker at random, by up to half of this, where 1 is full white.
  package var noise: Double
  /// Whether the last rounding, to 8 bits, is an ordered one: long gradients then show no bands.
  package var isDithered: Bool

  package init(
    sigma: Double, tone: Tone = Tone(), noise: Double = 0, isDithered: Bool = true
  ) {
    self.sigma = sigma
    self.tone = tone
    self.noise = noise
    self.isDithered = isDithered
  }

  package static let sigmaRange = 0.0...200.0
  package static let noiseRange = 0.0...0.25
}

/// The colour of the glass: saturation, then contrast and brightness; then layers, the first one lowest;
/// then a tint over all of them. Colours are cut off at black and white where a layer that is not
/// normal meets them, and in the end.
///
/// All of it is applied between the blur and the expansion.
package struct Tone: Equatable, Sendable {
  /// 1 leaves colours alone, 0 is gray, -1 the complement, above 1 more vivid.
  package var saturation = 1.0
  /// 1 leaves values alone; others stretch them about mid-gray.
  package var contrast = 1.0
  /// Added to every channel, in units of full white; 0 leaves values alone.
  package var brightness = 0.0
  package var layers: [Layer] = []
  package var tint = Color.none

  package init(
    saturation: Double = 1, contrast: Double = 1, brightness: Double = 0, layers: [Layer] = [],
    tint: Color = .none
  ) {
    self.saturation = saturation
    self.contrast = contrast
    self.brightness = brightness
    self.layers = layers
    self.tint = tint
  }
}
