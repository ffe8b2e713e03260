import Raster
import TestSupport
import Testing

/// Windows that are destroyed at any moment, servers without extensions, screens that are resized.
@Suite(.serialized, .waiting) struct CaptureTroubleTests {
  @Test(.enabled(if: !Sanitizer.isActive)) func shortLivedWindowsCauseNoError() throws {
    let scene = try CaptureScene(seed: 41, width: 400, height: 300)
    for _ in 0..<4 { try scene.makeWindow() }
    try scene.add("pane", Rect(x: 50, y: 50, width: 300, height: 200))
    try storm(scene, count: 2500)
    try scene.daemon.sync()
    let before = try scene.daemon.process.usage().residentByteCount
    let count = 10_000
    try storm(scene, count: count)
    try scene.daemon.sync()
    let growth = try scene.daemon.process.usage().residentByteCount - before
    #expect(growth < 2 << 20, "\(growth) bytes after \(count) windows")
    try scene.checkEverything("after \(count) windows")
    #expect(!scene.daemon.log.lowercased().contains("error"), "\(scene.daemon.log)")
    #expect(scene.daemon.process.wait(for: .zero) == nil)
  }

  /// Creates, maps, draws, moves and destroys windows as fast as possible.
  private func storm(_ scene: CaptureScene, count: Int) throws {
    let dot = Bitmap.noise(width: 8, height: 8, seed: 1)
    for _ in 0..<count / 50 {
      for i in 0..<50 {
        let (x, y) = scene.somewhere()
        let window = try scene.client.makeWindow(
          Rect(x: x, y: y, width: 60, height: 60), picture: dot, argb: i % 7 == 0,
          shape: i % 11 == 0 ? [Rect(x: 3, y: 3, width: 30, height: 30)] : nil)
        if i % 2 == 0 { window.draw(dot, x: 9, y: 9) }
        if i % 3 == 0 { window.resize(width: 20, height: 90) }
        if i % 5 == 0 { window.lower() }
        // Some exist until the daemon may have started to capture them.
        if i % 10 == 0 { try scene.client.sync() }
        window.destroy()
      }
      try scene.client.sync()
    }
  }

  /// The pixels of a capture that is in progress are discarded when no pane is shown. The windows are not to blame
  /// for that.
  @Test(arguments: [true, false])
  func paneHiddenDuringACaptureShowsAllWindowsAfterwards(isShared: Bool) throws {
    let server = try XServer(width: 900, height: 700, lacking: isShared ? [] : ["MIT-SHM"])
    let scene = try CaptureScene(seed: 47, on: server)
    for _ in 0..<6 { try scene.makeWindow() }
    try scene.add("pane", Rect(x: 20, y: 20, width: 850, height: 650))
    let control = try ControlConnection(server)
    for round in 0..<10 {
      // One request in each iteration of the loop: a capture has begun when the pane is hidden.
      for verb in ["show", "hide", "show", "hide", "show"] {
        control.send(#"{"request":"\#(verb)","name":"pane"}"#)
      }
      for _ in 0..<5 { #expect(control.reply() == done) }
      try scene.daemon.sync()
      #expect(try scene.number("leftOutWindows") == 0, "round \(round)")
    }
    try scene.checkEverything("at the end")
  }

  @Test func pixelsGoThroughTheSocketWithoutTheExtension() throws {
    let server = try XServer(width: 640, height: 480, lacking: ["MIT-SHM"])
    let scene = try CaptureScene(seed: 42, on: server)
    for _ in 0..<8 { try scene.makeWindow() }
    try scene.add("pane", Rect(x: 60, y: 50, width: 500, height: 400))
    try scene.add("edge", Rect(x: 0, y: 0, width: 50, height: 480))
    for step in 1...4 {
      for _ in 0..<6 { try scene.act() }
      try scene.checkEverything("step \(step)")
    }
    #expect(scene.daemon.log.split(separator: "MIT-SHM").count == 2, "\(scene.daemon.log)")
  }

  /// The kernel refuses memory of more than `limit` bytes, which is enough for no store, or for the pixels of the
  /// small pane alone. The first is less than what the daemon tries each half second after a refusal. A pane has a
  /// second buffer if a frame was drawn before the server had read the first one.
  @Test(arguments: [(limit: 2048, sizes: []), (limit: 40_000, sizes: [36_864])])
  func sharedMemoryIsUsedAsFarAsItIsAvailable(limit: Int, sizes: [Int]) throws {
    let scene = try CaptureScene(seed: 45)
    try scene.daemon.limitFileSize(to: limit)
    for _ in 0..<8 { try scene.makeWindow() }
    try scene.add("large", Rect(x: 60, y: 50, width: 400, height: 300))
    try scene.add("small", Rect(x: 500, y: 380, width: 100, height: 90))
    for _ in 0..<6 { try scene.act() }
    try scene.client.sync()
    try scene.daemon.sync()
    let shown = try scene.client.screenshot()
    #expect(try !scene.sharesMemory())
    let used = try scene.server.sharedMemory()
    #expect(used.count <= 2 && Swift.Set(used) == Swift.Set(sizes), "\(used)")
    let lines = scene.daemon.log.split(separator: "\n").filter { $0.contains("shared memory") }
    #expect(lines.count == 1, "\(scene.daemon.log)")
    #expect(
      lines.first?.hasSuffix("(File too large); pixels go through the socket, slower") == true)
    try scene.setShown(false)
    try scene.daemon.limitFileSize(to: nil)
    try scene.setShown(true)
    #expect(try scene.client.screenshot().difference(from: shown) == nil)
    for _ in 0..<6 { try scene.act() }
    try scene.checkEverything("enough memory")
    #expect(try scene.sharesMemory())
    #expect(try scene.server.sharedMemory().count >= 3)
  }

  /// The server would allocate 4 GB for the pixels of the largest window.
  @Test func hugeWindowIsLeftOut() throws {
    let scene = try CaptureScene(seed: 47)
    try scene.add("pane", Rect(x: 60, y: 50, width: 400, height: 300))
    let before = try scene.server.process.usage().residentByteCount
    let huge = try scene.client.makeWindow(
      Rect(x: -500, y: -500, width: 32767, height: 32767), color: 0xFF20_8040)
    try scene.client.sync()
    try scene.daemon.sync()
    #expect(try scene.number("redirectedWindows") == 0)
    #expect(try scene.number("leftOutWindows") == 1)
    #expect(try scene.daemon.ask("status").contains("1 left out"))
    #expect(try scene.server.process.usage().residentByteCount - before < 64 << 20)
    huge.resize(width: 1000, height: 1000)
    try scene.client.sync()
    try scene.daemon.sync()
    #expect(try scene.number("leftOutWindows") == 0)
    try scene.checkEverything("an ordinary window")
  }

  @Test func panesFollowTheSizeOfTheScreen() throws {
    let scene = try CaptureScene(
      seed: 43, on: XServer(width: 640, height: 480), ["--fresh", "--rotation-fade", "0"])
    for _ in 0..<8 { try scene.makeWindow() }
    try scene.daemon.ask("add", "pane", "--plain", "--geometry", "200x150-20-10", "--sigma", "9")
    for size in [(480, 360), (320, 400)] {
      _ = try scene.server.run("xrandr", ["--output", "screen", "--off"])
      let outcome = try scene.server.run("xrandr", ["--fb", "\(size.0)x\(size.1)"])
      #expect(outcome.status == .exited(0), "\(outcome.err)")
      try scene.daemon.sync()
      let eye = try TestClient(scene.server)
      #expect(eye.screen == Rect(x: 0, y: 0, width: size.0, height: size.1))
      let rect = Rect(x: size.0 - 220, y: size.1 - 160, width: 200, height: 150)
      #expect(try eye.screenshot(rect).difference(from: scene.snapshot("pane")) == nil)
      let backdrop = try scene.snapshot("pane", isBackdrop: true)
      try scene.daemon.ask("hide", "pane")
      try scene.daemon.sync()
      #expect(backdrop.difference(from: try eye.screenshot(rect)) == nil, "\(size)")
      try scene.daemon.ask("show", "pane")
      try scene.daemon.sync()
    }
  }

  @Test func managedWindowsAreCapturedWithTheirFrames() throws {
    let scene = try CaptureScene(seed: 44, width: 640, height: 480)
    let manager = try scene.server.start("openbox", ["--config-file", "/dev/null"])
    defer { manager.kill() }
    try scene.client.waitForWindowManager()
    try scene.add("pane", Rect(x: 60, y: 50, width: 500, height: 350), sigma: 4)
    let clock = try scene.server.start("xclock", ["-geometry", "150x150+80+80"])
    let terminal = try scene.server.start(
      "xterm", ["-geometry", "40x10+200+120", "-e", "sh", "-c", "seq 30; exec sleep 1000"])
    defer { for child in [clock, terminal] { child.kill() } }
    for name in ["XClock", "XTerm"] {
      let found = try scene.server.run(
        "xdotool", ["search", "--sync", "--onlyvisible", "--class", name])
      #expect(found.status == .exited(0), "\(name): \(found.err)")
    }
    try scene.checkEventually("at first")
    let window = try scene.client.makeWindow(
      Rect(x: 300, y: 200, width: 120, height: 90), picture: scene.somePicture(argb: false),
      overrideRedirect: false)
    try window.waitUntilMapped()
    for (name, x, y) in [("XTerm", "20", "30"), ("XClock", "400", "300"), ("XTerm", "300", "100")] {
      let moved = try scene.server.run(
        "xdotool", ["search", "--onlyvisible", "--class", name, "windowmove", x, y, "windowraise"])
      #expect(moved.status == .exited(0), "\(moved.err)")
      try scene.checkEventually("\(name) at \(x),\(y)")
    }
    // Three frames, and an unmapped window such as a menu; not the clients in the frames.
    let redirected = try scene.number("redirectedWindows")
    #expect((3...4).contains(redirected))
  }
}

extension CaptureScene {
  func sharesMemory() throws -> Bool {
    try status().filter { !$0.isWhitespace }.contains("\"sharedMemory\":true")
  }
}
