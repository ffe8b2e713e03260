package import Panes

/// An output of the display. One that shows nothing has a name only.
package struct OutputReport: Codable, Equatable, Sendable {
  /// The name, which `--output` takes.
  package var name: String
  /// Whether it shows a part of the screen.
  package var active: Bool
  /// Whether the user declared it as the main one.
  package var primary: Bool
  /// The rectangle on the screen, and the part that panels leave free, in X geometry syntax.
  package var rect, workArea: String?
  /// The scale factor: the number of pixels per 1/96 inch.
  package var scale: Double?
  /// The counterclockwise rotation in degrees: 0, 90, 180 or 270.
  package var rotation: Int?
  /// Whether the picture is reflected left to right, before it is rotated.
  package var reflected: Bool?

  package init(
    name: String, active: Bool, primary: Bool, rect: String? = nil, workArea: String? = nil,
    scale: Double? = nil, rotation: Int? = nil, reflected: Bool? = nil
  ) {
    self.name = name
    self.active = active
    self.primary = primary
    self.rect = rect
    self.workArea = workArea
    self.scale = scale
    self.rotation = rotation
    self.reflected = reflected
  }

  /// The report of an output that shows a part of the screen.
  package init(_ output: Output) {
    self.init(
      name: output.name, active: true, primary: output.isPrimary, rect: "\(output.bounds)",
      workArea: "\(output.workArea)", scale: output.scale,
      rotation: 90 * output.orientation.quarterTurns, reflected: output.orientation.isReflected)
  }
}
