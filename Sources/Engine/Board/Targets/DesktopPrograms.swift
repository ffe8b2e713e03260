package import Panes

/// The programs of a desktop that decide whether something is visible through windows.
package struct DesktopPrograms: Equatable, Sendable {
  /// The name of the window manager, empty if it has none; nil if none runs that follows EWMH.
  package var windowManager: String?
  /// The name of the compositing manager, empty if it has none; nil if none runs.
  package var compositor: String?
  /// Its process; nil if it does not tell.
  package var compositorProcess: Int?

  package init(
    windowManager: String? = nil, compositor: String? = nil, compositorProcess: Int? = nil
  ) {
    self.windowManager = windowManager
    self.compositor = compositor
    self.compositorProcess = compositorProcess
  }

  /// Whether the window manager blends windows itself. Then it reads the opacity of the windows of clients; other
  /// compositing managers read that of the frames around them.
  var managerBlends: Bool {
    guard let windowManager, let compositor else { return false }
    // Marco's name is "Metacity (Marco)".
    return windowManager.lowercased().contains(compositor.lowercased())
  }

  /// The advice where nothing blends windows.
  package var compositorAdvice: String {
    if let compositor {
      let name = compositor.isEmpty ? "the compositor" : compositor
      return "\(name) does not blend them; use picom, or xcompmgr without -a"
    }
    let name = windowManager?.lowercased() ?? ""
    let own = Self.compositorSettings.first { name.contains($0.key) }
    return own.map { "switch it on: \($0.value)" } ?? Self.separateCompositor
  }

  /// The advice where nothing blends windows, for all window managers.
  static let generalCompositorAdvice =
    compositorSettings.map { "under \($0.key): \($0.value)" }.joined(separator: "; ")
    + "; elsewhere \(separateCompositor)"

  /// The settings that enable the compositors of window managers.
  private static let compositorSettings: KeyValuePairs = [
    "xfwm4": "Window Manager Tweaks > Compositor, or "
      + "xfconf-query -c xfwm4 -p /general/use_compositing -s true",
    "marco": "gsettings set org.mate.Marco.general compositing-manager true",
  ]

  private static let separateCompositor = "start one, such as: picom --backend xrender"
}

extension TargetState.Obstacle {
  static let serverAdvice = "glass behind windows needs an X server"
  /// The window of a desktop paints the wallpaper, so it is opaque. If it were translucent, nothing would be behind it.
  private static let desktopAdvice =
    "it is the desktop, and nothing is behind it; for glass on it: backdropctl add NAME --layer desktop --size 400x300"
  /// The advice for a window in which no colour is frequent enough.
  static let colorAdvice = "if it has a background, name its colour: --background '#RRGGBB'"
  /// The advice against a costly search in titles.
  package static let titleAdvice = "use a simpler expression, with fewer * and +"

  /// Why glass behind a window is not shown, and what to do.
  package func advice(for window: WindowProperties, on programs: DesktopPrograms) -> String {
    "\(finding)\(remedy(for: window, on: programs).map { "; \($0)" } ?? "")"
  }

  /// Why glass behind a window is not shown.
  package var finding: String {
    switch self {
    case .hidden: "hidden"
    case .noWindows: "the display does not tell of windows"
    case .noCompositor: "no compositor blends windows"
    case .opaque: "the window is opaque"
    case .uneven: "its background has no even colour"
    case .fullscreen: "the window fills the screen"
    case .locked: "the screen is locked"
    case .outside: "the window is outside of the screen"
    case .pending: "its backdrop is not captured yet"
    case .costlyTitle: "a search in the title takes too many steps"
    }
  }

  /// The remedy; nil if there is none.
  package func remedy(for window: WindowProperties, on programs: DesktopPrograms) -> String? {
    switch self {
    case .hidden: "see 'backdropctl show'"
    case .noWindows: Self.serverAdvice
    case .noCompositor where window.type == .desktop: Self.desktopAdvice
    case .opaque where window.type == .desktop: Self.desktopAdvice
    case .noCompositor: programs.compositorAdvice
    case .opaque: translucencyAdvice(for: window, on: programs)
    case .costlyTitle: Self.titleAdvice
    case .uneven: Self.colorAdvice
    case .fullscreen, .locked, .outside, .pending: nil
    }
  }
}

/// The advice that makes an opaque window translucent: a setting of its program if that is known, or else a property. A rule of
/// picom would not help: it leaves no trace on the window.
private func translucencyAdvice(
  for window: WindowProperties, on programs: DesktopPrograms
) -> String {
  if let setting = translucencySettings[window.windowClass.lowercased()] { return setting }
  let id = WindowNumber(programs.managerBlends ? window.id : window.frame).text
  return "set an opacity: xprop -id \(id) -f _NET_WM_WINDOW_OPACITY 32c "
    + "-set _NET_WM_WINDOW_OPACITY 0xd9999999"
}

/// The settings that make the windows of programs translucent, by their classes in lower case.
private let translucencySettings = [
  "kitty": "set background_opacity below 1 in kitty.conf",
  "alacritty": "set window.opacity below 1 in its configuration",
  "urxvt": "start it with: urxvt -depth 32 -bg '[70]#101014'",
  "xfce4-terminal": "choose Preferences > Appearance > Transparent background",
  "mate-terminal": "choose Edit > Profile Preferences > Background > Transparent background",
  "lxterminal": "lower the opacity of the background colour in Edit > Preferences > Style",
  "terminator": "choose Preferences > Profiles > Background > Transparent background",
  "tilix": "raise Preferences > Profile > Color > Transparency",
  "gnome-terminal": "raise Preferences > Profile > Colors > transparent background, if it has that",
  "qterminal": "raise File > Preferences > Appearance > Terminal transparency",
  "konsole": "raise Edit Current Profile > Appearance > Edit > Background transparency",
  "sakura": "choose Colors > Background transparency in its menu",
  "guake": "raise Preferences > Appearance > Transparency",
  "tilda": "choose Preferences > Appearance > Enable Transparency",
]
