import Engine
import FakeCompositor
import Panes
import Raster
import TestSupport
import Testing
import WaylandClient

@testable import WaylandDisplay

/// Live glass on a compositor without screencopy.
@Suite struct ImageCopyGlassTests {
  private static let pane = Rect(x: 30, y: 20, width: 130, height: 90)
  private let scene: FakeScene

  init() throws {
    let compositor = try FakeCompositor()
    compositor.removeGlobals(of: InterfaceTable.screencopyManager.name)
    let picture = Self.picture(0)
    compositor.addOutput(
      FakeOutput.State(name: "one", width: picture.width, height: picture.height), picture)
    scene = try FakeScene(compositor)
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: "\(Self.pane)")
    settings.sigma = 6
    try scene.edit { try $0.add(Pane("pane", settings)) }
    try scene.sync()
  }

  private static func picture(_ seed: UInt64) -> Bitmap {
    Scenery.photo.picture(width: 240, height: 240, seed: seed)
  }

  /// The screen shows the glass of what is below it.
  private func expectGlass(_ comment: Comment) throws {
    let output = try scene.output
    let folder = try TemporaryDirectory()
    let (decibels, most) = fidelity(
      of: output.shown.cropped(to: Self.pane),
      to: try offlineGlass(of: output.background, in: Self.pane, sigma: 6, folder: folder.path),
      marks: scene.marks.map { ($0.x - Self.pane.x, $0.y - Self.pane.y) })
    #expect(decibels > 50 && most <= 2, "\(comment): \(decibels) dB, \(most) levels")
    #expect(scene.compositor.clients.allSatisfy { $0.error == nil })
  }

  @Test func glassFollowsChanges() throws {
    try expectGlass("new pane")
    let output = try scene.output
    output.setPicture(Self.picture(1))
    try scene.run(for: .milliseconds(300))
    try expectGlass("another picture")
    for step in 0..<10 {
      let box = Rect(x: 20 + 11 * step, y: 30, width: 40, height: 40)
      output.draw(box) { x, y in UInt32(x * 150 / 240 << 16 | y * 150 / 240) }
      try scene.run(for: .milliseconds(17))
    }
    try scene.run(for: .milliseconds(300))
    try expectGlass("a box that moved")
  }

  /// One frame that waits, and no request while nothing changes.
  @Test func stillPaneSleeps() throws {
    try scene.run(for: .milliseconds(500))
    let before = (scene.requestCount, scene.iterations)
    try scene.run(for: .seconds(10))
    #expect(scene.requestCount == before.0 && scene.iterations <= before.1 + 2)
    #expect(scene.compositor.openSessions.count == 1)
  }

  @Test func changesOfTheOutputAreFollowed() throws {
    let output = try scene.output
    for transform in 1...7 {
      scene.compositor.change(output) { $0.transform = transform }
      try scene.sync()
      output.setPicture(Self.picture(UInt64(transform)))
      try scene.run(for: .milliseconds(300))
      try expectGlass("transform \(transform)")
    }
    scene.compositor.change(output) { ($0.width, $0.height) = (200, 220) }
    try scene.sync()
    try expectGlass("another size")
    scene.compositor.behavior.capturesUpright = true
    scene.compositor.change(output) { $0.transform = 5 }
    try scene.sync()
    output.setPicture(Self.picture(9))
    try scene.run(for: .milliseconds(300))
    try expectGlass("upright captures of a rotated output")
  }

  @Test func glassSurvivesFaults() throws {
    let output = try scene.output
    for session in scene.compositor.openSessions { session.stop() }
    output.setPicture(Self.picture(1))
    try scene.run(for: .seconds(1))
    try expectGlass("a stopped session")
    scene.compositor.behavior.failingCaptures = 3
    output.setPicture(Self.picture(2))
    try scene.run(for: .seconds(3))
    try expectGlass("failed frames")
    scene.compositor.behavior.describe = { $0.width += 1 }
    for session in scene.compositor.openSessions { session.stop() }
    try scene.run(for: .seconds(2))
    scene.compositor.behavior.describe = { _ in }
    output.setPicture(Self.picture(3))
    try scene.run(for: .seconds(1))
    try expectGlass("wrong sizes")
  }

  /// Frames of an output that is off do not end. Requests do not wait for them for long, and none is repeated.
  @Test func outputThatIsOffIsNotAwaited() throws {
    let output = try scene.output
    scene.compositor.change(output) { $0.isOn = false }
    try expectSync(within: .seconds(3))
    let captures = scene.compositor.captureCount
    for _ in 0..<5 { try expectSync(within: .milliseconds(100)) }
    try scene.run(for: .seconds(10))
    #expect(scene.compositor.captureCount == captures)
    output.setPicture(Self.picture(4))
    scene.compositor.change(output) { $0.isOn = true }
    try scene.run(for: .milliseconds(500))
    try expectGlass("the output is on again")
  }

  private func expectSync(within limit: Duration) throws {
    var ends: [Bool] = []
    var ticket: Ticket?
    try scene.edit { ticket = try $0.requestSync() }
    try scene.run(for: limit)
    scene.edit { engine in
      ends = engine.takeEvents().compactMap(\.completion).map { $0.ticket == ticket }
    }
    #expect(ends == [true])
  }

  /// A hidden pane leaves no session, which might cost the compositor something.
  @Test func hiddenPaneCapturesNothing() throws {
    try scene.edit { try $0.setShown("pane", false) }
    try scene.sync()
    try scene.run(for: .seconds(1))
    #expect(scene.compositor.openSessions.isEmpty)
    try scene.edit { try $0.setShown("pane", true) }
    try scene.sync()
    try expectGlass("shown again")
  }
}
