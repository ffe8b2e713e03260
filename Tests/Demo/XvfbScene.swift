import Pictures
import Raster
import TestSupport

/// The moving screen of an Xvfb with Openbox: a picture, and a translucent terminal that is dragged across it, above a
/// translucent panel; and an opaque page of text.
final class XvfbScene: DemoScene {
  let display: DemoDisplay
  let glass = DemoPrograms.glass + DemoPane.besidePrograms.map(\.arguments)
  /// The X server and the compositor.
  let painters: [Child]
  let client: TestClient
  private let server: XServer
  private let programs: [Child]

  init(_ compositor: DemoCompositor = .xcompmgr, hasPage: Bool = true) throws {
    try requirePrograms([
      "Xvfb": "xvfb", "openbox": "openbox", "urxvt": "rxvt-unicode", "tint2": "tint2",
      "xdotool": "xdotool", compositor.command[0]: compositor.command[0],
    ])
    server = try XServer(width: 1920, height: 1080)
    client = try TestClient(server)
    let (server, client) = (server, client)
    client.setWallpaper(landscape(width: server.width, height: server.height))
    try client.sync()
    display = DemoDisplay(environment: server.environment)
    let (script, panel) = (
      server.runtimeDirectory + "/path.xdotool", server.runtimeDirectory + "/tint2rc"
    )
    try writeText(movingScript, to: script)
    try writeText(DemoPrograms.panelConfiguration, to: panel)
    var programs = [try server.start("openbox")]
    try client.waitForWindowManager()
    painters = [server.process, try server.start(compositor.command[0], compositor.arguments)]
    while try !client.hasSelection("_NET_WM_CM_S0"), !Interrupts.isInterrupted {
      if painters[1].wait(for: .milliseconds(20)) != nil { throw TestFailure(painters[1].err) }
    }
    programs.append(try server.start(ProgramPaths.demo, [MovingPicture.option]))
    // The terminal belongs above it.
    let isThere = ["search", "--sync", "--onlyvisible", "--name", "^\(MovingPicture.title)$"]
    _ = try server.run("xdotool", isThere)
    let page = hasPage ? [DemoPrograms.page] : []
    for command in page + [
      DemoPrograms.terminal, DemoPrograms.panel(panel), ["xdotool", script],
    ] {
      programs.append(try server.start(command[0], Array(command.dropFirst())))
    }
    self.programs = programs
    pause(for: .seconds(1))
  }

  func screenshot() throws -> Bitmap { try client.screenshot() }
}

/// The compositor of the scene.
enum DemoCompositor: CaseIterable {
  case xcompmgr
  /// It blurs what is behind translucent windows, too: with a Gaussian of 10 pixels, because with the 30 of the glass it
  /// stands still.
  case blurringPicom

  var command: [String] {
    switch self {
    case .xcompmgr: ["xcompmgr"]
    case .blurringPicom:
      // Without the option, versions up to 9 blur only by small kernels.
      ["picom", "--config", "/dev/null", "--experimental-backends", "--backend", "xrender"]
        + ["--blur-method", "gaussian", "--blur-size", "31", "--blur-deviation", "10"]
    }
  }

  var arguments: [String] { Array(command.dropFirst()) }
}

private let movingScript: String = {
  // xdotool sends its requests only when it also asks a question.
  let steps = movingPath.dropFirst(100).map {
    "windowmove %1 \($0.x + 180) \($0.y - 10)\ngetmouselocation\nsleep 0.016\n"
  }
  return "search --sync --onlyvisible --name ^Terminal$\n" + steps.joined()
}()
