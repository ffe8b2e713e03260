/// A colour layer over the glass and its blend mode.
package struct Layer: Equatable, Sendable {
  /// The blend mode.
  package var mode: BlendMode
  /// The colour; its alpha is the opacity of the layer.
  package var color: Color

  package init(_ mode: BlendMode, _ color: Color) {
    self.mode = mode
    self.color = color
  }
}

/// A blend mode of a layer, as defined by W3C Compositing and Blending Level 1. The formulas are
/// for channels from 0 to 1, where b is the channel below and s that of the layer. The result is
/// mixed with b by the layer's opacity.
package enum BlendMode: String, CaseIterable, Sendable {
  /// The result is s.
  case normal
  /// The result is b / (1 - s), at most 1. s is limited to `brightestDodge`.
  case colorDodge = "color-dodge"
  /// The result is 2bs if b is at most 1/2, else 1 - 2(1 - b)(1 - s).
  case overlay
  /// The result has the luminosity of the layer (.30 red, .59 green, .11 blue) and the hue and
  /// saturation below it.
  case luminosity

  /// The largest s of a dodge. With s = 1 every colour except black would become white, and the
  /// result for black would depend on rounding.
  static let brightestDodge = 511.0 / 512
}
