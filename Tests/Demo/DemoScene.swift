import Glibc
import Raster
import TestSupport

/// A moving screen in memory: a wallpaper, a clock, a terminal that scrolls and a window that moves. The
/// X server and all programs end with it.
final class DemoScene {
  let display: DemoDisplay
  private let server: XServer
  private let client: TestClient
  private let programs: [Child]

  init() throws {
    server = try XServer(width: 1920, height: 1080)
    client = try TestClient(server)
    client.setWallpaper(demoWallpaper(width: server.width, height: server.height))
    try client.sync()
    display = DemoDisplay(environment: server.environment)
    let script = server.runtimeDirectory + "/path.xdotool"
    try writeText(movingPath, to: script)
    var programs = [try server.start("openbox")]
    pause(for: .milliseconds(500))
    programs += [
      try server.start("xclock", ["-update", "1", "-geometry", "300x300+1480+120"]),
      try server.start("xterm", terminalArguments), try server.start("xlogo", moverArguments),
      try server.start("xdotool", [script]),
    ]
    self.programs = programs
    pause(for: .seconds(1))
  }

  /// The whole screen, as a user would see it.
  func screenshot() throws -> Bitmap { try client.screenshot() }
}

private let terminalArguments = [
  "-geometry", "100x34+240+420", "-bg", "#0b1026", "-fg", "#7dffb2", "-e", "sh", "-c",
  scrollingText,
]

private let moverArguments = [
  "-title", "mover", "-geometry", "320x320+900+300", "-fg", "#ff2d78", "-bg", "#fff200",
]

/// Lines of changing length, twenty per second, without end.
private let scrollingText = """
  i=0; while :; do i=$((i+1)); \
  printf '\\033[3%dm%6d  the quick brown fox jumps over the lazy dog %d times\\n' \
  $((i%7+1)) $i $((i*i%1000003)); sleep 0.05; done
  """

/// A path in the shape of an eight across both panes, sixty steps per second, longer than the demo.
private let movingPath: String = {
  let steps = (0..<3000).map { step in
    let angle = Double(step) / 90
    let x = 760 + Int(560 * sin(angle))
    let y = 400 + Int(280 * sin(2 * angle))
    // xdotool sends its requests only when it also asks a question.
    return "windowmove %1 \(x) \(y)\ngetmouselocation\nsleep 0.016\n"
  }
  return "search --sync --onlyvisible --name ^mover$\n" + steps.joined()
}()
