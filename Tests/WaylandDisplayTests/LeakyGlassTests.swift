import Glibc
import Engine
import Frost
import Panes
import Raster
import TestSupport
import Testing

@testable import WaylandDisplay

/// Live glass on a real compositor.
@Suite(.serialized) struct LeakyGlassTests {
  private static let pane = Rect(x: 90, y: 60, width: 260, height: 180)

  private func settings(sigma: Double) -> PaneSettings {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try? Geometry(parsing: "\(Self.pane)")
    settings.sigma = sigma
    return settings
  }

  /// Only the leak shows what has changed behind the pane.
  @Test(arguments: CapturedCompositor.tested, [(6.0, 54.0), (20, 56), (40, 57)])
  func glassFollowsWhatChangesBehindIt(
    captured: CapturedCompositor, _ bound: (sigma: Double, decibels: Double)
  ) throws {
    for scenery in Scenery.allCases {
      try expectGlass(captured, scenery, bound)
    }
  }

  private func expectGlass(
    _ captured: CapturedCompositor, _ scenery: Scenery, _ bound: (sigma: Double, decibels: Double)
  ) throws {
    let first = scenery.picture(seed: 0)
    let scene = try WaylandScene(captured, wallpaper: first)
    try scene.add("pane", settings(sigma: bound.sigma))
    for seed: UInt64 in 0...2 {
      let picture = scenery.picture(seed: seed)
      if seed > 0 {
        try scene.server.setWallpaper(picture, outside: [Self.pane])
        try scene.sync()
      }
      let shown = try scene.server.screenshot()
      let (decibels, most) = fidelity(
        of: shown.cropped(to: Self.pane),
        to: try offlineGlass(of: picture, in: Self.pane, sigma: bound.sigma, scene.server),
        marks: scene.marks(in: Self.pane))
      print(
        "\(captured), \(scenery), sigma \(bound.sigma), change \(seed): \(decibels) dB, \(most) levels"
      )
      #expect(decibels >= bound.decibels && most <= 2, "\(decibels) dB, \(most) levels")
      try captured.record(decibels: decibels, levels: most)
    }
    // Outside nothing changes, and the pane goes without a trace.
    try scene.remove("pane")
    #expect(
      try scene.server.screenshot().difference(from: scenery.picture(seed: 2)) == nil)
  }

  /// Flat colours, which a leak tells with least precision.
  @Test(arguments: CapturedCompositor.tested)
  func glassFollowsFlatColors(captured: CapturedCompositor) throws {
    let first = Scenery.photo.picture(seed: 0)
    let scene = try WaylandScene(captured, wallpaper: first)
    try scene.add("pane", settings(sigma: 20))
    for gray: UInt32 in [0x08, 0x1e, 0x64, 0x80, 0xf5] {
      let picture = Bitmap(
        width: first.width, height: first.height, filledWith: 0xff00_0000 | gray * 0x01_0101)
      try scene.server.setWallpaper(picture, outside: [Self.pane])
      try scene.sync()
      let (decibels, most) = fidelity(
        of: try scene.server.screenshot().cropped(to: Self.pane),
        to: picture.cropped(to: Self.pane), marks: scene.marks(in: Self.pane))
      print("\(captured), gray \(gray): \(decibels) dB, \(most) levels")
      let isRight = FlatGlassTests.isRight(decibels, Double(most), over: gray * 0x01_0101)
      #expect(isRight, "gray \(gray): \(decibels) dB, \(most) levels")
    }
  }

  /// The backdrop of a new pane is captured at once, although another capture waits for a change.
  @Test(arguments: Compositor.tested)
  func paneAppearsOnAStillScreen(compositor: Compositor) throws {
    let scene = try WaylandScene(compositor, wallpaper: Scenery.photo.picture(seed: 0))
    try scene.add("pane", settings(sigma: 20))
    try scene.settle()
    let before = try scene.server.screenshot()
    let place = Rect(x: 370, y: 10, width: 90, height: 60)
    var settings = settings(sigma: 20)
    settings.geometry = try Geometry(parsing: "\(place)")
    try scene.declare("other", settings)
    try scene.settle()
    let shown = try scene.server.screenshot()
    #expect(shown.cropped(to: place).difference(from: before.cropped(to: place)) != nil)
  }

  /// While nothing changes, nothing is captured, drawn or committed, also after a change and with soft parts.
  @Test(arguments: CapturedCompositor.tested, ["", "20"])
  func stillPaneSleeps(captured: CapturedCompositor, corner: String) throws {
    let scene = try WaylandScene(captured, wallpaper: Scenery.photo.picture(seed: 0))
    var settings = settings(sigma: 20)
    if !corner.isEmpty {
      settings.corner = try Corner(parsing: corner)
      settings.shadow = .outerView
    }
    try scene.add("pane", settings)
    try scene.server.setWallpaper(
      Scenery.photo.picture(seed: 1), outside: [Self.pane.grown(by: 99)])
    try scene.settle()
    _ = try scene.run(for: OverlaySurface.spareTime)
    try scene.settle()
    let before = scene.engine.server.report
    let iterations = try scene.run(for: .seconds(2))
    #expect(iterations <= 1 && scene.engine.server.report == before, "\(iterations)")
  }

  /// No capture shows the last commit of a pane that is removed at once.
  @Test(arguments: Compositor.tested)
  func paneIsRemovedBeforeItIsSeen(compositor: Compositor) throws {
    let scene = try WaylandScene(compositor, wallpaper: Scenery.photo.picture(seed: 0))
    try scene.declare("pane", settings(sigma: 20))
    var steps = 0
    while scene.engine.server.overlays.values.allSatisfy({ $0.surface?.committed == nil }) {
      steps += 1
      try #require(steps < 1000)
      try scene.step(timeout: .milliseconds(20))
    }
    try scene.remove("pane")
  }
}
