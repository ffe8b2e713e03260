import Engine
import FakeCompositor
import Frost
import Panes
import Raster
import TestSupport
import Testing

@testable import WaylandDisplay

/// Panes of several layers above each other, after changes of what is below all of them.
@Suite struct StackedLayerTests {
  private static let pictures = (0..<4).map {
    Scenery.allCases[$0 % 3].picture(width: 200, height: 140, seed: UInt64($0))
  }

  private static func pane(
    _ name: String, _ geometry: String, _ layer: StackingLayer, sees: BackdropSource = .windows,
    isSoft: Bool = true
  ) throws -> Pane {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: geometry)
    settings.sigma = 8
    settings.stackingLayer = layer
    settings.sees = sees
    if isSoft {
      settings.corner = try Corner(parsing: "16")
      settings.shadow = .outerView
    }
    return try Pane(name, settings)
  }

  private func scene(_ panes: [Pane]) throws -> FakeScene {
    let scene = try FakeScene(Self.pictures[0])
    try scene.edit { engine in for pane in panes { try engine.add(pane) } }
    try scene.sync()
    try scene.run(for: .milliseconds(300))
    return scene
  }

  private func expectRight(_ scene: FakeScene, _ comment: Comment = "") throws {
    try scene.run(for: .milliseconds(700))
    let difference = scene.difference(
      from: try scene.fresh(), decibels: 45, levels: 6, around: 31)
    #expect(difference == nil, comment)
    // All is known, and nothing oscillates.
    try scene.run(for: OverlaySurface.spareTime)
    let requests = scene.requestCount
    try scene.run(for: .seconds(5))
    #expect(scene.requestCount == requests, comment)
  }

  /// Where lock screens are surfaces of the highest layer, no pane is there; nevertheless the order of panes is kept.
  @Test(arguments: [false, true]) func noPaneIsOnTheLayerOfLockScreens(hasProtocol: Bool) throws {
    let compositor = try FakeCompositor()
    if !hasProtocol { compositor.removeGlobals(of: "ext_session_lock_manager_v1") }
    compositor.addOutput(
      FakeOutput.State(name: "one", width: 200, height: 140), Self.pictures[0])
    let scene = try FakeScene(compositor)
    func layers() -> [Int] { compositor.layerSurfaces.filter { $0.rect != nil }.map(\.layer) }
    try scene.edit { engine in
      try engine.add(Self.pane("upper", "90x60+50+40", .top))
      try engine.add(Self.pane("lower", "150x100+10+10", .normal))
    }
    try scene.sync()
    try expectRight(scene)
    #expect(layers().max() == (hasProtocol ? 3 : 2))
    try scene.edit { engine in try engine.put(Self.pane("lower", "150x100+10+10", .top)) }
    try scene.sync()
    try expectRight(scene)
    #expect(layers().max() == (hasProtocol ? 3 : 2))
  }

  /// The corners and the shadow of the upper pane are above the lower one.
  @Test(arguments: [
    (StackingLayer.normal, StackingLayer.top), (.belowDocks, .normal), (.desktop, .top),
  ])
  func softPartsAboveALowerPaneAreFollowed(_ lower: StackingLayer, _ upper: StackingLayer) throws {
    let scene = try scene([
      Self.pane("lower", "150x100+10+10", lower),
      Self.pane("upper", "90x60+50+40", upper),
    ])
    for (index, picture) in Self.pictures[1...].enumerated() {
      try scene.output.setPicture(picture)
      try expectRight(scene, "picture \(index)")
    }
  }

  /// The wallpaper changes only where the pane hides it.
  @Test(arguments: [StackingLayer.normal, .top], [false, true])
  func wallpaperIsFollowedBelowAPaneAboveWindows(layer: StackingLayer, isSoft: Bool) throws {
    let scene = try scene([
      Self.pane("pane", "120x90+30+20", layer, sees: .wallpaper, isSoft: isSoft)
    ])
    for (index, picture) in Self.pictures[1...].enumerated() {
      try scene.output.draw(Rect(x: 60, y: 45, width: 56, height: 40)) { x, y in picture[x, y] }
      try expectRight(scene, "picture \(index)")
    }
  }

  /// A window below the pane is not taken for wallpaper, whatever it shows.
  @Test func windowBelowAPaneIsNoWallpaper() throws {
    let scene = try scene([
      Self.pane("pane", "120x90+30+20", .normal, sees: .wallpaper, isSoft: false)
    ])
    let before = try scene.output.shown
    for color: UInt32 in [0xff_ffff, 0x00_0000, 0x20_4060, 0xff_0000] {
      try scene.output.setWindows([
        FakeOutput.Foreign(Rect(x: 50, y: 40, width: 70, height: 50), color)
      ])
      try scene.run(for: .seconds(3))
    }
    let inside = Rect(x: 30, y: 20, width: 120, height: 90)
    let shown = try scene.output.shown.cropped(to: inside)
    let marks = scene.marks.map { (x: $0.x - inside.x, y: $0.y - inside.y) }
    var old = before.cropped(to: inside)
    for (x, y) in marks { old[x, y] = shown[x, y] }
    #expect(old.difference(from: shown, tolerance: 3) == nil)
  }

  /// The pattern of a check changes the screen by at most three levels.
  @Test func checkForWallpaperIsNotSeen() throws {
    let scene = try scene([
      Self.pane("pane", "120x90+30+20", .normal, sees: .wallpaper, isSoft: false)
    ])
    let change = Rect(x: 60, y: 45, width: 56, height: 40)
    try scene.output.draw(change) { x, y in Self.pictures[1][x, y] }
    var checks = 0
    var before = try scene.output.shown
    for _ in 0..<60 {
      try scene.run(for: .milliseconds(8))
      let isChecking = scene.engine.server.monitors[0].search.probe?.displayed?.pattern != nil
      let shown = try scene.output.shown
      if isChecking {
        checks += 1
        let marks = scene.marks
        for (x, y) in marks { before[x, y] = shown[x, y] }
        #expect(shown.difference(from: before, tolerance: 3) == nil)
      } else {
        before = shown
      }
    }
    #expect(checks > 0)
  }
}
