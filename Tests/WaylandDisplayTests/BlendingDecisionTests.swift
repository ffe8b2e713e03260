import Engine
import FakeCompositor
import Panes
import Raster
import TestDice
import TestSupport
import Testing

@testable import WaylandDisplay

/// Surfaces of other clients and changes of the backdrop never decide how a compositor blends.
@Suite struct BlendingDecisionTests {
  private static let pictures = (0..<4).map { seed in
    Scenery.allCases[seed % 3].picture(width: 240, height: 180, seed: UInt64(seed))
  }

  @Test(arguments: faultSeeds(or: 0..<Effort.rounds(30)))
  func exactCompositorHasLiveGlassWhateverCoversPanes(seed: Int) throws {
    var dice = Dice(seed: seed)
    let scene = try Self.scene(.rounding, &dice)
    for number in 0..<dice.roll(6...20) {
      try Self.act(number, on: scene, &dice)
      #expect(scene.engine.server.way == .live, "seed \(seed), action \(number)")
    }
    try Self.uncover(scene)
    #expect(scene.engine.server.report.reason == "the compositor blends overlays exactly")
  }

  @Test(arguments: faultSeeds(or: 0..<Effort.rounds(20)))
  func otherBlendingIsFoundWhateverCoversPanes(seed: Int) throws {
    var dice = Dice(seed: seed)
    let scene = try Self.scene([.truncating, .linear][seed % 2], &dice)
    for number in 0..<dice.roll(6...20) { try Self.act(number, on: scene, &dice) }
    try Self.uncover(scene)
    #expect(scene.engine.server.way == .still, "seed \(seed)")
  }

  private static func scene(_ blending: FakeBlending, _ dice: inout Dice) throws -> FakeScene {
    let compositor = try FakeCompositor()
    compositor.behavior.blending = blending
    compositor.behavior.copiesBuffers = Bool.random(using: &dice)
    compositor.behavior.showsNewSurfacesBelow = Bool.random(using: &dice)
    compositor.behavior.reportsBoundingBox = Bool.random(using: &dice)
    compositor.addOutput(
      FakeOutput.State(name: "one", width: 240, height: 180), pictures[dice.roll(0...3)])
    return try FakeScene(compositor)
  }

  /// Lets a pane appear, or something below or above it change, and some time pass.
  private static func act(_ number: Int, on scene: FakeScene, _ dice: inout Dice) throws {
    let output = try scene.output
    switch dice.roll(0...6) {
    case 0, 1:
      let pane = try pane("pane\(number)", &dice)
      try scene.edit { try $0.add(pane) }
    case 2: output.setForeign(surfaces(&dice))
    case 3: output.setWindows(surfaces(&dice))
    case 4: output.setForeign(output.foreign.map { faded($0, &dice) })
    case 5: output.setWindows(output.windows.map { faded($0, &dice) })
    default: brighten(output, &dice)
    }
    try scene.run(for: .milliseconds(dice.roll(0...60)))
  }

  private static func pane(_ name: String, _ dice: inout Dice) throws -> Pane {
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = Double(dice.roll(6...12))
    settings.geometry = Geometry(
      width: dice.roll(40...150), height: dice.roll(30...100), x: .fromStart(dice.roll(0...80)),
      y: .fromStart(dice.roll(0...60)))
    return try Pane(name, settings)
  }

  private static func surfaces(_ dice: inout Dice) -> [FakeOutput.Foreign] {
    (0..<dice.roll(0...3)).map { _ in
      let rect = dice.rect(in: Rect(x: 0, y: 0, width: 240, height: 180))
      return FakeOutput.Foreign(rect, premultiplied: color(&dice))
    }
  }

  /// A surface whose opacity is a little or a lot different.
  private static func faded(
    _ surface: FakeOutput.Foreign, _ dice: inout Dice
  ) -> FakeOutput.Foreign {
    FakeOutput.Foreign(surface.rect, premultiplied: color(&dice))
  }

  private static func color(_ dice: inout Dice) -> UInt32 {
    let alpha = [dice.roll(1...12), dice.roll(1...255), 255][dice.roll(0...2)]
    return [0, 8, 16].reduce(UInt32(alpha) << 24) { $0 | UInt32(dice.roll(0...alpha)) << $1 }
  }

  /// Changes all of the background by a few levels.
  private static func brighten(_ output: FakeOutput, _ dice: inout Dice) {
    let amount = dice.roll(-12...12)
    var picture = output.picture
    for i in picture.pixels.indices {
      picture.pixels[i] = [0, 8, 16].reduce(0) { pixel, shift in
        let level = Int(picture.pixels[i] >> shift & 255) + amount
        return pixel | UInt32(min(255, max(0, level))) << UInt32(shift)
      }
    }
    output.setPicture(picture)
  }

  /// Shows a pane that nothing covers.
  private static func uncover(_ scene: FakeScene) throws {
    try scene.output.setForeign([])
    var settings = PaneSettings()
    settings.geometry = Geometry(width: 80, height: 60, x: .fromStart(20), y: .fromStart(20))
    let pane = try Pane("last", settings)
    try scene.edit { try $0.add(pane) }
    try scene.run(for: .seconds(2))
    try scene.sync()
  }
}
