package import Frost

/// One pane: the settings that a user declared, and the values that result from them.
package struct Pane: Equatable, Sendable {
  /// 1 to 64 letters, digits, `.`, `_` or `-`, all ASCII.
  package let name: String
  /// The declared settings.
  package let settings: PaneSettings
  /// Whether the user wants it on the screen.
  package var isShown: Bool

  /// The position and size.
  package let placement: Placement
  /// The position in the stacking order.
  package let layer: StackingLayer
  /// The material, with defaults.
  package let material: Material
  /// The corners, border and shadow, with defaults.
  package let decoration: DecorationStyle
  /// The part of the backdrop that it shows.
  package let sees: BackdropSource
  /// The handling of clicks.
  package let input: InputMode
  /// Images and labels, in drawing order.
  package let contents: [PaneContent]

  /// Throws `badName`, `missing` if there is no geometry, or `outOfRange` if a value is out of
  /// range or the corner radius is too large for the pane, or `contentOutside`.
  package init(
    _ name: String, _ settings: PaneSettings, isShown: Bool = true
  ) throws(PaneError) {
    guard Self.isName(name) else { throw .badName(name) }
    try settings.check()
    guard let geometry = settings.geometry else { throw .missing(setting: "geometry") }
    self.name = name
    self.settings = settings
    self.isShown = isShown
    placement = .geometry(geometry)
    layer = settings.stackingLayer ?? .normal
    material = settings.resolvedMaterial
    decoration = DecorationStyle(
      corner: settings.corner ?? .square, border: settings.border ?? .none,
      shadow: settings.shadow ?? .none)
    sees = settings.sees ?? settings.material?.named.sees ?? .windows
    input = settings.input ?? .pass
    contents = settings.contents ?? []
    try decoration.corner.check(width: geometry.width, height: geometry.height)
    try PaneContent.check(contents, on: (geometry.width, geometry.height))
  }

  /// The pane after a change. Throws like `init`.
  package func changed(by change: PaneChange) throws(PaneError) -> Pane {
    try Pane(name, change.applied(to: settings), isShown: isShown)
  }

  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
          || "._-".unicodeScalars.contains($0)
      }
  }
}

extension PaneSettings {
  /// The material with defaults: the named one, or `plain`, with the declared values in place of
  /// its own.
  package var resolvedMaterial: Material {
    var result = material?.material ?? .plain
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

extension Material {
  /// The material of a pane without look settings: a blur of sigma 20.
  package static let plain = Material(sigma: 20)
}
