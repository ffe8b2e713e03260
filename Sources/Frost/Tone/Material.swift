/// The look of the glass: a blur, then a tone, then noise. The module Panes has named materials.
package struct Material: Equatable, Sendable {
  /// The standard deviation of the blur, in pixels; in `sigmaRange`.
  package var sigma: Double
  /// The colour correction after the blur.
  package var tone: Tone
  /// The amplitude of the noise: each pixel is lightened or darkened by up to half of it, where 1
  /// is full white. In `noiseRange`.
  package var noise: Double
  /// Whether the rounding to 8 bits uses an ordered dither, so that long gradients show no bands.
  package var isDithered: Bool

  package init(
    sigma: Double, tone: Tone = Tone(), noise: Double = 0, isDithered: Bool = true
  ) {
    self.sigma = sigma
    self.tone = tone
    self.noise = noise
    self.isDithered = isDithered
  }

  /// The valid values of `sigma`.
  package static let sigmaRange = 0.0...200.0
  /// The valid values of `noise`.
  package static let noiseRange = 0.0...0.25
}

/// The colour correction of the glass: saturation, then contrast and brightness, a limit to black and white,
/// then layers from the first (lowest) to the last, then a tint over all of them.
///
/// The limit is that of Apple's UIImageEffects, which saturates in 8 bits: pure green below `light` becomes
/// (77, 255, 77), and not (0, 255, 0).
package struct Tone: Equatable, Sendable {
  /// 1 leaves colours unchanged, 0 makes them gray, -1 makes the complement, above 1 more vivid.
  package var saturation = 1.0
  /// The factor of the distance to mid-gray; 1 leaves values unchanged.
  package var contrast = 1.0
  /// Added to every channel, where 1 is full white.
  package var brightness = 0.0
  /// The colour layers, lowest first.
  package var layers: [Layer] = []
  /// A normal layer over all others.
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
