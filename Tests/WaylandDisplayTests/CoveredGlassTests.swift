import Engine
import FakeCompositor
import Panes
import Raster
import TestSupport
import Testing

@testable import WaylandDisplay

/// Glass below surfaces of other clients, and on compositors that work in different ways.
@Suite struct CoveredGlassTests {
  private static let pictures = (0..<4).map {
    Scenery.allCases[$0 % 3].picture(width: 160, height: 160, seed: UInt64($0))
  }

  private func pane(
    _ name: String, _ geometry: String, _ layer: StackingLayer = .normal
  ) throws -> Pane {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: geometry)
    settings.sigma = 8
    settings.stackingLayer = layer
    return try Pane(name, settings)
  }

  private func scene(_ panes: [Pane]) throws -> FakeScene {
    let compositor = try FakeCompositor()
    compositor.addOutput(
      FakeOutput.State(name: "one", width: 160, height: 110), Self.pictures[0])
    let scene = try FakeScene(compositor)
    try scene.edit { engine in for pane in panes { try engine.add(pane) } }
    try scene.sync()
    return scene
  }

  /// Expects that within half a second all is as on a fresh start.
  private func expectRight(_ scene: FakeScene, _ comment: Comment = "") throws {
    try scene.run(for: .milliseconds(500))
    let difference = scene.difference(from: try scene.fresh())
    #expect(difference == nil, comment)
  }

  /// A lock screen covers all. `callsHiddenSurfaces`: the compositor says that it does not.
  @Test(arguments: [false, true])
  func lockScreenStopsCaptures(callsHiddenSurfaces: Bool) throws {
    let scene = try scene([pane("pane", "100x70+20+15"), pane("other", "50x20+100+80", .top)])
    scene.compositor.behavior.callsHiddenSurfaces = callsHiddenSurfaces
    let output = try scene.output
    for picture in Self.pictures[1...] {
      let (captures, iterations) = (scene.compositor.captureCount, scene.iterations)
      output.setForeign([FakeOutput.Foreign(output.state.seen, 0x20_4060)])
      try scene.run(for: .seconds(1))
      // Behind the lock screen, and of the lock screen.
      output.setPicture(picture)
      try scene.run(for: .seconds(1))
      for step in 0..<180 {
        output.setForeign([FakeOutput.Foreign(output.state.seen, UInt32(step))])
        try scene.run(for: .milliseconds(16))
      }
      let count = scene.compositor.captureCount - captures
      #expect(count <= (callsHiddenSurfaces ? 30 : 5), "\(count) captures in 5 s")
      #expect(scene.iterations - iterations <= 500)
      output.setForeign([])
      try expectRight(scene)
    }
  }

  /// The first overlay stays covered when another one is visible again.
  @Test func onePaneOfTwoIsUncovered() throws {
    let scene = try scene([pane("low", "40x60+10+15"), pane("high", "40x60+110+15")])
    let output = try scene.output
    for cover in [
      Rect(x: 0, y: 0, width: 80, height: 110), Rect(x: 80, y: 0, width: 80, height: 110),
    ] {
      output.setForeign([FakeOutput.Foreign(output.state.seen, 0x20_4060)])
      try scene.run(for: .seconds(1))
      output.setForeign([FakeOutput.Foreign(cover, 0x20_4060)])
      try scene.run(for: .milliseconds(100))
      output.setPicture(Self.pictures[cover.x == 0 ? 1 : 2])
      try scene.run(for: .milliseconds(500))
      let fresh = try scene.fresh()
      let seen = output.state.seen.subtracting(cover)[0]
      let difference = try output.shown.cropped(to: seen)
        .difference(from: fresh.output.shown.cropped(to: seen), tolerance: 3)
      #expect(difference == nil)
      output.setForeign([])
      try expectRight(scene)
    }
  }

  /// A pane that appears while something covers all others, but not it.
  @Test(arguments: [false, true])
  func paneAppearsBesideCoveredOnes(callsHiddenSurfaces: Bool) throws {
    let scene = try scene([pane("low", "40x60+10+15")])
    scene.compositor.behavior.callsHiddenSurfaces = callsHiddenSurfaces
    let output = try scene.output
    let cover = Rect(x: 0, y: 0, width: 80, height: 110)
    output.setForeign([FakeOutput.Foreign(cover, 0x20_4060)])
    try scene.run(for: .seconds(1))
    try scene.edit { try $0.add(pane("high", "40x60+110+15")) }
    try scene.sync()
    try scene.run(for: .milliseconds(100))
    let fresh = try scene.fresh()
    let seen = Rect(x: 80, y: 0, width: 80, height: 110)
    let difference = try output.shown.cropped(to: seen)
      .difference(from: fresh.output.shown.cropped(to: seen), tolerance: 3)
    #expect(difference == nil)
    output.setForeign([])
    try expectRight(scene)
  }

  /// A tile whose mark is covered while something changes below it follows when the mark can be seen.
  @Test func changeBelowACoveredMark() throws {
    let scene = try scene([pane("pane", "130x70+20+15")])
    let output = try scene.output
    for (index, picture) in Self.pictures.enumerated() {
      for mark in scene.marks {
        let cover = Rect(x: mark.x - 2, y: mark.y - 2, width: 5, height: 5)
        output.setForeign([FakeOutput.Foreign(cover, 0xff_ffff)])
        try scene.run(for: .milliseconds(100))
        let part = Rect(x: mark.x + 5 * index - 10, y: 10, width: 40, height: 90)
        output.draw(part) { x, y in picture[y, x] }
        try scene.run(for: .milliseconds(100))
        output.setForeign([])
        try expectRight(scene, "picture \(index)")
      }
    }
  }

  /// The behaviours that compositors may have.
  @Test(arguments: 0..<8, [0, 1, 6])
  func glassIsRightOnAnyCompositor(choices: Int, transform: Int) throws {
    let scene = try scene([
      pane("low", "90x60+10+15", .belowDocks), pane("second", "80x50+40+30"),
      pane("third", "60x60+70+10"), pane("high", "50x70+60+20", .top),
    ])
    let output = try scene.output
    scene.compositor.behavior.copiesBuffers = choices & 1 == 1
    scene.compositor.behavior.reportsBoundingBox = choices & 2 == 2
    scene.compositor.behavior.invertsCaptures = choices & 4 == 4
    scene.compositor.change(output) { $0.transform = transform }
    for picture in Self.pictures {
      output.setPicture(picture)
      try expectRight(scene, "choices \(choices)")
      output.draw(Rect(x: 30, y: 30, width: 9, height: 60)) { x, y in picture[y, x] }
      output.draw(Rect(x: 120, y: 70, width: 20, height: 9)) { x, y in picture[y, x] }
      try expectRight(scene, "choices \(choices)")
    }
  }

  /// A compositor that closes each surface at once gets few of them.
  @Test func surfacesThatAreClosedAtOnceAreMadeSlowly() throws {
    let scene = try scene([pane("pane", "100x70+20+15")])
    let compositor = scene.compositor
    compositor.beforeRequest = { [unowned compositor] in
      for surface in compositor.layerSurfaces { surface.close() }
    }
    let before = scene.requestCount
    try scene.run(for: .seconds(30))
    #expect(scene.requestCount - before <= 600)
    compositor.beforeRequest = nil
    try scene.run(for: .seconds(10))
    try expectRight(scene)
  }
}
