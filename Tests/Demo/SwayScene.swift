import Glibc
import Pictures
import Raster
import TestSupport

/// The moving screen of a sway without a GPU: a terminal that scrolls, and a document that moves.
final class SwayScene: DemoScene {
  let display: DemoDisplay
  let glass = DemoPane.aboveWindows.map(\.arguments)
  private let server: WaylandServer
  private let programs: [Child]

  init() throws {
    try requirePrograms(["sway": "sway", "swaybg": "swaybg", "foot": "foot", "grim": "grim"])
    server = try WaylandServer(wallpaper: landscape(width: 1920, height: 1080))
    display = DemoDisplay(environment: server.environment)
    try server.tellSway([windowRules])
    programs = [
      try server.start("foot", terminalArguments), try server.start("foot", documentArguments),
      try Child("sh", ["-c", movingScript], environment: server.swayEnvironment),
    ]
    pause(for: .seconds(1))
  }

  /// The programs pause meanwhile, with the document behind the clock: each change is sharp behind the glass for a
  /// frame, and a picture would keep that.
  func screenshot() throws -> Bitmap {
    for program in programs { program.send(SIGSTOP) }
    defer { for program in programs { program.send(SIGCONT) } }
    try server.tellSway(["[app_id=document] move absolute position 400 190"])
    try display.ask(["sync"])
    return try server.screenshot()
  }
}

private let windowRules = """
  font pango:Sans Bold 10; default_floating_border normal 1; \
  client.focused #3A4A7A #2C3458 #FFFFFF #2C3458 #2C3458; \
  client.unfocused #C9C4B8 #E4E0D6 #6A655C #E4E0D6 #E4E0D6; \
  for_window [app_id=.*] floating enable; \
  for_window [app_id=terminal] move absolute position 1090 110; no_focus [app_id=document]
  """

private let terminalArguments =
  footArguments("Terminal", "84x30", background: "14162B", foreground: "D7DAF0") + [
    "sh", "-c", scrollingText,
  ]

private let documentArguments =
  footArguments("Document", "74x23", background: "FFFDF5", foreground: "403A36") + [
    "sh", "-c", pageOfText,
  ]

/// The arguments of foot before those of the program in it. Nothing is read from the user's configuration.
private func footArguments(
  _ title: String, _ size: String, background: String, foreground: String
) -> [String] {
  [
    "--config", "/dev/null", "--app-id", title.lowercased(), "--title", title,
    "--window-size-chars", size, "--font", "DejaVu Sans Mono:pixelsize=13",
    "--override", "colors.background=\(background)",
    "--override", "colors.foreground=\(foreground)",
  ]
}

/// The steps of the document, which fail until it is there.
private let movingScript = """
  while read x y; do swaymsg -q "[app_id=document] move absolute position $x $y"; sleep 0.012; \
  done <<END
  \(movingPath.map { "\($0.x) \($0.y)" }.joined(separator: "\n"))
  END
  """
