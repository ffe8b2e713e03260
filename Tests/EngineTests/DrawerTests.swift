import Engine
import Panes
import Raster
import TestDice
import Testing

/// Drawers on a display whose pointer and fingers the test moves.
@Suite struct DrawerTests {
  private static let size = (width: 200, height: 150)
  private var dice = Dice(seed: 1900)
  private let scene: Scene

  init() {
    scene = Scene(dice.picture(width: Self.size.width, height: Self.size.height))
  }

  /// Adds a drawer of 120x80 at the top, of which 10 pixels are visible.
  private func add(_ edit: (inout PaneSettings) -> Void = { _ in }) throws {
    var settings = PaneSettings()
    settings.style = .plain
    settings.sigma = 4
    settings.size = try PaneSize(parsing: "120x80")
    settings.edge = .top
    settings.peek = 10
    edit(&settings)
    try scene.add(Pane("drawer", settings))
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  private var overlay: OverlayID? { scene.display.order.last?.id }
  private var rect: Rect? { overlay.flatMap { scene.display.overlay($0)?.state?.rect } }

  private func touch(
    _ phase: Contact.Phase, _ x: Double, _ y: Double, id: Contact.ID = .pointer
  ) throws {
    scene.display.touch(
      try #require(overlay),
      Contact(id, phase, x: x, y: y, time: UInt32(scene.now / .milliseconds(1))))
    try scene.step()
    scene.wait(Scene.interval)
    try scene.step()
  }

  @Test(arguments: Edge.allCases)
  func drawerFollowsTheFingerFromTheFirstPixel(edge: Edge) throws {
    try add { $0.edge = edge }
    let closed = try #require(rect)
    let isAcross = edge == .top || edge == .bottom
    let (x, y) = (Double(closed.x + closed.width / 2), Double(closed.y + closed.height / 2))
    try touch(.began, x, y, id: .finger(3))
    for distance in [1, 2, 30, 5, 40, 41] {
      let way = Double(edge.direction * distance)
      try touch(.moved, isAcross ? x + 3 : x + way, isAcross ? y + way : y - 2, id: .finger(3))
      let visible = try #require(rect)
      #expect((isAcross ? visible.height : visible.width) == 10 + distance)
      #expect(scene.fault() == nil, "\(dice): \(distance)")
    }
    #expect(scene.drawer("drawer") == .moving)
    // It ends at its bounds, and does not move until the finger is back.
    let far = Double(edge.direction * 500)
    try touch(.moved, isAcross ? x : x + far, isAcross ? y + far : y, id: .finger(3))
    #expect(rect.map { isAcross ? $0.height : $0.width } == (isAcross ? 80 : 120))
    #expect(scene.fault() == nil, "\(dice)")
    scene.wait(.seconds(1))
    try touch(.ended, isAcross ? x : x + far, isAcross ? y + far : y, id: .finger(3))
    #expect(try scene.settle())
    #expect(scene.drawer("drawer") == .open && scene.fault() == nil)
  }

  /// A pull that is held costs nothing, and a slow release decides by the position.
  @Test func drawerFallsToTheNearerEndAndRests() throws {
    try add()
    for (distance, state) in [(30.0, PaneState.Drawer.closed), (45, .open)] {
      try touch(.began, 100, 5)
      try touch(.moved, 100, 5 + distance)
      scene.wait(.seconds(1))
      try scene.step()
      #expect(scene.deadline == nil)
      try touch(.ended, 100, 5 + distance)
      #expect(scene.drawer("drawer") == .moving)
      #expect(try scene.settle())
      #expect(scene.drawer("drawer") == state && scene.fault() == nil)
      let calls = scene.display.calls
      scene.wait(.seconds(1))
      try scene.step()
      #expect(scene.display.calls == calls && scene.deadline == nil)
    }
  }

  /// A fast finger decides by its speed.
  @Test func thrownDrawerOpens() throws {
    try add()
    try touch(.began, 100, 5)
    try touch(.moved, 100, 10)
    try touch(.ended, 100, 20)
    #expect(try scene.settle())
    #expect(scene.drawer("drawer") == .open)
  }

  @Test func fallingDrawerCanBeCaught() throws {
    try add()
    try scene.moveDrawer("drawer", .open)
    for _ in 0..<6 {
      try scene.step()
      scene.wait(Scene.interval)
    }
    let caught = try #require(rect)
    #expect(caught.height > 10 && caught.height < 80)
    try touch(.began, 100, 5)
    try touch(.moved, 100, 7)
    let pulled = try #require(rect?.height)
    #expect((caught.height...caught.height + 15).contains(pulled))
    scene.wait(.milliseconds(200))
    try touch(.ended, 100, 7)
    #expect(try scene.settle())
    #expect(scene.drawer("drawer") == .closed || scene.drawer("drawer") == .open)
    #expect(scene.fault() == nil)
  }

  /// Only the contact that began the pull moves it.
  @Test func otherContactsAreIgnored() throws {
    try add()
    try touch(.moved, 100, 60)
    #expect(rect?.height == 10, "a move without a press")
    try touch(.began, 100, 5, id: .finger(1))
    try touch(.began, 100, 5, id: .finger(2))
    try touch(.moved, 100, 60, id: .finger(2))
    try touch(.ended, 100, 60, id: .finger(2))
    #expect(rect?.height == 10 && scene.drawer("drawer") == .moving)
    try touch(.moved, 100, 15, id: .finger(1))
    #expect(rect?.height == 20)
  }

  @Test func handleLimitsWhereThePullBegins() throws {
    try add { $0.dragHandle = try? Geometry(parsing: "40x10+40-0") }
    #expect(
      scene.display.overlay(try #require(overlay))?.state?.inputRegion
        == Region(Rect(x: 80, y: 0, width: 40, height: 10)))
    try touch(.began, 50, 5)
    try touch(.moved, 50, 60)
    #expect(rect?.height == 10)
    try touch(.began, 90, 5)
    try touch(.moved, 90, 15)
    #expect(rect?.height == 20)
  }

  @Test func requestsAndEscapeMoveTheDrawer() throws {
    try add()
    for (action, state) in [
      (DrawerAction.open, PaneState.Drawer.open), (.toggle, .closed), (.toggle, .open),
      (.close, .closed), (.close, .closed),
    ] {
      try scene.moveDrawer("drawer", action)
      #expect(try scene.settle())
      #expect(scene.drawer("drawer") == state && scene.fault() == nil)
    }
    try touch(.began, 100, 5)
    #expect(scene.display.focused == overlay)
    try touch(.moved, 100, 70)
    try touch(.ended, 100, 70)
    #expect(try scene.settle())
    #expect(scene.drawer("drawer") == .open && scene.display.focused == overlay)
    scene.display.pressEscape(try #require(overlay))
    #expect(try scene.settle())
    #expect(scene.drawer("drawer") == .closed && scene.display.focused == nil)
    try scene.add("pane", Rect(x: 0, y: 0, width: 9, height: 9))
    #expect(throws: EngineError.pane(.noDrawer("pane"))) { try scene.moveDrawer("pane", .open) }
  }

  /// A drawer whose output is not there can be opened, and is open when the output comes.
  @Test func drawerOfAnAbsentOutputCanBeOpened() throws {
    scene.display.setOutputs([
      Output(name: "left", bounds: Rect(x: 0, y: 0, width: 200, height: 150))
    ])
    try scene.step()
    try add { $0.output = .named("left") }
    scene.display.setOutputs([Output(name: "right", bounds: scene.screen)])
    try scene.step()
    try scene.moveDrawer("drawer", .toggle)
    scene.display.setOutputs([
      Output(name: "left", bounds: Rect(x: 0, y: 0, width: 200, height: 150))
    ])
    #expect(try scene.settle())
    #expect(scene.drawer("drawer") == .open && scene.fault() == nil)
  }

  /// A closed drawer without a visible part has no overlay, and needs no pixels.
  @Test func hiddenDrawerOpensAndCloses() throws {
    try add { $0.peek = nil }
    #expect(scene.display.overlay(try #require(overlay))?.isShown == false)
    #expect(throws: EngineError.pane(.closed("drawer"))) { try scene.picture(of: "drawer") }
    scene.display.draw(scene.screen) { x, y in UInt32(x &* 77 &+ y &* 12345) }
    let captures = scene.display.calls.captures
    scene.wait(.seconds(1))
    try scene.step()
    #expect(scene.display.calls.captures == captures)
    for state in [PaneState.Drawer.open, .closed, .open] {
      try scene.moveDrawer("drawer", .toggle)
      #expect(try scene.settle())
      #expect(scene.drawer("drawer") == state && scene.fault() == nil)
    }
  }

  /// When the cells of the travel are known, no frame of the motion needs a capture.
  @Test func motionNeedsNoCaptures() throws {
    try add()
    try touch(.began, 100, 5)
    let captures = scene.display.calls.captures
    for y in stride(from: 6.0, to: 70, by: 4) {
      try touch(.moved, 100, y)
      #expect(rect?.height == 10 + Int(y) - 5)
    }
    #expect(scene.display.calls.captures <= captures + 1)
    #expect(scene.fault() == nil)
  }

  /// A pull ends if the display replaces the window, so that its release is not reported.
  @Test func pullEndsWithTheWindow() throws {
    try add()
    for lose in [
      { scene.display.destroy("drawer") }, { scene.display.setBlending(true) },
      { try? scene.setShown("drawer", false) },
    ] {
      try touch(.began, 100, 5)
      try touch(.moved, 100, 20)
      lose()
      #expect(try scene.settle())
      #expect(scene.drawer("drawer") == .closed && scene.fault() == nil)
      try scene.setShown("drawer", true)
      #expect(try scene.settle())
    }
  }

  /// A drawer that keeps clear of a panel comes out from below it.
  @Test func drawerIsClippedAtThePanel() throws {
    var output = Output(name: "left", bounds: scene.screen, isPrimary: true)
    output.workArea = Rect(x: 0, y: 30, width: 200, height: 120)
    scene.display.setOutputs([output])
    try scene.step()
    try add { $0.workArea = true }
    #expect(rect == Rect(x: 40, y: 30, width: 120, height: 10))
    try scene.moveDrawer("drawer", .open)
    #expect(try scene.settle())
    #expect(rect == Rect(x: 40, y: 30, width: 120, height: 80))
    #expect(scene.fault() == nil)
  }

  /// Random fingers, throws, requests and changes of the output leave it at an end.
  @Test(arguments: 0..<30)
  func stormsEndAtAnEnd(seed: Int) throws {
    var dice = Dice(seed: 1950 + seed)
    scene.display.setBlending(seed % 2 == 0)
    try add {
      $0.edge = Edge.allCases.randomElement(using: &dice)
      $0.peek = dice.roll(0...1) == 0 ? nil : Double(dice.roll(1...30))
      $0.elasticity = dice.number(0...0.9)
      if dice.roll(0...1) == 0 { $0.size = try? PaneSize(parsing: "60%x50%") }
    }
    for _ in 0..<20 {
      let (x, y) = (dice.number(0...200), dice.number(0...150))
      let id: Contact.ID = dice.roll(0...1) == 0 ? .pointer : .finger(UInt32(dice.roll(0...2)))
      try touch(.began, x, y, id: id)
      for _ in 0..<dice.roll(0...9) {
        try touch(.moved, x + dice.number(-90...90), y + dice.number(-90...90), id: id)
        if dice.roll(0...15) == 0 { try scene.moveDrawer("drawer", .toggle) }
        if dice.roll(0...15) == 0 {
          scene.display.resize(
            to: dice.picture(width: dice.roll(150...220), height: dice.roll(99...200)))
        }
      }
      try touch(.ended, x + dice.number(-90...90), y + dice.number(-90...90), id: id)
      if dice.roll(0...2) > 0 { continue }
      #expect(try scene.settle())
      #expect(scene.drawer("drawer") != .moving && scene.fault() == nil, "\(dice)")
    }
  }
}
