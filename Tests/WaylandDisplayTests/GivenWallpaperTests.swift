import Engine
import FakeCompositor
import Frost
import Panes
import Raster
import TestDice
import TestSupport
import Testing

@testable import WaylandDisplay

/// Panes that show the wallpaper that the user declares.
@Suite struct GivenWallpaperTests {
  private static let pane = Rect(x: 100, y: 80, width: 110, height: 70)
  private let first = Scenery.photo.picture(width: 320, height: 240, seed: 1)
  private let second = Scenery.photo.picture(width: 320, height: 240, seed: 4)

  private func add(
    to scene: FakeScene, _ layer: StackingLayer, _ name: String = "pane", at rect: Rect = pane
  ) throws {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: "\(rect)")
    settings.sigma = 6
    settings.stackingLayer = layer
    settings.sees = .wallpaper
    let declared = settings
    try scene.edit { try $0.add(Pane(name, declared)) }
    try scene.sync()
    try scene.run(for: .milliseconds(200))
  }

  private func give(_ picture: Bitmap?, to scene: FakeScene) {
    scene.edit { engine in
      engine.setWallpaper(
        picture.map { .pictures([WallpaperPicture(output: "one", bitmap: $0)]) } ?? .screen)
    }
  }

  private func fidelity(of scene: FakeScene, to picture: Bitmap) throws -> Int {
    let folder = try TemporaryDirectory()
    return WaylandDisplayTests.fidelity(
      of: try scene.output.shown.cropped(to: Self.pane),
      to: try offlineGlass(of: picture, in: Self.pane, sigma: 6, folder: folder.path),
      marks: scene.marks.map { ($0.x - Self.pane.x, $0.y - Self.pane.y) }
    ).most
  }

  /// A window over all does not matter, and no probe is made.
  @Test(arguments: [StackingLayer.desktop, .belowDocks, .normal])
  func glassIsThatOfThePicture(layer: StackingLayer) throws {
    let scene = try FakeScene(first)
    give(first, to: scene)
    let all = try scene.output.state.seen
    try scene.output.setWindows([FakeOutput.Foreign(all, 0x20_2020)])
    try add(to: scene, layer)
    #expect(scene.engine.states(of: "pane").map(\.awaitsWallpaper) == [false])
    #expect(scene.compositor.layerSurfaces.count == 1)
    try scene.output.setWindows([])
    try scene.run(for: .milliseconds(200))
    #expect(try fidelity(of: scene, to: first) <= 2)
    // Another file, and what the screen shows then.
    give(second, to: scene)
    try scene.output.setPicture(second)
    try scene.sync()
    try scene.run(for: .milliseconds(200))
    #expect(try fidelity(of: scene, to: second) <= 2)
    #expect(scene.compositor.layerSurfaces.count == 1)
    try scene.run(for: OverlaySurface.spareTime + .seconds(1))
    let requests = scene.requestCount
    try scene.run(for: .seconds(10))
    #expect(scene.requestCount == requests)
    if layer != .normal {
      // Windows above it cost nothing.
      try scene.output.setWindows([FakeOutput.Foreign(all, 0x12_3456)])
      try scene.run(for: .seconds(1))
      let count = scene.requestCount
      for x in 0..<50 {
        let window = Rect(x: 4 * x, y: 20, width: 90, height: 90)
        try scene.output.setWindows([FakeOutput.Foreign(window, UInt32(x))])
        try scene.run(for: .milliseconds(20))
      }
      #expect(scene.requestCount == count)
      try scene.output.setWindows([])
      try scene.edit { try $0.setShown("pane", false) }
      try scene.sync()
      try scene.edit { try $0.setShown("pane", true) }
      try scene.sync()
      #expect(try fidelity(of: scene, to: second) <= 2)
    }
    let outside = Region(first.bounds).subtracting(Region(Self.pane))
    for part in outside.rects {
      #expect(
        try scene.output.shown.cropped(to: part).difference(from: second.cropped(to: part)) == nil)
    }
  }

  /// A picture that is not there yet is awaited; one that cannot be drawn lets the screen tell.
  @Test func paneWaitsForThePicture() throws {
    let scene = try FakeScene(first)
    scene.edit { $0.setWallpaper(.awaited) }
    try add(to: scene, .desktop)
    #expect(try scene.output.shown.difference(from: first) == nil)
    #expect(
      scene.engine.wallpaperTargets == [
        WallpaperTarget(output: "one", width: 320, height: 240)
      ])
    give(nil, to: scene)
    try scene.run(for: .milliseconds(300))
    #expect(try fidelity(of: scene, to: first) <= 2)
  }

  /// A setting that appears and ends while a pane is shown is followed.
  @Test func settingIsFollowed() throws {
    let scene = try FakeScene(first)
    try add(to: scene, .desktop)
    #expect(try fidelity(of: scene, to: first) <= 2)
    scene.edit { $0.setWallpaper(.awaited) }
    try scene.run(for: .milliseconds(100))
    #expect(try fidelity(of: scene, to: first) <= 2)
    give(second, to: scene)
    try scene.sync()
    try scene.run(for: .milliseconds(200))
    #expect(try fidelity(of: scene, to: second) <= 24)
    #expect(scene.compositor.layerSurfaces.count == 1)
    give(nil, to: scene)
    try scene.run(for: .seconds(1))
    #expect(try fidelity(of: scene, to: first) <= 2)
  }

  /// After a change of the output pictures of its new size are needed.
  @Test func outputOfAnotherSizeNeedsAnotherPicture() throws {
    let scene = try FakeScene(first)
    give(first, to: scene)
    try add(to: scene, .desktop)
    let turned = Scenery.photo.picture(width: 240, height: 320, seed: 2)
    let output = try scene.output
    scene.compositor.change(output) { $0.transform = 1 }
    output.setPicture(turned)
    try scene.run(for: .milliseconds(200))
    #expect(
      scene.engine.wallpaperTargets == [
        WallpaperTarget(output: "one", width: 240, height: 320)
      ])
    #expect(try scene.output.shown.difference(from: turned) == nil)
    give(turned, to: scene)
    try scene.sync()
    try scene.run(for: .milliseconds(200))
    #expect(try fidelity(of: scene, to: turned) <= 2)
  }

  /// A pane above windows shows them above glass that shows a given wallpaper.
  @Test func upperPaneSeesWindowsOverTheGlass() throws {
    let scene = try FakeScene(first)
    give(first, to: scene)
    try add(to: scene, .desktop)
    let window = Rect(x: 60, y: 100, width: 80, height: 80)
    try scene.output.setWindows([FakeOutput.Foreign(window, 0xff_ffff)])
    try scene.run(for: .milliseconds(300))
    let bare = try scene.output.shown
    let upper = Rect(x: 20, y: 90, width: 100, height: 100)
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = 6
    settings.geometry = try Geometry(parsing: "\(upper)")
    let declared = settings
    try scene.edit { try $0.add(Pane("upper", declared)) }
    try scene.sync()
    try scene.run(for: .milliseconds(300))
    let folder = try TemporaryDirectory()
    let result = WaylandDisplayTests.fidelity(
      of: try scene.output.shown.cropped(to: upper),
      to: try offlineGlass(of: bare, in: upper, sigma: 6, folder: folder.path),
      marks: scene.marks.map { ($0.x - upper.x, $0.y - upper.y) })
    #expect(result.decibels >= 45 && result.most <= 6, "\(result)")
  }
}
