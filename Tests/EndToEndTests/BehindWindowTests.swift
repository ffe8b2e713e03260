import Raster
import TestDice
import TestSupport
import Testing

/// Glass right beneath windows of other clients, under real compositors.
@Suite(.serialized, .waiting) struct BehindWindowTests {
  private static let compositors = CaptureCompositorTests.compositors

  /// A scene under a compositor.
  private func scene(_ seed: UInt64, _ command: [String]) throws -> CaptureScene {
    let scene = try CaptureScene(seed: seed, width: 400, height: 300)
    try scene.startCompositor(command)
    scene.hasShapes = command != ["xcompmgr"]
    return scene
  }

  /// Nothing of a window without alpha and colour is seen, so the screen shows the glass itself.
  private func makeClear(_ scene: CaptureScene, _ rect: Rect) throws -> TestWindow {
    let window = try scene.client.makeWindow(rect, color: 0, argb: true)
    scene.client.setClass("kitty", "Kitty", of: window)
    try scene.client.sync()
    return window
  }

  /// Checks every pixel of the screen: the glass of what is below in `glass`, the screen without it elsewhere.
  private func check(_ scene: CaptureScene, _ glass: Region, _ when: String) throws {
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
      try scene.daemon.ask("hide", "glass")
      let bare = try settled()
      try scene.daemon.ask("show", "glass")
      var wanted = bare
      let frosted = bare.frosted(sigma: 8)
      for rect in glass.intersection(bare.bounds).rects {
        for y in rect.rows { for x in rect.columns { wanted[x, y] = frosted[x, y] } }
      }
      // The dither of a pane starts at its corner.
      return try settled().difference(from: wanted, tolerance: 1)
    }
    let list = try scene.daemon.ask("behind", "list")
    #expect(problem == nil, "seed \(scene.seed), \(when):\n\(list)")
  }

  @Test(arguments: compositors)
  func glassFollowsItsWindow(command: [String]) throws {
    let scene = try scene(61, command)
    for _ in 0..<5 { try scene.makeWindow() }
    var place = Rect(x: 90, y: 60, width: 200, height: 150)
    let window = try makeClear(scene, place)
    try scene.daemon.ask(
      "behind", "add", "glass", "--class", "kitty", "--style", "plain", "--sigma", "8")
    try check(scene, Region(place), "at first")
    for step in 1...8 {
      for _ in 0..<3 { try scene.act() }
      window.raise()
      if step % 2 == 0 {
        let (x, y) = scene.somewhere()
        window.move(x: x, y: y)
        place = Rect(x: x, y: y, width: place.width, height: place.height)
      } else {
        let (width, height) = scene.someSize()
        window.resize(width: width, height: height)
        place = Rect(x: place.x, y: place.y, width: width, height: height)
      }
      try check(scene, Region(place), "step \(step)")
    }
    window.unmap()
    try check(scene, Region(), "unmapped")
    window.map()
    window.raise()
    try check(scene, Region(place), "mapped again")
    window.destroy()
    try check(scene, Region(), "destroyed")
  }

  @Test(arguments: compositors)
  func requestsAreFulfilled(command: [String]) throws {
    let scene = try scene(62, command)
    for _ in 0..<5 { try scene.makeWindow() }
    let place = Rect(x: 70, y: 50, width: 240, height: 180)
    let window = try makeClear(scene, place)
    try scene.daemon.ask(
      "behind", "add", "glass", "--requests", "--style", "plain", "--sigma", "8")
    try check(scene, Region(), "without a request")
    let name = "_KDE_NET_WM_BLUR_BEHIND_REGION"
    #expect(scene.client.hasProperty(name, on: scene.client.rootWindow))
    window.setProperty(name, cardinals: [10, 20, 60, 70, 100, 90, 900, 50])
    let list = Region([
      Rect(x: 80, y: 70, width: 60, height: 70), Rect(x: 170, y: 140, width: 140, height: 50),
    ])
    try check(scene, list, "a list")
    window.setProperty(name, cardinals: [0])
    try check(scene, Region(place), "the whole window")
    window.setProperty("_GTK_FRAME_EXTENTS", cardinals: [10, 12, 14, 16])
    let inner = Rect(x: 80, y: 64, width: 218, height: 150)
    try check(scene, Region(inner), "without the shadow of the client")
    window.deleteProperty(name)
    try check(scene, Region(), "withdrawn")
    try scene.daemon.ask("remove", "glass")
    try scene.daemon.sync()
    #expect(!scene.client.hasProperty(name, on: scene.client.rootWindow))
  }

  /// A window above the target is above the glass, too.
  @Test func glassIsBelowHigherWindows() throws {
    let scene = try scene(63, ["xcompmgr"])
    let window = try makeClear(scene, Rect(x: 50, y: 50, width: 200, height: 200))
    try scene.daemon.ask(
      "behind", "add", "glass", "--class", "Kitty", "--style", "plain", "--sigma", "8")
    try scene.daemon.sync()
    let other = try scene.client.makeWindow(
      Rect(x: 100, y: 100, width: 60, height: 60), color: 0xFF12_3456)
    func color() throws -> String? {
      try scene.client.sync()
      let pixel = try scene.client.screenPixel(x: 120, y: 120)
      return pixel == 0xFF12_3456 ? nil : String(pixel, radix: 16)
    }
    #expect(try scene.eventually(color) == nil)
    window.raise()
    #expect(try scene.eventually { try color() == nil ? "above" : nil } == nil)
    other.raise()
    #expect(try scene.eventually(color) == nil)
    let overlay = try scene.server.overlay(of: "glass")
    let order = try scene.server.topLevelWindows().map(\.id)
    let index = try #require(order.firstIndex(of: window.id))
    #expect(order[index + 1] == overlay)
  }

  /// A pane that only has the name of the one for requests stays.
  @Test func otherPaneIsNotTakenForTheOneForRequests() throws {
    let scene = try scene(66, ["xcompmgr"])
    try scene.daemon.ask("add", "requests", "--geometry", "100x80+10+10")
    for state in ["on", "off"] {
      let outcome = try scene.daemon.ctl(["behind", "requests", state])
      #expect(outcome.status == .exited(64) && outcome.err.contains("not one for requests"))
    }
    #expect(try scene.daemon.ask("list").contains("100x80+10+10"))
  }

  /// A window that is hidden and shown again has its glass again.
  @Test func shownWindowsAreKnownFromBefore() throws {
    let scene = try scene(67, ["xcompmgr"])
    let place = Rect(x: 50, y: 50, width: 120, height: 90)
    let window = try makeClear(scene, place)
    try scene.daemon.ask(
      "behind", "add", "glass", "--class", "kitty", "--style", "plain", "--sigma", "8")
    for _ in 0..<20 {
      window.unmap()
      window.map()
    }
    try check(scene, Region(place), "after a storm")
    window.unmap()
    scene.client.setClass("other", "Other", of: window)
    window.map()
    try check(scene, Region(), "another class meanwhile")
  }

  /// Window managers with tabs move clients from frame to frame.
  @Test func glassFollowsAClientFromFrameToFrame() throws {
    let scene = try scene(68, ["xcompmgr"])
    for _ in 0..<5 { try scene.makeWindow() }
    let places = [
      Rect(x: 20, y: 30, width: 150, height: 120), Rect(x: 200, y: 110, width: 160, height: 130),
    ]
    let frames = try places.map { place in
      try scene.client.makeWindow(place, color: 0, argb: true, overrideRedirect: true)
    }
    let start = Rect(x: 100, y: 90, width: 120, height: 100)
    let window = try makeClear(scene, start)
    window.setProperty("WM_STATE", cardinals: [1, 0])
    try scene.daemon.ask(
      "behind", "add", "glass", "--class", "kitty", "--style", "plain", "--sigma", "8")
    try check(scene, Region(start), "without a frame")
    for index in [0, 1, 0, 1] {
      window.reparent(into: frames[index])
      try check(scene, Region(places[index]), "in frame \(index)")
    }
    frames[0].destroy()
    window.reparent(into: scene.client.rootWindow)
    try check(scene, Region(Rect(x: 0, y: 0, width: 120, height: 100)), "at the root")
    window.reparent(into: frames[1])
    try check(scene, Region(places[1]), "in a frame again")
    window.destroy()
    try check(scene, Region(), "destroyed")
  }

  /// The frames of marco have invisible edges at which they are resized. `_NET_FRAME_EXTENTS` tells what is visible.
  @Test func glassIsBehindTheVisiblePartOfAFrame() throws {
    let scene = try scene(69, ["xcompmgr"])
    for _ in 0..<5 { try scene.makeWindow() }
    let place = Rect(x: 60, y: 50, width: 200, height: 150)
    let frame = try scene.client.makeWindow(place, color: 0, argb: true, overrideRedirect: true)
    let window = try makeClear(scene, Rect(x: 0, y: 0, width: 170, height: 110))
    window.setProperty("WM_STATE", cardinals: [1, 0])
    window.reparent(into: frame)
    window.move(x: 13, y: 32)
    try scene.daemon.ask(
      "behind", "add", "glass", "--class", "kitty", "--style", "plain", "--sigma", "8")
    try check(scene, Region(place), "extents that are not known")
    window.setProperty("_NET_FRAME_EXTENTS", cardinals: [3, 4, 22, 5])
    let visible = Rect(x: 70, y: 60, width: 177, height: 137)
    try check(scene, Region(visible), "left, right, top, bottom")
    window.setProperty("_NET_FRAME_EXTENTS", cardinals: [30, 40, 50, 60])
    try check(scene, Region(place), "more than the frame")
    window.setProperty("_NET_FRAME_EXTENTS", cardinals: [0, 0, 0, 0])
    try check(scene, Region(Rect(x: 73, y: 82, width: 170, height: 110)), "none")
  }

  /// A window that fades in or out, by itself or in the frame of a window manager, takes its glass along.
  @Test(arguments: compositors) func glassFadesWithItsWindow(command: [String]) throws {
    let scene = try scene(71, command)
    let place = Rect(x: 90, y: 60, width: 200, height: 150)
    let window = try makeClear(scene, place)
    try scene.daemon.ask(
      "behind", "add", "glass", "--class", "kitty", "--style", "plain", "--sigma", "8")
    try check(scene, Region(place), "at first")
    let shown = try scene.client.screenshot()
    try scene.daemon.ask("hide", "glass")
    try scene.daemon.sync()
    var bare = shown
    // The compositor paints later.
    #expect(
      try soon {
        bare = try scene.client.screenshot()
        return bare != shown
      })
    try scene.daemon.ask("show", "glass")
    let glass = bare.frosted(sigma: 8)
    /// `step` is called before each look at the screen.
    func expect(_ opacity: UInt32, _ when: String, step: () -> Void = {}) throws {
      let problem = try scene.eventually { () -> String? in
        step()
        try scene.client.sync()
        try scene.daemon.sync()
        let wanted = bare.mixed(
          with: glass, in: place, weight: Double(opacity) / Double(UInt32.max))
        return try scene.client.screenshot().difference(
          from: wanted, tolerance: opacity == 0 ? 0 : 3)
      }
      #expect(problem == nil, "\(when), opacity \(opacity)")
    }
    let name = "_NET_WM_WINDOW_OPACITY"
    for opacity in [0x8000_0000, 0x1000_0000, 0xC000_0000] as [UInt32] {
      var next = opacity
      try expect(opacity, "while the window fades") {
        window.setProperty(name, cardinals: [next])
        next ^= 1
      }
    }
    try expect(.max, "behind a window that stays translucent")
    window.setProperty(name, cardinals: [0])
    try expect(0, "of a clear window")
    window.deleteProperty(name)
    try expect(.max, "deleted")
    let frame = try scene.client.makeWindow(place, color: 0, argb: true, overrideRedirect: true)
    window.setProperty("WM_STATE", cardinals: [1, 0])
    window.reparent(into: frame)
    window.move(x: 0, y: 0)
    frame.setProperty(name, cardinals: [0])
    try expect(0, "of a clear frame")
    frame.setProperty(name, cardinals: [0x6000_0000])
    try expect(.max, "of a frame that stays translucent")
  }

  /// Glass that an opaque window hides is not drawn.
  @Test func opaqueWindowsHaveNoGlass() throws {
    let scene = try scene(64, ["xcompmgr"])
    let window = try scene.client.makeWindow(
      Rect(x: 50, y: 50, width: 200, height: 200), color: 0xFF20_2020)
    scene.client.setClass("kitty", "Kitty", of: window)
    try scene.client.sync()
    try scene.daemon.ask(
      "behind", "add", "glass", "--class", "kitty", "--style", "plain", "--background", "none")
    try scene.daemon.sync()
    #expect(try scene.server.overlay(of: "glass") == nil)
    #expect(try scene.daemon.ask("behind", "list").contains("opaque"))
    try expectHints(scene, ["window is opaque", "background_opacity"])
    window.setProperty("_NET_WM_WINDOW_OPACITY", cardinals: [0xB000_0000])
    try scene.client.sync()
    try scene.daemon.sync()
    #expect(try scene.server.overlay(of: "glass") != nil)
    #expect(try scene.daemon.ask("behind", "list").contains("shown"))
    try expectHints(scene, [])
    try scene.stopCompositor()
    try expectHints(scene, ["no compositor blends windows", "picom --backend xrender"])
  }

  /// The advice for an opaque window of an unknown program is a command that helps.
  @Test func adviceForAnOpaqueWindowHelps() throws {
    let scene = try scene(71, ["xcompmgr"])
    let window = try scene.client.makeWindow(
      Rect(x: 50, y: 50, width: 200, height: 200), color: 0xFF20_2020)
    scene.client.setClass("foo", "Foo", of: window)
    try scene.client.sync()
    let added = try scene.daemon.ctl(
      "behind", "add", "glass", "--class", "foo", "--background", "none")
    let advice = try #require(added.err.split(separator: "set an opacity: ").last)
    let outcome = try scene.server.run("sh", ["-c", String(advice)])
    #expect(outcome.status == .exited(0), "\(outcome.err)")
    try scene.daemon.sync()
    #expect(try scene.daemon.ask("behind", "list").contains("shown"))
  }

  /// A program may ask for alpha and paint opaque: only its pixels tell this.
  @Test(arguments: compositors) func windowThatPaintsOpaqueIsTold(command: [String]) throws {
    let scene = try scene(69, command)
    // The screen has a part of 100x100 of it.
    let window = try scene.client.makeWindow(
      Rect(x: 300, y: 200, width: 200, height: 200), color: 0xFF20_2020, argb: true)
    scene.client.setClass("kitty", "Kitty", of: window)
    try scene.client.sync()
    // A compositor owns its selection before it redirects windows.
    let problem = try scene.eventually {
      let report = try scene.daemon.ask("doctor")
      return report.contains("blends windows with alpha") ? nil : report
    }
    #expect(problem == nil)
    try scene.daemon.sync()
    let advice = "not shown: the window is opaque; set background_opacity"
    let added = try scene.daemon.ctl(
      "behind", "add", "glass", "--class", "kitty", "--background", "none")
    #expect(added.status == .exited(0) && added.err.contains(advice), "\(added.err)")
    #expect(try scene.daemon.ask("behind", "list").contains("the window is opaque"))
    let first = try hints(scene)
    #expect(first[0].contains(advice) && first[1].contains("window is opaque -> set"), "\(first)")
    func expectHints(_ isOpaque: Bool) throws {
      try scene.client.sync()
      let problem = try scene.eventually {
        let hints = try hints(scene)
        return hints.allSatisfy { $0.contains("window is opaque") == isOpaque } ? nil : "\(hints)"
      }
      #expect(problem == nil)
    }
    let stripe = Rect(x: 0, y: 90, width: 200, height: 20)
    window.draw(Bitmap(width: 200, height: 20, filledWith: 0x8000_0000), x: 0, y: stripe.y)
    try expectHints(false)
    window.draw(Bitmap(width: 200, height: 20, filledWith: 0xFFFF_FFFF), x: 0, y: stripe.y)
    try expectHints(true)
    window.setProperty("_NET_WM_WINDOW_OPACITY", cardinals: [0xB000_0000])
    try expectHints(false)
  }

  /// The glass of a terminal is over it until the user makes its background translucent.
  @Test(arguments: compositors) func glassGoesBeneathAWindowThatBecomesTranslucent(
    command: [String]
  ) throws {
    let scene = try scene(72, command)
    let window = try scene.client.makeWindow(
      Rect(x: 50, y: 50, width: 200, height: 150), color: 0xFF20_2020, argb: true)
    scene.client.setClass("kitty", "Kitty", of: window)
    try scene.client.sync()
    #expect(try scene.eventually { try scene.hasCompositor() ? nil : "no compositor" } == nil)
    try scene.daemon.ask("behind", "add", "glass", "--class", "kitty")
    func expect(_ glass: String) throws {
      try scene.client.sync()
      let problem = try scene.eventually {
        let list = try scene.daemon.ask("behind", "list")
        return list.contains(glass) ? nil : list
      }
      #expect(problem == nil, "\(glass)")
    }
    for _ in 0..<2 {
      try expect("keyed, background #202020, 100 %")
      window.draw(Bitmap(width: 200, height: 150, filledWith: 0x8010_1010))
      try expect("shown")
      window.draw(Bitmap(width: 200, height: 150, filledWith: 0xFF20_2020))
    }
  }

  @Test func costlySearchInATitleIsTold() throws {
    let scene = try scene(70, ["xcompmgr"])
    let window = try scene.client.makeWindow(
      Rect(x: 50, y: 50, width: 100, height: 100), color: 0x4020_2020, argb: true)
    scene.client.setTitle(String(repeating: "a", count: 1000), of: window)
    try scene.client.sync()
    let finding = "a search in the title takes too many steps"
    let costly = "(.*)(.*)(.*)\\3\\2\\1[yz]"
    let added = try scene.daemon.ctl("behind", "add", "glass", "--title", costly)
    #expect(added.status == .exited(0) && added.err.contains(finding), "\(added.err)")
    #expect(added.err.split(separator: finding).count == 2, "in one line: \(added.err)")
    #expect(try scene.eventually { scene.daemon.log.contains(finding) ? nil : "nothing" } == nil)
    for command in ["list", "status"] {
      #expect(try scene.daemon.ctl(command).err.contains("\(finding); use a simpler expression"))
    }
    let number = "0x\(String(window.id, radix: 16))"
    let list = try scene.daemon.ctl("behind", "list")
    #expect(list.out.split(separator: "\n").count == 2 && list.err.contains(finding), "\(list)")
    #expect(list.out.contains(number) && list.out.contains(finding), "\(list.out)")
    let match = try scene.daemon.ctl("behind", "match", "--title", costly)
    #expect(match.out.contains("no window fulfils the conditions"), "\(match.out)")
    #expect(match.err.contains("too many steps in the title of \(number)"), "\(match.err)")
    let all = try scene.daemon.ask("behind", "match")
    #expect(all.split(separator: number).count == 2, "the window is listed once: \(all)")
    for length in 900..<903 {
      scene.client.setTitle(String(repeating: "a", count: length), of: window)
      try scene.client.sync()
      try scene.daemon.sync()
    }
    #expect(scene.daemon.log.split(separator: finding).count == 2, "once, not for each title")
    scene.client.setTitle("z", of: window)
    try scene.client.sync()
    #expect(try !scene.daemon.ctl("behind", "list").err.contains(finding))
  }

  /// Round corners, as of dunst and rofi, and gaps between the parts of a window, as of panels, stay as they are.
  @Test(arguments: compositors) func glassIsOnlyWhereAWindowPaints(command: [String]) throws {
    let scene = try scene(72, command)
    let place = Rect(x: 50, y: 50, width: 200, height: 100)
    let window = try makeClear(scene, place)
    try scene.daemon.ask(
      "behind", "add", "glass", "--class", "kitty", "--style", "plain", "--sigma", "6")
    // The second picture has the same colours and other alphas.
    for (when, picture) in [
      ("colour", cutPicture(0x8020_3040, place, gap: 60)),
      ("black", cutPicture(0x8000_0000, place)),
      ("a gap", cutPicture(0x8000_0000, place, gap: 90)), ("whole", wholePicture(place)),
      ("round again", cutPicture(0xa010_1010, place)),
    ] {
      window.draw(picture)
      let problem = try scene.eventually { try blendFault(of: picture, window, at: place, scene) }
      #expect(problem == nil, "\(when)")
    }
  }

  private func wholePicture(_ place: Rect) -> Bitmap {
    Bitmap(width: place.width, height: place.height, filledWith: 0x8020_2020)
  }

  /// A picture with round, antialiased corners and a free column.
  private func cutPicture(_ color: UInt32, _ place: Rect, gap: Int = -20) -> Bitmap {
    var picture = Bitmap(width: place.width, height: place.height, filledWith: color)
    let radius = 20.0
    for y in 0..<place.height {
      for x in 0..<place.width {
        let dx = max(0, radius - Double(min(x, place.width - 1 - x)) - 0.5)
        let dy = max(0, radius - Double(min(y, place.height - 1 - y)) - 0.5)
        let inside = min(1, max(0, radius + 0.5 - (dx * dx + dy * dy).squareRoot()))
        let share = (gap..<gap + 12).contains(x) ? 0 : inside
        if share < 1 { picture[x, y] = scaled(color, by: share) }
      }
    }
    return picture
  }

  private func scaled(_ pixel: UInt32, by share: Double) -> UInt32 {
    [0, 8, 16, 24].reduce(0) { sum, shift in
      sum | UInt32((Double(pixel >> UInt32(shift) & 0xff) * share).rounded()) << UInt32(shift)
    }
  }

  /// The first pixel that differs from the window over the glass, as much of it as the window has alpha, over the desktop.
  private func blendFault(
    of picture: Bitmap, _ window: TestWindow, at place: Rect, _ scene: CaptureScene
  ) throws -> String? {
    try scene.client.sync()
    try scene.daemon.sync()
    let shown = try scene.client.screenshot()
    window.unmap()
    try scene.client.sync()
    try scene.daemon.sync()
    let desktop = try scene.client.screenshot()
    window.map()
    window.draw(picture)
    try scene.client.sync()
    let glass = desktop.frosted(sigma: 6)
    let full = picture.pixels.map { Double($0 >> 24) }.max() ?? 255
    var wanted = desktop
    for y in place.rows {
      for x in place.columns {
        let own = picture[x - place.x, y - place.y]
        let alpha = Double(own >> 24)
        wanted[x, y] = [0, 8, 16].reduce(0xff00_0000) { pixel, shift in
          func level(_ pixel: UInt32) -> Double { Double(pixel >> UInt32(shift) & 0xff) }
          let share = alpha / full
          let below = share * level(glass[x, y]) + (1 - share) * level(desktop[x, y])
          let value = level(own) + (1 - alpha / 255) * below
          return pixel | UInt32(min(255, value.rounded())) << UInt32(shift)
        }
      }
    }
    return shown.difference(from: wanted, tolerance: 3)
  }

  /// The output of the commands that look at the pixels of windows.
  private func hints(_ scene: CaptureScene) throws -> [String] {
    try [["behind", "list"], ["doctor"]].map { command in
      let outcome = try scene.daemon.ctl(command)
      return (outcome.out + outcome.err).split(whereSeparator: \.isWhitespace)
        .joined(separator: " ")
    }
  }

  /// Checks that the hints of `list`, `status` and `doctor` have all words, and that the log has the first one once. No words:
  /// that there is no hint.
  private func expectHints(_ scene: CaptureScene, _ words: [String]) throws {
    let server = scene.server
    func text(_ command: String) throws -> String {
      let outcome = try server.run(ProgramPaths.backdropctl, [command])
      return outcome.err + (command == "doctor" ? outcome.out : "")
    }
    func fault() throws -> String? {
      for command in ["list", "status", "doctor"] {
        let text = try text(command)
        let joined = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isRight =
          words.isEmpty ? !joined.contains("not shown") : words.allSatisfy(joined.contains)
        if !isRight { return "\(command): \(text)" }
      }
      guard let first = words.first, scene.daemon.log.split(separator: first).count != 2 else {
        return nil
      }
      return scene.daemon.log
    }
    let problem = try scene.eventually(fault)
    #expect(problem == nil, "\(words)")
  }
}

extension Bitmap {
  /// The picture with another one over a part of it.
  fileprivate func mixed(with other: Bitmap, in part: Rect, weight: Double) -> Bitmap {
    var result = self
    for y in part.rows {
      for x in part.columns {
        let channels = stride(from: 0, to: 24, by: 8).map { shift -> UInt32 in
          let (below, above) = (
            self[x, y] >> UInt32(shift) & 255, other[x, y] >> UInt32(shift) & 255
          )
          let value = Double(below) + (Double(above) - Double(below)) * weight
          return UInt32(value.rounded()) << UInt32(shift)
        }
        result[x, y] = channels.reduce(self[x, y] & 0xFF00_0000, |)
      }
    }
    return result
  }
}
