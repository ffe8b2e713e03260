import Raster
import TestSupport
import Testing

/// Panes that show the panes below them.
@Suite(.serialized, .waiting) struct PanesOnPanesTests {
  private static let glass = ["--sigma", "9", "--scheme", "dark", "--corner", "20"]

  /// The screen equals the offline rendering over a screenshot that shows the lower panes, while windows and the lower
  /// panes change.
  @Test(arguments: [0, 1] as [UInt64])
  func liveEqualsOfflineRendering(seed: UInt64) throws {
    let scene = try CaptureScene(seed: 130 + seed, width: 400, height: 300)
    for _ in 0..<5 { try scene.makeWindow() }
    try scene.daemon.ask(["add", "one"] + scene.someLook())
    try scene.daemon.ask(["add", "two", "--sees", "panes"] + scene.someLook())
    let options = ["--geometry", "240x180+70+60"] + Self.glass
    try scene.daemon.ask(["add", "pane", "--sees", "panes"] + options)
    for step in 0...6 {
      try scene.checkPainted(options, "step \(step)")
      let changed = scene.chance(1, in: 2) ? "one" : "two"
      try scene.daemon.ask(["set", changed] + scene.someLook())
      if step == 3 { try scene.daemon.ask("hide", "two") }
      if step == 5 { try scene.daemon.ask("show", "two") }
      for _ in 0..<2 { try scene.act() }
    }
  }

  /// A compositor blends the shadow and the corners of the lower pane, which differs by a level from the daemon.
  @Test func liveEqualsOfflineRenderingWithACompositor() throws {
    let scene = try CaptureScene(seed: 132, width: 400, height: 300)
    for _ in 0..<5 { try scene.makeWindow() }
    try scene.startCompositor(["xcompmgr", "-n"])
    let lower = ["--geometry", "180x160+20+40", "--shadow", "0,8 40 #000000C0"]
    try scene.daemon.ask(["add", "lower"] + Self.glass + lower)
    let options = ["--geometry", "240x180+70+60"] + Self.glass
    try scene.daemon.ask(["add", "pane", "--sees", "panes"] + options)
    for step in 0...2 {
      try scene.checkPaintedEventually(options, "step \(step)")
      try scene.act()
    }
  }

  /// The backdrop of a pane that shows panes contains them.
  @Test func backdropContainsThePanesBelow() throws {
    let scene = try CaptureScene(seed: 133, width: 400, height: 300)
    for _ in 0..<5 { try scene.makeWindow() }
    try scene.daemon.ask(["add", "lower", "--geometry", "150x120+40+30"] + Self.glass)
    let rect = Rect(x: 88, y: 64, width: 240, height: 180)
    let place = ["--plain", "--geometry", "240x180+88+64"]
    try scene.daemon.ask(["add", "pane", "--sees", "panes"] + place)
    try scene.checkScreen("pane", at: rect, sigma: 20, "shown")
  }

  /// Only what is below another pane differs.
  @Test func paneWithoutOthersBelowShowsWindows() throws {
    let scene = try CaptureScene(seed: 134, width: 400, height: 300)
    for _ in 0..<5 { try scene.makeWindow() }
    try scene.daemon.ask(["add", "pane", "--geometry", "240x180+70+60"] + Self.glass)
    try scene.daemon.ask(["add", "higher", "--geometry", "100x80+10+10"] + Self.glass)
    try scene.client.sync()
    try scene.daemon.sync()
    let windows = try scene.client.screenshot()
    try scene.daemon.ask("set", "pane", "--sees", "panes")
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: windows) == nil)
  }
}

extension CaptureScene {
  /// Options of a pane: a random place and look, with a small blur so that what is below can be seen in it.
  fileprivate func someLook() -> [String] {
    let (width, height) = (random.roll(80...200), random.roll(60...160))
    let (x, y) = (random.roll(-30...250), random.roll(-30...180))
    return [
      "--geometry", "\(width)x\(height)+\(x)+\(y)", "--scheme",
      ["light", "dark"][random.roll(0...1)],
      "--sigma", "\(random.roll(0...12))", "--corner", "\(random.roll(0...30))", "--label",
      "label \(random.roll(0...9))", "--vibrancy", "none",
    ]
  }
}
