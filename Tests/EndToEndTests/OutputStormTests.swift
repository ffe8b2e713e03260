import Raster
import TestDice
import TestSupport
import Testing

/// Random changes of outputs: sizes, modes, rotations, reflections, monitors that come and go, and
/// scales. In the end the panes of the daemon that followed them equal those of a fresh one, and nothing is left over.
@Suite(.serialized, .waiting) struct OutputStormTests {
  /// Placed on every kind of output, in pixels, percent and logical units.
  private static let panes = [
    ["screen", "--geometry", "300x200-20-10", "--sigma", "9"],
    ["primary", "--size", "50%x30%", "--anchor", "top-right", "--margin", "9", "--shadow", "maps"],
    ["left", "--output", "left", "--size", "120x90", "--corner", "20", "--workarea"],
    ["all", "--output", "all", "--size", "100%x24", "--anchor", "bottom", "--sees", "panes"],
    ["logical", "--units", "logical", "--size", "70x50", "--anchor", "left"],
    ["drawer", "--edge", "bottom", "--size", "200x80", "--peek", "17", "--elasticity", "0"],
  ]
  /// The pane that is compared with the offline blur; multiples of 8, where the dither of a pane equals that of a screen.
  private static let plain = Rect(x: 16, y: 24, width: 96, height: 64)

  /// A kind of server, and the changes that it takes.
  enum Kind: String, CaseIterable {
    case xvfb, xephyr, vnc

    func makeServer() throws -> XServer {
      switch self {
      case .xvfb:
        let server = try XServer(width: 640, height: 480)
        // Only without an output its screen can get any size.
        _ = try server.run("xrandr", ["--output", "screen", "--off"])
        return server
      case .xephyr:
        return try XServer(.nested(in: XServer(width: 800, height: 800)), width: 640, height: 480)
      case .vnc: return try XServer(.vnc, width: 640, height: 480)
      }
    }

    /// The arguments of xrandr for a change of the screen.
    func change(_ dice: inout Dice) -> [String] {
      switch self {
      case .xvfb:
        let size = [(640, 480), (500, 400), (360, 420), (600, 300)][dice.roll(0...3)]
        return ["--fb", "\(size.0)x\(size.1)"]
      case .xephyr:
        let orientation = ["normal", "left", "inverted", "right"][dice.roll(0...3)]
        return ["-o", orientation] + [[], ["-x"], ["-y"], ["-x", "-y"]][dice.roll(0...3)]
      case .vnc:
        if dice.roll(0...4) == 0 { return ["--output", "VNC-0", "--off"] }
        let size = [(800, 600), (1024, 768), (640, 480), (1280, 720)][dice.roll(0...3)]
        return ["--dpi", "96", "--output", "VNC-0", "--mode", "\(size.0)x\(size.1)"]
      }
    }
  }

  @Test(arguments: Kind.allCases)
  func randomChangesEndAsAFreshStart(kind: Kind) throws {
    var dice = Dice(seed: 160)
    let server = try kind.makeServer()
    let scene = try CaptureScene(seed: 160, on: server, ["--fresh", "--rotation-fade", "50"])
    for _ in 0..<5 { try scene.makeWindow() }
    try scene.client.sync()
    _ = try server.run("xrandr", ["--setmonitor", "left", "200/50x300/75+0+0", "none"])
    // The first panes make some things that stay.
    try addPanes(scene.daemon)
    try removePanes(scene.daemon)
    let before = try counts(scene)
    try addPanes(scene.daemon)
    for _ in 0..<Effort.rounds(60) { try change(scene, kind, &dice) }
    try settle(scene.daemon)
    let (list, shown) = (try places(scene.daemon), try TestClient(server).screenshot())
    try removePanes(scene.daemon)
    #expect(try counts(scene) == before, "\(dice)")
    try scene.daemon.stop()

    let fresh = try TestDaemon(on: server)
    try addPanes(fresh)
    try settle(fresh)
    let expected = try places(fresh)
    #expect(list == expected, "\(dice): \(list), not \(expected)")
    #expect(try TestClient(server).screenshot().difference(from: shown) == nil, "\(dice)")
    try removePanes(fresh)
    try checkPlain(fresh, on: server)
    try fresh.stop()
  }

  /// A change of the screen, of its monitors or of the scale. Some wait for the daemon, others interrupt it.
  private func change(_ scene: CaptureScene, _ kind: Kind, _ dice: inout Dice) throws {
    switch dice.roll(0...9) {
    case 0, 1:
      let name = ["left", "right", "*third"][dice.roll(0...2)]
      let (width, height) = (dice.roll(40...400), dice.roll(40...400))
      let place = "\(width)/50x\(height)/75+\(dice.roll(0...300))+\(dice.roll(0...200))"
      // The server refuses the name of an existing monitor.
      _ = try scene.server.run("xrandr", ["--setmonitor", name, place, "none"])
    case 2, 3:
      _ = try scene.server.run(
        "xrandr", ["--delmonitor", ["left", "right", "third"][dice.roll(0...2)]])
    case 4:
      scene.client.setResources(Array("Xft.dpi: \([96, 120, 192][dice.roll(0...2)])\n".utf8))
      try scene.client.sync()
    case 5:
      try scene.daemon.ask("drawer", "toggle", "drawer")
    default:
      let arguments = kind.change(&dice)
      let outcome = try scene.server.run("xrandr", arguments)
      #expect(outcome.status == .exited(0), "\(dice), \(arguments): \(outcome.err)")
    }
    if dice.roll(0...3) == 0 { try scene.daemon.sync() }
  }

  private func addPanes(_ daemon: TestDaemon) throws {
    // A pane that was added before waits for its output; it cannot be added while the output is not there. The look
    // must not depend on what the backdrop was before.
    for pane in Self.panes where pane[0] != "left" {
      try daemon.ask(["add"] + pane + ["--scheme", "dark"])
    }
    _ = try daemon.ctl(["add"] + Self.panes[2] + ["--scheme", "dark"])
    try daemon.sync()
  }

  private func removePanes(_ daemon: TestDaemon) throws {
    for pane in Self.panes { _ = try daemon.ctl("remove", pane[0]) }
    try daemon.sync()
  }

  /// Waits until the drawer and the fades rest.
  private func settle(_ daemon: TestDaemon) throws {
    try daemon.ask("drawer", "close", "drawer")
    #expect(try soon { try !daemon.ask("list", "--wide").contains("moving") })
    _ = try settled {
      try daemon.sync()
      return try daemon.ask("list", "--wide")
    }
  }

  /// Names and places of all panes but that on the left monitor, which a fresh daemon cannot add while it is not there.
  private func places(_ daemon: TestDaemon) throws -> [String] {
    try daemon.ask("list", "--wide").split(separator: "\n").dropFirst().map { line in
      line.split(separator: "  ", omittingEmptySubsequences: true).prefix(3).joined(separator: " ")
    }.filter { !$0.hasPrefix("left ") }
  }

  /// The numbers of what the daemon holds without panes.
  private func counts(_ scene: CaptureScene) throws -> [String: Int] {
    try scene.daemon.waitUntilAsleep()
    return try scene.heldCounts()
  }

  private func checkPlain(_ daemon: TestDaemon, on server: XServer) throws {
    let eye = try TestClient(server)
    let bare = try eye.screenshot()
    try daemon.ask(
      "add", "plain", "--plain", "--layer", "top", "--geometry", "\(Self.plain)", "--sigma", "9")
    try daemon.sync()
    let glass = bare.frosted(sigma: 9).cropped(to: Self.plain)
    let shown = try eye.screenshot().cropped(to: Self.plain)
    #expect(shown.difference(from: glass) == nil)
  }
}
