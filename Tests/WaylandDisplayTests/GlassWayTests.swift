import Engine
import FakeCompositor
import Frost
import Panes
import Raster
import TestSupport
import Testing

@testable import WaylandDisplay

/// The ways in which glass is shown, on compositors that differ.
@Suite struct GlassWayTests {
  private static let pane = Rect(x: 30, y: 20, width: 130, height: 90)
  private let first = Scenery.photo.picture(width: 200, height: 140, seed: 1)
  private let second = Scenery.document.picture(width: 200, height: 140, seed: 2)

  private func settings(_ rect: Rect = Self.pane) throws -> PaneSettings {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: "\(rect)")
    settings.sigma = 6
    return settings
  }

  private func scene(
    way: GlassWay? = nil, _ behavior: (inout FakeCompositor.Behavior) -> Void = { _ in }
  ) throws -> FakeScene {
    let compositor = try FakeCompositor()
    behavior(&compositor.behavior)
    compositor.addOutput(FakeOutput.State(name: "one", width: 200, height: 140), first)
    return try FakeScene(compositor, way: way)
  }

  private func add(_ name: String, _ rect: Rect = Self.pane, to scene: FakeScene) throws {
    let settings = try settings(rect)
    try scene.edit { try $0.add(Pane(name, settings)) }
    try scene.sync()
  }

  /// Whether the pane shows the glass of a picture, apart from marks.
  private func fidelity(
    of scene: FakeScene, to picture: Bitmap, _ rect: Rect = Self.pane
  ) throws -> (decibels: Double, most: Int) {
    let folder = try TemporaryDirectory()
    return WaylandDisplayTests.fidelity(
      of: try scene.output.shown.cropped(to: rect),
      to: try offlineGlass(of: picture, in: rect, sigma: 6, folder: folder.path),
      marks: scene.marks.map { ($0.x - rect.x, $0.y - rect.y) })
  }

  @Test func exactCompositorHasLiveGlass() throws {
    let scene = try scene()
    try add("pane", to: scene)
    #expect(scene.engine.server.way == .live)
    #expect(scene.engine.server.report.reason == "the compositor blends overlays exactly")
    try expectNoSample(scene)
  }

  /// A compositor that does not round, and one that blends in linear light.
  @Test(arguments: [FakeBlending.truncating, .linear])
  func inexactCompositorHasStillGlass(_ blending: FakeBlending) throws {
    let scene = try scene { $0.blending = blending }
    try add("pane", to: scene)
    #expect(scene.engine.server.way == .still, "\(scene.engine.server.report.reason)")
    #expect(scene.engine.server.report.reason.contains("blends"))
    #expect(scene.marks.isEmpty)
    try expectNoSample(scene)
    // Pixels that were recovered before the verdict are captured again.
    try scene.run(for: .milliseconds(200))
    let result = try fidelity(of: scene, to: first)
    #expect(result.decibels > 50 && result.most <= 2, "\(result)")
  }

  /// The surface of the check is gone, and so are its objects.
  private func expectNoSample(_ scene: FakeScene) throws {
    #expect(scene.compositor.layerSurfaces.count == 1)
    #expect(scene.engine.server.monitors.allSatisfy { $0.blending.surfaces == nil })
  }

  /// A verdict that is not true any more, as after a change of the compositor's renderer.
  @Test func refreshChecksTheCompositorAgain() throws {
    let scene = try scene { $0.blending = .truncating }
    try add("pane", to: scene)
    #expect(scene.engine.server.way == .still)
    scene.compositor.behavior.blending = .rounding
    scene.edit { $0.refresh() }
    try scene.sync()
    try scene.run(for: .milliseconds(300))
    #expect(scene.engine.server.way == .live)
    try scene.output.setPicture(second)
    try scene.sync()
    try scene.run(for: .milliseconds(300))
    #expect(try fidelity(of: scene, to: second).decibels > 50)
  }

  /// An overlay that appears lets the compositor be checked again, at most once a minute.
  @Test func newOverlaysCheckTheCompositorAgain() throws {
    let scene = try scene()
    try add("pane", to: scene)
    func addOther() throws {
      try add("other", Rect(x: 2, y: 2, width: 40, height: 30), to: scene)
      try scene.run(for: .milliseconds(300))
      try scene.edit { try $0.remove("other") }
    }
    try addOther()
    try scene.run(for: .seconds(61))
    #expect(scene.engine.server.monitors.map(\.blending.count) == [1])
    scene.compositor.behavior.blending = .linear
    try addOther()
    #expect(scene.engine.server.way == .still)
    scene.compositor.behavior.blending = .rounding
    try scene.run(for: .seconds(61))
    try addOther()
    #expect(scene.engine.server.way == .live)
  }

  @Test func stillGlassFollowsOnlyRefreshes() throws {
    let scene = try scene(way: .still)
    try add("pane", to: scene)
    #expect(try fidelity(of: scene, to: first).most <= 1)
    try scene.output.setPicture(second)
    let before = scene.compositor.captureCount
    try scene.run(for: .seconds(1))
    #expect(scene.compositor.captureCount == before)
    #expect(try fidelity(of: scene, to: first).most <= 1)
    scene.edit { $0.refresh() }
    try scene.run(for: .milliseconds(300))
    #expect(try fidelity(of: scene, to: second).most <= 1)
  }

  @Test func stillGlassIsNewWhenItIsShownAgain() throws {
    let scene = try scene(way: .still)
    try add("pane", to: scene)
    try scene.output.setPicture(second)
    try scene.edit { try $0.setShown("pane", false) }
    try scene.sync()
    try scene.edit { try $0.setShown("pane", true) }
    try scene.sync()
    #expect(try fidelity(of: scene, to: second).most <= 1)
  }

  /// A pane that is moved onto pixels that it covers in part, and one beside another one.
  @Test func stillGlassIsRightWhereItMoves() throws {
    let scene = try scene(way: .still)
    try add("pane", to: scene)
    let place = Self.pane.translated(x: 17, y: 9)
    let other = Rect(x: 2, y: 2, width: 40, height: 30)
    try scene.edit {
      try $0.change("pane", PaneChange(settings(place)))
      try $0.add(Pane("other", settings(other)))
    }
    try scene.sync()
    #expect(try fidelity(of: scene, to: first, place).most <= 1)
    #expect(try fidelity(of: scene, to: first, Rect(x: 2, y: 2, width: 40, height: 25)).most <= 1)
  }

  /// The region is sent in the coordinates of the surface, which is larger after the change although the same part is visible.
  @Test func compositorBlursTheVisiblePartOfAChangedDrawer() throws {
    let compositor = try FakeCompositor()
    compositor.removeCaptures()
    compositor.addBackgroundEffects(capabilities: 1)
    compositor.addOutput(FakeOutput.State(name: "one", width: 200, height: 140), first)
    let scene = try FakeScene(compositor)
    var settings = PaneSettings()
    settings.style = .plain
    settings.edge = .right
    settings.peek = 20
    for size in ["60x100%", "90x100%"] {
      settings.size = try PaneSize(parsing: size)
      let declared = settings
      try scene.edit { try $0.put(Pane("drawer", declared)) }
      try scene.sync()
      let surface = try #require(compositor.layerSurfaces.first)
      let (place, blurred) = try #require(
        surface.rect.flatMap { rect in surface.surface.blurred.map { (rect, $0) } })
      #expect(
        blurred.translated(x: place.x, y: place.y)
          == Region(Rect(x: 180, y: 0, width: 20, height: 140)), "\(size)")
    }
  }

  /// Without captures, a compositor that blurs gets the region of the pane, and a translucent colour.
  @Test func compositorBlursWhereItCannotBeCaptured() throws {
    let compositor = try FakeCompositor()
    compositor.removeCaptures()
    compositor.addBackgroundEffects(capabilities: 1)
    compositor.addOutput(FakeOutput.State(name: "one", width: 200, height: 140), first)
    let scene = try FakeScene(compositor)
    #expect(scene.engine.server.way == .handedOver)
    var settings = try settings()
    settings.tint = try Color(parsing: "#FF000080", as: "tint")
    settings.corner = try Corner(parsing: "20")
    let declared = settings
    try scene.edit { try $0.add(Pane("pane", declared)) }
    try scene.sync()
    let blurred = try #require(compositor.layerSurfaces.first?.surface.blurred)
    let area = Region(blurred.rects).area
    #expect(area < Self.pane.area && area > Self.pane.area - 20 * 20 && blurred.rects.count > 10)
    let (x, y) = (90, 60)
    let shown = try scene.output.shown[x, y]
    #expect(shown == blended(0x8080_0000, onto: first[x, y]))
    // Another colour.
    try scene.edit {
      var change = PaneSettings()
      change.tint = try Color(parsing: "#00FF0080", as: "tint")
      try $0.change("pane", PaneChange(change))
    }
    try scene.sync()
    #expect(try scene.output.shown[x, y] == blended(0x8000_8000, onto: first[x, y]))
    try scene.run(for: OverlaySurface.spareTime + .milliseconds(100))
    let before = scene.requestCount
    try scene.run(for: .seconds(10))
    #expect(scene.requestCount == before)
  }

  /// The message names what the demanded way needs.
  @Test(arguments: [
    (GlassWay?.none, "neither zwlr_screencopy_manager_v1 nor ext_image_copy_capture_manager_v1"),
    (.live, "zwlr_screencopy_manager_v1"), (.still, "ext_image_copy_capture_manager_v1"),
    (.handedOver, "ext_background_effect_manager_v1"),
  ])
  func missingProtocolIsNamed(_ way: GlassWay?, _ name: String) throws {
    let compositor = try FakeCompositor()
    compositor.removeCaptures()
    // One that cannot blur.
    compositor.addBackgroundEffects(capabilities: 0)
    #expect {
      _ = try FakeScene(compositor, way: way)
    } throws: { error in
      guard case DisplayError.unsupported(let text) = error else { return false }
      return text.contains(name)
    }
  }
}
