import Pictures
import Raster
import TestSupport

/// The moving screen of an Xvfb, with Openbox and xcompmgr.
final class XvfbScene: DemoScene {
  let display: DemoDisplay
  private let server: XServer
  private let client: TestClient
  private let programs: [Child]

  init() throws {
    try requirePrograms([
      "Xvfb": "xvfb", "openbox": "openbox", "xcompmgr": "xcompmgr", "xterm": "xterm",
      "xdotool": "xdotool",
    ])
    server = try XServer(width: 1920, height: 1080)
    client = try TestClient(server)
    client.setWallpaper(landscape(width: server.width, height: server.height))
    try client.sync()
    display = DemoDisplay(environment: server.environment)
    let script = server.runtimeDirectory + "/path.xdotool"
    try writeText(movingScript, to: script)
    // With a compositor, no pixel around a pane is ever older than those of the windows below it.
    var programs = [try server.start("openbox"), try server.start("xcompmgr")]
    pause(for: .milliseconds(500))
    programs += [
      try server.start("xterm", terminalArguments), try server.start("xterm", documentArguments),
      try server.start("xdotool", [script]),
    ]
    self.programs = programs
    pause(for: .seconds(1))
  }

  func screenshot() throws -> Bitmap { try client.screenshot() }
}

private let terminalArguments = [
  "-title", "Terminal", "-geometry", "104x40+1090+110", "-bg", "#14162B", "-fg", "#D7DAF0", "-e",
  "sh", "-c", scrollingText,
]

private let documentArguments = [
  "-title", "document", "-geometry", "76x30+500+300", "-bg", "#FFFDF5", "-fg", "#403A36", "-e",
  "sh", "-c", pageOfText,
]

private let movingScript: String = {
  // xdotool sends its requests only when it also asks a question.
  let steps = movingPath.map { "windowmove %1 \($0.x) \($0.y)\ngetmouselocation\nsleep 0.016\n" }
  return "search --sync --onlyvisible --name ^document$\n" + steps.joined()
}()
