package import Frost

/// What a user wants of a pane: every setting that is not nil. A material comes first: what else is
/// set changes it.
package struct PaneChange: Equatable, Sendable {
  package var geometry: Geometry?
  package var material: MaterialChoice?
  package var sigma, saturation, brightness, contrast, noise: Double?
  /// All of them, the lowest first.
  package var layers: [Layer]?
  package var tint: Color?
  package var corner: Corner?
  package var border: Border?
  package var shadow: Shadow?
  package var sees: Sight?
  package var input: InputMode?
  /// All that it is to hold: none takes everything away.
  package var contents: [PaneContent]?

  package init() {}

  package static let saturationRange = -5.0...5.0
  package static let brightnessRange = -1.0...1.0
  package static let contrastRange = 0.0...5.0
  package static let layerLimit = 16

  /// Checks every value. A pane is changed as a whole or not at all.
  package func check() throws(PaneError) {
    try check("sigma", sigma, in: Material.sigmaRange)
    try check("saturation", saturation, in: Self.saturationRange)
    try check("brightness", brightness, in: Self.brightnessRange)
    try check("contrast", contrast, in: Self.contrastRange)
    try check("noise", noise, in: Material.noiseRange)
    if let layers, layers.count > Self.layerLimit {
      throw .outOfRange(
        setting: "blend", text: "\(layers.count) layers", expected: "at most \(Self.layerLimit)")
    }
    try PaneContent.check(contents ?? [])
  }

  private func check(
    _ setting: String, _ value: Double?, in range: ClosedRange<Double>
  ) throws(PaneError) {
    // A value that is not a number is in no range.
    guard let value, !range.contains(value) else { return }
    throw .outOfRange(
      setting: setting, text: "\(value)", expected: "\(range.lowerBound) to \(range.upperBound)")
  }

  /// A new pane.
  package func makePane(named name: String) throws(PaneError) -> Pane {
    try check()
    guard Self.isName(name) else { throw .badName(name) }
    guard let geometry else { throw .missing(setting: "geometry") }
    return try applied(to: Pane(name: name, placement: .geometry(geometry)))
  }

  /// The pane with these settings in place of its own.
  package func applied(to pane: Pane) throws(PaneError) -> Pane {
    try check()
    var pane = pane
    if let geometry { pane.placement = .geometry(geometry) }
    if let material {
      pane.material = material.material
      pane.materialName = material.text
      pane.sees = material.named.sees
    }
    if let sigma { pane.material.sigma = sigma }
    if let saturation { pane.material.tone.saturation = saturation }
    if let brightness { pane.material.tone.brightness = brightness }
    if let contrast { pane.material.tone.contrast = contrast }
    if let noise { pane.material.noise = noise }
    if let layers { pane.material.tone.layers = layers }
    if let tint { pane.material.tone.tint = tint }
    if let corner { pane.outline.corner = corner }
    if let border { pane.outline.border = border }
    if let shadow { pane.outline.shadow = shadow }
    if let sees { pane.sees = sees }
    if let input { pane.input = input }
    if let contents { pane.contents = contents }
    let size = pane.placement.size
    try pane.outline.corner.check(width: size.width, height: size.height)
    return pane
  }

  private static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count)
      && name.unicodeScalars.allSatisfy {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0))
          || "._-".unicodeScalars.contains($0)
      }
  }
}
