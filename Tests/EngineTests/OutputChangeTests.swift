import Engine
import Panes
import Raster
import TestDice
import Testing

/// Changes of the size, position and orientation of the output.
@Suite struct OutputChangeTests {
  private let scene = Scene(width: 200, height: 150)
  private var dice = Dice(seed: 5)

  private func pane(_ name: String, _ text: String) throws -> Pane {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: text)
    settings.sigma = 4
    return try Pane(name, settings)
  }

  @Test mutating func panesStayAnchoredToTheirEdges() throws {
    try scene.add(pane("start", "40x30+5+5"))
    try scene.add(pane("end", "40x30-5-5"))
    try scene.step()
    scene.display.resize(to: dice.picture(width: 120, height: 170))
    #expect(try scene.settle())
    #expect(try scene.state(of: "end").rect == Rect(x: 75, y: 135, width: 40, height: 30))
    #expect(scene.fault() == nil, "\(dice)")
  }

  @Test mutating func panesMoveWithTheirOutput() throws {
    try scene.add(pane("start", "40x30+5+5"))
    try scene.add(pane("end", "40x30-5-5"))
    try scene.step()
    for (x, y) in [(300, 40), (-70, 11), (0, 0)] {
      scene.display.resize(to: dice.picture(width: 120, height: 170), x: x, y: y)
      #expect(try scene.settle())
      #expect(try scene.state(of: "start").rect.x == x + 5)
      #expect(scene.fault() == nil, "\(dice): \(x), \(y)")
    }
  }

  @Test mutating func hiddenPaneIsShownAtItsNewPosition() throws {
    try scene.add(pane("end", "40x30-5-5"))
    try scene.step()
    try scene.setShown("end", false)
    scene.display.resize(to: dice.picture(width: 120, height: 100))
    try scene.step()
    try scene.setShown("end", true)
    #expect(try scene.settle())
    #expect(scene.fault() == nil, "\(dice)")
  }

  @Test mutating func paneOutsideOutputCanBeChangedHiddenAndRemoved() throws {
    try scene.add(pane("far", "40x30+150+100"))
    try scene.step()
    scene.display.resize(to: dice.picture(width: 100, height: 90))
    let before = scene.display.calls.captures
    try scene.step()
    #expect(scene.fault() == nil, "\(dice)")
    #expect(scene.display.calls.captures == before)
    try scene.change("far") { $0.sigma = 9 }
    try scene.setShown("far", false)
    try scene.setShown("far", true)
    #expect(throws: EngineError.self) { try scene.picture(of: "far") }
    scene.display.resize(to: dice.picture(width: 200, height: 150))
    #expect(try scene.settle())
    #expect(scene.display.overlay(named: "far")?.isShown == true)
    #expect(scene.fault() == nil, "\(dice)")
    try scene.remove("far")
    #expect(scene.display.overlayCount == 0)
  }

  /// A capture that was in progress when the output changed must not be used.
  @Test mutating func captureOfOldOutputIsDiscarded() throws {
    try scene.add(pane("pane", "60x50+5+5"))
    scene.display.answersAtOnce = false
    try scene.step()
    scene.display.resize(to: dice.picture(width: 120, height: 100))
    try scene.step()
    scene.display.answersAtOnce = true
    #expect(try scene.settle())
    #expect(scene.fault() == nil, "\(dice)")
  }

  /// While the new backdrop cannot be read, the lost overlay cannot be drawn.
  @Test mutating func lostOverlayWaitsForReadableBackdrop() throws {
    try scene.add(pane("pane", "60x50+5+5"))
    #expect(try scene.settle())
    scene.display.unreadableCount = 100
    scene.display.resize(to: dice.picture(width: 120, height: 100))
    scene.display.destroy("pane")
    scene.wait(Scene.interval)
    try scene.step()
    #expect(scene.deadline == scene.now + Scene.shortestDistance)
    scene.display.unreadableCount = 0
    #expect(try scene.settle())
    #expect(scene.fault() == nil, "\(dice)")
  }

  /// An output that is rotated back shows its panes from the cache in the first frame.
  @Test mutating func outputRotatedBackIsShownFromCache() throws {
    let (wide, tall) = (
      dice.picture(width: 200, height: 150), dice.picture(width: 150, height: 200)
    )
    try scene.add(pane("pane", "60x50+25+5"))
    #expect(try scene.settle())
    let left = Orientation(quarterTurns: 1)
    scene.display.resize(to: tall, orientation: left)
    #expect(try scene.settle())
    let misses = scene.store.statistics.misses
    scene.display.resize(to: wide)
    #expect(try scene.settle())
    #expect(scene.store.statistics.misses == misses)
    #expect(scene.fault() == nil, "\(dice)")
  }
}
