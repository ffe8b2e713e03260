package import Frost

/// The material and the decoration of a pane.
package struct PaneLook: Equatable, Sendable {
  package var material: Material
  package var decoration: DecorationStyle

  /// The look of a pane in a scheme, in its unit of length: the declared values, and the defaults of its style.
  package init(_ settings: PaneSettings, in scheme: ColorScheme) {
    material = settings.material(in: scheme)
    // Rounded corners and a shadow would not match the shape of a window.
    let isPlain = settings.effectiveStyle == .plain || settings.isBehindWindows
    decoration = DecorationStyle(
      corner: settings.corner ?? (isPlain ? .square : .standard),
      border: settings.border ?? (isPlain ? .none : .hairline(on: material, scheme)),
      shadow: settings.shadow ?? (isPlain ? .none : .standard))
  }

  /// The look on a pane of `size` pixels, which may follow that of an output: a corner that is too large is reduced.
  package func fitted(to size: (width: Int, height: Int)) -> PaneLook {
    var look = self
    look.decoration = DecorationStyle(
      corner: decoration.corner.reduced(to: size), border: decoration.border,
      shadow: decoration.shadow)
    return look
  }
}

extension PaneSettings {
  /// The declared style, or the default: a window has a tint of its own, so the glass behind it has none.
  var effectiveStyle: PaneStyle { style ?? (isBehindWindows ? .clear : .glass) }

  /// The material in a scheme: the named one, or that of the style, with the declared values in place of its own.
  fileprivate func material(in scheme: ColorScheme) -> Material {
    var result = material?.material ?? effectiveStyle.material(in: scheme)
    if let sigma { result.sigma = sigma }
    if let saturation { result.tone.saturation = saturation }
    if let brightness { result.tone.brightness = brightness }
    if let contrast { result.tone.contrast = contrast }
    if let layers { result.tone.layers = layers }
    if let tint { result.tone.tint = tint }
    if let noise { result.noise = noise }
    return result
  }
}

extension PaneStyle {
  fileprivate func material(in scheme: ColorScheme) -> Material {
    switch self {
    case .glass: .glass(scheme)
    case .clear: .clear
    case .plain: .plain
    }
  }
}

extension Material {
  /// The material of the style `plain`: a blur of sigma 20.
  package static let plain = Material(sigma: 20)

  /// The material of the style `glass`: a strong blur, vivid colours and a tint. The materials of the two schemes have the same
  /// blur, so that a change of the scheme needs no other cells.
  static func glass(_ scheme: ColorScheme) -> Material {
    let tint = scheme == .light ? Color(white: 1, alpha: 0.6) : Color(hex: 0x1C1C1E, alpha: 0.6)
    return Material(sigma: 30, tone: Tone(saturation: 1.8, tint: tint))
  }

  /// The material of the style `clear`: the same blur without a tint, with the saturation of KWin's blur.
  static let clear = Material(sigma: 30, tone: Tone(saturation: 1.5))

  /// Whether the glass is light or dark, or nil if that depends on its backdrop.
  fileprivate var scheme: ColorScheme? {
    let (black, white) = (tone.grayLevel(of: 0), tone.grayLevel(of: 1))
    if min(black, white) > 0.4 { return .light }
    return max(black, white) < 0.6 ? .dark : nil
  }
}

extension Corner {
  /// The corner of the style `glass`.
  fileprivate static let standard = Corner(radius: 24, curve: .continuous)

  /// The corner with a radius of at most half the shorter edge of a pane.
  fileprivate func reduced(to size: (width: Int, height: Int)) -> Corner {
    Corner(radius: min(radius, Double(min(size.width, size.height)) / 2), curve: curve)
  }
}

extension Border {
  /// A line that is seen on the glass, whatever is around it: dark on light glass, light on dark glass.
  fileprivate static func hairline(on material: Material, _ scheme: ColorScheme) -> Border {
    switch material.scheme ?? scheme {
    case .light: Border(width: 1, color: Color(white: 0, alpha: 0.15))
    case .dark: Border(width: 1, color: Color(white: 1, alpha: 0.2))
    }
  }
}

extension Shadow {
  /// The shadow of the style `glass`.
  fileprivate static let standard = Shadow(
    offsetX: 0, offsetY: 8, radius: 32, opacity: 1, color: Color(white: 0, alpha: 0.3))
}
