/// A pane of the demo, in the options of the command line.
struct DemoPane {
  let name: String
  let geometry, sigma, saturation, tint, border: String
  /// A title, and a line of text below it.
  let title, line: String

  var arguments: [String] {
    [
      "add", name, "--geometry", geometry, "--sigma", sigma, "--saturation", saturation,
      "--tint", tint, "--border", border, "--corner", "continuous:36", "--shadow", "outer-view",
      "--label", title, "--font", "Sans Bold 40", "--at", "40,36",
      "--label", line, "--font", "Sans 16", "--at", "40,108", "--vibrancy", "secondary",
    ]
  }

  /// For a desktop of any size: in opposite corners, beside most panels.
  static let onDesktop = [light("480x320-80+80", sigma: "20"), dark("480x320+80-80", sigma: "40")]
  /// For the screen in memory, over its moving programs.
  static let onScene = [
    light("620x380+190+560", sigma: "18"), dark("640x420+1090+210", sigma: "32"),
  ]

  private static func light(_ geometry: String, sigma: String) -> DemoPane {
    DemoPane(
      name: "demo-light", geometry: geometry, sigma: sigma, saturation: "1.8", tint: "#FFFFFF4D",
      border: "1 #FFFFFF66", title: "Frosted glass", line: "live, and without a GPU")
  }

  private static func dark(_ geometry: String, sigma: String) -> DemoPane {
    DemoPane(
      name: "demo-dark", geometry: geometry, sigma: sigma, saturation: "1.6", tint: "#10142099",
      border: "1 #FFFFFF26", title: "Vibrancy", line: "text in the colours behind it")
  }
}
