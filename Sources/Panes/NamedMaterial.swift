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

  private init(_ name: String, _ material: Material, source: String) {
    self.name = name
    self.source = source
    sees = .windows
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
  package static let all = imageEffects + systemMaterials + windows

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

  /// The system materials of iOS 18, from Apple's design file: a colour-dodge or overlay layer and
  /// a gray tint over it.
  private static let systemMaterials: [NamedMaterial] = [
    light("ultra-thin", dodge: 0x0D0D0D, over: 0xBFBFBF, 0.44),
    dark("ultra-thin", overlay: 0x9C9C9C, 0.55),
    light("thin", dodge: 0x333333, over: 0xA6A6A6, 0.70),
    dark("thin", overlay: 0x9C9C9C, 0.70),
    light("regular", dodge: 0x383838, over: 0xB3B3B3, 0.82),
    dark("regular", overlay: 0x8C8C8C, 0.82),
    light("thick", dodge: 0x5C5C5C, over: 0x999999, 0.97),
    dark("thick", overlay: 0x7C7C7C, 0.90),
  ]

  private static func light(
    _ name: String, dodge: UInt32, over: UInt32, _ alpha: Double
  ) -> NamedMaterial {
    system(
      name + "-light", Layer(.colorDodge, Color(hex: dodge)), Color(hex: over, alpha: alpha))
  }

  private static func dark(_ name: String, overlay: UInt32, _ alpha: Double) -> NamedMaterial {
    system(
      name + "-dark", Layer(.overlay, Color(hex: overlay)), Color(hex: 0x252525, alpha: alpha))
  }

  private static func system(_ name: String, _ layer: Layer, _ tint: Color) -> NamedMaterial {
    NamedMaterial(
      name, Material(sigma: 24, tone: Tone(layers: [layer], tint: tint)),
      source: "iOS 18 design file")
  }

  /// The materials of Windows: a luminosity layer, a tint and noise. Mica shows the wallpaper only.
  private static let windows = [
    NamedMaterial(
      "acrylic", source: "WinUI AcrylicBrush", opacity: 0.8, standard: .white(1, 0.8), in: acrylic),
    NamedMaterial(
      "mica", source: "WinUI AcrylicBrush", sees: .wallpaper, opacity: 0.8,
      standard: .white(1, 0.8), in: acrylic),
  ]

  @Sendable private static func acrylic(_ tint: Color) -> Material {
    Material(
      sigma: 30, tone: Tone(saturation: 1.25, layers: [luminosity(for: tint)], tint: tint),
      noise: 0.02)
  }

  /// The luminosity layer for a tint. Source: AcrylicBrush of WinUI. Its colour is the tint with
  /// the HSV value clamped to .125 ... .965; its opacity increases with that of the tint.
  private static func luminosity(for tint: Color) -> Layer {
    let value = max(tint.red, tint.green, tint.blue)
    let kept = min(max(value, 0.125), 0.965)
    let scale = value > 0 ? kept / value : 0
    func channel(_ channel: Double) -> Double { value > 0 ? channel * scale : kept }
    return Layer(
      .luminosity,
      Color(
        red: channel(tint.red), green: channel(tint.green), blue: channel(tint.blue),
        alpha: min(1, 0.15 + 0.88 * tint.alpha)))
  }
}

extension Color {
  fileprivate static func white(_ white: Double, _ alpha: Double) -> Color {
    Color(white: white, alpha: alpha)
  }
}
