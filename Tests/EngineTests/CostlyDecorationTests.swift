import Engine
import Frost
import Panes
import Raster
import Testing

/// Decorations that the caller of the engine makes before the request that needs them.
@Suite struct CostlyDecorationTests {
  private let scene = Scene(width: 1100, height: 900)

  private func pane(
    corner: Double, radius: Int, width: Int = 1000, isShown: Bool = true
  ) throws -> Pane {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = geometry(Rect(x: 50, y: 60, width: width, height: 800))
    settings.corner = Corner(radius: corner)
    settings.shadow = Shadow(radius: Double(radius), color: Color(white: 0))
    return try Pane("panel", settings, isShown: isShown)
  }

  @Test func smallDecorationIsNotCostly() throws {
    #expect(scene.costlyDecorations(of: [try pane(corner: 20, radius: 24)]).isEmpty)
  }

  @Test func decorationOfHiddenPaneIsNotNeeded() throws {
    let hidden = try pane(corner: 400, radius: 60, isShown: false)
    #expect(scene.costlyDecorations(of: [hidden]).isEmpty)
  }

  @Test func preparedDecorationIsDrawn() throws {
    let pane = try pane(corner: 400, radius: 60)
    let plans = scene.costlyDecorations(of: [pane])
    #expect(plans.count == 1)
    scene.prepare(plans)
    try scene.add(pane)
    scene.prepare([])
    #expect(scene.costlyDecorations(of: [pane]).isEmpty)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  /// Panes that are larger than their corners share a shadow.
  @Test func sharedShadowIsNotCostly() throws {
    try scene.add(try pane(corner: 300, radius: 30))
    #expect(scene.costlyDecorations(of: [try pane(corner: 300, radius: 30, width: 990)]).isEmpty)
    #expect(scene.costlyDecorations(of: [try pane(corner: 310, radius: 30)]).count == 1)
  }

  @Test func paneWithoutItsPreparedDecorationIsDrawnToo() throws {
    scene.prepare(scene.costlyDecorations(of: [try pane(corner: 400, radius: 30)]))
    try scene.add(try pane(corner: 400, radius: 60))
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }
}
