import Raster
import TestDice
import TestSupport
import Testing

/// A screen of random windows, and a daemon with panes. Every failure names the seed of the random numbers.
final class CaptureScene {
  let server: XServer
  let client: TestClient
  let daemon: TestDaemon
  private(set) var compositor: Child?
  private(set) var seed: UInt64
  var random: Dice
  private(set) var windows: [TestWindow] = []
  private(set) var panes: [(name: String, rect: Rect)] = []
  /// Whether panes are above all windows. Then some windows are not managed, like menus.
  var panesAreOnTop = false
  /// False under xcompmgr, which paints nothing where a shape is outside of its window.
  var hasShapes = true
  /// Whether some windows have another depth than the root.
  var hasAlphaWindows = true

  init(
    seed: UInt64, on server: XServer, _ options: [String] = [], environment: [String: String] = [:]
  ) throws {
    self.server = server
    self.seed = seed
    random = Dice(seed: seed)
    client = try TestClient(server)
    var wallpaper = Bitmap.noise(width: server.width, height: server.height, seed: seed)
    for y in 0..<wallpaper.height {
      for x in 0..<wallpaper.width where (x / 48 + y / 48) % 2 == 0 {
        wallpaper[x, y] &= 0xFFFF_FF00
      }
    }
    client.setWallpaper(wallpaper)
    try client.sync()
    daemon = try TestDaemon(on: server, options, environment: environment)
  }

  convenience init(seed: UInt64, width: Int = 640, height: Int = 480) throws {
    try self.init(seed: seed, on: XServer(width: width, height: height))
  }

  /// Starts another sequence of random numbers.
  func reseed(_ seed: UInt64) {
    self.seed = seed
    random = Dice(seed: seed)
  }

  // MARK: Compositor

  /// Starts a compositor, and waits until it paints and the daemon knows it. It runs as long as the scene exists.
  func startCompositor(_ command: [String]) throws {
    let compositor = try server.start(command[0], Array(command.dropFirst()))
    self.compositor = compositor
    do { try client.waitForCompositor() } catch {
      throw TestFailure("\(command): \(error): \(compositor.err)")
    }
    #expect(try eventually { try hasCompositor() ? nil : "the daemon knows no compositor" } == nil)
  }

  /// Ends the compositor, and waits until the daemon knows.
  func stopCompositor() throws {
    try compositor?.stop()
    compositor = nil
    #expect(try eventually { try hasCompositor() ? "the daemon knows a compositor" : nil } == nil)
  }

  func hasCompositor() throws -> Bool {
    try status().filter { !$0.isWhitespace }.contains("\"compositor\":true")
  }

  // MARK: Panes

  func add(_ name: String, _ rect: Rect, sigma: Double = 12) throws {
    try daemon.ask(
      "add", name, "--plain", "--geometry", "\(rect)", "--sigma", "\(sigma)", "--layer",
      panesAreOnTop ? "top" : "normal")
    panes.append((name, rect))
    try daemon.sync()
  }

  func setShown(_ isShown: Bool) throws {
    for pane in panes { try daemon.ask(isShown ? "show" : "hide", pane.name) }
    try daemon.sync()
  }

  func snapshot(_ name: String, isBackdrop: Bool = false) throws -> Bitmap {
    try daemon.snapshot(name, isBackdrop: isBackdrop)
  }

  func status() throws -> String { try daemon.status() }

  /// A number of the daemon's report.
  func number(_ key: String) throws -> Int {
    let text = try status()
    let tail = text.split(separator: "\"\(key)\"").dropFirst().first ?? ""
    let digits = tail.drop { !$0.isNumber }.prefix { $0.isNumber }
    guard let number = Int(digits) else { throw TestFailure("no \(key) in \(text)") }
    return number
  }

  /// Waits until the daemon has checked for the wallpaper that was announced at its start, which it does after
  /// 100 ms: this causes a capture.
  func waitForStart() throws {
    func uptime() throws -> Double {
      let rest = try status().split(separator: "\"uptimeSeconds\":").dropFirst().first ?? ""
      return Double(rest.prefix { $0.isNumber || $0 == "." }) ?? 0
    }
    #expect(try soon { try uptime() >= 0.3 })
    try daemon.sync()
  }

  /// Destroys all windows and removes all panes.
  func clear() throws {
    for window in windows { window.destroy() }
    windows = []
    try client.sync()
    try removePanes()
  }

  func removePanes() throws {
    for pane in panes { try daemon.ask("remove", pane.name) }
    panes = []
    try daemon.sync()
  }

  // MARK: Random windows

  func chance(_ one: Int, in all: Int) -> Bool { Int.random(in: 0..<all, using: &random) < one }

  func somewhere() -> (x: Int, y: Int) {
    (
      Int.random(in: -80..<server.width, using: &random),
      Int.random(in: -80..<server.height, using: &random)
    )
  }

  func someSize() -> (width: Int, height: Int) {
    (Int.random(in: 1...260, using: &random), Int.random(in: 1...220, using: &random))
  }

  /// Noise, so that a shift is visible, of one hue, so that its blur is not gray.
  func somePicture(argb: Bool) -> Bitmap {
    var picture = Bitmap.noise(
      width: Int.random(in: 1...64, using: &random), height: Int.random(in: 1...64, using: &random),
      seed: random.next(), opaque: !argb)
    let hue = someHue()
    for i in picture.pixels.indices { picture.pixels[i] &= hue }
    return picture
  }

  private func someHue() -> UInt32 {
    [0xFFFF_0000, 0xFF00_FF00, 0xFF00_00FF, 0xFFFF_FF00, 0xFF00_FFFF, 0xFFFF_00FF, 0xFFFF_FFFF]
      .randomElement(using: &random) ?? 0xFFFF_FFFF
  }

  func someShape() -> [Rect] {
    if !hasShapes { return [Rect(x: 0, y: 0, width: 1, height: 1)] }
    return (0..<Int.random(in: 0...5, using: &random)).map { _ in
      Rect(
        x: Int.random(in: -20...150, using: &random), y: Int.random(in: -20...150, using: &random),
        width: Int.random(in: 1...120, using: &random),
        height: Int.random(in: 1...120, using: &random))
    }
  }

  @discardableResult
  func makeWindow(mapped: Bool = true) throws -> TestWindow {
    let (x, y) = somewhere()
    let (width, height) = someSize()
    let argb = chance(1, in: 3) && hasAlphaWindows
    let window = try client.makeWindow(
      Rect(x: x, y: y, width: width, height: height), picture: somePicture(argb: argb), argb: argb,
      borderWidth: chance(1, in: 3) ? Int.random(in: 1...9, using: &random) : 0,
      borderPixel: UInt32(truncatingIfNeeded: random.next()) & 0xFFFFFF | 0xFF00_0000,
      overrideRedirect: chance(1, in: 2) && panesAreOnTop,
      shape: chance(1, in: 4) ? someShape() : nil, mapped: mapped)
    windows.append(window)
    return window
  }

  /// Makes a random change of a window, or creates one.
  func act() throws {
    guard let window = windows.randomElement(using: &random), !chance(1, in: 10) else {
      try makeWindow(mapped: chance(2, in: 3))
      return
    }
    switch Int.random(in: 0..<14, using: &random) {
    case 0, 1: window.map()
    case 2: window.unmap()
    case 3, 4:
      let (x, y) = somewhere()
      window.move(x: x, y: y)
    case 5:
      let (width, height) = someSize()
      window.resize(width: width, height: height)
    case 6: window.raise()
    case 7: window.lower()
    case 8:
      if let other = windows.randomElement(using: &random), other.id != window.id {
        window.stack(above: other)
      }
    case 9, 10:
      window.draw(
        somePicture(argb: window.depth == 32), x: Int.random(in: -20...100, using: &random),
        y: Int.random(in: -20...100, using: &random))
    case 11: window.setShape(someShape())
    case 12: window.setBackground(somePicture(argb: window.depth == 32))
    default:
      window.destroy()
      windows.removeAll { $0.id == window.id }
    }
  }

  // MARK: Checks

  /// Checks that backdrops equal the screen without the panes, that panes on the screen equal their snapshots,
  /// and that panes which are hidden and shown again have the same pixels. `tolerance` is that of backdrops.
  func checkEverything(
    _ when: String, tolerance: Int = 0, shownTolerance: Int = 0, settled: () throws -> Void = {},
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let place = Comment(rawValue: "seed \(seed), \(when)")
    try client.sync()
    try settled()
    try daemon.sync()
    try settled()
    let before = try client.screenshot()
    let pictures = try panes.map { try snapshot($0.name) }
    let backdrops = try panes.map { try snapshot($0.name, isBackdrop: true) }
    for (i, pane) in panes.enumerated() {
      // Another pane may cover it.
      guard !panes[(i + 1)...].contains(where: { $0.rect.intersects(pane.rect) }) else { continue }
      let shown = before.cropped(to: pane.rect)
      #expect(
        shown.difference(from: pictures[i], tolerance: shownTolerance) == nil,
        "\(place): \(pane) differs from its snapshot",
        sourceLocation: sourceLocation)
    }
    try setShown(false)
    try settled()
    let bare = try client.screenshot()
    for (pane, backdrop) in zip(panes, backdrops) {
      #expect(
        backdrop.difference(from: bare.cropped(to: pane.rect), tolerance: tolerance) == nil,
        "\(place): the backdrop of \(pane)", sourceLocation: sourceLocation)
    }
    try setShown(true)
    try settled()
    let after = try client.screenshot()
    guard let difference = after.difference(from: before) else { return }
    try setShown(false)
    let change = try client.screenshot().difference(from: bare) ?? "the same"
    try setShown(true)
    let third = try client.screenshot()
    let last = [("first", before), ("second", after)].filter { $0.1 == third }.map(\.0)
    Issue.record(
      """
      \(place): shown again, it differs: \(difference); without panes: \(change); a third time, it is as the \(last) time
      """, sourceLocation: sourceLocation)
  }
}

extension CaptureScene {
  /// Repeats a check until it succeeds or the time is over: other programs need some time. Returns the last
  /// problem; nil if there is none.
  func eventually(
    within limit: Duration = .seconds(30), _ problem: () throws -> String?
  ) throws -> String? {
    let deadline = ContinuousClock.now + limit
    while let wrong = try problem() {
      if ContinuousClock.now > deadline { return wrong }
      try daemon.sync()
    }
    return nil
  }

  /// The same as `checkEverything` for a screen that another program paints some time later.
  func checkEventually(
    _ when: String, tolerance: Int = 0, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let place = Comment(rawValue: "seed \(seed), \(when)")
    try client.sync()
    try daemon.sync()
    for pane in panes {
      let problem = try eventually {
        try client.screenshot(pane.rect).difference(from: snapshot(pane.name))
      }
      #expect(problem == nil, "\(place): \(pane)", sourceLocation: sourceLocation)
    }
    let problem = try eventually { try backdropProblem(tolerance: tolerance) }
    #expect(
      problem == nil, "\(place): the backdrop of \(problem ?? "")", sourceLocation: sourceLocation)
  }

  /// Which backdrop differs from what is seen without panes; nil if none does. If something moved between the two, it is one.
  private func backdropProblem(tolerance: Int) throws -> String? {
    let backdrops = try panes.map { try snapshot($0.name, isBackdrop: true) }
    try setShown(false)
    var problem: String?
    for (pane, backdrop) in zip(panes, backdrops) where problem == nil {
      problem = try eventually(within: .seconds(2)) {
        backdrop.difference(from: try client.screenshot(pane.rect), tolerance: tolerance)
      }.map { "\(pane): \($0)" }
    }
    try setShown(true)
    return problem
  }
}
