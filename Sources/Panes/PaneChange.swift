package import Frost

/// What a user wants of a pane: every setting that is not nil.
package struct PaneChange: Equatable, Sendable {
  package var geometry: Geometry?
  package var sigma, saturation, brightness, contrast: Double?
  package var tint: Color?
  package var input: InputMode?

  package init() {}

  package static let saturationRange = -5.0...5.0
  package static let brightnessRange = -1.0...1.0
  package static let contrastRange = 0.0...5.0

  /// Checks every value. A pane is changed as a whole or not at all.
  package func check() throws(PaneError) {
    try check("sigma", sigma, in: Material.sigmaRange)
    try check("saturation", saturation, in: Self.saturationRange)
    try check("brightness", brightness, in: Self.brightnessRange)
    try check("contrast", contrast, in: Self.contrastRange)
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
    if let sigma { pane.material.sigma = sigma }
    if let saturation { pane.material.tone.saturation = saturation }
    if let brightness { pane.material.tone.brightness = brightness }
    if let contrast { pane.material.tone.contrast = contrast }
    if let tint { pane.material.tone.tint = tint }
    if let input { pane.input = input }
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
