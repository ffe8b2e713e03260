import Engine
import Panes
import Raster
import TestDice
import Testing

/// Clicks on panes of a display whose pointer and fingers the test moves.
@Suite struct PressTests {
  private var dice = Dice(seed: 2300)
  private let scene: Scene

  init() throws {
    scene = Scene(dice.picture(width: 200, height: 150))
  }

  private func add(_ name: String, click: String?, _ edit: (inout PaneSettings) -> Void = { _ in })
    throws
  {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "60x50+10+20")
    settings.click = try click.map { try ShellCommand(parsing: $0, setting: "click") }
    edit(&settings)
    try scene.add(Pane(name, settings))
    #expect(try scene.settle())
  }

  private var overlay: OverlayID? { scene.display.order.last?.id }

  private func touch(
    _ phase: Contact.Phase, _ x: Double, _ y: Double, id: Contact.ID = .pointer
  ) throws {
    scene.display.touch(try #require(overlay), Contact(id, phase, x: x, y: y, time: 7))
    try scene.step()
  }

  private var clicks: [String] { scene.takeClicks().map { "\($0.pane): \($0.command.text)" } }

  @Test func pressThatEndsNearItsBeginningIsAClick() throws {
    try add("pane", click: "a")
    for (x, y, isClick) in [
      (0.0, 0.0, true), (8, -8, true), (8.1, 0, false), (0, 9, false), (-30, 2, false),
    ] {
      try touch(.began, 40, 40)
      try touch(.moved, 40 + x, 40 + y)
      #expect(clicks == [])
      try touch(.ended, 40, 40)
      #expect(clicks == (isClick ? ["pane: a"] : []), "\(x), \(y)")
    }
  }

  /// Whatever contacts begin, move and end, each that was near its beginning all the time and is the last that
  /// began is a click, once.
  @Test mutating func randomContactsAreCountedOnce() throws {
    try add("pane", click: "a")
    var last: (id: Contact.ID, x: Double, y: Double, isNear: Bool)?
    for _ in 0..<2000 {
      let id = Contact.ID.finger(UInt32(dice.roll(1...3)))
      let (x, y) = (Double(dice.roll(30...42)), Double(dice.roll(30...42)))
      let phase = [Contact.Phase.began, .moved, .ended][dice.roll(0...2)]
      var expected: [String] = []
      if phase == .began {
        last = (id, x, y, true)
      } else if let press = last, press.id == id {
        let isNear = press.isNear && abs(press.x - x) <= 8 && abs(press.y - y) <= 8
        last?.isNear = isNear
        if phase == .ended {
          expected = isNear ? ["pane: a"] : []
          last = nil
        }
      }
      try touch(phase, x, y, id: id)
      #expect(clicks == expected, "\(dice)")
    }
  }

  @Test func hiddenPaneAndOneWithoutACommandTakeNone() throws {
    try add("pane", click: nil) { $0.input = .grab }
    try touch(.began, 40, 40)
    try touch(.ended, 40, 40)
    #expect(clicks == [])
    // A press before the pane has a command is none.
    var change = PaneChange()
    change.settings.click = try ShellCommand(parsing: "b", setting: "click")
    try touch(.began, 40, 40)
    try scene.change("pane", change)
    try touch(.ended, 40, 40)
    #expect(clicks == [])
    try touch(.began, 40, 40)
    try scene.setShown("pane", false)
    try touch(.ended, 40, 40)
    #expect(clicks == [])
  }

  /// The whole pane takes clicks, whatever its input says; around it they reach the window below.
  @Test(arguments: [nil, InputMode.grab]) func paneReceivesClicks(input: InputMode?) throws {
    try add("pane", click: "a") {
      $0.input = input
      $0.style = .plain
    }
    let state = try #require(overlay.flatMap { scene.display.overlay($0)?.state })
    #expect(state.inputRegion == Region(Rect(x: 10, y: 20, width: 60, height: 50)))
    #expect(state.reportsContacts)
    var change = PaneChange()
    change.reset = ["click", "input"]
    try scene.change("pane", change)
    #expect(try scene.settle())
    let next = try #require(overlay.flatMap { scene.display.overlay($0)?.state })
    #expect(next.inputRegion.isEmpty && !next.reportsContacts)
  }

  /// The handle of a drawer pulls; all of it takes clicks.
  @Test func tapOnADrawerDoesNotMoveIt() throws {
    try add("drawer", click: "toggle") {
      $0.geometry = nil
      $0.size = PaneSize(width: .pixels(120), height: .pixels(80))
      $0.edge = .top
      $0.peek = 30
      $0.dragHandle = Geometry(width: 120, height: 10, x: .fromStart(0), y: .fromEnd(0))
    }
    for y in [2.0, 25] {
      try touch(.began, 100, y)
      try touch(.moved, 101, y + 3)
      try touch(.ended, 101, y + 3)
      #expect(clicks == ["drawer: toggle"])
      #expect(try scene.settle())
      #expect(scene.drawer("drawer") == .closed)
    }
    try touch(.began, 100, 25)
    try touch(.moved, 100, 70)
    try touch(.ended, 100, 70)
    #expect(clicks == [])
    #expect(try scene.settle())
    #expect(scene.drawer("drawer") == .open)
  }
}
