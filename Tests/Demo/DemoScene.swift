import Glibc
import Pictures
import Raster
import TestSupport

/// A moving screen in memory: a wallpaper, a terminal that scrolls and a document that moves. The
/// X server and all programs end with it.
final class DemoScene {
  let display: DemoDisplay
  private let server: XServer
  private let client: TestClient
  private let programs: [Child]

  init() throws {
    server = try XServer(width: 1920, height: 1080)
    client = try TestClient(server)
    client.setWallpaper(landscape(width: server.width, height: server.height))
    try client.sync()
    display = DemoDisplay(environment: server.environment)
    let script = server.runtimeDirectory + "/path.xdotool"
    try writeText(movingPath, to: script)
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

  /// The whole screen, as a user would see it.
  func screenshot() throws -> Bitmap { try client.screenshot() }
}

private let terminalArguments = [
  "-title", "Terminal", "-geometry", "104x40+1090+110", "-bg", "#14162B", "-fg", "#D7DAF0", "-e",
  "sh", "-c", scrollingText,
]

private let documentArguments = [
  "-title", "document", "-geometry", "76x30+500+300", "-bg", "#FFFDF5", "-fg", "#403A36", "-e",
  "sh", "-c", document,
]

/// Lines of changing length, twenty per second, without end.
private let scrollingText = """
  i=0; while :; do i=$((i+1)); \
  printf '\\033[3%dm[%5d]\\033[0m  the quick brown fox jumps over the lazy dog %d times\\n' \
  $((i%6+1)) $i $((i*i%1000003)); sleep 0.05; done
  """

/// A page of text that stays.
private let document = """
  printf '\\n   \\033[1mFrosted glass\\033[0m\\n\\n'; for i in 1 2 3 4; do \
  printf '   Glass shows what is behind it, but not its details: colours and\\n'; \
  printf '   large shapes pass, and text does not. So what is on the glass is\\n'; \
  printf '   easy to read, and one still knows where one is.\\n\\n'; done; sleep 1000
  """

/// A path in the shape of an eight behind the clock and the dock, sixty steps per second, longer than the demo.
private let movingPath: String = {
  let steps = (0..<3000).map { step in
    let angle = Double(step) / 90
    let x = 480 + Int(380 * sin(angle))
    let y = 330 + Int(240 * sin(2 * angle))
    // xdotool sends its requests only when it also asks a question.
    return "windowmove %1 \(x) \(y)\ngetmouselocation\nsleep 0.016\n"
  }
  return "search --sync --onlyvisible --name ^document$\n" + steps.joined()
}()
