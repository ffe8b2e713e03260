import Glibc
import Raster
import TestDice
import TestSupport
import Testing

/// The daemon on Wayland compositors.
@Suite(.serialized, .waiting) struct WaylandDaemonTests {
  private static let wallpaper = Bitmap.noise(width: 480, height: 320, seed: 8)
  private static let pane = Rect(x: 90, y: 60, width: 260, height: 180)

  /// Adds a plain pane with sigma 9.
  private func add(_ name: String, at rect: Rect, _ daemon: TestDaemon) throws {
    try daemon.ask("add", name, "--plain", "--sigma", "9", "--geometry", "\(rect)")
  }

  /// A pixel in each tile of 64x64 pixels is a mark, which differs by up to 3 levels.
  private func expectGlass(
    _ shown: Bitmap, _ wanted: Bitmap, tolerance: Int = 3,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      shown.difference(from: wanted, tolerance: tolerance) == nil, sourceLocation: sourceLocation)
  }

  @Test(arguments: Compositor.tested + [.phoc])
  func paneIsShownAndGoesWithoutATrace(compositor: Compositor) throws {
    let server = try WaylandServer(compositor, wallpaper: Self.wallpaper)
    let daemon = try TestDaemon(on: server)
    try add("pane", at: Self.pane, daemon)
    try daemon.sync()
    let shown = try server.screenshot()
    expectGlass(
      shown.cropped(to: Self.pane), Self.wallpaper.frosted(sigma: 9).cropped(to: Self.pane))
    #expect(try daemon.ask("outputs").contains("480x320+0+0"))
    try daemon.ask("remove", "pane")
    try daemon.sync()
    // phoc 0.24 does not draw the screen again where a surface was.
    if compositor != .phoc {
      #expect(try server.screenshot().difference(from: Self.wallpaper) == nil)
    }
    #expect(try daemon.stop() == .exited(0))
    #expect(!server.hasSocket)
  }

  /// Glass on glass shows what is below both, whatever the order of their surfaces is for the compositor.
  @Test(arguments: Compositor.tested)
  func upperPaneHidesTheLowerOne(compositor: Compositor) throws {
    let server = try WaylandServer(compositor, wallpaper: Self.wallpaper)
    let daemon = try TestDaemon(on: server)
    let upper = Rect(x: 200, y: 150, width: 220, height: 120)
    try add("lower", at: Self.pane, daemon)
    try add("upper", at: upper, daemon)
    try daemon.sync()
    let wanted = Self.wallpaper.frosted(sigma: 9)
    for round in 0..<3 {
      let shown = try server.screenshot()
      for rect in round == 1 ? [Self.pane] : [Self.pane, upper] {
        expectGlass(shown.cropped(to: rect), wanted.cropped(to: rect))
      }
      try daemon.ask(round == 0 ? ["hide", "upper"] : ["show", "upper"])
      try daemon.sync()
    }
  }

  @Test(arguments: Compositor.refused)
  func compositorWithoutAProtocolIsRefused(compositor: Compositor) throws {
    let server = try WaylandServer(compositor, wallpaper: Self.wallpaper)
    let outcome = try server.run(ProgramPaths.backdropd, [])
    #expect(outcome.status == .exited(69))
    #expect(outcome.err.contains("zwlr_layer_shell_v1"), "\(outcome.err)")
    #expect(!server.hasSocket)
    try CompatibilityResult.refused("zwlr_layer_shell_v1").record(of: compositor)
  }

  @Test(
    .enabled(if: !Compositor.untried.isEmpty, "needs the folders of `make compat`"),
    arguments: Compositor.untried)
  func compositorThatNeedsAGPUDoesNotStart(compositor: Compositor) throws {
    #expect(throws: TestFailure.self) {
      _ = try WaylandServer(compositor, wallpaper: Self.wallpaper)
    }
    try CompatibilityResult.untried.record(of: compositor)
  }

  /// The X server of a session is served if its compositor cannot show glass.
  @Test func xServerIsServedIfTheCompositorCannotBe() throws {
    let server = try XServer(width: 400, height: 300)
    let daemon = try TestDaemon(on: server, environment: ["WAYLAND_DISPLAY": "wayland-7"])
    #expect(daemon.log.contains("cannot connect to Wayland display wayland-7"))
    #expect(daemon.log.contains("trying display \(server.display)"))
    #expect(try daemon.ask("status").contains("400x300"))
    let other = try server.run(
      ProgramPaths.backdropd, ["--server", "wayland", "--display", "wayland-7"])
    #expect(other.status == .exited(69))
    let wrong = try server.run(ProgramPaths.backdropd, ["--server", "wayland", "--display", ":7"])
    #expect(wrong.status == .exited(64) && wrong.err.contains("contradicts --server wayland"))
  }

  @Test(arguments: Compositor.tested)
  func panesReturnWithTheCompositor(compositor: Compositor) throws {
    let server = try WaylandServer(compositor, wallpaper: Self.wallpaper)
    let daemon = try TestDaemon(on: server)
    try add("pane", at: Self.pane, daemon)
    try daemon.sync()
    let shown = try server.screenshot()
    for round in 0..<3 {
      if round == 1 { try server.stop() } else { server.process.kill() }
      _ = server.process.wait(for: .seconds(10))
      #expect(try daemon.ctl("sync").status != .exited(0) || round == 2)
      try server.startAgain()
      #expect(soon { (try? daemon.status().contains(#""connected":true"#)) == true })
      // The wallpaper comes some time after the compositor.
      #expect(
        try soon {
          try daemon.sync()
          return try server.screenshot().difference(from: shown, tolerance: 5) == nil
        })
    }
  }

  /// Outputs get other modes, are switched off and on, and unplugged and plugged in where a compositor can do that.
  @Test(arguments: Compositor.tested)
  func panesFollowTheirOutputs(compositor: Compositor) throws {
    let server = try WaylandServer(compositor, wallpaper: Self.wallpaper, outputCount: 2)
    let daemon = try TestDaemon(on: server)
    try daemon.ask(
      "add", "pane", "--plain", "--sigma", "9", "--output", "all", "--anchor", "center", "--size",
      "200x100")
    try daemon.sync()
    let place = Rect(x: 140, y: 110, width: 200, height: 100)
    let wanted = Self.wallpaper.frosted(sigma: 9).cropped(to: place)
    // The wallpaper follows some time after the output.
    func isShown(at xs: [Int]) throws -> Bool {
      try daemon.sync()
      let shown = try server.screenshot()
      return shown.width == 480 * xs.count
        && xs.allSatisfy {
          shown.cropped(to: place.translated(x: $0, y: 0))
            .difference(from: wanted, tolerance: 5) == nil
        }
    }
    func expectOutputs(_ isRight: (String) -> Bool) {
      #expect(soon { (try? daemon.ask("outputs")).map(isRight) == true })
    }
    #expect(try isShown(at: [0, 480]))
    let mode = ["--pos", "480,0", "--custom-mode"]
    try server.setOutput(mode + ["600x400"], number: 2)
    expectOutputs { $0.contains("600x400+480+0") }
    try server.setOutput(mode + ["480x320"], number: 2)
    #expect(try soon { try isShown(at: [0, 480]) })
    if !compositor.switchesOutputs { return }
    try server.setOutput(["--off"], number: 2)
    expectOutputs { !$0.contains("+480+0") }
    #expect(try soon { try isShown(at: [0]) })
    try server.switchOn(number: 2)
    #expect(try soon { try isShown(at: [0, 480]) })
    if !compositor.canUnplug { return }
    try server.tellSway(["output", "HEADLESS-2", "unplug"])
    expectOutputs { !$0.contains("+480+0") }
    #expect(try soon { try isShown(at: [0]) })
    try server.tellSway(["create_output"])
    try server.setOutput(mode + ["480x320"], number: 3)
    #expect(try soon { try isShown(at: [0, 480]) })
  }

  /// Random changes of modes, scales, rotations and positions end with the picture that a new daemon shows.
  @Test func outputsChangedAtRandomShowWhatANewDaemonShows() throws {
    let server = try WaylandServer(wallpaper: Self.wallpaper, outputCount: 2)
    var dice = Dice(seed: 20)
    // An automatic scheme depends on what was behind the pane before.
    let arguments = [
      ["add", "center", "--output", "all", "--anchor", "center", "--size", "40%x50%"],
      ["add", "corner", "--output", "HEADLESS-1", "--anchor", "bottom-right", "--size", "90x60"],
    ].map { $0 + ["--scheme", "dark"] }
    var daemon = try TestDaemon(on: server)
    for one in arguments { try daemon.ask(one) }
    for round in 0..<5 {
      // Several changes in one message come as fast as the compositor can make them.
      for _ in 0..<10 {
        let changes = (0..<10).map { _ in dice.outputChange().joined(separator: " ") }
        try server.tellSway([changes.joined(separator: "; ")])
      }
      // Both are found in a picture of the whole layout only if they do not overlap.
      try server.tellSway(["output", "HEADLESS-1", "position", "0", "0"])
      try server.tellSway(["output", "HEADLESS-2", "position", "1000", "0"])
      let old = try settledScreenshots(server, daemon)
      try daemon.stop()
      daemon = try TestDaemon(on: server)
      for one in arguments { try daemon.ask(one) }
      let new = try settledScreenshots(server, daemon)
      for (old, new) in zip(old, new) {
        #expect(old.difference(from: new, tolerance: 5) == nil, "round \(round)")
      }
    }
  }

  /// Pictures of both outputs when they do not change any more: the wallpaper follows an output some time later.
  private func settledScreenshots(
    _ server: WaylandServer, _ daemon: TestDaemon
  ) throws -> [Bitmap] {
    try settled(for: .milliseconds(500)) {
      try daemon.sync()
      return try ["HEADLESS-1", "HEADLESS-2"].map { try server.screenshot(of: $0) }
    }
  }

  /// The number of captures that the daemon has requested since its start, with WAYLAND_DEBUG.
  private func captureCount(_ daemon: TestDaemon) -> Int {
    daemon.process.err.split(separator: "\n").count { $0.contains(".capture_output") }
  }

  /// One configuration may be that of a session on an X server, too.
  @Test func configurationMayHaveGlassBehindWindows() throws {
    let server = try WaylandServer(.sway, wallpaper: Self.wallpaper)
    let file = server.runtimeDirectory + "/both.conf"
    let text = """
      panes = (
        { name = "terminals"; class = "kitty"; }, # on the X server
        { name = "pane"; geometry = "\(Self.pane)"; style = "plain"; sigma = 9; } );

      """
    try writeText(text, to: file)
    let daemon = try TestDaemon(on: server, ["--config", file])
    let told = "glass of 'terminals' is not shown: the display does not tell of windows"
    daemon.expectError(containing: told)
    try daemon.sync()
    expectGlass(
      try server.screenshot().cropped(to: Self.pane),
      Self.wallpaper.frosted(sigma: 9).cropped(to: Self.pane))
    #expect(soon { daemon.log.contains(told) })
    for command in ["list", "status"] {
      let outcome = try daemon.ctl(command)
      #expect(outcome.status == .exited(0) && outcome.err.contains(told), "\(outcome)")
    }
    try daemon.ask("config", "save")
    #expect(try readText(file) == text)
    let added = try daemon.ctl("behind", "add", "menus", "--class", "Menu")
    #expect(added.status == .exited(69) && added.err.contains("needs an X server"))
  }

  /// A fullscreen window hides the panes of all layers but the top one.
  @Test(arguments: Compositor.tested)
  func coveredPanesCaptureNothing(compositor: Compositor) throws {
    let server = try WaylandServer(compositor, wallpaper: Self.wallpaper)
    let daemon = try TestDaemon(on: server, environment: ["WAYLAND_DEBUG": "1"])
    daemon.expectError(containing: "")
    try add("pane", at: Self.pane, daemon)
    try daemon.sync()
    let shown = try server.screenshot()
    // It prints for as long as it runs.
    let window = try server.start(
      "foot", ["--fullscreen", "sh", "-c", "while sleep .02; do date +%N; done"])
    #expect(try soon { try server.screenshot().difference(from: shown) != nil })
    /// The number of captures in some time.
    func captures(within time: Duration) -> Int {
      let before = captureCount(daemon)
      pause(time)
      return captureCount(daemon) - before
    }
    // phoc says that covered surfaces are visible, so a capture looks five times a second.
    let isPhoc = compositor.kind == .phoc
    // Until it is known that the window covers the pane.
    #expect(soon { captures(within: .milliseconds(500)) <= (isPhoc ? 3 : 0) })
    let count = captures(within: .seconds(2))
    #expect(count <= (isPhoc ? 11 : 1), "\(count)")
    try window.stop()
    // A mark may differ by 4 levels from an earlier one, and glass by one.
    #expect(try soon { try server.screenshot().difference(from: shown, tolerance: 5) == nil })
  }
}

extension Dice {
  /// A command of sway that changes one of two outputs.
  fileprivate mutating func outputChange() -> [String] {
    let turns = ["normal", "90", "180", "270", "flipped", "flipped-90"]
    let scales = ["1", "1.25", "1.5", "2"]
    let output = "HEADLESS-\(roll(1...2))"
    let change =
      switch roll(0...3) {
      case 0: ["resolution", "\(roll(200...500))x\(roll(200...400))"]
      case 1: ["scale", scales[roll(0...scales.count - 1)]]
      case 2: ["transform", turns[roll(0...turns.count - 1)]]
      default: ["position", "\(roll(0...700))", "\(roll(0...300))"]
      }
    return ["output", output] + change
  }
}
