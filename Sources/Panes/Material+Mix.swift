package import Frost

extension Material {
  /// The glass that is none: it shows what lies behind it.
  package static let clear = Material(sigma: 0)

  /// The material `part` of the way, 0 to 1, to another one. Every step between two is a small one: a
  /// blur of any sigma is exact, and layers that only one of them has come and go by their opacity.
  package func mixed(with other: Material, _ part: Double) -> Material {
    if part <= 0 { return self }
    if part >= 1 { return other }
    func between(_ one: Double, _ two: Double) -> Double { one + (two - one) * part }
    let (from, to) = (tone, other.tone)
    let layers =
      from.layers == to.layers
      ? to.layers : from.layers.map { $0.fainter(1 - part) } + to.layers.map { $0.fainter(part) }
    return Material(
      sigma: between(sigma, other.sigma),
      tone: Tone(
        saturation: between(from.saturation, to.saturation),
        contrast: between(from.contrast, to.contrast),
        brightness: between(from.brightness, to.brightness), layers: layers,
        tint: from.tint.mixed(with: to.tint, part)),
      noise: between(noise, other.noise), isDithered: other.isDithered)
  }
}

extension Layer {
  fileprivate func fainter(_ part: Double) -> Layer {
    var layer = self
    layer.color.alpha *= part
    return layer
  }
}

extension Color {
  /// Mixed as premultiplied colours are: one that cannot be seen lends no colour.
  fileprivate func mixed(with other: Color, _ part: Double) -> Color {
    let (own, others) = (alpha * (1 - part), other.alpha * part)
    let sum = own + others
    if sum == 0 { return .none }
    func between(_ one: Double, _ two: Double) -> Double { (one * own + two * others) / sum }
    return Color(
      red: between(red, other.red), green: between(green, other.green),
      blue: between(blue, other.blue), alpha: sum)
  }
}
