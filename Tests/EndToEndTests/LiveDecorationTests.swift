import Raster
import TestDice
import TestSupport
import Testing

/// Corners, borders and shadows on a real screen, with a compositor and without.
@Suite(.serialized, .waiting) struct LiveDecorationTests {
  private static let picom = ["--backend", "xrender", "--config", "/dev/null"]
  /// The options of three panes; the second one is in the shadow of the others. Vibrant text is on glass that is
  /// always dark: elsewhere the polarity of text depends on earlier backdrops.
  private static let looks: [[String]] = [
    [
      "--geometry", "150x110+40+30", "--corner", "24", "--shadow", "outer-view", "--label", "plain",
      "--vibrancy", "none", "--color", "#FF8000A0",
    ],
    ["--geometry", "120x100+170+90", "--corner", "continuous:30", "--shadow", "6,-4 30 #802000C0"],
    [
      "--geometry", "160x120-50+170", "--border", "2 #FFFFFF80", "--shadow", "0,8 24 #000000FF",
      "--material", "dark", "--label", "Привет", "--at", "10,10", "--label", "beyond\nits edge",
      "--vibrancy", "secondary", "--font", "Serif 30", "--at", "40,60",
    ],
  ]

  // MARK: Without a compositor

  /// The screen equals the offline rendering over a screenshot.
  @Test(arguments: 0..<3)
  func livePaneEqualsOfflineRendering(look: Int) throws {
    let scene = try CaptureScene(seed: UInt64(50 + look), width: 400, height: 300)
    for _ in 0..<6 { try scene.makeWindow() }
    let options = Self.looks[look] + ["--sigma", "9"]
    try scene.daemon.ask(["add", "pane"] + options)
    for step in 0...6 {
      try scene.checkPainted(options, "step \(step)")
      for _ in 0..<3 { try scene.act() }
    }
  }

  /// A thread makes the decoration of a large corner. The requests of a client are still performed in order.
  @Test func largeShadowEqualsOfflineRendering() throws {
    let scene = try CaptureScene(seed: 58, width: 900, height: 700)
    for _ in 0..<6 { try scene.makeWindow() }
    let large = ["--corner", "250", "--shadow", "0,0 120 #000000C0"]
    let options = ["--geometry", "700x500+60+50", "--sigma", "9"]
    try scene.daemon.ask(["add", "pane"] + options + large)
    try scene.checkPainted(options + large, "added")
    for verb in ["hide", "show"] { try scene.daemon.ask(verb, "pane") }
    try scene.checkPainted(options + large, "shown again")
    let control = try ControlConnection(scene.server)
    control.send(#"{"request":"set","name":"pane","corner":"200"}"#)
    control.send(#"{"request":"set","name":"pane","corner":"240"}"#)
    // One decoration at a time is made.
    let other = try ControlConnection(scene.server)
    other.send(#"{"request":"set","name":"pane","corner":"230"}"#)
    for connection in [control, control, other] { #expect(connection.reply() == done) }
    #expect(control.ask(#"{"request":"set","name":"pane","corner":"240"}"#) == done)
    let last = ["--corner", "240", "--shadow", "0,0 120 #000000C0"]
    try scene.checkPainted(options + last, "changed twice")
  }

  @Test(arguments: ["150x110+-40+-30", "150x110+330+230", "500x400+-20+-60"])
  func paneBeyondTheScreenEqualsOfflineRendering(geometry: String) throws {
    let scene = try CaptureScene(seed: 55, width: 400, height: 300)
    for _ in 0..<6 { try scene.makeWindow() }
    let options = Self.looks[2].dropFirst(2) + ["--geometry", geometry, "--corner", "40"]
    try scene.daemon.ask(["add", "pane"] + options)
    for step in 0...3 {
      try scene.checkPainted(Array(options), "step \(step)")
      for _ in 0..<3 { try scene.act() }
    }
  }

  /// A pane that moves keeps pixels on the screen, also while windows above it come and go.
  @Test(arguments: 0..<3)
  func movedPaneEqualsPaneShownThere(look: Int) throws {
    let scene = try CaptureScene(seed: UInt64(64 + look), width: 400, height: 300)
    for _ in 0..<6 { try scene.makeWindow() }
    // A pane that moves keeps its scheme, one that appears does not.
    let own = ["--sigma", "9", "--scheme", "dark"]
    try scene.daemon.ask(["add", "pane"] + Self.looks[look] + own)
    var (x, y) = (120, 90)
    for step in 0...9 {
      for _ in 0..<scene.random.roll(1...4) {
        x = min(max(-100, x + scene.random.roll(-12...12)), 350)
        y = min(max(-80, y + scene.random.roll(-12...12)), 260)
        let size = scene.chance(1, in: 4) ? scene.random.roll(80...200) : 150
        try scene.daemon.ask("set", "pane", "--geometry", "\(size)x110+\(x)+\(y)")
        if scene.chance(1, in: 2) { try scene.act() }
      }
      try scene.client.sync()
      try scene.daemon.sync()
      let moved = try scene.client.screenshot()
      try scene.daemon.ask("hide", "pane")
      try scene.daemon.ask("show", "pane")
      try scene.daemon.sync()
      let shown = try scene.client.screenshot()
      #expect(moved.difference(from: shown) == nil, "seed \(scene.seed), step \(step)")
    }
  }

  /// A pane is visible through the shadow and the corners of one above.
  @Test func upperPaneIsRedrawnWhenTheLowerOneChanges() throws {
    let scene = try CaptureScene(seed: 60, width: 400, height: 300)
    try scene.daemon.ask(["add", "upper", "--plain"] + Self.looks[1])
    try scene.daemon.sync()
    let alone = try scene.client.screenshot()
    // Panes are stacked in the order in which they were added.
    try scene.daemon.ask("remove", "upper")
    try scene.daemon.ask(["add", "lower", "--plain"] + Self.looks[0])
    try scene.daemon.ask(["add", "upper", "--plain"] + Self.looks[1])
    try scene.daemon.sync()
    let both = try scene.client.screenshot()
    #expect(both.difference(from: alone) != nil)
    try scene.daemon.ask("set", "lower", "--material", "dark")
    try scene.daemon.ask("set", "lower", "--geometry", "150x110+60+50")
    try scene.daemon.ask([
      "set", "lower", "--sigma", "20", "--saturation", "1", "--tint", "#00000000",
    ])
    try scene.daemon.ask(["set", "lower"] + Self.looks[0])
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: both) == nil)
    try scene.daemon.ask("hide", "lower")
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: alone) == nil)
    try scene.daemon.ask("show", "lower")
    try scene.daemon.ask("remove", "lower")
    try scene.daemon.sync()
    #expect(try scene.client.screenshot().difference(from: alone) == nil)
  }

  // MARK: With a compositor

  /// The screen is the same with and without a compositor, except for its rounding.
  @Test func blendedPanesEqualOpaquePanes() throws {
    let scene = try CaptureScene(seed: 61, width: 400, height: 300)
    // Opaque windows: others look different without a compositor.
    for i in 0..<4 {
      _ = try scene.client.makeWindow(
        Rect(x: 60 * i, y: 40 * i, width: 150, height: 100),
        picture: .noise(width: 40, height: 30, seed: UInt64(i)))
    }
    for (i, look) in Self.looks.enumerated() {
      try scene.daemon.ask(["add", "pane\(i)"] + look)
    }
    try scene.client.sync()
    try scene.daemon.sync()
    let plain = try scene.client.screenshot()
    #expect(try scene.depthsOfOverlays() == [24, 24, 24])
    for _ in 0..<2 {
      let compositor = try scene.server.start("picom", Self.picom)
      #expect(try scene.eventually { try scene.depths(are: 32) ? nil : compositor.err } == nil)
      let problem = try scene.eventually {
        try scene.client.screenshot().difference(from: plain, tolerance: 1)
      }
      #expect(problem == nil)
      try compositor.stop()
      #expect(try scene.eventually { try scene.depths(are: 24) ? nil : "blended still" } == nil)
      #expect(try scene.client.screenshot().difference(from: plain) == nil)
    }
  }

  /// Its pixels stay visible until its next frame.
  @Test func blendedPaneThatShrinksKeepsItsPixels() throws {
    // A frame a second: the next one comes late.
    let scene = try CaptureScene(
      seed: 63, on: XServer(width: 400, height: 300), ["--rate", "1"])
    let bare: UInt32 = 0xFF80_C0FF
    scene.client.setWallpaper(Bitmap(width: 1, height: 1, filledWith: bare))
    try scene.client.sync()
    let compositor = try scene.server.start("picom", Self.picom)
    let look = ["--corner", "20", "--shadow", "outer-view", "--tint", "#C00000C0"]
    try scene.daemon.ask(["add", "pane", "--plain", "--geometry", "200x150+100+100"] + look)
    func isBare() throws -> Bool { try scene.client.screenPixel(x: 295, y: 175) == bare }
    #expect(
      try scene.eventually {
        try scene.depthsOfOverlays() != [32] || isBare() ? compositor.err : nil
      } == nil)
    let middle = Rect(x: 150, y: 140, width: 60, height: 60)
    let shown = try scene.client.screenshot(middle)
    try scene.daemon.ask("set", "pane", "--geometry", "150x130+100+100")
    let deadline = ContinuousClock.now + .seconds(10)
    while try !isBare() { try #require(ContinuousClock.now < deadline) }
    #expect(try scene.client.screenshot(middle).difference(from: shown) == nil)
  }

  /// The daemon finds a compositor that runs already at its start.
  @Test func compositorStartedBeforeTheDaemonIsKnown() throws {
    let server = try XServer(width: 400, height: 300)
    let compositor = try server.start("picom", Self.picom)
    let client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 4))
    try client.sync()
    let scene = try CaptureScene(seed: 62, on: server)
    try scene.daemon.ask(["add", "pane"] + Self.looks[0])
    // It is ready when it blends.
    #expect(
      try scene.eventually { try scene.depthsOfOverlays() == [32] ? nil : compositor.err } == nil)
    try scene.daemon.stop()
    let daemon = try TestDaemon(on: server)
    try daemon.ask(["add", "pane"] + Self.looks[0])
    try daemon.sync()
    #expect(try scene.depthsOfOverlays() == [32])
  }
}

extension CaptureScene {
  /// The depth of every window of a pane.
  fileprivate func depthsOfOverlays() throws -> [Int] {
    let tree = try server.run("xwininfo", ["-root", "-children"]).out
    return try tree.split(separator: "\n").compactMap { line in
      guard line.contains("\"backdropd pane"), let id = line.split(separator: " ").first else {
        return nil
      }
      let about = try server.run("xwininfo", ["-id", String(id)]).out
      let depth = about.split(separator: "\n").first { $0.contains("Depth:") }
      return depth?.split(separator: " ").last.flatMap { Int($0) }
    }
  }

  fileprivate func depths(are depth: Int) throws -> Bool {
    let depths = try depthsOfOverlays()
    return depths.count == 3 && depths.allSatisfy { $0 == depth }
  }

  /// The screen with a pane equals the output of `blur` for the screen without it.
  func checkPainted(_ options: [String], _ when: String, tolerance: Int = 0) throws {
    let problem = try paintedDifference(options, tolerance: tolerance)
    #expect(problem == nil, "seed \(seed), \(when)")
  }

  /// The same for a screen that a compositor paints some time later, with its rounding.
  func checkPaintedEventually(_ options: [String], _ when: String) throws {
    let problem = try eventually { try paintedDifference(options, tolerance: 1) }
    #expect(problem == nil, "seed \(seed), \(when)")
  }

  private func paintedDifference(_ options: [String], tolerance: Int) throws -> String? {
    try client.sync()
    try daemon.sync()
    let shown = try client.screenshot()
    try daemon.ask("hide", "pane")
    try daemon.sync()
    let (bare, painted) = (
      server.runtimeDirectory + "/bare.png", server.runtimeDirectory + "/painted.png"
    )
    try writePNG(straight: client.screenshot(), to: bare)
    try daemon.ask("show", "pane")
    try daemon.ask(["blur", bare, painted] + options)
    return shown.difference(from: try readPNG(painted), tolerance: tolerance)
  }
}
