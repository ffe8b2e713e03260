/// How content takes its colour from the glass behind it, after iOS' UIVibrancyEffectStyle: text from
/// strong to faint, the fills of shapes, and thin lines.
package enum Vibrancy: String, CaseIterable, Sendable {
  case label, secondary, tertiary, quaternary
  case fill
  case secondaryFill = "secondary-fill"
  case tertiaryFill = "tertiary-fill"
  case separator
}

extension Vibrancy {
  /// Of text; nil for what need not be read.
  ///
  /// iOS' label colours have an opacity of 1, 0.6, 0.3 and 0.18; the shares of light are what the first two
  /// leave of black and of white, a little less of the first. The others have no more than their
  /// contrast, of 2 and of 1.5, which is what theirs have over black and over white. All but the label's
  /// are 15 % more than that: the glass beside a pixel may be some levels off the glass at it.
  var ink: Ink? {
    switch self {
    case .label: Ink(contrast: 4.5, lightShare: 0.855, darkShare: 0.9926)
    case .secondary: Ink(contrast: 3.45, lightShare: 0.32, darkShare: 0.867)
    case .tertiary: Ink(contrast: 2.3, lightShare: 0, darkShare: 0)
    case .quaternary: Ink(contrast: 1.725, lightShare: 0, darkShare: 0)
    case .fill, .secondaryFill, .tertiaryFill, .separator: nil
    }
  }

  /// How much of what covers a pixel is white or black: of fills as much as in iOS' systemFill. Text, whose
  /// colour `ink` says, covers in full.
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
