import Engine
import FakeCompositor
import Panes
import Raster
import TestDice
import Testing

@testable import WaylandDisplay

/// The buffers of overlays while nothing changes.
@Suite struct SpareBufferTests {
  private static let size = (width: 160, height: 110)

  private static func picture(_ index: Int) -> Bitmap {
    Scenery.allCases[index % 3].picture(
      width: size.width, height: size.height, seed: UInt64(index))
  }

  private func scene() throws -> FakeScene {
    let scene = try FakeScene(Self.picture(0))
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: "100x70+20+15")
    settings.sigma = 8
    let pane = try Pane("pane", settings)
    try scene.edit { engine in try engine.add(pane) }
    try scene.sync()
    return scene
  }

  /// An overlay has two buffers while its backdrop changes, and one after that; to free the other wakes the loop once.
  @Test func spareBufferIsFreedOnceAfterTheLastChange() throws {
    let scene = try scene()
    let output = try scene.output
    for index in 1..<5 {
      output.setPicture(Self.picture(index))
      try scene.run(for: .milliseconds(500))
      #expect(scene.bufferCounts == [2])
    }
    try scene.run(for: OverlaySurface.spareTime - .milliseconds(400))
    #expect(scene.bufferCounts == [1])
    let (iterations, requests) = (scene.iterations, scene.requestCount)
    try scene.run(for: .seconds(60))
    #expect(scene.iterations - iterations <= 1 && scene.requestCount == requests)
  }

  /// Changes of a part, and of all, after a pause of any length give the pixels of a fresh start.
  @Test(arguments: 0..<20)
  func changeAfterAPauseIsShown(seed: Int) throws {
    var dice = Dice(seed: seed)
    let scene = try scene()
    let output = try scene.output
    for index in 1..<8 {
      let bounds = output.picture.bounds
      let part = dice.roll(0...2) == 0 ? bounds : dice.rect(in: bounds)
      let other = Self.picture(index)
      output.draw(part) { other[$0, $1] }
      try scene.run(for: .milliseconds(dice.roll(0...1) == 0 ? 3000 : dice.roll(1...2500)))
    }
    try scene.run(for: .milliseconds(500))
    let difference = scene.difference(from: try scene.fresh())
    #expect(difference == nil, "\(dice)")
  }
}

extension FakeScene {
  /// The number of buffers of each overlay.
  fileprivate var bufferCounts: [Int] {
    surfaces.map { $0.byteCount / (4 * $0.place.rect.area) }
  }
}
