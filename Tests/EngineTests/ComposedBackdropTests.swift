import Engine
import Frost
import Panes
import Raster
import Testing

/// Panes that show the panes below them. `RandomEngineTests` has them too.
@Suite struct ComposedBackdropTests {
  private let scene = Scene(width: 160, height: 120)

  private func add(_ name: String, _ rect: Rect, sees: BackdropSource = .panes) throws {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = geometry(rect)
    settings.sigma = 3
    settings.sees = sees
    try scene.add(Pane(name, settings))
  }

  private func setTint(_ name: String, _ color: Color) throws {
    try scene.change(name) { $0.tint = color }
  }

  /// Each pane shows the next lower one. All of them change in the frame in which the lowest one does.
  @Test func changeReachesAllPanesAboveInOneFrame() throws {
    for i in 0..<5 {
      try add("pane\(i)", Rect(x: 10 + 12 * i, y: 10 + 8 * i, width: 60, height: 50))
    }
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
    let before = scene.statistics.frames
    try setTint("pane0", Color(red: 1, green: 0, blue: 0, alpha: 0.8))
    scene.wait(Scene.interval)
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.statistics.frames == before + 5)
    #expect(scene.deadline == nil)
  }

  @Test func changeThatIsNotVisibleIsNotDrawn() throws {
    try add("lower", Rect(x: 10, y: 10, width: 30, height: 30))
    try add("cover", Rect(x: 5, y: 5, width: 50, height: 50), sees: .wallpaper)
    try add("upper", Rect(x: 0, y: 0, width: 80, height: 80))
    #expect(try scene.settle())
    let before = scene.statistics.frames
    try setTint("lower", Color(red: 1, green: 0, blue: 0, alpha: 0.8))
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
    #expect(scene.statistics.frames == before)
  }

  /// The backdrop of panes is captured once, whether other panes show them or not.
  @Test func panesBelowAreNotCapturedAgain() throws {
    try add("lower", Rect(x: 20, y: 20, width: 60, height: 60))
    try add("upper", Rect(x: 40, y: 40, width: 60, height: 60))
    #expect(try scene.settle())
    let before = scene.display.calls.captures
    try setTint("lower", Color(red: 1, green: 0, blue: 0, alpha: 0.8))
    try scene.setShown("lower", false)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
    #expect(scene.display.calls.captures == before)
  }

  /// A pane that is shown again is right at once, although what is below it has changed.
  @Test func hiddenPaneIsRightWhenItIsShownAgain() throws {
    try add("lower", Rect(x: 20, y: 20, width: 60, height: 60))
    try add("upper", Rect(x: 40, y: 40, width: 60, height: 60))
    #expect(try scene.settle())
    try scene.setShown("upper", false)
    #expect(try scene.settle())
    try setTint("lower", Color(red: 0, green: 1, blue: 0, alpha: 0.8))
    #expect(try scene.settle())
    try scene.setShown("upper", true)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  /// Panes of one layer that are exchanged show each other in the new order.
  @Test func restackedPanesShowThoseBelowThem() throws {
    try add("one", Rect(x: 20, y: 20, width: 60, height: 60))
    try add("two", Rect(x: 40, y: 40, width: 60, height: 60))
    #expect(try scene.settle())
    try scene.apply(scene.panes.reversed())
    #expect(try scene.settle())
    #expect(scene.names == ["two", "one"])
    #expect(scene.fault() == nil)
  }

  /// A pane whose new layer cannot be read yet keeps its shadow, also where a lower pane changes.
  @Test func paneThatWaitsInItsNewLayerKeepsItsPixels() throws {
    try scene.add(makePane("lower", Rect(x: 20, y: 20, width: 60, height: 60)))
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = geometry(Rect(x: 50, y: 50, width: 60, height: 40))
    settings.stackingLayer = .top
    settings.shadow = Shadow(
      offsetX: 0, offsetY: 0, radius: 12, opacity: 0.5, color: Color(white: 0, alpha: 1))
    try scene.add(Pane("upper", settings))
    #expect(try scene.settle())
    let shown = try #require(scene.display.overlay(named: "upper")?.picture)
    try scene.change("upper") { $0.stackingLayer = .normal }
    try setTint("lower", Color(red: 1, green: 0, blue: 0, alpha: 0.8))
    scene.display.unreadableCount = 1000
    scene.wait(Scene.interval)
    try scene.step()
    let isKept = scene.display.overlay(named: "upper")?.picture == shown
    #expect(isKept)
    scene.display.unreadableCount = 0
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }
}
