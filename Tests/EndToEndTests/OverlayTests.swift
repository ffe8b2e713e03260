import Raster
import TestSupport
import Testing

/// The window of a pane: what it says of itself, where it is, and what it lets through.
@Suite(.serialized) struct OverlayTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: Daemon
  private let below: TestWindow

  init() throws {
    server = try XServer(width: 640, height: 480)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 640, height: 480, seed: 1))
    below = try client.makeWindow(Rect(x: 50, y: 50, width: 300, height: 200), color: 0xff20_8040)
    try client.sync()
    daemon = try Daemon(on: server)
    try daemon.ask("add", "panel", "--geometry", "200x150+100+80")
    try daemon.sync()
  }

  // MARK: Fading

  /// It comes and goes in many frames, and is in the end what it is without a fade.
  @Test func aPaneThatFadesIsWhatItIsInTheEnd() throws {
    let rect = Rect(x: 100, y: 80, width: 200, height: 150)
    let plain = try client.screenshot(rect)
    try daemon.ask("hide", "panel")
    try daemon.sync()
    let bare = try client.screenshot(rect)
    #expect(bare != plain)
    try daemon.ask("show", "panel", "--fade", "600")
    #expect(try eventually(rect) { $0 == plain })
    try daemon.ask("hide", "panel", "--fade", "600")
    #expect(try eventually(rect) { $0 == bare })
    try daemon.sync()
    #expect(try client.screenshot(rect) == bare)
  }

  /// Looks at a part of the screen until it is as it should be, ten seconds at most; and sees it in
  /// between, as something else than either end.
  private func eventually(_ rect: Rect, _ isRight: (Bitmap) -> Bool) throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    var seen: [Bitmap] = []
    while ContinuousClock.now < deadline {
      let picture = try client.screenshot(rect)
      if isRight(picture) { return seen.count > 3 }
      if seen.last != picture { seen.append(picture) }
    }
    return false
  }

  // MARK: Looking

  private struct Line {
    let id: UInt32
    let text: Substring
  }

  /// All top-level windows, the highest first.
  private func stack() throws -> [Line] {
    try server.run("xwininfo", ["-root", "-children"]).out.split(separator: "\n").compactMap {
      let text = $0.drop { $0 == " " }
      guard text.hasPrefix("0x"), let word = text.split(separator: " ").first,
        let id = UInt32(word.dropFirst(2), radix: 16)
      else { return nil }
      return Line(id: id, text: text)
    }
  }

  private func overlay(_ name: String = "panel") throws -> UInt32? {
    try stack().first { $0.text.contains("\"backdropd \(name)\"") }?.id
  }

  /// The highest of those that can be seen.
  private func topmost() throws -> UInt32? {
    for line in try stack() where try about(line.id).contains("Map State: IsViewable") {
      return line.id
    }
    return nil
  }

  private func about(_ window: UInt32) throws -> String {
    try server.run("xwininfo", ["-id", "\(window)", "-all"]).out
  }

  // MARK: What it is

  @Test func itSaysWhatItIs() throws {
    let id = try #require(try overlay())
    let properties = try server.run("xprop", ["-id", "\(id)"]).out
    #expect(properties.contains(#"WM_CLASS(STRING) = "backdropd", "backdropd""#))
    #expect(properties.contains(#"WM_NAME(STRING) = "backdropd panel""#))
    #expect(properties.contains(#"_NET_WM_NAME(UTF8_STRING) = "backdropd panel""#))
    #expect(properties.contains("_NET_WM_WINDOW_TYPE(ATOM) = _NET_WM_WINDOW_TYPE_DOCK"))
    #expect(properties.contains("_NET_WM_PID(CARDINAL) = \(daemon.process.pid)\n"))
    #expect(try about(id).contains("Override Redirect State: yes"))
  }

  @Test func itIsWhereItWasAskedFor() throws {
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

  @Test func itComesAndGoesAsAsked() throws {
    let id = try #require(try overlay())
    let shown = try client.screenshot()
    for (verb, isShown) in [
      ("hide", false), ("hide", false), ("show", true), ("toggle", false), ("toggle", true),
    ] {
      try daemon.ask(verb, "panel")
      try daemon.sync()
      #expect(
        try about(id).contains("Map State: IsViewable") == isShown, "after \(verb)")
      if isShown { #expect(try client.screenshot().difference(from: shown) == nil) }
    }
    try daemon.ask("remove", "panel")
    try daemon.sync()
    #expect(try overlay() == nil)
    #expect(try client.screenPixel(x: 150, y: 100) == 0xff20_8040)
  }

  // MARK: Above everything

  @Test func itStaysAboveWindowsThatAreRaisedAndMapped() throws {
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

  @Test func aScreenLockerStaysAboveIt() throws {
    let locker = try client.makeWindow(client.screen, color: 0xff00_0000)
    try client.sync()
    try daemon.sync()
    #expect(try topmost() == locker.id)
    // Its own dialogs lie above it.
    let dialog = try client.makeWindow(
      Rect(x: 20, y: 20, width: 60, height: 40), color: 0xff00_0000)
    try client.sync()
    try daemon.sync()
    #expect(try topmost() == dialog.id)
    try daemon.ask("set", "panel", "--geometry", "100x100+0+0", "--sigma", "3")
    try daemon.sync()
    #expect(try client.screenshot().pixels.allSatisfy { $0 == 0xff00_0000 })
  }

  @Test func aPaneThatIsShownUnderALockerHidesNothingOfIt() throws {
    try daemon.ask("hide", "panel")
    let locker = try client.makeWindow(client.screen, color: 0xff00_0000)
    try client.sync()
    try daemon.ask("show", "panel")
    try daemon.ask("add", "late", "--geometry", "100x100+0+0")
    try daemon.sync()
    #expect(try client.screenshot().pixels.allSatisfy { $0 == 0xff00_0000 })
    #expect(try topmost() == locker.id)
  }

  // MARK: Input

  @Test func itNeverTakesTheFocus() throws {
    _ = try server.run("xdotool", ["windowfocus", "--sync", "\(below.id)"])
    let focus = try server.run("xdotool", ["getwindowfocus"]).out
    #expect(focus == "\(below.id)\n")
    try daemon.ask("add", "late", "--geometry", "200x150+100+80", "--input", "grab")
    try daemon.sync()
    _ = try server.run("xdotool", ["mousemove", "150", "100", "click", "1"])
    try daemon.ask("hide", "panel")
    try daemon.ask("show", "panel")
    try daemon.sync()
    #expect(try server.run("xdotool", ["getwindowfocus"]).out == focus)
  }

  @Test func clicksPassOrAreGrabbedAsAsked() throws {
    let listener = try server.start("xev", ["-id", "\(below.id)", "-event", "button"])
    func clicks() -> Int {
      listener.out.split(separator: "\n").count { $0.hasPrefix("ButtonPress") }
    }
    func click() throws {
      _ = try server.run("xdotool", ["mousemove", "150", "100", "click", "1"])
    }
    /// Whether what was clicked so far is heard.
    func hears(_ count: Int) -> Bool {
      for _ in 0..<500 where clicks() < count { letPass(milliseconds: 10) }
      return clicks() == count
    }
    // The listener hears nothing until it has got ready.
    for _ in 0..<200 where clicks() == 0 {
      try click()
      letPass(milliseconds: 20)
    }
    letPass(milliseconds: 100)
    let heard = clicks()
    try #require(heard > 0)

    try click()
    #expect(hears(heard + 1))
    try daemon.ask("set", "panel", "--input", "grab")
    try daemon.sync()
    try click()
    try daemon.ask("set", "panel", "--input", "pass")
    try daemon.sync()
    // Were the click of before heard, it would have been heard by now.
    try click()
    #expect(hears(heard + 2))
    // A pane that moves and one that is resized let clicks through as before.
    try daemon.ask("set", "panel", "--geometry", "210x160+90+70")
    try daemon.sync()
    try click()
    #expect(hears(heard + 3))
    try daemon.ask("add", "hand", "--geometry", "40x40+130+80", "--input", "grab")
    try daemon.sync()
    try click()
    try daemon.ask("remove", "hand")
    try daemon.sync()
    try click()
    #expect(hears(heard + 4))
    // What is cut off at a corner lets them through, and so does a shadow: the first of these is grabbed.
    let hand = ["--input", "grab", "--corner", "40", "--shadow", "outer-view"]
    try daemon.ask(["add", "hand", "--geometry", "90x90+110+80"] + hand)
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
