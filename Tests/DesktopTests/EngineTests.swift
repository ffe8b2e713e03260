import Desktop
import Frost
import Panes
import Raster
import TestDice
import Testing

/// When the engine works, and when it does not.
@Suite struct EngineTests {
  private let scene = Scene()
  private let corner = Rect(x: 4, y: 4, width: 20, height: 16)
  private let red: UInt32 = 0xffff_0000

  private var calls: HeadlessDesktop.Calls { scene.desktop.calls }

  private func paint(_ rect: Rect, _ color: UInt32) { scene.desktop.draw(rect) { _, _ in color } }

  @Test func withoutPanesNothingIsEverDone() throws {
    paint(scene.desktop.screen, red)
    try scene.step()
    #expect(scene.deadline == nil)
    #expect(calls == HeadlessDesktop.Calls())
  }

  @Test func aNewPaneIsShownAtOnce() throws {
    try scene.add("panel", corner)
    #expect(scene.deadline == .zero)
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.deadline == nil)
    #expect(try scene.state(of: "panel").frames == 1)
    #expect(try scene.state(of: "panel").rect == corner)
  }

  @Test func aChangeIsShownAtOnceWhenNothingWasShownBefore() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.wait(Scene.interval)
    paint(Rect(x: 5, y: 5, width: 3, height: 3), red)
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.deadline == nil)
  }

  @Test func aChangeSoonAfterAFrameWaitsForTheIntervalToEnd() throws {
    try scene.add("panel", corner)
    try scene.step()
    let first = scene.now
    scene.wait(.milliseconds(3))
    for i in 0..<5 {
      paint(Rect(x: 5 + i, y: 5, width: 3, height: 3), red)
      try scene.step()
      scene.wait(.milliseconds(1))
    }
    #expect(calls.presents == 1)
    #expect(scene.deadline == first + Scene.interval)
    scene.wait(.microseconds(1999))
    try scene.step()
    #expect(calls.presents == 1)
    scene.wait(.microseconds(1))
    try scene.step()
    #expect(calls.presents == 2)
    #expect(scene.fault() == nil)
    #expect(scene.deadline == nil)
  }

  @Test func thereIsAtMostOneFrameAnInterval() throws {
    var dice = Dice(seed: 7)
    try scene.add("panel", corner)
    var times: [Duration] = []
    for _ in 0..<500 {
      let before = calls.presents
      paint(dice.rect(in: corner), UInt32(dice.roll(0...0xff_ffff)) | 0xff00_0000)
      try scene.step()
      if calls.presents > before { times.append(scene.now) }
      scene.wait(.microseconds(dice.roll(1...6000)))
    }
    for (one, next) in zip(times, times.dropFirst()) { #expect(next - one >= Scene.interval) }
    #expect(times.count > 80)
  }

  @Test func syncShowsWithoutWaitingForTheInterval() throws {
    try scene.add("panel", corner)
    try scene.sync()
    #expect(scene.fault() == nil)
    paint(corner, red)
    try scene.sync()
    #expect(scene.fault() == nil)
    #expect(scene.deadline == nil)
  }

  @Test func aPaneWhoseBackdropDoesNotChangeIsLeftAlone() throws {
    try scene.add("still", corner)
    try scene.add("live", Rect(x: 80, y: 60, width: 20, height: 16))
    try scene.step()
    let before = calls
    for i in 0..<10 {
      scene.wait(Scene.interval)
      paint(Rect(x: 82 + i, y: 62, width: 2, height: 2), red)
      try scene.step()
    }
    #expect(calls.presents == before.presents + 10)
    #expect(try scene.state(of: "still").frames == 1)
    #expect(try scene.state(of: "live").frames == 11)
    #expect(scene.fault() == nil)
  }

  @Test func aPaneThatSeesTheWallpaperAloneIsReadOnceForEach() throws {
    try scene.add("panel", corner)
    var change = PaneChange()
    change.sees = .wallpaper
    try scene.change("panel", change)
    let blue = Bitmap(width: corner.width, height: corner.height, filledWith: 0xff20_4060)
    #expect(try scene.settle())
    #expect(try scene.picture(of: "panel") == blue)
    #expect(try scene.backdrop(of: "panel") == blue)
    let before = calls.captures
    for _ in 0..<5 {
      scene.wait(Scene.interval)
      paint(corner, red)
      #expect(try scene.settle())
    }
    #expect(calls.captures == before)
    scene.desktop.wallpaper = 0xff66_7788
    scene.desktop.announce(scene.desktop.screen)
    #expect(try scene.settle())
    #expect(calls.captures > before)
    #expect(try scene.picture(of: "panel")[3, 3] == 0xff66_7788)
    change.sees = .windows
    try scene.change("panel", change)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func damageOutOfSightCostsNothing() throws {
    try scene.add("panel", corner)
    try scene.step()
    let before = calls
    scene.wait(Scene.interval)
    paint(Rect(x: 90, y: 60, width: 30, height: 30), red)
    try scene.step()
    #expect(scene.deadline == nil)
    #expect(calls == before)
  }

  @Test func aRedrawWithTheSamePixelsEndsAfterTheCapture() throws {
    try scene.add("panel", corner)
    try scene.step()
    let before = calls
    scene.wait(Scene.interval)
    scene.desktop.damage(corner)
    try scene.step()
    #expect(calls.captures > before.captures)
    #expect(calls.presents == before.presents)
    #expect(scene.statistics.unchangedFrames == 1)
    #expect(scene.deadline == nil)
  }

  @Test func onlyWhatADamageReachesIsCapturedAndPresented() throws {
    let scene = Scene(width: 400, height: 300)
    try scene.add("panel", Rect(x: 0, y: 0, width: 400, height: 300), sigma: 2)
    try scene.step()
    let before = scene.desktop.calls
    scene.wait(Scene.interval)
    scene.desktop.draw(Rect(x: 200, y: 150, width: 8, height: 8)) { _, _ in 0xff00_ff00 }
    try scene.step()
    #expect(scene.desktop.calls.capturedPixels - before.capturedPixels <= 40 * 40)
    #expect(scene.desktop.calls.presentedPixels - before.presentedPixels <= 60 * 60)
    #expect(scene.fault() == nil)
  }

  @Test func aHiddenPaneCostsNothingAndComesBackAsItWas() throws {
    try scene.add("panel", corner)
    try scene.step()
    try scene.setShown("panel", false)
    #expect(scene.desktop.overlay(named: "panel")?.isShown == false)
    let before = calls
    scene.wait(Scene.interval)
    paint(corner, red)
    try scene.step()
    #expect(calls == before)
    #expect(scene.deadline == nil)
    try scene.setShown("panel", true)
    try scene.step()
    #expect(scene.fault() == nil)
  }

  @Test func whatWasAnnouncedIsLookedAtAgainALittleLater() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.wait(Scene.interval)
    scene.desktop.announce(corner)
    try scene.step()
    scene.desktop.drawSilently(corner) { _, _ in 0xff12_3456 }
    #expect(scene.deadline == scene.now + .milliseconds(100))
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }

  @Test func syncDoesNotOverlookWhatWasAnnounced() throws {
    try scene.add("panel", corner)
    scene.desktop.announce(corner)
    try scene.step()
    scene.desktop.drawSilently(corner) { _, _ in 0xff12_3456 }
    try scene.sync()
    #expect(scene.fault() == nil)
  }

  @Test func aNewToneIsDrawnWithoutACapture() throws {
    try scene.add("panel", corner)
    try scene.step()
    let before = calls
    scene.wait(Scene.interval)
    var change = PaneChange()
    change.tint = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
    change.saturation = 2
    try scene.change("panel", change)
    try scene.step()
    #expect(calls.captures == before.captures)
    #expect(calls.watch == before.watch)
    #expect(scene.fault() == nil)
  }

  @Test func aChangeThatChangesNothingDoesNothing() throws {
    try scene.add("panel", corner)
    try scene.step()
    let before = calls
    var change = PaneChange()
    change.sigma = 5
    change.geometry = Geometry(
      width: corner.width, height: corner.height, x: .fromStart(4), y: .fromStart(4))
    try scene.change("panel", change)
    try scene.setShown("panel", true)
    #expect(scene.deadline == nil)
    #expect(calls == before)
  }

  @Test func aSnapshotIsWhatThePaneShowsAndWhatLiesBehindIt() throws {
    try scene.add("panel", corner)
    try scene.step()
    #expect(try scene.picture(of: "panel") == scene.desktop.overlay(named: "panel")?.picture)
    let backdrop = try scene.backdrop(of: "panel")
    #expect(backdrop[0, 0] == scene.desktop.backdrop[4, 4])
    #expect(backdrop[19, 15] == scene.desktop.backdrop[23, 19])
    try scene.setShown("panel", false)
    #expect(throws: EngineError.pane(.hidden("panel"))) { try scene.picture(of: "panel") }
  }

  @Test func whenTheDisplayIsLostThatIsTheError() throws {
    try scene.add("panel", corner)
    scene.desktop.error = .lost("gone")
    #expect(throws: DesktopError.lost("gone")) { try scene.step() }
    #expect(throws: DesktopError.lost("gone")) { try scene.sync() }
    #expect(throws: EngineError.desktop(.lost("gone"))) { try scene.add("other", corner) }
    #expect(scene.names == ["panel"])
  }

  @Test func aPartThatCouldNotBeReadIsReadAgain() throws {
    try scene.add("panel", corner)
    scene.desktop.unreadableCount = 1
    try scene.step()
    // Nothing but the deadline would wake anybody.
    #expect(scene.deadline == scene.now + Scene.interval)
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }

  @Test func whatIsHeldBackIsAskedForAtOnce() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.wait(Scene.interval)
    paint(corner, red)
    scene.desktop.heldBackCount = 20
    for turn in 1...4 {
      try scene.step()
      #expect(scene.deadline == .zero, "turn \(turn)")
    }
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
    scene.desktop.heldBackCount = 5
    paint(corner, 0xff00_00ff)
    try scene.sync()
    #expect(scene.fault() == nil)
  }

  @Test func eventsWithoutAPauseHoldUpNoFrame() throws {
    try scene.add("panel", corner)
    try scene.step()
    for i in 0..<10 {
      paint(Rect(x: 5 + i, y: 5, width: 2, height: 2), red)
      try scene.step()
      scene.desktop.heldBackCount = 1000
      scene.wait(Scene.interval)
      try scene.step()
      #expect(calls.presents == i + 2)
      scene.desktop.heldBackCount = 0
    }
    #expect(scene.fault() == nil)
  }

  @Test func aPaneKeepsItsPixelsUntilItsBackdropCanBeReadAgain() throws {
    try scene.add("panel", corner)
    try scene.step()
    let shown = scene.desktop.overlay(named: "panel")?.picture
    let statistics = scene.statistics
    paint(Rect(x: 5, y: 5, width: 9, height: 9), red)
    for _ in 0..<5 {
      scene.desktop.unreadableCount = 1
      scene.wait(Scene.interval)
      try scene.step()
      #expect(scene.desktop.overlay(named: "panel")?.picture == shown)
      #expect(scene.deadline == scene.now + Scene.interval)
    }
    #expect(scene.statistics.unchangedFrames == statistics.unchangedFrames, "nothing was read")
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }

  @Test func aPaneWhoseBackdropCannotBeReadYetIsNotShownYet() throws {
    scene.desktop.unreadableCount = 3
    try scene.add("panel", corner)
    for _ in 0..<3 {
      try scene.step()
      #expect(scene.desktop.overlay(named: "panel")?.isShown == false)
      scene.wait(Scene.interval)
    }
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }

  @Test func glassThatHasNoBackdropYetIsNeverDrawn() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.wait(Scene.interval)
    var change = PaneChange()
    change.sigma = 9
    try scene.change("panel", change)
    change.tint = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
    try scene.change("panel", change)
    scene.desktop.expose("panel", Rect(x: 6, y: 6, width: 5, height: 5))
    scene.desktop.unreadableCount = 1
    let presents = calls.presents
    try scene.step()
    #expect(calls.presents == presents)
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }

  @Test func aSnapshotOfAPaneThatIsNotShownYetIsWhatItWillShow() throws {
    try scene.add("panel", corner)
    scene.desktop.unreadableCount = 1
    #expect(throws: EngineError.unreadable("panel")) { try scene.picture(of: "panel") }
    let picture = try scene.picture(of: "panel")
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
    #expect(picture == scene.desktop.overlay(named: "panel")?.picture)
  }

  @Test func aSnapshotOfWhatCannotBeReadIsAnErrorAndNoBlackPicture() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.desktop.unreadableCount = 1
    #expect(throws: EngineError.unreadable("panel")) { try scene.backdrop(of: "panel") }
    #expect(try scene.backdrop(of: "panel")[0, 0] == scene.desktop.backdrop[4, 4])
    // What was in the way is looked at again, too.
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }

  @Test func hundredsOfPanesAcrossEachOtherAreWatchedAsAFewRectangles() throws {
    let scene = Scene(Bitmap(width: 2048, height: 2048, filledWith: red))
    for i in 0..<128 {
      try scene.add("row\(i)", Rect(x: 0, y: 16 * i, width: 2048, height: 1), sigma: 0)
      try scene.add("column\(i)", Rect(x: 16 * i, y: 0, width: 1, height: 2048), sigma: 0)
    }
    try scene.sync()
    // Of the 16,000 pieces that they cut each other into.
    #expect(scene.desktop.watched.rects.count <= 64)
    #expect(scene.deadline == nil)
  }
}
