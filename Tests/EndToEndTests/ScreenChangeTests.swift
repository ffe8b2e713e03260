import Raster
import TestDice
import TestSupport
import Testing

/// Random changes of the size and the rotation of the screen, single ones and bursts. Afterwards the panes of the
/// daemon equal those of a daemon that was started then.
@Suite(.serialized, .waiting) struct ScreenChangeTests {
  /// Placed relative to several edges, some of them outside of small screens.
  private static let panes = [
    ["a", "--geometry", "300x200-20-10", "--sigma", "9"],
    ["b", "--geometry", "200x150+50+40", "--corner", "20", "--shadow", "outer-view"],
    ["c", "--geometry", "250x180-150-120", "--sigma", "5"],
    ["d", "--geometry", "160x120+300+220", "--sigma", "12"],
  ]

  private func startDaemon(on server: XServer) throws -> TestDaemon {
    let daemon = try TestDaemon(on: server, ["--fresh", "--rotation-fade", "0"])
    for pane in Self.panes { try daemon.ask(["add"] + pane) }
    try daemon.sync()
    return daemon
  }

  /// Calls `change` between one and `burst` times for each of `count` daemons.
  private func check(
    _ server: XServer, seed: UInt64, count: Int, burst: Int,
    change: (inout Dice) throws -> [String]
  ) throws {
    var dice = Dice(seed: seed)
    let client = try TestClient(server)
    client.setWallpaper(.noise(width: server.width, height: server.height, seed: seed))
    for i in 0..<8 {
      let size = (dice.roll(60...400), dice.roll(60...300))
      let rect = Rect(
        x: dice.roll(-40...300), y: dice.roll(-40...250), width: size.0, height: size.1)
      _ = try client.makeWindow(
        rect, picture: .noise(width: size.0, height: size.1, seed: seed + UInt64(i)))
    }
    try client.sync()
    for trial in 0..<count {
      var daemon = try startDaemon(on: server)
      for _ in 0..<dice.roll(1...burst) {
        let arguments = try change(&dice)
        let outcome = try server.run("xrandr", arguments)
        #expect(outcome.status == .exited(0), "\(dice), \(arguments): \(outcome.err)")
      }
      try daemon.sync()
      let (list, shown) = (try daemon.ask("list", "--wide"), try TestClient(server).screenshot())
      try daemon.stop()
      daemon = try startDaemon(on: server)
      #expect(
        try places(in: daemon.ask("list", "--wide")) == places(in: list), "\(dice), trial \(trial)")
      let difference = try TestClient(server).screenshot().difference(from: shown)
      #expect(difference == nil, "\(dice), trial \(trial)")
      try daemon.stop()
    }
  }

  /// The first columns of `list`: names and rectangles.
  private func places(in list: String) -> [[Substring]] {
    list.split(separator: "\n").map { Array($0.split(separator: " ").prefix(3)) }
  }

  private static let sizes = [(640, 480), (500, 400), (360, 420), (600, 300), (420, 480)]

  @Test(arguments: [1, 5]) func panesFollowSizesOfXvfb(burst: Int) throws {
    let server = try XServer(width: 640, height: 480)
    _ = try server.run("xrandr", ["--output", "screen", "--off"])
    try check(server, seed: 71, count: Effort.rounds(5), burst: burst) { dice in
      let size = Self.sizes[dice.roll(0...4)]
      return ["--fb", "\(size.0)x\(size.1)"]
    }
  }

  /// Windows change while parts of them are outside of the screen, with and without panes.
  @Test func windowsChangeWhileTheScreenIsSmall() throws {
    let server = try XServer(width: 640, height: 480)
    _ = try server.run("xrandr", ["--output", "screen", "--off"])
    let scene = try CaptureScene(seed: 74, on: server)
    scene.panesAreOnTop = true
    for _ in 0..<6 { try scene.makeWindow() }
    func resize(_ size: (Int, Int)) throws {
      let outcome = try server.run("xrandr", ["--fb", "\(size.0)x\(size.1)"])
      #expect(outcome.status == .exited(0), "\(outcome.err)")
    }
    for round in 1...Effort.rounds(12) {
      if scene.chance(1, in: 2) {
        try scene.add("small", Rect(x: 10, y: 20, width: 280, height: 250), sigma: 8)
      }
      for _ in 0..<scene.random.roll(1...3) {
        try resize(Self.sizes[scene.random.roll(0...4)])
        for _ in 0..<scene.random.roll(0...8) { try scene.act() }
        try scene.client.sync()
      }
      try resize(Self.sizes[0])
      try scene.removePanes()
      try scene.add("left", Rect(x: 20, y: 30, width: 300, height: 300))
      try scene.add("right", Rect(x: 340, y: 10, width: 250, height: 400), sigma: 5)
      try scene.checkEverything("round \(round)")
      try scene.removePanes()
    }
  }

  @Test(arguments: [1, 5]) func panesFollowRotationsOfXephyr(burst: Int) throws {
    let server = try XServer(
      .nested(in: XServer(width: 800, height: 800)), width: 640, height: 480)
    try check(server, seed: 72, count: Effort.rounds(5), burst: burst) { dice in
      ["-o", ["normal", "left", "inverted", "right"][dice.roll(0...3)]]
    }
  }

  @Test(arguments: [1, 5]) func panesFollowSizesOfXtigervnc(burst: Int) throws {
    let server = try XServer(.vnc, width: 640, height: 480)
    try check(server, seed: 73, count: Effort.rounds(5), burst: burst) { dice in
      let size = [(800, 600), (1024, 768), (640, 480), (1280, 720)][dice.roll(0...3)]
      return ["--output", "VNC-0", "--mode", "\(size.0)x\(size.1)"]
    }
  }
}
