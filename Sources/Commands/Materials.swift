import ArgumentParser
import Configuration
import Frost
import Panes
import Raster

/// The command `materials`.
struct Materials: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the named materials with their values, or paints a sheet of them.",
    discussion: """
      Use a material with 'add panel --material regular-dark'; some take a colour: \
      --material 'tint #C02060'. Its layers are listed from the lowest to the highest; the tint is on top.

      Materials of the configuration follow the others.

        backdropctl materials --sheet materials.png
      """)

  @Flag(help: "Print JSON.") var json = false
  @Option(
    help: ArgumentHelp(
      "Paint all materials over one picture, with their names, and write this PNG file; - is the standard output.",
      valueName: "OUT.png"))
  var sheet: String?
  @Option(
    help: ArgumentHelp(
      "The picture for the sheet; - is the standard input. (default: a painted one)",
      valueName: "IN.png"))
  var over: String?

  func validate() throws {
    if over != nil && sheet == nil { throw ValidationError("--over takes --sheet OUT.png") }
    if json && sheet != nil { throw ValidationError("--json and --sheet: choose one") }
  }

  func run() throws {
    if let sheet { return try paint(to: sheet) }
    let user = try userConfiguration()
    let reports =
      NamedMaterial.all.map { MaterialReport($0) }
      + (user?.configuration.materials ?? []).map { MaterialReport($0, in: user?.path ?? "") }
    if json { return try printJSON(reports) }
    print(table(of: reports))
  }

  private func paint(to path: String) throws {
    let file = try OutputFile(path: path)
    let picture = try over.map { path throws(Failure) in try DecodedPNG(path: path).bitmap }
    let sheet: Bitmap
    do { sheet = try materialSheet(over: picture) } catch { throw Failure(error) }
    try file.write(png: sheet, isOpaque: true)
  }
}

/// The printed values of a named material. A material that requires a colour has a sample colour.
struct MaterialReport: Encodable {
  let name: String
  let sigma, saturation, brightness, contrast: Double
  let blend: [String]
  let tint: String
  let noise: Double
  let sees: String
  let takesColor: Bool
  let source: String

  init(_ named: NamedMaterial) {
    self.init(
      named.name, named.sample, sees: named.sees, takesColor: named.takesColor, from: named.source)
  }

  /// A row for a material that a configuration file declares.
  init(_ custom: CustomMaterial, in path: String) {
    let settings = custom.settings
    self.init(
      custom.name, PaneLook(settings, in: .dark).material,
      sees: settings.sees ?? settings.material?.named.sees ?? .windows, takesColor: false,
      from: path)
  }

  private init(
    _ name: String, _ material: Material, sees: BackdropSource, takesColor: Bool,
    from source: String
  ) {
    self.name = name
    sigma = material.sigma
    saturation = material.tone.saturation
    brightness = material.tone.brightness
    contrast = material.tone.contrast
    blend = material.tone.layers.map(\.text)
    tint = material.tone.tint.text
    noise = material.noise
    self.sees = sees.rawValue
    self.takesColor = takesColor
    self.source = source
  }
}

extension NamedMaterial {
  /// The material with its default colour, or in violet if it requires a colour.
  var sample: Material {
    standard ?? material(in: Color(hex: 0x7040C0), hasOpacity: false)
  }
}

private func table(of reports: [MaterialReport]) -> String {
  let titles = ["NAME", "SIGMA", "SATURATION", "LAYERS", "TINT", "NOISE", "SEES", "FROM"]
  let rows = reports.map { report in
    [
      report.takesColor ? "\(report.name) [COLOR]" : report.name, decimal(report.sigma),
      decimal(report.saturation), report.blend.isEmpty ? "-" : report.blend.joined(separator: " "),
      report.tint, decimal(report.noise), report.sees, report.source,
    ]
  }
  return aligned([titles] + rows)
}
