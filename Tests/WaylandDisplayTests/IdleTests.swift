import Engine
import Glibc
import Panes
import Raster
import TestSupport
import Testing

@testable import WaylandDisplay

/// Live glass on outputs that are switched off while the session is idle.
@Suite(.serialized) struct IdleTests {
  private static let pane = Rect(x: 90, y: 60, width: 260, height: 180)

  @Test(
    .enabled(if: !CapturedCompositor.switchable.isEmpty, "sway 1.7 switches no output off"),
    arguments: CapturedCompositor.switchable)
  func switchedOffOutputsCauseNoWork(captured: CapturedCompositor) throws {
    let scene = try WaylandScene(captured, wallpaper: Scenery.photo.picture(seed: 0))
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: "\(Self.pane)")
    settings.sigma = 20
    try scene.add("pane", settings)
    let idle = try IdleDaemon(scene.server)
    // phoc 0.46 shows a cursor.
    try scene.settle()
    let shown = try scene.server.screenshot()
    for _ in 0..<2 {
      try idle.waitForIdleness(scene)
      // Some captures are tried.
      let first = scene.captureCount
      _ = try scene.run(for: .seconds(3))
      let (tried, before) = (scene.captureCount - first, scene.captureCount)
      let iterations = try scene.run(for: .seconds(5))
      #expect(
        tried <= 3 && scene.captureCount == before && iterations <= 1, "\(tried), \(iterations)")
      try idle.endIdleness(scene)
      try scene.server.wakeOutput()
      let delay = try scene.delay(of: Self.pane, in: shown)
      print("\(captured): \(tried) captures, right \(delay) after the output was on")
      #expect(delay <= .milliseconds(500), "\(delay)")
    }
  }
}

/// swayidle in the folder of a distribution switches all outputs off after a second without input, as ext-idle-notify tells
/// it, and on again at the next input.
private final class IdleDaemon {
  private let input: VirtualInput
  private let program: Child
  /// Exists while the outputs are off.
  private let file: String

  init(_ server: WaylandServer) throws {
    input = try VirtualInput(server, width: 480, height: 320)
    try input.move(20, 20)
    file = server.runtimeDirectory + "/off"
    let file = "\"$XDG_RUNTIME_DIR/off\""
    program = try server.startBeside(
      "swayidle",
      [
        "-w", "timeout", "1", "wlopm --off '*' && >\(file)", "resume",
        "wlopm --on '*' && rm \(file)",
      ])
  }

  /// Waits until the outputs are off.
  func waitForIdleness(_ scene: WaylandScene) throws {
    try scene.wait("outputs are on: \(program.err)") { unsafe access(file, F_OK) == 0 }
  }

  /// Moves the pointer, and waits until the outputs are on.
  func endIdleness(_ scene: WaylandScene) throws {
    try input.move(21, 20)
    try input.move(20, 20)
    try scene.wait("outputs are off: \(program.err)") { unsafe access(file, F_OK) != 0 }
  }
}
