package import Frost

/// A material with a name that users can select. Two are equal if their names are.
package struct NamedMaterial: Equatable, Sendable {
  /// The name that users write.
  package let name: String
  /// The source of its numbers, for people.
  package let source: String
  /// The default backdrop of a pane with this material.
  package let sees: BackdropSource
  /// Whether it accepts a colour, such as `tint #C02060`.
  package let takesColor: Bool
  /// The material without a given colour; nil if a colour is required.
  package let standard: Material?
  private let colored: @Sendable (Color) -> Material
  /// The opacity of a colour that is given without one.
  private let opacity: Double

  private init(
    _ name: String, _ material: Material, source: String, sees: BackdropSource = .windows
  ) {
    self.name = name
    self.source = source
    self.sees = sees
    takesColor = false
    standard = material
    colored = { _ in material }
    opacity = 1
  }

  private init(
    _ name: String, source: String, sees: BackdropSource = .windows, opacity: Double,
    standard: Color?, in colored: @escaping @Sendable (Color) -> Material
  ) {
    self.name = name
    self.source = source
    self.sees = sees
    takesColor = true
    self.standard = standard.map(colored)
    self.colored = colored
    self.opacity = opacity
  }

  /// The material in a colour. If `hasOpacity` is false, the alpha of `color` is replaced by the
  /// default opacity. A material without a colour ignores `color`.
  package func material(in color: Color, hasOpacity: Bool) -> Material {
    var color = color
    if !hasOpacity { color.alpha = opacity }
    return colored(color)
  }

  package static func == (one: NamedMaterial, other: NamedMaterial) -> Bool {
    one.name == other.name
  }

  // MARK: All of them

  /// All named materials, in the order of lists.
  package static let all = own + imageEffects + systemMaterials + windows

  /// The materials of panes without a material.
  private static let own =
    [ColorScheme.light, .dark].map { scheme in
      NamedMaterial("glass-\(scheme.rawValue)", .glass(scheme), source: "backdropd")
    } + [NamedMaterial("clear", .clear, source: "backdropd")]

  /// The effects of UIImageEffects, sample code by Apple (2013): a blur, a saturation and a tint.
  private static let imageEffects = [
    NamedMaterial("light", effect(sigma: 30, .white(1, 0.3)), source: effects),
    NamedMaterial("extra-light", effect(sigma: 20, .white(0.97, 0.82)), source: effects),
    NamedMaterial("dark", effect(sigma: 20, .white(0.11, 0.73)), source: effects),
    NamedMaterial("tint", source: effects, opacity: 0.6, standard: nil) { color in
      Material(sigma: 10, tone: Tone(saturation: -1, tint: color))
    },
  ]

  private static let effects = "UIImageEffects"

  private static func effect(sigma: Double, _ tint: Color) -> Material {
    Material(sigma: sigma, tone: Tone(saturation: 1.8, tint: tint))
  }

  /// The system materials of iOS 18, from Apple's design file: a gray tint, and a colour-dodge or overlay layer
  /// on top of it.
  private static let systemMaterials: [NamedMaterial] = [
    light("ultra-thin", tint: 0xBFBFBF, 0.44, dodge: 0x0D0D0D),
    dark("ultra-thin", 0.55, overlay: 0x9C9C9C),
    light("thin", tint: 0xA6A6A6, 0.70, dodge: 0x333333),
    dark("thin", 0.70, overlay: 0x9C9C9C),
    light("regular", tint: 0xB3B3B3, 0.82, dodge: 0x383838),
    dark("regular", 0.82, overlay: 0x8C8C8C),
    light("thick", tint: 0x999999, 0.97, dodge: 0x5C5C5C),
    dark("thick", 0.90, overlay: 0x7C7C7C),
  ]

  private static func light(
    _ name: String, tint: UInt32, _ alpha: Double, dodge: UInt32
  ) -> NamedMaterial {
    system(
      name + "-light", Color(hex: tint, alpha: alpha), Layer(.colorDodge, Color(hex: dodge)))
  }

  private static func dark(_ name: String, _ alpha: Double, overlay: UInt32) -> NamedMaterial {
    system(
      name + "-dark", Color(hex: 0x252525, alpha: alpha), Layer(.overlay, Color(hex: overlay)))
  }

  private static func system(_ name: String, _ tint: Color, _ layer: Layer) -> NamedMaterial {
    NamedMaterial(
      name, Material(sigma: 24, tone: Tone(layers: [Layer(.normal, tint), layer])),
      source: "iOS 18 design file")
  }

  /// The materials of Windows: a luminosity layer, a tint and noise. Mica shows the wallpaper only. Those with a
  /// colour are the brush with that tint and its automatic luminosity; the light and the dark ones have the
  /// colours and opacities of Windows 11.
  private static let windows = [
    NamedMaterial(
      "acrylic", source: brush, opacity: 0.8, standard: .white(1, 0.8), in: acrylic),
    NamedMaterial(
      "acrylic-light", acrylic(0xFCFCFC, tint: 0, luminosity: 0.85), source: brush),
    NamedMaterial(
      "acrylic-dark", acrylic(0x2C2C2C, tint: 0.15, luminosity: 0.96), source: brush),
    NamedMaterial(
      "mica", source: brush, sees: .wallpaper, opacity: 0.8, standard: .white(1, 0.8), in: acrylic),
    NamedMaterial(
      "mica-light", acrylic(0xF3F3F3, tint: 0.5, luminosity: 1), source: mica, sees: .wallpaper),
    NamedMaterial(
      "mica-dark", acrylic(0x202020, tint: 0.8, luminosity: 1), source: mica, sees: .wallpaper),
  ]

  private static let brush = "WinUI AcrylicBrush"
  private static let mica = "WinUI MicaController"

  @Sendable private static func acrylic(_ color: Color) -> Material {
    var tint = color
    tint.alpha *= tintFactor(for: color)
    return acrylic(tint, luminosity(for: color))
  }

  private static func acrylic(_ hex: UInt32, tint: Double, luminosity: Double) -> Material {
    acrylic(Color(hex: hex, alpha: tint), Color(hex: hex, alpha: luminosity))
  }

  private static func acrylic(_ tint: Color, _ luminosity: Color) -> Material {
    Material(
      sigma: 30,
      tone: Tone(saturation: 1.25, layers: [Layer(.luminosity, luminosity)], tint: tint),
      noise: 0.02)
  }

  /// The factor of the opacity of a tint that lies over a luminosity layer: .45 for white, .9 for mid-gray, .85
  /// for black; .9 for vivid colours. Source: GetTintOpacityModifier of WinUI's AcrylicBrush.
  private static func tintFactor(for color: Color) -> Double {
    let value = color.hsvValue
    let least = min(color.red, color.green, color.blue)
    let saturation = value > 0 ? (value - least) / value : 0
    let reduction = (value > 0.5 ? 0.45 : 0.05) * max(0, 1 - 2 * saturation)
    return 0.9 - reduction * abs(value - 0.5) / 0.5
  }

  /// The colour of the luminosity layer for a tint: the tint with the HSV value limited to .125 ... .965. Its
  /// opacity increases with that of the tint. Source: GetLuminosityColor of WinUI's AcrylicBrush.
  private static func luminosity(for tint: Color) -> Color {
    let value = tint.hsvValue
    let kept = min(max(value, 0.125), 0.965)
    func channel(_ channel: Double) -> Double { value > 0 ? channel * kept / value : kept }
    return Color(
      red: channel(tint.red), green: channel(tint.green), blue: channel(tint.blue),
      alpha: min(1, 0.15 + 0.88 * tint.alpha))
  }
}

extension Color {
  /// The V of HSV.
  fileprivate var hsvValue: Double { max(red, green, blue) }

  fileprivate static func white(_ white: Double, _ alpha: Double) -> Color {
    Color(white: white, alpha: alpha)
  }
}
