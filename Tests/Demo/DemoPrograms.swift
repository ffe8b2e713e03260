/// Programs with glass: some through which one sees a little of what is behind them, and an opaque one.
enum DemoPrograms {
  /// The first words of WM_CLASS, so that no other terminal of the user has glass.
  private static let (name, pageName) = ("backdropd-demo", "backdropd-demo-page")

  /// A terminal in which text scrolls, with a background of an opacity of a quarter.
  static let terminal = [
    "urxvt", "-name", name, "-title", "Terminal", "-geometry", "76x22+300+260", "-depth", "32",
    "-bg", "rgba:0c00/0e00/2000/4000", "-fg", "#E6E8FA", "-cr", "#E6E8FA", "-fn",
    "xft:DejaVu Sans Mono:pixelsize=15", "-b", "14", "-bl", "+sb",
    "-e", "sh", "-c", scrollingText,
  ]

  /// A terminal with an opaque, light background and a page of text.
  static let page = [
    "urxvt", "-name", pageName, "-title", "Page", "-geometry", "70x21+1130+500", "-bg", "#F6F4EE",
    "-fg", "#30303A", "-fn", "xft:DejaVu Sans Mono:pixelsize=15", "-b", "14", "-bl", "+sb",
    "-e", "sh", "-c", pageOfText,
  ]

  /// A panel at the lower edge with the windows and the time; `path` is that of its configuration.
  static func panel(_ path: String) -> [String] { ["tint2", "-c", path] }

  static let panelConfiguration = """
    rounded = 14
    border_width = 0
    background_color = #FFFFFF 18
    rounded = 8
    border_width = 0
    background_color = #FFFFFF 30
    panel_items = TC
    panel_size = 60% 56
    panel_margin = 0 14
    panel_padding = 12 8 12
    panel_position = bottom center horizontal
    panel_layer = top
    strut_policy = none
    panel_background_id = 1
    wm_menu = 0
    task_text = 1
    task_icon = 0
    task_centered = 1
    task_maximum_size = 220 40
    task_padding = 10 4 10
    task_font = Sans Bold 12
    task_font_color = #202030 100
    task_background_id = 2
    task_active_background_id = 2
    time1_format = %H:%M
    time1_font = Sans Bold 18
    clock_font_color = #202030 100
    clock_padding = 10 0

    """

  /// The names of their panes.
  static let paneNames = ["demo-terminal", "demo-panel", "demo-page"]

  /// The glass of the three, or that of the terminals and of any panel.
  static let glass = glass(behindPanel: ["--class", "Tint2"])
  static let glassOnDesktop = glass(behindPanel: ["--type", "dock"])

  private static func glass(behindPanel condition: [String]) -> [[String]] {
    [
      ["behind", "add", paneNames[0], "--instance", name, "--scheme", "dark", "--corner", "14"],
      ["behind", "add", paneNames[1]] + condition + ["--scheme", "light"],
      ["behind", "add", paneNames[2], "--instance", pageName],
    ]
  }
}
