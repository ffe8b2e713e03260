import Engine
import Frost
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// Frames that take long: they are drawn in steps, and requests and events arrive between the steps.
@Suite struct PaintingTests {
  private let scene = Scene()
  private let lower = Rect(x: 4, y: 4, width: 40, height: 30)
  private let upper = Rect(x: 30, y: 20, width: 40, height: 30)

  /// Two drawn panes, whose next frame is drawn in many steps.
  init() throws {
    try scene.add("lower", lower)
    try scene.add("upper", upper)
    #expect(try scene.settle())
    scene.slowness = .milliseconds(5)
    scene.display.pixelsPerCall = 200
  }

  /// Changes the backdrop and steps until the next frame is drawn in part.
  private func beginFrame(_ color: UInt32 = 0xff33_6699) throws {
    scene.display.draw(scene.screen) { x, y in color ^ UInt32(x / 8 * 31 + y / 8) }
    scene.wait(Scene.interval)
    try scene.step()
    while !scene.isPainting { try scene.step() }
  }

  private func expectRight() throws {
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func stepsPassBeforeALongFrameIsShown() throws {
    let before = scene.display.calls
    try beginFrame()
    #expect(scene.deadline == .zero)
    #expect(scene.display.calls.presents == before.presents)
    var steps = 0
    while scene.isPainting {
      try scene.step()
      steps += 1
    }
    #expect(steps >= 2)
    #expect(scene.display.calls.presents == before.presents + 2)
    #expect(scene.fault() == nil)
  }

  @Test func frameThatIsFastIsShownInOneStep() throws {
    scene.slowness = .zero
    let before = scene.display.calls.presents
    scene.display.draw(scene.screen) { _, _ in 0xff00_8040 }
    scene.wait(Scene.interval)
    try scene.step()
    #expect(scene.display.calls.presents == before + 2)
  }

  @Test func paneIsHiddenBetweenTwoSteps() throws {
    try beginFrame()
    try scene.setShown("lower", false)
    #expect(scene.display.overlay(named: "lower")?.isShown == false)
    try expectRight()
  }

  @Test func paneIsRemovedBetweenTwoSteps() throws {
    try beginFrame()
    try scene.remove("upper")
    #expect(scene.display.overlay(named: "upper") == nil)
    try expectRight()
  }

  @Test func lockScreenHidesPanesBetweenTwoSteps() throws {
    try beginFrame()
    scene.display.setLocked(Region(scene.screen))
    try scene.step()
    #expect(scene.display.overlay(named: "lower")?.isShown == false)
    #expect(scene.display.overlay(named: "upper")?.isShown == false)
    scene.display.setLocked(Region())
    try expectRight()
  }

  /// The drawing of a frame does not change before its end.
  @Test func newLookAppliesToTheNextFrame() throws {
    let other = try PaintingTests()
    for one in [self, other] { try one.beginFrame() }
    try scene.change("lower") { $0.tint = Color(red: 1, green: 0, blue: 0, alpha: 0.5) }
    for one in [self, other] { while one.scene.isPainting { try one.scene.step() } }
    for name in ["lower", "upper"] {
      #expect(
        scene.display.overlay(named: name)?.picture
          == other.scene.display.overlay(named: name)?.picture)
    }
    try expectRight()
  }

  @Test func paneIsMovedBetweenTwoSteps() throws {
    try beginFrame()
    try scene.change("upper") { $0.geometry = geometry(upper.translated(x: 9, y: -7)) }
    try expectRight()
  }

  @Test func overlayIsLostBetweenTwoSteps() throws {
    try beginFrame()
    scene.display.destroy("lower")
    try expectRight()
  }

  @Test func displayIsLostBetweenTwoSteps() throws {
    try beginFrame()
    let ticket = try scene.startPicture(of: "lower")
    scene.loseDisplay()
    #expect(throws: EngineError.away("headless")) { try scene.picture(for: ticket) }
    var dice = Dice(seed: 7)
    scene.reconnect(to: dice.picture(width: 120, height: 90))
    try expectRight()
  }

  /// Each pane that is hidden cancels the frame that is being drawn. The repeated one is drawn at once.
  @Test func changesInEachStepDoNotDelayFramesForever() throws {
    for i in 0..<8 { try scene.add("busy\(i)", Rect(x: 80, y: 5 * i, width: 20, height: 20)) }
    #expect(try scene.settle())
    let before = try scene.state(of: "lower").frames
    try beginFrame()
    for i in 0..<8 {
      try scene.setShown("busy\(i)", false)
      scene.wait(Scene.interval)
      try scene.step()
    }
    #expect(try scene.state(of: "lower").frames > before)
    try expectRight()
  }

  @Test func pictureThatIsDrawnInStepsEqualsThePane() throws {
    let picture = try scene.picture(of: "upper")
    #expect(picture == scene.display.overlay(named: "upper")?.picture)
  }

  @Test func pictureRequestedBetweenTwoStepsIsThatOfTheFrame() throws {
    try beginFrame()
    let picture = try scene.picture(of: "upper")
    #expect(picture == scene.display.overlay(named: "upper")?.picture)
    try expectRight()
  }
}
