import Raster
import TestSupport
import Testing

/// The window of a pane: its properties, its place and its input region.
@Suite(.serialized, .waiting) struct OverlayTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon
  private let below: TestWindow

  init() throws {
    server = try XServer(width: 640, height: 480)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 640, height: 480, seed: 1))
    below = try client.makeWindow(Rect(x: 50, y: 50, width: 300, height: 200), color: 0xff20_8040)
    try client.sync()
    daemon = try TestDaemon(on: server)
    try daemon.ask("add", "panel", "--plain", "--geometry", "200x150+100+80")
    try daemon.sync()
  }

  // MARK: Fading

  /// A fade has frames between its ends, and ends with the pixels of a pane without a fade.
  @Test func fadeEndsInThePlainState() throws {
    let rect = Rect(x: 100, y: 80, width: 200, height: 150)
    let plain = try client.screenshot(rect)
    try daemon.ask("hide", "panel")
    try daemon.sync()
    let bare = try client.screenshot(rect)
    #expect(bare != plain)
    try daemon.ask("show", "panel", "--fade", "2000")
    #expect(try eventually(rect) { $0 == plain })
    try daemon.ask("hide", "panel", "--fade", "2000")
    // Also frames near the end may have the pixels of the last one.
    #expect(try eventually(rect) { try $0 == bare && !isMapped() })
    try daemon.sync()
    #expect(try client.screenshot(rect) == bare)
  }

  /// Takes screenshots until one is right, for at most ten seconds. Returns whether one was, after more than
  /// three different ones.
  private func eventually(_ rect: Rect, _ isRight: (Bitmap) throws -> Bool) throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    var seen: [Bitmap] = []
    while ContinuousClock.now < deadline {
      let picture = try client.screenshot(rect)
      if try isRight(picture) { return seen.count > 3 }
      if seen.last != picture { seen.append(picture) }
    }
    return false
  }

  // MARK: Windows

  private func overlay(_ name: String = "panel") throws -> UInt32? {
    try server.overlay(of: name)
  }

  /// The highest window that is viewable.
  private func topmost() throws -> UInt32? {
    for line in try server.topLevelWindows()
    where try about(line.id).contains("Map State: IsViewable") {
      return line.id
    }
    return nil
  }

  private func about(_ window: UInt32) throws -> String {
    try server.run("xwininfo", ["-id", "\(window)", "-all"]).out
  }

  // MARK: Properties

  @Test func windowHasItsProperties() throws {
    let id = try #require(try overlay())
    let properties = try server.run("xprop", ["-id", "\(id)"]).out
    #expect(properties.contains(#"WM_CLASS(STRING) = "backdropd", "backdropd""#))
    #expect(properties.contains(#"WM_NAME(STRING) = "backdropd panel""#))
    #expect(properties.contains(#"_NET_WM_NAME(UTF8_STRING) = "backdropd panel""#))
    #expect(properties.contains("_NET_WM_WINDOW_TYPE(ATOM) = _NET_WM_WINDOW_TYPE_DOCK"))
    #expect(properties.contains("_NET_WM_PID(CARDINAL) = \(daemon.process.pid)\n"))
    #expect(try about(id).contains("Override Redirect State: yes"))
  }

  @Test func windowHasTheRequestedGeometry() throws {
    let id = try #require(try overlay())
    #expect(try about(id).contains("-geometry 200x150+100+80"))
    try daemon.ask("set", "panel", "--geometry", "120x90-0-0")
    try daemon.sync()
    #expect(try about(id).contains("Absolute upper-left X:  520"))
    #expect(try about(id).contains("Absolute upper-left Y:  390"))
    #expect(try about(id).contains("Width: 120"))
    try daemon.ask("set", "panel", "--geometry", "200x150+-50+400")
    try daemon.sync()
    #expect(try about(id).contains("-geometry 150x80+0-0"))
  }

  private func isMapped() throws -> Bool {
    guard let id = try overlay() else { return false }
    return try about(id).contains("Map State: IsViewable")
  }

  @Test func windowIsMappedWhileThePaneIsShown() throws {
    let shown = try client.screenshot()
    for (verb, isShown) in [
      ("hide", false), ("hide", false), ("show", true), ("toggle", false), ("toggle", true),
    ] {
      try daemon.ask(verb, "panel")
      try daemon.sync()
      #expect(try isMapped() == isShown, "after \(verb)")
      if isShown { #expect(try client.screenshot().difference(from: shown) == nil) }
    }
    try daemon.ask("remove", "panel")
    try daemon.sync()
    #expect(try overlay() == nil)
    #expect(try client.screenPixel(x: 150, y: 100) == 0xff20_8040)
  }

  // MARK: Stacking

  @Test func windowStaysAboveRaisedAndMappedWindows() throws {
    let id = try overlay()
    #expect(try topmost() == id)
    for _ in 0..<3 {
      below.raise()
      try client.sync()
      try daemon.sync()
      #expect(try topmost() == id)
    }
    let rect = Rect(x: 120, y: 100, width: 100, height: 60)
    let next = try client.makeWindow(rect, color: 0xffff_0000)
    try client.sync()
    try daemon.sync()
    #expect(try topmost() == id)
    next.unmap()
    next.map()
    try client.sync()
    try daemon.sync()
    #expect(try topmost() == id)
  }

  @Test func screenLockerStaysAboveThePane() throws {
    let locker = try client.makeWindow(
      client.screen, color: 0xff00_0000, overrideRedirect: true)
    try client.sync()
    try daemon.sync()
    #expect(try topmost() == locker.id)
    // The dialog of a locker is above it.
    let dialog = try client.makeWindow(
      Rect(x: 20, y: 20, width: 60, height: 40), color: 0xff00_0000, overrideRedirect: true)
    try client.sync()
    try daemon.sync()
    #expect(try topmost() == dialog.id)
    try daemon.ask("set", "panel", "--geometry", "100x100+0+0", "--sigma", "3")
    try daemon.sync()
    #expect(try client.screenshot().pixels.allSatisfy { $0 == 0xff00_0000 })
  }

  @Test func paneShownUnderALockerStaysHidden() throws {
    try daemon.ask("hide", "panel")
    let locker = try client.makeWindow(
      client.screen, color: 0xff00_0000, overrideRedirect: true)
    try client.sync()
    try daemon.ask("show", "panel")
    try daemon.ask("add", "late", "--plain", "--geometry", "100x100+0+0")
    try daemon.sync()
    #expect(try client.screenshot().pixels.allSatisfy { $0 == 0xff00_0000 })
    #expect(try topmost() == locker.id)
  }

  // MARK: Input

  @Test func windowNeverTakesTheFocus() throws {
    _ = try server.run("xdotool", ["windowfocus", "--sync", "\(below.id)"])
    let focus = try server.run("xdotool", ["getwindowfocus"]).out
    #expect(focus == "\(below.id)\n")
    try daemon.ask("add", "late", "--plain", "--geometry", "200x150+100+80", "--input", "grab")
    try daemon.sync()
    _ = try server.run("xdotool", ["mousemove", "150", "100", "click", "1"])
    try daemon.ask("hide", "panel")
    try daemon.ask("show", "panel")
    try daemon.sync()
    #expect(try server.run("xdotool", ["getwindowfocus"]).out == focus)
  }

  @Test func inputRegionFollowsTheSetting() throws {
    let listener = try server.start("xev", ["-id", "\(below.id)", "-event", "button"])
    func clicks() -> Int {
      listener.out.split(separator: "\n").count { $0.hasPrefix("ButtonPress") }
    }
    func click() throws {
      _ = try server.run("xdotool", ["mousemove", "150", "100", "click", "1"])
    }
    /// Whether the listener receives all clicks so far.
    func hears(_ count: Int) -> Bool { soon { clicks() >= count } && clicks() == count }
    // The listener receives nothing until it has started.
    let isListening = try soon {
      try click()
      return clicks() > 0
    }
    #expect(isListening)
    // The last one that it receives.
    _ = try server.run("xdotool", ["click", "3"])
    #expect(soon { listener.out.contains("button 3") })
    let heard = clicks()
    try #require(heard > 0)

    try click()
    #expect(hears(heard + 1))
    try daemon.ask("set", "panel", "--input", "grab")
    try daemon.sync()
    try click()
    try daemon.ask("set", "panel", "--input", "pass")
    try daemon.sync()
    // Events arrive in order: a click that was not grabbed would arrive before this one.
    try click()
    #expect(hears(heard + 2))
    // The input region stays empty when the pane is moved and resized.
    try daemon.ask("set", "panel", "--geometry", "210x160+90+70")
    try daemon.sync()
    try click()
    #expect(hears(heard + 3))
    try daemon.ask("add", "hand", "--plain", "--geometry", "40x40+130+80", "--input", "grab")
    try daemon.sync()
    try click()
    try daemon.ask("remove", "hand")
    try daemon.sync()
    try click()
    #expect(hears(heard + 4))
    // Corners and shadows are outside the input region: only the first of these clicks is grabbed.
    let hand = ["--input", "grab", "--corner", "40", "--shadow", "outer-view"]
    try daemon.ask(["add", "hand", "--plain", "--geometry", "90x90+110+80"] + hand)
    try daemon.sync()
    try click()
    try daemon.ask("set", "hand", "--geometry", "90x90+148+98")
    try daemon.sync()
    try click()
    #expect(hears(heard + 5))
    try daemon.ask("set", "hand", "--geometry", "90x90+155+90")
    try daemon.sync()
    try click()
    #expect(hears(heard + 6))
  }
}
