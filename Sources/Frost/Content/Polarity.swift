/// Whether content is lighter or darker than the glass behind it.
package enum Polarity: Sendable {
  case light, dark
}

extension Polarity {
  /// The luminance with which white and black have the same contrast (WCAG 2), 4.58.
  static let balance = 0.1791

  /// The polarity with the higher contrast on a glass of the given relative luminance. There is a
  /// hysteresis around `balance`, so that content does not flicker over a video: `last` is the
  /// previous polarity, nil for the first time.
  init(onLuminance luminance: Double, last: Polarity?) {
    let limit =
      switch last {
      case nil: Self.balance
      case .light: 0.21
      case .dark: 0.15
      }
    self = luminance > limit ? .dark : .light
  }
}
