import Engine
import FakeCompositor
import Panes
import Raster
import Testing

@testable import WaylandDisplay

/// The parts of an output that are captured.
@Suite struct CaptureAreaTests {
  private static let (width, height) = (900, 500)

  /// An output with a pane on all of it.
  private func scene(_ layer: StackingLayer) throws -> FakeScene {
    let scene = try FakeScene(
      Scenery.photo.picture(width: Self.width, height: Self.height, seed: 1))
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: "\(Self.width)x\(Self.height)+0+0")
    settings.sigma = 8
    settings.stackingLayer = layer
    let pane = try Pane("pane", settings)
    try scene.edit { engine in try engine.add(pane) }
    try scene.sync()
    return scene
  }

  /// Only the part around a box that moves behind a pane is captured, also where the box leaves the part.
  @Test(arguments: [1, 4, 9])
  func movingBoxIsCapturedAlone(speed: Int) throws {
    let scene = try scene(.normal)
    let output = try scene.output
    for step in 0..<80 {
      let read = scene.engine.server.report.bytesRead
      let box = Rect(x: 40 + speed * step, y: 60 + step, width: 32, height: 32)
      output.draw(box.grown(by: speed)) { x, y in
        box.contains(x: x, y: y) ? 0xE0_A040 : 0x20_3040
      }
      try scene.run(for: .milliseconds(17))
      // The first captures are larger.
      if step < 10 { continue }
      let count = (scene.engine.server.report.bytesRead - read) / 4
      #expect(count < Self.width * Self.height / 2, "step \(step)")
    }
  }

  /// A window above a part of a pane changes. It is captured alone, and the compositor is not asked when it has drawn.
  @Test func windowAboveAPartIsCapturedAlone() throws {
    let scene = try scene(.desktop)
    let output = try scene.output
    let window = Rect(x: 128, y: 0, width: 192, height: 192)
    for step in 0..<60 {
      if step == 30 { try scene.run(for: OverlaySurface.spareTime + .seconds(1)) }
      let (requests, read) = (scene.requestCount, scene.engine.server.report.bytesRead)
      output.setForeign([FakeOutput.Foreign(window, UInt32(step))])
      try scene.run(for: .milliseconds(17))
      if step < 30 { continue }
      #expect(scene.requestCount - requests <= 3)
      let count = (scene.engine.server.report.bytesRead - read) / 4
      #expect(count < Self.width * Self.height / 2, "step \(step)")
    }
    output.setForeign([])
    try scene.run(for: .milliseconds(500))
    let difference = scene.difference(from: try scene.fresh())
    #expect(difference == nil)
  }
}
