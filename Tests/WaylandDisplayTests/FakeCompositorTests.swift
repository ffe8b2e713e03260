import Engine
import FakeCompositor
import Panes
import Raster
import TestSupport
import Testing
import WaylandClient

@testable import WaylandDisplay

/// Glass on a fake compositor that works as it should.
@Suite struct FakeCompositorTests {
  private static let pane = Rect(x: 30, y: 20, width: 130, height: 90)

  private func settings() -> PaneSettings {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try? Geometry(parsing: "\(Self.pane)")
    settings.sigma = 6
    return settings
  }

  @Test func stillPaneIsShown() throws {
    let picture = Scenery.photo.picture(width: 200, height: 140, seed: 1)
    let scene = try FakeScene(picture)
    try scene.edit { try $0.add(Pane("pane", settings())) }
    try scene.sync()
    let shown = try scene.output.shown
    let folder = try TemporaryDirectory()
    let (decibels, most) = fidelity(
      of: shown.cropped(to: Self.pane),
      to: try offlineGlass(of: picture, in: Self.pane, sigma: 6, folder: folder.path),
      marks: scene.marks.map { ($0.x - Self.pane.x, $0.y - Self.pane.y) })
    #expect(decibels > 50 && most <= 2, "\(decibels) dB, \(most) levels")
  }
}
