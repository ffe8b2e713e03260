/// A colour laid over the glass, and how it meets what it is laid on.
package struct Layer: Equatable, Sendable {
  package var mode: BlendMode
  package var color: Color

  package init(_ mode: BlendMode, _ color: Color) {
    self.mode = mode
    self.color = color
  }
}

/// What a layer makes of the colour below it, for each channel from 0 to 1; the layer's opacity says how
/// far the result goes there. As in W3C's Compositing and Blending Level 1, where b is the channel
/// below and s the layer's:
package enum BlendMode: String, CaseIterable, Sendable {
  /// s
  case normal
  /// b / (1 - s), at most 1. For s the value 1 counts as `brightestDodge`.
  case colorDodge = "color-dodge"
  /// 2bs where b is at most 1/2, else 1 - 2(1 - b)(1 - s).
  case overlay
  /// The layer's luminosity (.30 red, .59 green, .11 blue) with the hue and saturation below.
  case luminosity

  /// A dodge by 1 would make every colour but black white; black itself then hangs on the last bit.
  static let brightestDodge = 511.0 / 512
}
