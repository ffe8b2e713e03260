import Engine
import Panes
import Raster
import Testing

/// Panes behind windows that come, go and change.
@Suite struct BehindTargetTests {
  private let scene = Scene(width: 200, height: 150)

  init() throws {
    scene.display.setBlending(true)
    try scene.step()
  }

  private func target(
    _ id: UInt32, _ rect: Rect, of name: String = "Kitty", requested: Region? = nil,
    isTranslucent: Bool = true
  ) -> TargetWindow {
    TargetWindow(
      id: WindowID(number: id),
      properties: WindowProperties(
        id: id + 1000, frame: id, windowClass: name, title: "a title",
        asksForBlur: requested != nil),
      frame: rect, shape: Region(rect), requested: requested, isTranslucent: isTranslucent)
  }

  private func pane(_ name: String, _ edit: (inout PaneSettings) throws -> Void) throws -> Pane {
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = 4
    try edit(&settings)
    return try Pane(name, settings)
  }

  private func places(_ name: String = "glass") -> [String?] {
    scene.engine.states(of: name).map { $0.rect.map { "\($0)" } }
  }

  private func expect(
    _ expected: [String?], _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try scene.settle(), sourceLocation: sourceLocation)
    #expect(places() == expected, what, sourceLocation: sourceLocation)
    let shown = scene.display.order.filter { scene.display.overlay($0.id)?.state != nil }
    #expect(shown.count == expected.compactMap(\.self).count, what, sourceLocation: sourceLocation)
  }

  @Test func paneFollowsItsWindows() throws {
    #expect(scene.display.interest == .none)
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    #expect(scene.display.interest.isActive && !scene.display.interest.announcesBlur)
    try expect([nil], "no window")
    let first = Rect(x: 10, y: 10, width: 60, height: 40)
    scene.display.setTargets([target(1, first), target(2, first, of: "Other")])
    try expect(["60x40+10+10"], "one window")
    #expect(scene.display.order.last?.target == WindowID(number: 1))
    let second = Rect(x: 90, y: 50, width: 50, height: 50)
    scene.display.setTargets([target(1, first), target(3, second)])
    try expect(["60x40+10+10", "50x50+90+50"], "two windows")
    scene.display.setTargets([target(3, second.translated(x: 7, y: -3))])
    try expect(["50x50+97+47"], "the first one is gone, the other moved")
    scene.display.setTargets([])
    try expect([nil], "none is left")
    #expect(scene.names == ["glass"])
    try scene.remove("glass")
    #expect(scene.display.interest == .none)
  }

  @Test func displayKnowsWhetherAWindowIsNamed() throws {
    scene.display.setTargets([target(1, Rect(x: 10, y: 10, width: 60, height: 40))])
    try scene.add(pane("glass") { $0.windowType = .normal })
    #expect(scene.display.order.map(\.isTargetNamed) == [false])
    try scene.remove("glass")
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    #expect(scene.display.order.map(\.isTargetNamed) == [true])
  }

  @Test func glassIsNotShownInVain() throws {
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    let rect = Rect(x: 10, y: 10, width: 60, height: 40)
    scene.display.setTargets([target(1, rect, isTranslucent: false)])
    #expect(try scene.settle())
    #expect(scene.display.watched.isEmpty)
    scene.display.setTargets([target(1, rect)])
    try expect(["60x40+10+10"], "translucent")
    scene.display.setBlending(false)
    #expect(try scene.settle())
    #expect(scene.display.watched.isEmpty)
    scene.display.setBlending(true)
    try expect(["60x40+10+10"], "blended again")
  }

  /// A rule of the compositor leaves no trace on the window.
  @Test func windowsMayBeDeclaredTranslucent() throws {
    let rect = Rect(x: 10, y: 10, width: 60, height: 40)
    scene.display.setTargets([target(1, rect, isTranslucent: false)])
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    #expect(try scene.settle())
    #expect(scene.engine.obstructedTargets.map(\.obstacle) == [.opaque])
    try scene.change("glass") { $0.translucent = .always }
    try expect(["60x40+10+10"], "declared")
    #expect(scene.engine.obstructedTargets.isEmpty)
    try scene.change("glass") { $0.translucent = .auto }
    #expect(try scene.settle())
    #expect(scene.engine.obstructedTargets.map(\.obstacle) == [.opaque])
  }

  /// Only the pixels of some windows tell whether glass beneath them would be visible.
  @Test func windowsOfShownPanesAreInspected() throws {
    let rect = Rect(x: 10, y: 10, width: 60, height: 40)
    scene.display.setTargets([
      target(1, rect), target(2, rect, of: "Other"), target(3, rect, of: "XTerm"), target(4, rect),
    ])
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    try scene.add(
      pane("over") {
        $0.windowClass = "xterm"
        $0.background = .color(0x10_2030)
      })
    #expect(try scene.settle())
    #expect(scene.display.inspected == [WindowID(number: 1), WindowID(number: 4)])
    try scene.change("over") { $0.background = BackgroundChoice.none }
    #expect(scene.display.inspected.contains(WindowID(number: 3)))
    try scene.setShown("glass", false)
    #expect(scene.display.inspected == [WindowID(number: 3)])
    try scene.remove("over")
    #expect(scene.display.inspected.isEmpty)
  }

  @Test func obstacleIsToldWhenItLasts() throws {
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    let rect = Rect(x: 10, y: 10, width: 60, height: 40)
    scene.display.setTargets([target(1, rect, isTranslucent: false), target(3, rect)])
    try scene.step()
    scene.display.setTargets([target(1, rect), target(3, rect)])
    #expect(try scene.settle())
    scene.wait(.seconds(5))
    try scene.step()
    #expect(scene.takeObstacles().isEmpty, "it was opaque for a moment only")
    for _ in 0..<2 {
      scene.display.setTargets([1, 3].map { target($0, rect, isTranslucent: false) })
      #expect(try scene.settle())
      scene.wait(.seconds(5))
      try scene.step()
      let told = scene.takeObstacles()
      #expect(told.map(\.pane) == ["glass"] && told.map(\.reason) == [.opaque], "once for both")
      #expect(scene.engine.obstructedTargets.map(\.target.id) == [WindowID(number: 1)])
      scene.display.setTargets([target(1, rect), target(3, rect)])
      #expect(try scene.settle())
      #expect(scene.engine.obstructedTargets.isEmpty)
    }
    scene.display.setBlending(false)
    #expect(try scene.settle())
    scene.wait(.seconds(5))
    try scene.step()
    #expect(scene.takeObstacles().map(\.reason) == [.noCompositor])
    #expect(scene.takeObstacles().isEmpty)
  }

  @Test func costlySearchIsToldOnce() throws {
    try scene.add(
      pane("costly") { $0.title = try TextPattern(parsing: "(a|aa)+$[yz]", setting: "title") })
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    var window = target(1, Rect(x: 10, y: 10, width: 60, height: 40))
    for length in 500..<505 {
      window.properties.title = String(repeating: "a", count: length)
      scene.display.setTargets([window])
      scene.wait(.seconds(2))
      try scene.step()
    }
    #expect(scene.takeObstacles() == [PaneObstacle(pane: "costly", reason: .costlyTitle)])
    #expect(scene.engine.obstructedTargets.map(\.pane) == ["costly"])
    try expect(["60x40+10+10"], "another pane has the window")
    window.properties.title = "a"
    scene.display.setTargets([window])
    #expect(try scene.settle())
    #expect(scene.engine.obstructedTargets.isEmpty)
  }

  /// The window grows between each capture and its answer, so it always needs cells that were not captured.
  @Test func paneFollowsAWindowThatGrowsFasterThanCaptures() throws {
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    func grow(to width: Int) throws {
      let rect = Rect(x: 10, y: 10, width: width, height: 40)
      scene.display.setTargets([target(1, rect)])
      try scene.step()
    }
    func shownWidth() -> Int? {
      scene.display.order.last.flatMap { scene.display.overlay($0.id)?.state?.rect.width }
    }
    try grow(to: 30)
    try expect(["30x40+10+10"], "at first")
    scene.display.answersAtOnce = false
    var captured = 50
    try grow(to: captured)
    for _ in 0..<5 {
      // A frame is due, which captures the cells of this width.
      scene.wait(.seconds(1))
      try scene.step()
      try grow(to: captured + 10)
      try grow(to: captured + 20)
      scene.display.answer()
      try scene.step()
      #expect(shownWidth() == captured)
      captured += 20
    }
    scene.display.answersAtOnce = true
    try expect(["150x40+10+10"], "at last")
    #expect(shownWidth() == 150)
  }

  @Test func firstMatchingPaneHasTheWindow() throws {
    try scene.add(pane("any") { $0.requests = true })
    #expect(scene.display.interest.announcesBlur)
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    try scene.add(pane("late") { $0.windowClass = "Kitty" })
    let rect = Rect(x: 10, y: 10, width: 60, height: 40)
    let asked = Region(Rect(x: 20, y: 20, width: 30, height: 10))
    scene.display.setTargets([
      target(1, rect, requested: asked), target(2, rect, of: "Other", requested: asked),
      target(3, rect, of: "Other"),
    ])
    #expect(try scene.settle())
    #expect(places() == ["30x10+20+20"])
    #expect(places("any") == ["30x10+20+20"])
    #expect(places("late") == [nil])
    try scene.remove("glass")
    #expect(try scene.settle())
    #expect(places("late") == ["30x10+20+20"])
  }

  @Test func exclusionAndInsetCount() throws {
    try scene.add(
      pane("glass") {
        $0.windowClass = "kitty"
        $0.exclude = [try WindowCondition(parsing: "title=^a t")]
      })
    let rect = Rect(x: 10, y: 10, width: 60, height: 40)
    scene.display.setTargets([target(1, rect)])
    try expect([nil], "excluded")
    try scene.change("glass", PaneChange(PaneSettings(), reset: ["exclude"]))
    try expect(["60x40+10+10"], "not excluded any more")
    try scene.change("glass") { $0.inset = Margin(top: 5, right: 6, bottom: 7, left: 8) }
    try expect(["46x28+18+15"], "inset")
  }

  @Test func reasonWhyThereIsNoPictureIsNamed() throws {
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    #expect(try scene.settle())
    #expect(throws: EngineError.pane(.noWindow("glass"))) { try scene.picture(of: "glass") }
    let rect = Rect(x: 10, y: 10, width: 60, height: 40)
    scene.display.setTargets([target(1, rect, isTranslucent: false)])
    #expect(try scene.settle())
    #expect(throws: EngineError.obstructed("glass", .opaque)) { try scene.picture(of: "glass") }
    scene.display.setTargets([target(1, rect)])
    scene.display.setBlending(false)
    #expect(try scene.settle())
    #expect(throws: EngineError.obstructed("glass", .noCompositor)) {
      try scene.picture(of: "glass")
    }
  }

  @Test func displayWithoutWindowsRefusesThem() throws {
    scene.display.reportsWindows = false
    let error = EngineError.noWindows(scene.display.report.name)
    #expect(throws: error) { try scene.add(pane("glass") { $0.windowClass = "kitty" }) }
    #expect(throws: error) { try scene.startWindows() }
    #expect(scene.names.isEmpty)
  }

  /// A list of panes may be for several displays: what one of them cannot show is told, and the rest is shown.
  @Test func listMayHavePanesBehindWindowsThatAreNotReported() throws {
    scene.display.reportsWindows = false
    let other = try pane("other") { $0.geometry = try Geometry(parsing: "30x20+5+5") }
    _ = try scene.apply([pane("glass") { $0.windowClass = "kitty" }, other])
    #expect(try scene.settle())
    #expect(places("other") == ["30x20+5+5"])
    scene.wait(.seconds(5))
    try scene.step()
    #expect(scene.takeObstacles() == [PaneObstacle(pane: "glass", reason: .noWindows)])
    try scene.change("glass") { $0.sigma = 12 }
    #expect(scene.names == ["other", "glass"])
  }

  /// A pane whose conditions are reset leaves its windows for a place, and the other way round.
  @Test func paneMayChangeBetweenPlaceAndWindows() throws {
    let rect = Rect(x: 10, y: 10, width: 60, height: 40)
    scene.display.setTargets([target(1, rect)])
    try scene.add(pane("glass") { $0.geometry = try Geometry(parsing: "30x20+5+5") })
    try expect(["30x20+5+5"], "a place")
    var change = PaneChange(reset: ["geometry"])
    change.settings.windowClass = "kitty"
    try scene.change("glass", change)
    try expect(["60x40+10+10"], "behind a window")
    change = PaneChange(reset: ["class"])
    change.settings.geometry = try Geometry(parsing: "30x20+5+5")
    try scene.change("glass", change)
    try expect(["30x20+5+5"], "a place again")
    #expect(scene.display.interest == .none)
  }

  @Test func displayThatReturnsHasTheWindowsAgain() throws {
    try scene.add(pane("glass") { $0.windowClass = "kitty" })
    scene.display.setTargets([target(1, Rect(x: 10, y: 10, width: 60, height: 40))])
    try expect(["60x40+10+10"], "at first")
    scene.loseDisplay()
    scene.reconnect(to: scene.display.backdrop)
    scene.display.setBlending(true)
    scene.display.setTargets([target(7, Rect(x: 20, y: 10, width: 60, height: 40))])
    try expect(["60x40+20+10"], "again")
  }
}
