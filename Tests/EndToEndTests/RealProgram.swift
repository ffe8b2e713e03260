import TestSupport

/// A program that people want glass behind, with a translucent window.
struct RealProgram: Sendable {
  let name: String
  /// The command line, with `~/` for the home directory.
  let command: [String]
  /// Files in the home directory.
  var files: [String: String] = [:]
  /// The options of `behind add`.
  let rule: [String]
  /// Commands that make the window translucent, or show it. They are repeated until they succeed.
  var steps: [[String]] = []
  /// A command that closes the window, if it is not the end of the program that does it.
  var closing: [String] = []

  static let all = [
    xterm, requestingXterm, kitty, xfceTerminal, tint2, polybar, xfcePanel, rofi, dunst, menu,
  ]

  /// Sets the opacity of a window and of its frame, because xcompmgr knows only that of frames.
  private static func setOpacity(ofWindowNamed title: String) -> [String] {
    let command = """
      parent=$(xwininfo -name \(title) -tree |
        sed -n '/the root window/d; s/.*Parent window id: \\([0-9a-fx]*\\).*/\\1/p')
      for window in "-name \(title)" "-id $parent"; do
        xprop $window -f _NET_WM_WINDOW_OPACITY 32c -set _NET_WM_WINDOW_OPACITY 0xa0000000 || exit
      done
      """
    return ["sh", "-c", command]
  }

  private static func xtermCommand(_ title: String) -> [String] {
    [
      "xterm", "-T", title, "-geometry", "40x10+150+120", "-bg", "#102030", "-fg", "white", "-e",
      "sleep", "1000",
    ]
  }

  /// Its opacity is set by `xprop`.
  private static let xterm = RealProgram(
    name: "xterm", command: xtermCommand("opacity"), rule: ["--class", "XTerm"],
    steps: [setOpacity(ofWindowNamed: "opacity")])

  /// It asks for blur by a property, which `xprop` sets.
  private static let requestingXterm = RealProgram(
    name: "xterm with a request", command: xtermCommand("request"), rule: ["--requests"],
    steps: [
      [
        "xprop", "-name", "request", "-f", "_KDE_NET_WM_BLUR_BEHIND_REGION", "32c", "-set",
        "_KDE_NET_WM_BLUR_BEHIND_REGION", "10,20,150,60,200,30,900,40",
      ], setOpacity(ofWindowNamed: "request"),
    ])

  private static let kitty = RealProgram(
    name: "kitty",
    command: [
      "kitty", "--config", "NONE", "-o", "background_opacity=0.5", "-o",
      "remember_window_size=no", "-o", "initial_window_width=300", "-o",
      "initial_window_height=200", "-o", "cursor_blink_interval=0", "sleep", "1000",
    ],
    rule: ["--class", "kitty"])

  private static let xfceTerminal = RealProgram(
    name: "xfce4-terminal",
    command: [
      "xfce4-terminal", "--disable-server", "--geometry", "40x10+150+100", "--command",
      "sleep 1000",
    ],
    files: [".config/xfce4/terminal/terminalrc": translucentTerminal],
    rule: ["--class", "Xfce4-terminal"])

  private static let translucentTerminal = """
    [Configuration]
    BackgroundMode=TERMINAL_BACKGROUND_TRANSPARENT
    BackgroundDarkness=0.5
    ColorBackground=#101018
    """

  private static let tint2 = RealProgram(
    name: "tint2", command: ["tint2", "-c", "~/tint2rc"],
    files: [
      "tint2rc": """
      rounded = 8
      border_width = 0
      background_color = #203040 50
      panel_items = T
      panel_size = 70% 48
      panel_margin = 0 8
      panel_position = bottom center horizontal
      panel_background_id = 1
      """
    ],
    rule: ["--type", "dock", "--corner", "8"])

  private static let polybar = RealProgram(
    name: "polybar", command: ["polybar", "--config=~/polybar.ini", "bar"],
    files: [
      "polybar.ini": """
      [bar/bar]
      width = 70%
      height = 40
      offset-x = 15%
      bottom = true
      background = #80203040
      foreground = #FFFFFF
      modules-center = text
      [module/text]
      type = custom/text
      content = polybar

      """
    ],
    rule: ["--type", "dock"])

  private static let xfcePanel = RealProgram(
    name: "xfce4-panel", command: ["xfce4-panel", "--disable-wm-check"],
    files: [
      ".config/xfce4/xfconf/xfce-perchannel-xml/xfce4-panel.xml": """
      <?xml version="1.0" encoding="UTF-8"?>
      <channel name="xfce4-panel" version="1.0">
        <property name="configver" type="int" value="2"/>
        <property name="panels" type="array">
          <value type="int" value="1"/>
          <property name="panel-1" type="empty">
            <property name="position" type="string" value="p=6;x=0;y=0"/>
            <property name="length" type="uint" value="100"/>
            <property name="position-locked" type="bool" value="true"/>
            <property name="size" type="uint" value="40"/>
            <property name="background-style" type="uint" value="1"/>
            <property name="background-rgba" type="array">
              <value type="double" value="0.1"/>
              <value type="double" value="0.1"/>
              <value type="double" value="0.2"/>
              <value type="double" value="0.4"/>
            </property>
            <property name="plugin-ids" type="array">
              <value type="int" value="1"/>
            </property>
          </property>
        </property>
        <property name="plugins" type="empty">
          <property name="plugin-1" type="string" value="separator">
            <property name="expand" type="bool" value="true"/>
          </property>
        </property>
      </channel>
      """
    ],
    rule: ["--type", "dock"])

  private static let rofi = RealProgram(
    name: "rofi",
    command: ["rofi", "-theme", "~/theme.rasi", "-modi", "menu:echo one", "-show", "menu"],
    files: [
      "theme.rasi": """
      * { background-color: transparent; text-color: #ffffff; }
      window { background-color: #10101880; width: 300px; border-radius: 10px; padding: 20px; }
      entry { blink: false; }
      """
    ],
    rule: ["--class", "Rofi", "--corner", "10"])

  private static let dunst = RealProgram(
    name: "dunst", command: ["dunst", "-config", "~/dunstrc"],
    files: [
      "dunstrc": """
      [global]
        origin = top-right
        offset = 20x40
        width = 300
        transparency = 40
        frame_width = 0
        corner_radius = 10
      [urgency_normal]
        background = "#202020"
        foreground = "#ffffff"
        timeout = 0
      """
    ],
    rule: ["--class", "Dunst", "--corner", "10"],
    steps: [
      ["notify-send", "A notification", "of dunst"],
      // Again: marco 1.26 reads the opacity only when it changes, and may not watch the window yet when dunst sets it.
      [
        "xprop", "-name", "Dunst", "-f", "_NET_WM_WINDOW_OPACITY", "32c", "-set",
        "_NET_WM_WINDOW_OPACITY", "0x99999999",
      ],
    ])

  /// A menu above a translucent window. GTK gives it an alpha channel under few window managers only, so it gets an opacity.
  private static let menu = RealProgram(
    name: "GTK menu",
    command: [
      "xfce4-terminal", "--disable-server", "--fullscreen", "--command", "sleep 1000",
    ],
    files: [".config/xfce4/terminal/terminalrc": translucentTerminal],
    rule: ["--class", "Xfce4-terminal", "--type", "popup-menu"],
    steps: [
      ["sh", "-c", "xprop -name 'Terminal - ' _NET_WM_STATE | grep FULLSCREEN"],
      ["xdotool", "mousemove", "100", "60", "click", "3"],
      [
        "sh", "-c",
        """
        # The other windows with this name are smaller.
        menu=$(xwininfo -root -tree |
          sed -n 's/ *\\(0x[0-9a-f]*\\) "Xfce Terminal":.*  [0-9]\\{3\\}x.*/\\1/p')
        xprop -id "$menu" -f _NET_WM_WINDOW_OPACITY 32c -set _NET_WM_WINDOW_OPACITY 0xa0000000
        """,
      ],
    ], closing: ["xdotool", "key", "Escape"])
}
