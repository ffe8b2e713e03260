import Raster
import TestSupport
import Testing

/// Screens of other depths than 24.
@Suite(.serialized, .waiting) struct DepthTests {
  private static let picom = ["--backend", "xrender", "--config", "/dev/null"]
  private static let look = [
    "--corner", "24", "--shadow", "6,-4 20 #000000C0", "--border", "2 #FFFFFF80",
  ]

  /// A screen that random windows and a wallpaper cover. Its width is odd, so rows of images have padding.
  private func makeScene(
    _ depth: Int, isShared: Bool = true, seed: UInt64
  ) throws -> CaptureScene {
    let server = try XServer(
      width: 401, height: 300, depth: depth, lacking: isShared ? [] : ["MIT-SHM"])
    let scene = try CaptureScene(seed: seed, on: server)
    // The server shows windows with alpha with fewer bits than they have.
    scene.hasAlphaWindows = false
    for _ in 0..<6 { try scene.makeWindow() }
    return scene
  }

  /// The largest difference between a colour and what a screen of this depth shows: less than the step from one
  /// value to the next.
  private func quantum(_ depth: Int) -> Int { depth == 16 ? 8 : 0 }

  // MARK: Served depths

  @Test(arguments: [16, 30], [true, false])
  func backdropEqualsTheScreenWithoutPanes(depth: Int, isShared: Bool) throws {
    let scene = try makeScene(depth, isShared: isShared, seed: UInt64(depth))
    try scene.add("middle", Rect(x: 101, y: 71, width: 183, height: 120))
    try scene.add("corner", Rect(x: 0, y: 0, width: 97, height: 61), sigma: 20)
    try scene.add("edge", Rect(x: 250, y: 160, width: 151, height: 140), sigma: 5)
    for step in 0...5 {
      try scene.checkEverything("step \(step)", shownTolerance: quantum(depth))
      for _ in 0..<6 { try scene.act() }
    }
    #expect(try scene.usesSharedMemory() == isShared)
  }

  /// Windows with alpha have 8 bits for each colour at any depth of the root.
  @Test(arguments: [16, 30]) func windowsWithAlphaAreRead(depth: Int) throws {
    let scene = try makeScene(depth, seed: 90)
    let rect = Rect(x: 90, y: 60, width: 101, height: 80)
    let picture = Bitmap.noise(width: 101, height: 80, seed: 91)
    _ = try scene.client.makeWindow(rect, picture: picture, argb: true)
    try scene.client.sync()
    try scene.add("pane", Rect(x: 70, y: 50, width: 200, height: 150))
    let backdrop = try scene.snapshot("pane", isBackdrop: true)
    let seen = backdrop.cropped(to: rect.translated(x: -70, y: -50))
    #expect(seen.difference(from: picture) == nil)
  }

  @Test(arguments: [16, 30], [true, false])
  func decoratedPaneEqualsOfflineRendering(depth: Int, isShared: Bool) throws {
    let scene = try makeScene(depth, isShared: isShared, seed: UInt64(depth + 1))
    let options = ["--geometry", "151x110+40+30", "--sigma", "9"] + Self.look
    try scene.daemon.ask(["add", "pane"] + options)
    for step in 0...3 {
      try scene.checkPainted(options, "step \(step)", tolerance: quantum(depth))
      for _ in 0..<3 { try scene.act() }
    }
  }

  /// The pixels of a pane do not depend on how it got there.
  @Test(arguments: [16, 30]) func movedPaneEqualsPaneShownThere(depth: Int) throws {
    let scene = try makeScene(depth, seed: UInt64(depth + 2))
    try scene.daemon.ask(["add", "pane", "--plain", "--geometry", "150x110+120+90"] + Self.look)
    var (x, y) = (120, 90)
    for step in 0...7 {
      for _ in 0..<3 {
        x += scene.random.roll(-13...13)
        y += scene.random.roll(-13...13)
        let width = scene.chance(1, in: 4) ? scene.random.roll(80...200) : 150
        try scene.daemon.ask("set", "pane", "--geometry", "\(width)x110+\(x)+\(y)")
        if scene.chance(1, in: 2) { try scene.act() }
      }
      try scene.client.sync()
      try scene.daemon.sync()
      let moved = try scene.client.screenshot()
      for verb in ["hide", "show"] { try scene.daemon.ask(verb, "pane") }
      try scene.daemon.sync()
      let shown = try scene.client.screenshot()
      #expect(moved.difference(from: shown) == nil, "seed \(scene.seed), step \(step)")
    }
  }

  /// Blocks of 8x8 pixels have the mean of the glass, so a slow slope has no bands: they would be 8 levels high.
  @Test func glassOfSixteenBitsHasNoBands() throws {
    let scene = try makeScene(16, seed: 92)
    for window in scene.windows { window.unmap() }
    var slope = Bitmap(width: 401, height: 300)
    for y in 0..<300 {
      for x in 0..<401 {
        let (red, green, blue) = (40 + x / 8, 90 + y / 8, 200 - (x + y) / 16)
        slope[x, y] = 0xFF00_0000 | UInt32(red << 16 | green << 8 | blue)
      }
    }
    scene.client.setWallpaper(slope)
    try scene.client.sync()
    let rect = Rect(x: 8, y: 8, width: 384, height: 280)
    try scene.add("pane", rect, sigma: 40)
    let shown = try scene.client.screenshot(rect)
    let glass = try scene.snapshot("pane")
    var worst = 0.0
    for y in stride(from: 0, to: rect.height, by: 8) {
      for x in stride(from: 0, to: rect.width, by: 8) {
        let block = Rect(x: x, y: y, width: 8, height: 8)
        let (seen, wanted) = (shown.cropped(to: block).means, glass.cropped(to: block).means)
        worst = zip(seen, wanted).reduce(worst) { max($0, abs($1.0 - $1.1)) }
      }
    }
    #expect(worst < 1)
  }

  @Test(arguments: [16, 30], [true, false])
  func wallpapersAreFollowed(depth: Int, isShared: Bool) throws {
    let scene = try makeScene(depth, isShared: isShared, seed: 93)
    let rect = Rect(x: 60, y: 50, width: 301, height: 220)
    try scene.add("pane", rect)
    func check(_ when: String) throws {
      try scene.checkEverything(when, shownTolerance: quantum(depth))
    }
    scene.client.setWallpaper(.noise(width: 37, height: 23, seed: 94))
    try check("a small one, repeated")
    scene.client.setRootBackground(color: 0xFF12_3456)
    try check("a plain colour")
    // A pixmap of another depth is not shown by the root, nor by a pane.
    scene.client.setWallpaper(.noise(width: 401, height: 300, seed: 95), depth: 32)
    try check("one of depth 32")
    let picture = Bitmap.noise(width: 401, height: 300, seed: 96)
    scene.client.setWallpaper(picture)
    try check("another")
    try scene.setShown(false)
    try scene.daemon.ask("add", "mica", "--plain", "--geometry", "\(rect)", "--material", "mica")
    try scene.daemon.sync()
    for window in scene.windows { window.unmap() }
    let bare = try scene.client.screenshot(rect)
    try scene.daemon.ask("hide", "mica")
    try scene.daemon.sync()
    let wallpaper = try scene.client.screenshot(rect)
    #expect(bare.difference(from: wallpaper) != nil)
    try scene.daemon.ask("show", "mica")
    let backdrop = try scene.snapshot("mica", isBackdrop: true)
    #expect(backdrop.difference(from: wallpaper) == nil)
  }

  /// A compositor blends windows of depth 32, which need no conversion.
  @Test(arguments: [16, 30]) func paneIsBlendedByACompositor(depth: Int) throws {
    let scene = try makeScene(depth, seed: 97)
    scene.client.setRootBackground(color: 0xFF12_3456)
    try scene.client.sync()
    try scene.startCompositor(["picom"] + Self.picom)
    let rect = Rect(x: 60, y: 50, width: 301, height: 220)
    try scene.daemon.ask(["add", "pane", "--plain", "--geometry", "\(rect)", "--corner", "30"])
    try scene.daemon.sync()
    let middle = Rect(x: 40, y: 40, width: 200, height: 140)
    let onScreen = middle.translated(x: rect.x, y: rect.y)
    let problem = try scene.eventually {
      let glass = try scene.snapshot("pane").cropped(to: middle)
      return try scene.client.screenshot(onScreen)
        .difference(from: glass, tolerance: quantum(depth) + 1)
    }
    #expect(problem == nil)
    let backdrop = try scene.snapshot("pane", isBackdrop: true)
    try scene.daemon.ask("hide", "pane")
    let wrong = try scene.eventually {
      backdrop.difference(from: try scene.client.screenshot(rect), tolerance: 0)
    }
    #expect(wrong == nil)
  }

  // MARK: Refused depths

  @Test(arguments: [8, 15]) func otherDepthsAreRefusedWithTheReason(depth: Int) throws {
    let server = try XServer(width: 400, height: 300, depth: depth)
    let outcome = try server.run(ProgramPaths.backdropd)
    #expect(outcome.status == .exited(69))
    #expect(outcome.err.contains("has depth \(depth) "), "\(outcome.err)")
    #expect(outcome.err.contains("16 (RGB 5-6-5), 24 (8-8-8) or 30 (10-10-10)"), "\(outcome.err)")
    #expect(outcome.err.split(separator: "\n").count == 1, "\(outcome.err)")
  }
}

extension CaptureScene {
  fileprivate func usesSharedMemory() throws -> Bool {
    try status().filter { !$0.isWhitespace }.contains("\"sharedMemory\":true")
  }
}

extension Bitmap {
  /// The mean of blue, green and red.
  fileprivate var means: [Double] {
    [0, 8, 16].map { (shift: UInt32) in
      let sum = pixels.reduce(0) { $0 + Int($1 >> shift & 255) }
      return Double(sum) / Double(pixels.count)
    }
  }
}
