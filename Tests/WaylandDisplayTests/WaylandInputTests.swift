import Engine
import Panes
import Raster
import TestDice
import TestSupport
import Testing

@testable import WaylandDisplay

/// Drawers that a pointer pulls, and clicks on panes, on a real compositor.
@Suite(.serialized) struct WaylandInputTests {
  private static let size = (width: 480, height: 320)
  private static let picture = Scenery.photo.picture(seed: 0)

  private let scene: WaylandScene
  private let input: VirtualInput

  init() throws {
    scene = try WaylandScene(wallpaper: Self.picture)
    input = try VirtualInput(scene.server, width: Self.size.width, height: Self.size.height)
  }

  /// A drawer of 120 pixels, of which 20 are visible while it is closed.
  private func addDrawer(_ edge: Edge = .top) throws {
    var settings = PaneSettings()
    settings.style = .plain
    settings.edge = edge
    settings.size = try PaneSize(parsing: isVertical(edge) ? "100%x120" : "120x100%")
    settings.peek = 20
    settings.sigma = 8
    try scene.add("drawer", settings)
    // The devices are bound.
    try scene.sync()
  }

  private func isVertical(_ edge: Edge) -> Bool { edge == .top || edge == .bottom }

  /// A point at a distance from an edge.
  private func point(_ edge: Edge, _ distance: Int) -> (x: Int, y: Int) {
    switch edge {
    case .top: (200, distance)
    case .bottom: (200, Self.size.height - 1 - distance)
    case .left: (distance, 100)
    case .right: (Self.size.width - 1 - distance, 100)
    }
  }

  /// The part of the output that a drawer covers.
  private func rect(_ edge: Edge, _ length: Int) -> Rect {
    let (width, height) = Self.size
    return switch edge {
    case .top: Rect(x: 0, y: 0, width: width, height: length)
    case .bottom: Rect(x: 0, y: height - length, width: width, height: length)
    case .left: Rect(x: 0, y: 0, width: length, height: height)
    case .right: Rect(x: width - length, y: 0, width: length, height: height)
    }
  }

  private func move(_ edge: Edge, _ distance: Int, after milliseconds: Int = 10) throws {
    let (x, y) = point(edge, distance)
    try input.move(x, y, after: milliseconds)
  }

  private var state: PaneState? { scene.engine.states(of: "drawer").first }

  /// Runs the loop until a condition is true.
  private func expect(
    _ text: String, _ condition: () throws -> Bool, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let deadline = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < deadline {
      if try condition() { return }
      try scene.step(timeout: .milliseconds(10))
    }
    Issue.record(
      "\(text): \(state as Any), \(scene.server.process.err)", sourceLocation: location)
  }

  private func expectState(
    _ wanted: PaneState.Drawer, _ location: SourceLocation = #_sourceLocation
  ) throws {
    try expect("\(wanted)", { state?.drawer == wanted }, location)
  }

  /// Outside of the drawer there is only the wallpaper, and the image of the pointer.
  private func expectScreen(_ edge: Edge, _ length: Int) throws {
    try scene.sync()
    let screen = try scene.server.screenshot()
    let drawer = rect(edge, length)
    let pointer = Rect(x: input.x - 32, y: input.y - 32, width: 64, height: 64)
    for part in Region(screen.bounds).subtracting(Region([drawer, pointer])).rects {
      #expect(
        screen.cropped(to: part).difference(from: Self.picture.cropped(to: part)) == nil,
        "\(edge), \(length)")
    }
    #expect(
      screen.cropped(to: drawer).difference(from: Self.picture.cropped(to: drawer), tolerance: 9)
        != nil, "\(edge), \(length)")
  }

  @Test(arguments: Edge.allCases) func pointerPullsADrawer(from edge: Edge) throws {
    try addDrawer(edge)
    try move(edge, 10)
    try input.press()
    for distance in [11, 12, 60, 35, 109] {
      try move(edge, distance)
      try expect("\(distance)") { state?.rect == rect(edge, 11 + distance - 1) }
      try expectScreen(edge, 10 + distance)
    }
    #expect(state?.drawer == .moving)
    try input.release(after: 150)
    try expectState(.open)
    try expectScreen(edge, 120)
    // Other buttons do not pull.
    try move(edge, 110)
    try input.press(VirtualInput.buttons.upperBound)
    try move(edge, 20)
    try scene.sync()
    #expect(state?.drawer == .open)
    try input.release(VirtualInput.buttons.upperBound)
    try input.type(VirtualInput.escapeKey)
    try expectState(.closed)
    try expectScreen(edge, 20)
  }

  /// Also where a logical pixel is not a whole number of pixels.
  @Test(arguments: ["1.5", "2"]) func pulledDrawerFollowsThePointerAtAnyScale(
    scale: String
  ) throws {
    try scene.server.setOutput(["--scale", scale])
    let (width, height) = Self.size
    let factor = try #require(Double(scale))
    try expect("scale") { scene.engine.server.outputs.first?.scale == factor }
    try addDrawer(.bottom)
    let closed = try #require(state?.rect)
    #expect(closed.maxX == width && closed.maxY == height)
    try move(.bottom, 10)
    try input.press()
    for distance in [11, 12, 60, 35, 70] {
      try move(.bottom, distance)
      let wanted = closed.height + distance - 10
      try expect("\(wanted)") { state?.rect?.height == wanted }
    }
    try input.release(after: 150)
    try expectState(.open)
  }

  /// The devices are bound after the pointer has come.
  @Test func drawerThatAppearsBelowThePointerIsPulled() throws {
    try move(.top, 10)
    try addDrawer()
    try input.press()
    try move(.top, 80)
    try expect("pull") { state?.rect == rect(.top, 90) }
    try scene.sync()
    let surface = scene.engine.server.overlays.values.first?.surface
    #expect(surface?.place.rect == rect(.top, 120), "one surface for the whole travel")
    try input.release(after: 150)
    try expectState(.open)
  }

  @Test func stillDrawerSleeps() throws {
    try addDrawer()
    try input.move(200, 200)
    try scene.settle()
    let before = scene.engine.server.report
    let iterations = try scene.run(for: .seconds(1))
    #expect(iterations <= 1 && scene.engine.server.report == before, "\(iterations)")
  }

  /// Random pulls, with other changes in between.
  @Test(arguments: 0..<3) func stormOfPullsEndsAtAnEnd(seed: Int) throws {
    var dice = Dice(seed: seed)
    try addDrawer(Edge.allCases[dice.roll(0...3)])
    for _ in 0..<60 {
      switch dice.roll(0...9) {
      case 0...1: try input.press()
      case 2: try input.release()
      case 3: try input.type(VirtualInput.escapeKey)
      case 4 where dice.roll(0...2) == 0:
        try scene.setShown("drawer", false)
        try scene.setShown("drawer", true)
      case 5: try input.press(VirtualInput.buttons.upperBound)
      case 6: try input.release(VirtualInput.buttons.upperBound)
      default:
        try input.move(dice.roll(0...Self.size.width - 1), dice.roll(0...Self.size.height - 1))
      }
      for _ in 0..<dice.roll(0...3) { try scene.step(timeout: .milliseconds(5)) }
    }
    try input.release()
    try expect("\(dice)") { state?.drawer == .open || state?.drawer == .closed }
    try scene.sync()
    #expect(scene.engine.server.contacts.isEmpty, "\(dice)")
    let surface = scene.engine.server.overlays.values.first?.surface
    #expect(surface?.shown == state?.rect, "\(dice)")
    if state?.drawer == .closed { #expect(surface?.role.takesKeyboard == false, "\(dice)") }
  }

  @Test func drawerIsThrown() throws {
    try addDrawer()
    try move(.top, 10)
    try input.press()
    for distance in stride(from: 12, through: 36, by: 8) { try move(.top, distance, after: 8) }
    try input.release(after: 0)
    try expectState(.open)
    try move(.top, 110)
    try input.press()
    for distance in stride(from: 102, through: 86, by: -8) { try move(.top, distance, after: 8) }
    try input.release(after: 0)
    try expectState(.closed)
  }

  @Test func pulledDrawerHasTheKeyboardUntilItCloses() throws {
    let window = try RecordingWindow(scene.server)
    try addDrawer()
    try input.type(VirtualInput.letterKey)
    #expect(try window.takeInput().suffix(1) == [.key(VirtualInput.letterKey)])
    try move(.top, 10)
    try input.press()
    try move(.top, 110)
    try input.release(after: 150)
    try expectState(.open)
    #expect(try window.takeInput().contains(.keyboardLeft))
    try input.type(VirtualInput.letterKey)
    try scene.sync()
    #expect(try window.takeInput().contains(.key(VirtualInput.letterKey)) == false)
    #expect(state?.drawer == .open)
    try input.type(VirtualInput.escapeKey)
    try expectState(.closed)
    try expect("focus") { try window.takeInput().contains(.keyboardEntered) }
    try input.type(VirtualInput.letterKey)
    #expect(try window.takeInput().contains(.key(VirtualInput.letterKey)))
    #expect(scene.engine.server.seats.allSatisfy { $0.keyboard == nil })
  }

  @Test func keymapSaysWhichKeyIsEscape() throws {
    let input = try VirtualInput(
      scene.server, width: Self.size.width, height: Self.size.height,
      symbols: "pc+us+capslock(swapescape)")
    try addDrawer()
    try move(.top, 10)
    try self.input.press()
    try move(.top, 110)
    try self.input.release(after: 150)
    try expectState(.open)
    try input.type(VirtualInput.escapeKey)
    try scene.sync()
    #expect(state?.drawer == .open)
    try input.type(VirtualInput.capsLockKey)
    try expectState(.closed)
  }

  @Test func drawerWhosePointerIsRemovedFallsAndIsPulledAgain() throws {
    try addDrawer()
    try move(.top, 10)
    do {
      let other = try VirtualInput(scene.server, width: Self.size.width, height: Self.size.height)
      try other.move(200, 10)
      try other.press()
      try other.move(200, 40)
      try expect("pull") { state?.rect == rect(.top, 50) }
      try scene.setShown("drawer", false)
      try other.move(200, 60)
      try other.release()
      try scene.setShown("drawer", true)
    }
    try scene.sync()
    #expect(state?.drawer == .closed)
    try move(.top, 10)
    try input.press()
    try move(.top, 110)
    try expect("pull") { state?.rect == rect(.top, 120) }
    try input.release(after: 150)
    try expectState(.open)
    #expect(scene.engine.server.contacts.isEmpty)
  }

  @Test(arguments: [InputMode.pass, .grab])
  func clickReachesTheWindowBelowIfAPanePassesIt(mode: InputMode) throws {
    let window = try RecordingWindow(scene.server)
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = try Geometry(parsing: "200x100+100+100")
    settings.input = mode
    try scene.add("pane", settings)
    // A compositor that has shown the window may not have placed it yet, and says nothing to a pointer that rests then.
    var x = 20
    try expect("window") {
      x = 41 - x
      try input.move(x, 200)
      return try window.takeInput().contains(.pointerEntered)
    }
    try input.move(150, 150)
    try input.press()
    try input.release()
    try scene.sync()
    let seen = try window.takeInput()
    #expect(seen == (mode == .grab ? [.pointerLeft] : [.pressed, .released]))
    // A pane without a drawer needs no events.
    #expect(scene.engine.server.seats.allSatisfy { $0.pointer == nil && $0.hasPointer })
    try input.move(20, 200)
    try input.press()
    #expect(try window.takeInput().contains(.pressed))
  }
}
