import Control
import Frost
import Panes
import Pictures

/// One of the demo's panes, in the words of the command line.
struct DemoPane {
  let name: String
  let geometry: String
  let sigma, saturation: Double
  let tint, border: String
  /// A title and a line below it, in the colours of the glass.
  let title, line: String

  func change() throws -> PaneChange {
    var change = PaneChange()
    change.geometry = try Geometry(parsing: geometry)
    change.sigma = sigma
    change.saturation = saturation
    change.tint = try Color(parsing: tint, as: "tint")
    change.corner = Corner(radius: 36, curve: .continuous)
    change.border = try Border(parsing: border)
    change.shadow = .outerView
    change.contents = [
      try text(title, "Sans Bold 40", .label, y: 36), try text(line, "Sans 16", .secondary, y: 108),
    ]
    return change
  }

  private func text(
    _ text: String, _ font: String, _ vibrancy: Vibrancy, y: Int
  ) throws -> PaneContent {
    PaneContent(
      source: .label(text: text, font: font),
      place: ContentPlace(x: .fromStart(40), y: .fromStart(y)), vibrancy: vibrancy,
      picture: try Label(text, Font(parsing: font)).drawn(scale: 1).picture)
  }

  /// For a desktop of any size: in opposite corners, clear of most panels.
  static let onDesktop = light("480x320-80+80", sigma: 20) + dark("480x320+80-80", sigma: 40)
  /// For the demo's own screen, over all that moves there.
  static let onScene = light("620x380+190+560", sigma: 18) + dark("640x420+1090+210", sigma: 32)

  private static func light(_ geometry: String, sigma: Double) -> [DemoPane] {
    [
      DemoPane(
        name: "demo-light", geometry: geometry, sigma: sigma, saturation: 1.8, tint: "#FFFFFF4D",
        border: "1 #FFFFFF66", title: "Frosted glass", line: "live, and without a GPU")
    ]
  }

  private static func dark(_ geometry: String, sigma: Double) -> [DemoPane] {
    [
      DemoPane(
        name: "demo-dark", geometry: geometry, sigma: sigma, saturation: 1.6, tint: "#10142099",
        border: "1 #FFFFFF26", title: "Vibrancy", line: "text in the colours behind it")
    ]
  }
}
