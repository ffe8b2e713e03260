/// Whether content is lighter or darker than its glass.
package enum Polarity: Sendable {
  case light, dark
}

extension Polarity {
  /// The luminance of a glass on which white and black have the same contrast, 4.58.
  static let balance = 0.1791

  /// What suits a glass of this luminance. A glass that hovers about the balance, as over a film, must not
  /// have its content flicker: so what it was before is kept a while beyond it.
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
