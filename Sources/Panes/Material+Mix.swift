package import Frost

extension Material {
  /// Glass without an effect: it shows the backdrop unchanged.
  package static let clear = Material(sigma: 0)

  /// The interpolation between this material (`part` 0) and another one (`part` 1). It is
  /// continuous in `part`: a blur of any sigma is exact, and if the layers differ, those of both
  /// are included with their opacity scaled.
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
  /// The layer with its opacity multiplied by `part`.
  fileprivate func fainter(_ part: Double) -> Layer {
    var layer = self
    layer.color.alpha *= part
    return layer
  }
}

extension Color {
  /// Interpolates premultiplied colours, so that a transparent colour has no influence.
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
