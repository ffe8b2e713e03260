import Engine
import FakeCompositor
import Panes
import Raster
import TestSupport
import Testing

@testable import WaylandDisplay

/// Outputs that go off, disappear and change, on a fake compositor.
@Suite struct OutputFaultTests {
  private static let pictures = (0..<4).map {
    Scenery.allCases[$0 % 3].picture(width: 200, height: 200, seed: UInt64($0))
  }

  private static func settings(_ geometry: String = "100x70+20+15") -> PaneSettings {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try? Geometry(parsing: geometry)
    settings.sigma = 8
    return settings
  }

  private func scene() throws -> FakeScene {
    let scene = try FakeScene(
      Self.pictures[0].cropped(to: Rect(x: 0, y: 0, width: 160, height: 110)))
    try scene.edit { try $0.add(Pane("pane", Self.settings())) }
    try scene.sync()
    return scene
  }

  /// Expects that within half a second all is as on a fresh start.
  private func expectRight(_ scene: FakeScene, _ comment: Comment = "") throws {
    try scene.run(for: .milliseconds(500))
    let difference = scene.difference(from: try scene.fresh())
    #expect(difference == nil, comment)
  }

  /// An output that is off lets each capture fail at once.
  @Test(arguments: [false, true])
  func outputThatIsOffIsLeftAlone(isChanged: Bool) throws {
    let scene = try scene()
    let output = try scene.output
    for seconds in [5, 1, 60] {
      let (requests, iterations) = (scene.requestCount, scene.iterations)
      scene.compositor.change(output) { $0.isOn = false }
      try scene.run(for: .milliseconds(100))
      if isChanged { output.setPicture(Self.pictures[seconds % 4]) }
      try scene.run(for: .seconds(seconds) - .milliseconds(100))
      #expect(scene.requestCount - requests <= 10 && scene.iterations - iterations <= 40)
      scene.compositor.change(output) { $0.isOn = true }
      try expectRight(scene, "off for \(seconds) s")
    }
  }

  /// The picture of the desktop has all that is on.
  @Test func pictureOfTheDesktopLacksAnOutputThatIsOff() throws {
    let compositor = try FakeCompositor()
    for (name, x) in [("on", 0), ("off", 200), ("late", 400)] {
      var state = FakeOutput.State(name: name, width: 160, height: 110)
      (state.x, state.isOn) = (x, name != "off")
      compositor.addOutput(state, Self.pictures[0])
    }
    // Each frame is due at once.
    compositor.beforeRequest = { [unowned compositor] in
      compositor.advance(to: compositor.now + .seconds(1))
    }
    let picture = try compositor.serve { () throws(DisplayError) in
      try DesktopPicture(ofCompositor: compositor.socketPath)
    }
    #expect(picture.parts.map(\.output.name) == ["on", "off", "late"])
    #expect(picture.parts.map { $0.pixels != nil } == [true, false, true])
    #expect(picture.bounds == Rect(x: 0, y: 0, width: 560, height: 110))
  }

  /// A pane that appears while its output is off has its glass when it is on.
  @Test func paneAppearsOnAnOutputThatIsOff() throws {
    let scene = try scene()
    let output = try scene.output
    scene.compositor.change(output) { $0.isOn = false }
    try scene.run(for: .seconds(2))
    try scene.edit { try $0.add(Pane("other", Self.settings("30x20+125+80"))) }
    try scene.run(for: .seconds(3))
    scene.compositor.change(output) { $0.isOn = true }
    try expectRight(scene)
  }

  /// In any order with a change of its mode.
  @Test(arguments: 0..<4)
  func outputIsUnpluggedAndBack(order: Int) throws {
    let scene = try scene()
    let compositor = scene.compositor
    for round in 0..<6 {
      let output = try scene.output
      var state = output.state
      (state.width, state.height) = (state.width == 160 ? (150, 120) : (160, 110))
      if order & 1 == 1 { compositor.change(output) { $0 = state } }
      if order & 2 == 2 { try scene.run(for: .milliseconds(5 * round)) }
      compositor.remove(output)
      try scene.run(for: .milliseconds(7 * round))
      let picture = Self.pictures[round % 4]
      if order == 0 {
        let old = compositor.addOutput(output.state, picture)
        compositor.change(old) { $0 = state }
      } else {
        compositor.addOutput(state, picture)
      }
      try expectRight(scene, "round \(round)")
    }
  }

  /// Its removal is known before anything of it is.
  @Test func outputDisappearsWhileTheDisplayIsOpened() throws {
    // The first request asks for the globals.
    try expectStart(FakeCompositor(), losingAnOutputAt: 2)
  }

  /// At any time while the display asks what the compositor can do.
  @Test(arguments: 2..<17)
  func outputDisappearsWhileTheDisplayAsksForBlur(request: Int) throws {
    let compositor = try FakeCompositor()
    compositor.addBackgroundEffects(capabilities: 1)
    try expectStart(compositor, losingAnOutputAt: request)
  }

  /// Opens a display of two outputs, of which the compositor removes one before it reads a request.
  private func expectStart(_ compositor: FakeCompositor, losingAnOutputAt request: Int) throws {
    let lost = compositor.addOutput(
      FakeOutput.State(name: "lost", width: 160, height: 110), Self.pictures[0])
    compositor.addOutput(
      FakeOutput.State(name: "one", width: 160, height: 110), Self.pictures[1])
    var requests = 0
    compositor.beforeRequest = { [unowned compositor] in
      requests += 1
      if requests == request { compositor.remove(lost) }
    }
    let scene = try FakeScene(compositor)
    try scene.run(for: .milliseconds(100))
    #expect(requests >= request)
    #expect(scene.engine.server.monitors.map(\.state.name) == ["one"])
  }

  /// A pane is not shown before something of its backdrop was captured.
  @Test func paneWithoutABackdropIsNotShown() throws {
    let compositor = try FakeCompositor()
    compositor.addOutput(
      FakeOutput.State(name: "one", width: 160, height: 110), Self.pictures[0])
    compositor.behavior.failingCaptures = .max
    let scene = try FakeScene(compositor)
    try scene.edit { try $0.add(Pane("pane", Self.settings())) }
    try scene.run(for: .seconds(4))
    #expect(compositor.layerSurfaces.count == 1 && compositor.layerSurfaces[0].rect == nil)
    #expect(scene.iterations < 100)
    compositor.behavior.failingCaptures = 0
    try scene.run(for: .seconds(10))
    #expect(compositor.layerSurfaces[0].rect != nil)
    try expectRight(scene)
  }

  @Test(arguments: 0..<4)
  func randomChangesOfOutputsEndAsAFreshStart(seed: Int) throws {
    let compositor = try FakeCompositor()
    let faults = RandomFaults(
      [.changedOutput, .removedOutput, .addedOutput, .switchedOutput, .changedPicture],
      of: compositor, showing: Self.pictures, seed: seed)
    let scene = try FakeScene(compositor)
    for (name, output) in [("a", OutputChoice.all), ("b", .named("two")), ("c", .primary)] {
      var settings = Self.settings(name == "a" ? "70x50+10+8" : "60x40+\(name == "b" ? 30 : 80)+30")
      settings.output = output
      let pane = try Pane(name, settings)
      scene.edit { $0.restore([pane]) }
    }
    for number in 1...125 {
      faults.strike()
      try scene.run(for: .milliseconds(number * seed % 40))
      if number % 25 > 0 { continue }
      faults.end()
      try scene.run(for: .seconds(1))
      try expectRight(scene, "seed \(seed), change \(number)")
    }
  }
}
