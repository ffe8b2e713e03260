import Glibc
import Raster
import TestDice
import TestSupport
import Testing

/// Glass over opaque windows, in place of their background, with and without a compositor.
@Suite(.serialized, .waiting) struct KeyedGlassTests {
  private static let background: UInt32 = 0x20_3048
  private static let compositors = [[]] + CaptureCompositorTests.compositors

  /// A scene, under a compositor if the command is not empty.
  private func scene(_ seed: UInt64, _ command: [String]) throws -> CaptureScene {
    let scene = try CaptureScene(seed: seed, width: 400, height: 300)
    if !command.isEmpty { try scene.startCompositor(command) }
    scene.hasShapes = command != ["xcompmgr"]
    return scene
  }

  private func makePaper(
    _ scene: CaptureScene, _ rect: Rect, class name: String = "paper"
  ) throws -> TestWindow {
    let window = try scene.client.makeWindow(rect, picture: somePage(scene))
    scene.client.setClass(name, name, of: window)
    try scene.client.sync()
    return window
  }

  /// The background with some pixels of other colours.
  private func somePage(_ scene: CaptureScene) -> Bitmap {
    var page = Bitmap(width: 61, height: 47, filledWith: 0xff00_0000 | Self.background)
    for i in page.pixels.indices where Int.random(in: 0..<5, using: &scene.random) == 0 {
      page.pixels[i] = 0xff00_0000 | UInt32(truncatingIfNeeded: scene.random.next())
    }
    return page
  }

  private func add(_ scene: CaptureScene) throws {
    try scene.daemon.ask(
      "behind", "add", "glass", "--class", "paper", "--style", "plain", "--sigma", "8",
      "--background", colorText, "--no-keep-pictures")
  }

  private var colorText: String { "#" + String(Self.background, radix: 16) }

  /// Checks every pixel of the screen: where windows are visible, the pixels of the formula with the glass of what is below them;
  /// the screen without glass elsewhere. `windows` are on top of the others, the lowest first; those in `keys` have glass, or all.
  private func check(
    _ scene: CaptureScene, _ windows: [TestWindow], keyed keys: Set<UInt32>? = nil,
    pane: String = "glass", asked: Region? = nil, _ when: String
  ) throws {
    // How long the compositor may take to paint.
    var delay = 0
    func settled() throws -> Bitmap {
      try scene.client.sync()
      try scene.daemon.sync()
      pause(.milliseconds(delay))
      return try scene.client.screenshot()
    }
    let problem = try scene.eventually { () -> String? in
      defer { delay = min(delay + 10, 500) }
      let shown = try settled()
      try scene.daemon.ask("hide", pane)
      let bare = try settled()
      for window in windows { window.unmap() }
      var wanted = try settled()
      for window in windows {
        let place = try window.screenBounds().intersection(wanted.bounds)
        let frosted = wanted.frosted(sigma: 8)
        window.map()
        let own = try settled()
        let corner = try window.screenBounds()
        for y in place.rows {
          for x in place.columns {
            let pixel = Rect(x: x - corner.x, y: y - corner.y, width: 1, height: 1)
            let isKeyed = keys?.contains(window.id) != false && asked?.contains(pixel) != false
            wanted[x, y] =
              isKeyed ? keyed(own[x, y], over: frosted[x, y], Self.background, 0.6) : own[x, y]
          }
        }
      }
      let mapped = try settled()
      try scene.daemon.ask("show", pane)
      let again = try settled()
      return mapped.difference(from: bare).map { "mapped again: \($0)" }
        ?? shown.difference(from: wanted, tolerance: 1)
        ?? again.difference(from: shown).map { "shown again: \($0)" }
    }
    let list = try scene.daemon.ask("behind", "list")
    #expect(problem == nil, "seed \(scene.seed), \(when):\n\(list)")
  }

  @Test(arguments: compositors)
  func followsItsWindowAndWhatIsBelow(command: [String]) throws {
    let scene = try scene(81, command)
    for _ in 0..<5 { try scene.makeWindow() }
    let window = try makePaper(scene, Rect(x: 90, y: 60, width: 200, height: 150))
    try add(scene)
    try check(scene, [window], "at first")
    for step in 1...8 {
      for _ in 0..<3 { try scene.act() }
      window.raise()
      switch step % 4 {
      case 0:
        let (x, y) = scene.somewhere()
        window.move(x: x, y: y)
      case 1:
        let (width, height) = scene.someSize()
        window.resize(width: width + 20, height: height + 20)
      case 2: window.setBackground(somePage(scene))
      default:
        window.draw(
          somePage(scene), x: Int.random(in: -20...100, using: &scene.random),
          y: Int.random(in: -20...100, using: &scene.random))
      }
      try check(scene, [window], "step \(step)")
    }
    window.unmap()
    try check(scene, [], "unmapped")
    window.map()
    try check(scene, [window], "mapped again")
    window.destroy()
    try check(scene, [], "destroyed")
  }

  /// The glass of a window shows the glass of one below it, and what is between them; so does a pane above all.
  @Test(arguments: compositors)
  func glassShowsTheGlassBelowIt(command: [String]) throws {
    let scene = try scene(87, command)
    for _ in 0..<3 { try scene.makeWindow() }
    let lower = try makePaper(scene, Rect(x: 40, y: 40, width: 220, height: 160))
    let between = try scene.client.makeWindow(
      Rect(x: 130, y: 20, width: 60, height: 240), picture: scene.somePicture(argb: false))
    let upper = try makePaper(scene, Rect(x: 110, y: 90, width: 230, height: 170))
    try add(scene)
    let all = [lower, between, upper]
    try check(scene, all, keyed: [lower.id, upper.id], "at first")
    for step in 1...6 {
      switch step % 3 {
      case 0: lower.setBackground(somePage(scene))
      case 1:
        lower.move(
          x: Int.random(in: 0...120, using: &scene.random),
          y: Int.random(in: 0...90, using: &scene.random))
      default: between.setBackground(scene.somePicture(argb: false))
      }
      try check(scene, all, keyed: [lower.id, upper.id], "step \(step)")
    }
    upper.lower()
    upper.stack(above: lower)
    try check(scene, [lower, upper, between], keyed: [lower.id, upper.id], "between on top")
    lower.destroy()
    try check(scene, [upper, between], keyed: [upper.id], "the lower one is gone")
  }

  /// An X server crashes when it redirects a window that is larger than any pixmap.
  @Test func windowThatIsTooLargeIsLeftAlone() throws {
    let scene = try scene(85, [])
    let window = try makePaper(scene, Rect(x: -50, y: 40, width: 33_000, height: 60))
    try add(scene)
    try check(scene, [], "too large")
    window.resize(width: 300, height: 60)
    try check(scene, [window], "smaller")
  }

  /// A frame whose client has glass over it is read through the socket while something is drawn in it all the time.
  @Test func pixelsOfFramesGoThroughTheSocket() throws {
    let server = try XServer(width: 400, height: 300, lacking: ["MIT-SHM"])
    let scene = try CaptureScene(seed: 86, on: server)
    // With an invalid file it shows a dialog.
    let configuration = "\(server.runtimeDirectory)/openbox.xml"
    try writeText("<openbox_config/>", to: configuration)
    let manager = try server.start("openbox", ["--config-file", configuration])
    defer { manager.terminate() }
    try scene.client.waitForWindowManager()
    // Something is drawn in it all the time.
    let terminal = try server.start(
      "xterm", ["-geometry", "50x18+30+30", "-e", "sh", "-c", "while :; do seq 400; done"])
    try scene.daemon.ask("behind", "add", "glass", "--class", "xterm")
    #expect(try soon { try scene.daemon.ask("behind", "list").contains("keyed") })
    // It sees the frame with the window in it.
    scene.panesAreOnTop = true
    try scene.add("above", Rect(x: 20, y: 20, width: 300, height: 250), sigma: 6)
    let captures = try scene.number("captures")
    #expect(try soon { try scene.number("captures") > captures + 60 })
    try terminal.stop()
    // Openbox removes the frame later.
    #expect(try soon { try scene.daemon.ask("behind", "list").contains("no such window") })
    try scene.checkEverything("at the end")
    #expect(!scene.daemon.log.contains("again"), "\(scene.daemon.log)")
  }

  /// The overlay leaves a window that still exists.
  @Test func glassGoesToAnotherWindow() throws {
    let scene = try scene(84, [])
    for _ in 0..<3 { try scene.makeWindow() }
    let first = try makePaper(scene, Rect(x: 20, y: 30, width: 150, height: 120))
    let second = try makePaper(scene, Rect(x: 200, y: 90, width: 160, height: 150), class: "card")
    try add(scene)
    try check(scene, [first], "at first")
    try scene.daemon.ask("set", "glass", "--class", "card")
    try check(scene, [second], "the second")
    try scene.daemon.ask("set", "glass", "--class", "paper")
    try check(scene, [first], "the first again")
  }

  /// A program asks for blur in a part of its window. xcompmgr does not follow the shapes of windows.
  @Test(arguments: compositors.filter { $0 != ["xcompmgr"] })
  func glassIsWhereAProgramAsksForIt(command: [String]) throws {
    let scene = try scene(90, command)
    for _ in 0..<3 { try scene.makeWindow() }
    let window = try makePaper(scene, Rect(x: 40, y: 40, width: 220, height: 170))
    let name = "_KDE_NET_WM_BLUR_BEHIND_REGION"
    window.setProperty(name, cardinals: [20, 30, 60, 50, 120, 10, 80, 90])
    try scene.client.sync()
    try scene.daemon.ask("behind", "requests", "on", "--style", "plain", "--sigma", "8")
    try scene.daemon.ask("set", "requests", "--background", colorText, "--no-keep-pictures")
    func expect(_ region: Region, _ when: String) throws {
      try check(scene, [window], pane: "requests", asked: region, when)
    }
    let asked = Region([
      Rect(x: 20, y: 30, width: 60, height: 50), Rect(x: 120, y: 10, width: 80, height: 90),
    ])
    try expect(asked, "a part")
    window.move(x: 70, y: 20)
    try expect(asked, "moved")
    window.resize(width: 150, height: 60)
    try expect(asked, "smaller")
    window.setProperty(name, cardinals: [0, 0, 40, 40])
    try expect(Region(Rect(x: 0, y: 0, width: 40, height: 40)), "another part")
    window.setProperty(name, cardinals: [])
    try expect(Region(Rect(x: 0, y: 0, width: 150, height: 60)), "all of it")
  }

  /// A lock screen that raises itself whenever it is covered would do so for ever.
  @Test func windowThatRaisesItselfStaysInFront() throws {
    let scene = try scene(88, [])
    for _ in 0..<3 { try scene.makeWindow() }
    let window = try makePaper(scene, Rect(x: 40, y: 40, width: 220, height: 170))
    let bare = try scene.client.screenshot()
    try add(scene)
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: bare) != nil)
    // It gives up after 20 raises within a second.
    let isInFront = try soon {
      for _ in 0..<40 {
        window.raise()
        try scene.client.sync()
        pause(.milliseconds(2))
      }
      try scene.daemon.sync()
      return try scene.client.screenshot().difference(from: bare) == nil
    }
    #expect(isInFront)
    window.unmap()
    window.map()
    window.raise()
    try check(scene, [window], "mapped again")
  }

  /// A window of the whole screen that no manager manages may be a lock screen, or a game.
  @Test func windowThatCoversTheScreenIsLeftAlone() throws {
    let scene = try scene(89, [])
    let window = try scene.client.makeWindow(
      scene.client.screen, picture: somePage(scene), overrideRedirect: true)
    scene.client.setClass("paper", "paper", of: window)
    try scene.client.sync()
    try add(scene)
    try check(scene, [], "it covers the screen")
    #expect(try scene.daemon.ask("behind", "list").contains("fills the screen"))
    window.resize(width: 200, height: 100)
    try check(scene, [window], "smaller")
  }

  /// The window is as it was before, at once.
  @Test func killedDaemonLeavesTheWindowWhole() throws {
    let scene = try scene(83, [])
    for _ in 0..<3 { try scene.makeWindow() }
    _ = try makePaper(scene, Rect(x: 40, y: 40, width: 220, height: 170))
    let bare = try scene.client.screenshot()
    try add(scene)
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: bare) != nil)
    scene.daemon.expectError(containing: "")
    scene.daemon.process.kill()
    #expect(scene.daemon.process.wait(for: .seconds(10)) == .signalled(SIGKILL))
    var fault: String?
    let isWhole = try soon {
      try scene.client.sync()
      fault = try scene.client.screenshot().difference(from: bare)
      return fault == nil
    }
    #expect(isWhole, "\(fault ?? "")")
  }
}

/// A pixel of a window with glass in place of its background, from the formula of `BackgroundKey`.
func keyed(_ own: UInt32, over glass: UInt32, _ background: UInt32, _ opacity: Double) -> UInt32 {
  func level(_ pixel: UInt32, _ shift: UInt32) -> Double { Double(pixel >> shift & 0xff) }
  let shifts: [UInt32] = [0, 8, 16]
  let alpha =
    shifts.map { shift in
      let (p, b) = (level(own, shift), level(background, shift))
      return abs(p - b) / max(128, p > b ? 255 - b : b)
    }.max() ?? 0
  return shifts.reduce(0xff00_0000) { pixel, shift in
    let difference = level(glass, shift) - level(background, shift)
    let value = level(own, shift) + (1 - alpha) * (1 - opacity) * difference
    return pixel | UInt32(min(255, max(0, value.rounded()))) << shift
  }
}
