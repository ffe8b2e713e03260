/// The vibrancy of content: how its colour depends on the glass behind it. The cases are those of
/// UIVibrancyEffectStyle of iOS: text from strong to faint, fills of shapes, and thin lines.
package enum Vibrancy: String, CaseIterable, Sendable {
  case label, secondary, tertiary, quaternary
  case fill
  case secondaryFill = "secondary-fill"
  case tertiaryFill = "tertiary-fill"
  case separator
}

extension Vibrancy {
  /// The ink of text; nil for shapes and lines.
  ///
  /// The label colours of iOS have opacities of 1, 0.6, 0.3 and 0.18. `label` and `secondary` have
  /// the light that white and black of the first two opacities have over black and white, slightly
  /// less for `label`. `tertiary` and `quaternary` have only their contrast: 2 and 1.5, as those of
  /// iOS over black and over white. The contrasts of all but `label` are 15 % higher, because the
  /// glass around a pixel may differ from the glass at it by some levels.
  var ink: Ink? {
    switch self {
    case .label: Ink(contrast: 4.5, lightShare: 0.855, darkShare: 0.9926)
    case .secondary: Ink(contrast: 3.45, lightShare: 0.32, darkShare: 0.867)
    case .tertiary: Ink(contrast: 2.3, lightShare: 0, darkShare: 0)
    case .quaternary: Ink(contrast: 1.725, lightShare: 0, darkShare: 0)
    case .fill, .secondaryFill, .tertiaryFill, .separator: nil
    }
  }

  /// The opacity of the white or black of a shape; those of fills are from systemFill of iOS. 1 for
  /// text, whose colour is determined by `ink`.
  var opacity: Double {
    switch self {
    case .label, .secondary, .tertiary, .quaternary: 1
    case .fill: 0.2
    case .secondaryFill: 0.16
    case .tertiaryFill: 0.12
    case .separator: 0.29
    }
  }
}
