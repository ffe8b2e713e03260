import Raster
import TestSupport
import Testing

/// Panes on monitors. Xvfb has one output, but RandR 1.5 divides its screen into any monitors.
@Suite(.serialized, .waiting) struct OutputTests {
  private static let left = Rect(x: 0, y: 0, width: 400, height: 400)
  private static let right = Rect(x: 400, y: 0, width: 240, height: 400)
  private let scene: CaptureScene

  init() throws {
    scene = try CaptureScene(seed: 140, width: 640, height: 400)
    for _ in 0..<5 { try scene.makeWindow() }
    try divide(into: [("left", Self.left), ("*right", Self.right)])
  }

  private func xrandr(_ arguments: String...) throws {
    let outcome = try scene.server.run("xrandr", arguments)
    #expect(outcome.status == .exited(0), "\(outcome.err)")
  }

  /// Makes monitors; a star marks the main one.
  private func divide(into monitors: [(name: String, rect: Rect)]) throws {
    for monitor in monitors {
      let rect = monitor.rect
      let output = monitor.name.hasSuffix("left") ? "screen" : "none"
      try xrandr(
        "--setmonitor", monitor.name,
        "\(rect.width)/50x\(rect.height)/75+\(rect.x)+\(rect.y)", output)
    }
    try scene.daemon.sync()
  }

  private func list() throws -> String {
    try scene.daemon.sync()
    return try scene.daemon.ask("list", "--wide")
  }

  /// The screen where a pane with sigma 9 is equals the offline glass of its output, whose edges mirror its pixels.
  private func checkGlass(at rect: Rect, on output: Rect, _ name: String) throws {
    try scene.daemon.sync()
    let shown = try scene.client.screenshot()
    try scene.daemon.ask("hide", name)
    try scene.daemon.sync()
    let bare = try scene.client.screenshot().cropped(to: output)
    try scene.daemon.ask("show", name)
    try scene.daemon.sync()
    let glass = bare.frosted(sigma: 9)
    let own = rect.translated(x: -output.x, y: -output.y)
    #expect(shown.cropped(to: rect).difference(from: glass.cropped(to: own)) == nil)
  }

  @Test func paneIsOnItsOutputAndMirrorsItsEdges() throws {
    try scene.daemon.ask(
      "add", "pane", "--plain", "--sigma", "9", "--output", "right", "--anchor", "left", "--size",
      "50%x100%", "--margin", "16 8 16 0")
    #expect(try list().contains("116x368+400+16 on right"))
    try checkGlass(
      at: Rect(x: 400, y: 16, width: 116, height: 368), on: Self.right, "pane")
    try scene.daemon.ask("set", "pane", "--output", "left")
    #expect(try list().contains("196x368+0+16 on left"))
    try checkGlass(at: Rect(x: 0, y: 16, width: 196, height: 368), on: Self.left, "pane")
    for _ in 0..<5 { try scene.act() }
    try checkGlass(at: Rect(x: 0, y: 16, width: 196, height: 368), on: Self.left, "pane")
  }

  @Test func paneWithASizeIsOnTheMainOutput() throws {
    try scene.daemon.ask("add", "pane", "--plain", "--size", "80x60")
    #expect(try list().contains("80x60+480+170 on right"))
    for name in ["left", "right"] { try xrandr("--delmonitor", name) }
    try divide(into: [("*left", Self.left), ("right", Self.right)])
    #expect(try list().contains("80x60+160+170 on left"))
  }

  @Test func paneOnAllOutputsFollowsThem() throws {
    try scene.daemon.ask(
      "add", "pane", "--plain", "--sigma", "9", "--output", "all", "--anchor", "bottom", "--size",
      "100%x64")
    let both = try list()
    #expect(both.contains("400x64+0+336 on left") && both.contains("240x64+400+336 on right"))
    try checkGlass(at: Rect(x: 0, y: 336, width: 400, height: 64), on: Self.left, "pane")
    try checkGlass(at: Rect(x: 400, y: 336, width: 240, height: 64), on: Self.right, "pane")
    try xrandr("--delmonitor", "right")
    #expect(try !list().contains("on right"))
    try divide(into: [("right", Self.right)])
    #expect(try list().contains("240x64+400+336 on right"))
    try scene.daemon.ask("remove", "pane")
    #expect(try list().hasPrefix("no panes"))
  }

  @Test func paneWaitsForItsOutput() throws {
    let bare = try scene.client.screenshot()
    try scene.daemon.ask("add", "pane", "--output", "right", "--size", "100x80")
    #expect(try list().contains("100x80+470+160 on right"))
    try xrandr("--delmonitor", "right")
    #expect(try list().contains("waits for right"))
    #expect(try scene.client.screenshot().difference(from: bare) == nil)
    let refused = try scene.daemon.ctl(
      ["snapshot", "pane", scene.server.runtimeDirectory + "/pane.png"])
    #expect(refused.err.contains("waits for output 'right', which is not there"))
    // It can be changed meanwhile.
    try scene.daemon.ask("set", "pane", "--size", "90x70")
    try divide(into: [("right", Self.right)])
    #expect(try list().contains("90x70+475+165 on right"))
    // Also for one that was never there.
    try scene.daemon.ask("add", "television", "--output", "HDMI-9", "--size", "9x9")
    #expect(try list().contains("waits for HDMI-9"))
  }

  @Test func paneAppearsWhereThePointerIs() throws {
    func movePointer(_ x: Int, _ y: Int) throws {
      _ = try scene.server.run("xdotool", ["mousemove", "\(x)", "\(y)"])
    }
    try movePointer(500, 100)
    try scene.daemon.ask("add", "pane", "--output", "pointer", "--size", "100x80")
    #expect(try list().contains("on right"))
    try movePointer(10, 10)
    #expect(try list().contains("on right"))
    try scene.daemon.ask("hide", "pane")
    try scene.daemon.ask("show", "pane")
    #expect(try list().contains("on left"))
    // Without it, its output is a monitor of its own, as large as the screen.
    try xrandr("--delmonitor", "left")
    #expect(try list().contains("100x80+270+160 on screen"))
  }

  /// Between monitors of different sizes the screen has a part that none shows.
  @Test func paneInAGapIsOnNoOutput() throws {
    func shortenRight(to height: Int) throws {
      try xrandr("--delmonitor", "right")
      try divide(into: [("right", Rect(x: 400, y: 0, width: 240, height: height))])
    }
    try shortenRight(to: 200)
    let outcome = try scene.daemon.ctl("add", "pane", "--geometry", "100x80+450+250")
    #expect(outcome.err.contains("no output shows where 'pane' is"), "\(outcome.err)")
    #expect(try list().contains("on no output"))
    try scene.daemon.ask("set", "pane", "--geometry", "100x80+450+150")
    #expect(try !list().contains("on no output"))
    try shortenRight(to: 100)
    #expect(try list().contains("on no output"))
  }

  @Test func closedDrawerIsNotOnNoOutput() throws {
    let outcome = try scene.daemon.ctl("add", "drawer", "--edge", "top", "--size", "100%x50")
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty, "\(outcome.err)")
    #expect(try !list().contains("on no output"))
  }

  @Test func workAreaFollowsPanels() throws {
    try scene.daemon.ask(
      "add", "pane", "--output", "right", "--workarea", "--anchor", "top", "--size", "100%x50")
    #expect(try list().contains("240x50+400+0 on right"))
    let panel = try scene.client.makeWindow(
      Rect(x: 400, y: 0, width: 240, height: 30),
      picture: .noise(width: 240, height: 30, seed: 1))
    scene.client.reserve([0, 0, 30, 0, 0, 0, 0, 0, 400, 639, 0, 0], for: panel)
    try scene.client.sync()
    #expect(try list().contains("240x50+400+30 on right"))
    #expect(try scene.daemon.ask("outputs").contains("240x370+400+30"))
    try scene.daemon.ask("set", "pane", "--no-workarea")
    #expect(try list().contains("240x50+400+0 on right"))
    try scene.daemon.ask("set", "pane", "--workarea")
    panel.destroy()
    try scene.client.sync()
    #expect(try list().contains("240x50+400+0 on right"))
  }

  /// A window manager's work area is one rectangle on all outputs, so it counts for a single one.
  @Test func publishedWorkAreaCountsForASingleOutput() throws {
    scene.client.publishWorkArea(Rect(x: 0, y: 20, width: 640, height: 360))
    try scene.client.sync()
    try scene.daemon.sync()
    #expect(try scene.daemon.ask("outputs").contains("240x400+400+0  240x400+400+0"))
    try xrandr("--delmonitor", "right")
    try xrandr("--delmonitor", "left")
    try scene.daemon.sync()
    #expect(try scene.daemon.ask("outputs").contains("640x400+0+0  640x360+0+20"))
  }

  @Test(arguments: [
    (["--size", "120%x9"], "size: 120%x9 is out of range"),
    (["--size", "9x9", "--anchor", "middle"], "anchor: cannot read 'middle'"),
    (
      ["--geometry", "9x9+0+0", "--margin", "3"], "margin: it has no meaning together with geometry"
    ),
    (
      ["--output", "right", "--geometry", "9x9+300+0"],
      "lies outside output 'right', which is 240x400"
    ),
    (["--output", "right", "--size", "50%x50%", "--corner", "200"], "corner"),
    ([], "geometry is missing; a new pane needs --geometry"),
    (["--size", "9x9@0x"], "size: cannot read '9x9@0x'"),
    (["--size", "9x9", "--units", "cm"], "units: cannot read 'cm'; it takes pixels or logical"),
    (["--size", "9x9", "--edge", "up"], "edge: cannot read 'up'"),
    (["--size", "9x9", "--edge", "top", "--anchor", "left"], "anchor: left is out of range"),
    (["--size", "9x9", "--edge", "top", "--elasticity", "nan"], "elasticity: nan is out of range"),
    (["--size", "9x9", "--edge", "top", "--elasticity", "1"], "elasticity: 1.0 is out of range"),
    (["--size", "9x9", "--edge", "top", "--peek", "-1"], "peek: -1.0 is out of range"),
    (["--size", "9x9", "--peek", "5"], "peek: it has no meaning without edge"),
    (["--geometry", "9x9+0+0", "--edge", "top"], "edge: it has no meaning together with geometry"),
    (
      ["--size", "9x9", "--edge", "top", "--drag-handle", "5x5+20+0"],
      "drag-handle: 5x5+20+0 is out of range; it takes a part of the pane, which is 9x9"
    ),
  ])
  func wrongPlaceIsNamed(arguments: [String], error: String) throws {
    let outcome = try scene.daemon.ctl(["add", "pane"] + arguments)
    #expect(outcome.status == .exited(64) && outcome.err.contains(error), "\(outcome.err)")
    #expect(try list().hasPrefix("no panes"))
  }

  @Test func onlyDrawersAreOpened() throws {
    func error(_ arguments: String...) throws -> String {
      let outcome = try scene.daemon.ctl(arguments)
      #expect(outcome.status == .exited(64))
      return outcome.err
    }
    #expect(try error("drawer", "open", "gone").contains("there is no pane named 'gone'"))
    try scene.daemon.ask("add", "pane", "--geometry", "90x90+0+0")
    #expect(try error("drawer", "toggle", "pane").contains("the pane 'pane' is no drawer"))
    try scene.daemon.ask("add", "shut", "--edge", "top", "--size", "90x90")
    let picture = scene.server.runtimeDirectory + "/shut.png"
    #expect(
      try error("snapshot", "shut", picture).contains("the drawer 'shut' is closed; open it first"))
  }
}
