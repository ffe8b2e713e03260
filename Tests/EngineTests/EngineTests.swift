import Engine
import Frost
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// The behaviour of the engine in single situations.
@Suite struct EngineTests {
  private let scene = Scene()
  private let corner = Rect(x: 4, y: 4, width: 20, height: 16)
  private let red: UInt32 = 0xffff_0000

  private var calls: HeadlessDisplay.Calls { scene.display.calls }

  private func paint(_ rect: Rect, _ color: UInt32) { scene.display.draw(rect) { _, _ in color } }

  // MARK: Moves

  /// The glass of a pane that moves stays where it is on the screen.
  @Test(arguments: [false, true])
  func movedPaneIsDrawnWhereItChanges(hasShadow: Bool) throws {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = geometry(Rect(x: 20, y: 20, width: 60, height: 40))
    settings.sigma = 3
    if hasShadow {
      settings.corner = Corner(radius: 4)
      settings.shadow = Shadow(radius: 4, opacity: 0.5, color: Color(white: 0))
    }
    try scene.add(Pane("panel", settings))
    #expect(try scene.settle())
    let whole = calls.presentedPixels
    var last = whole
    for (x, y) in [(23, 18), (24, 18), (20, 22)] {
      try scene.change("panel") { settings in
        settings.geometry = geometry(Rect(x: x, y: y, width: 60, height: 40))
      }
      #expect(try scene.settle())
      #expect(scene.fault() == nil)
      #expect(calls.presentedPixels - last < (hasShadow ? 2 * whole / 3 : whole / 3))
      last = calls.presentedPixels
    }
    scene.display.setDirectOverlays(false)
    try scene.change("panel") { $0.geometry = settings.geometry }
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
    #expect(calls.presentedPixels - last == whole)
  }

  // MARK: Frames

  @Test func engineIsIdleWithoutPanes() throws {
    paint(scene.screen, red)
    try scene.step()
    #expect(scene.deadline == nil)
    #expect(calls == HeadlessDisplay.Calls())
  }

  @Test func newPaneIsShownInTheNextStep() throws {
    try scene.add("panel", corner)
    #expect(scene.deadline == .zero)
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.deadline == nil)
    #expect(try scene.state(of: "panel").frames == 1)
    #expect(try scene.state(of: "panel").rect == corner)
  }

  @Test func changeAfterPauseIsShownAtOnce() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.wait(Scene.interval)
    paint(Rect(x: 5, y: 5, width: 3, height: 3), red)
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.deadline == nil)
  }

  /// The second frame may begin early, the third makes up for it.
  @Test func changesAfterFrameWaitForTheSchedule() throws {
    try scene.add("panel", corner)
    try scene.step()
    let first = scene.now
    let schedule = FrameSchedule(interval: Scene.interval)
    let distances = [schedule.shortestDistance, schedule.shortestMeanDistance]
    for (count, time) in zip([1, 2], distances.map { first + $0 }) {
      for i in 0..<5 {
        paint(Rect(x: 5 + i, y: 5, width: 3, height: 3 * count), red)
        try scene.step()
        scene.wait(.microseconds(100))
      }
      #expect(calls.presents == count)
      #expect(scene.deadline == time)
      scene.wait(time - scene.now - .nanoseconds(1))
      try scene.step()
      #expect(calls.presents == count)
      scene.wait(.nanoseconds(1))
      try scene.step()
      #expect(calls.presents == count + 1)
      #expect(scene.fault() == nil)
      #expect(scene.deadline == nil)
    }
  }

  @Test func meanRateOfFramesIsLimited() throws {
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
    let distance = FrameSchedule(interval: Scene.interval).shortestMeanDistance
    for (number, start) in times.enumerated() {
      for (count, end) in times[number...].enumerated() {
        #expect(end - start >= distance * (count - 1), "\(dice)")
      }
    }
    #expect(times.count > 80, "\(dice)")
  }

  @Test func syncDoesNotWaitForTheInterval() throws {
    try scene.add("panel", corner)
    try scene.sync()
    #expect(scene.fault() == nil)
    paint(corner, red)
    try scene.sync()
    #expect(scene.fault() == nil)
    #expect(scene.deadline == nil)
  }

  @Test func paneWithUnchangedBackdropIsNotPresented() throws {
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

  @Test func paneOverWallpaperIsReadOncePerWallpaper() throws {
    try scene.add("panel", corner)
    try scene.change("panel") { $0.sees = .wallpaper }
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
    scene.display.wallpaper = 0xff66_7788
    scene.display.announce(scene.screen)
    #expect(try scene.settle())
    #expect(calls.captures > before)
    #expect(try scene.picture(of: "panel")[3, 3] == 0xff66_7788)
    try scene.change("panel") { $0.sees = .windows }
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func damageOutsideSourceRegionIsIgnored() throws {
    try scene.add("panel", corner)
    try scene.step()
    let before = calls
    scene.wait(Scene.interval)
    paint(Rect(x: 90, y: 60, width: 30, height: 30), red)
    try scene.step()
    #expect(scene.deadline == nil)
    #expect(calls == before)
  }

  @Test func unchangedPixelsAreNotPresented() throws {
    try scene.add("panel", corner)
    try scene.step()
    let before = calls
    scene.wait(Scene.interval)
    scene.display.damage(corner)
    try scene.step()
    #expect(calls.captures > before.captures)
    #expect(calls.presents == before.presents)
    #expect(scene.statistics.unchangedFrames == 1)
    #expect(scene.deadline == nil)
  }

  @Test func onlyPixelsThatDependOnDamageAreCapturedAndPresented() throws {
    let scene = Scene(width: 400, height: 300)
    try scene.add("panel", Rect(x: 0, y: 0, width: 400, height: 300), sigma: 2)
    try scene.step()
    let before = scene.display.calls
    scene.wait(Scene.interval)
    scene.display.draw(Rect(x: 200, y: 150, width: 8, height: 8)) { _, _ in 0xff00_ff00 }
    try scene.step()
    #expect(scene.display.calls.capturedPixels - before.capturedPixels <= 40 * 40)
    #expect(scene.display.calls.presentedPixels - before.presentedPixels <= 60 * 60)
    #expect(scene.fault() == nil)
  }

  @Test func hiddenPaneIsIdleAndCanBeShownAgain() throws {
    try scene.add("panel", corner)
    try scene.step()
    try scene.setShown("panel", false)
    #expect(scene.display.overlay(named: "panel")?.isShown == false)
    try scene.step()
    let before = calls
    scene.wait(Scene.interval)
    paint(corner, red)
    try scene.step()
    #expect(calls == before)
    #expect(scene.deadline == nil)
    try scene.setShown("panel", true)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  /// A tone that bends has another plan at some sigmas, not at this one.
  @Test func newToneNeedsNoCapture() throws {
    try scene.add("panel", corner, sigma: 4)
    try scene.step()
    let before = calls
    scene.wait(Scene.interval)
    try scene.change("panel") {
      $0.tint = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
      $0.saturation = 2
    }
    try scene.step()
    #expect(calls.captures == before.captures)
    #expect(calls.watch == before.watch)
    #expect(scene.fault() == nil)
  }

  @Test func changeToSameValuesDoesNothing() throws {
    try scene.add("panel", corner)
    try scene.step()
    let before = calls
    try scene.change("panel") {
      $0.sigma = 5
      $0.geometry = geometry(corner)
    }
    try scene.setShown("panel", true)
    #expect(scene.deadline == nil)
    #expect(calls == before)
  }

  // MARK: Announcements

  @Test func announcedChangeIsCapturedAgainLater() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.wait(Scene.interval)
    scene.display.announce(corner)
    try scene.step()
    scene.display.drawSilently(corner) { _, _ in 0xff12_3456 }
    #expect(scene.deadline == scene.now + .milliseconds(100))
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func syncIncludesAnnouncedChanges() throws {
    try scene.add("panel", corner)
    scene.display.announce(corner)
    try scene.step()
    scene.display.drawSilently(corner) { _, _ in 0xff12_3456 }
    try scene.sync()
    #expect(scene.fault() == nil)
  }

  /// A display may always have a question open. The sync does not wait for ever, and never ends before the presentation.
  @Test func syncOfADisplayThatLearnsForEverIncludesChanges() throws {
    scene.display.isLearning = true
    try scene.add("panel", corner)
    for color in [red, 0xff12_3456, 0xff65_4321] {
      paint(corner, color)
      try scene.sync()
      #expect(scene.fault() == nil)
    }
  }

  // MARK: Snapshots

  @Test func snapshotsShowPaneAndBackdrop() throws {
    try scene.add("panel", corner)
    try scene.step()
    #expect(try scene.picture(of: "panel") == scene.display.overlay(named: "panel")?.picture)
    let backdrop = try scene.backdrop(of: "panel")
    #expect(backdrop[0, 0] == scene.display.backdrop[4, 4])
    #expect(backdrop[19, 15] == scene.display.backdrop[23, 19])
    try scene.setShown("panel", false)
    #expect(throws: EngineError.pane(.hidden("panel"))) { try scene.picture(of: "panel") }
  }

  @Test func snapshotOfNewPaneEqualsItsFirstFrame() throws {
    try scene.add("panel", corner)
    scene.display.unreadableCount = 10
    #expect(throws: EngineError.unreadable("panel")) { try scene.picture(of: "panel") }
    scene.display.unreadableCount = 0
    let picture = try scene.picture(of: "panel")
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
    #expect(picture == scene.display.overlay(named: "panel")?.picture)
  }

  @Test func unreadableBackdropIsAnError() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.display.unreadableCount = 100
    #expect(throws: EngineError.unreadable("panel")) { try scene.backdrop(of: "panel") }
    scene.display.unreadableCount = 3
    #expect(try scene.backdrop(of: "panel")[0, 0] == scene.display.backdrop[4, 4])
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  // MARK: Errors

  @Test func lostDisplayIsReported() throws {
    try scene.add("panel", corner)
    scene.display.error = .lost("gone")
    #expect(throws: DisplayError.lost("gone")) { try scene.step() }
    #expect(throws: DisplayError.lost("gone")) { try scene.sync() }
    #expect(scene.names == ["panel"])
  }

  @Test func failedCaptureIsRetriedAtOnceThenWithTheNextFrame() throws {
    try scene.add("panel", corner)
    scene.display.unreadableCount = 3
    try scene.step()
    #expect(scene.deadline == nil)
    #expect(scene.fault() == nil)
    paint(corner, red)
    scene.display.unreadableCount = 100
    scene.wait(Scene.interval)
    try scene.step()
    #expect(scene.deadline == scene.now + Scene.shortestDistance)
    scene.display.unreadableCount = 0
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func paneKeepsItsPixelsUntilBackdropIsReadable() throws {
    try scene.add("panel", corner)
    try scene.step()
    let shown = scene.display.overlay(named: "panel")?.picture
    paint(Rect(x: 5, y: 5, width: 9, height: 9), red)
    for _ in 0..<5 {
      scene.display.unreadableCount = 100
      scene.wait(Scene.interval)
      try scene.step()
      #expect(scene.display.overlay(named: "panel")?.picture == shown)
      #expect(scene.deadline == scene.now + Scene.shortestDistance)
    }
    scene.display.unreadableCount = 0
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func paneIsNotShownBeforeBackdropIsReadable() throws {
    scene.display.unreadableCount = 100
    try scene.add("panel", corner)
    for _ in 0..<3 {
      try scene.step()
      #expect(scene.display.overlay(named: "panel")?.isShown == false)
      scene.wait(Scene.interval)
    }
    scene.display.unreadableCount = 0
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func paneKeepsOldBlurUntilNewBackdropIsRead() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.wait(Scene.interval)
    try scene.change("panel") { $0.sigma = 22 }
    try scene.change("panel") { $0.tint = Color(red: 1, green: 0, blue: 0, alpha: 0.5) }
    let shown = scene.display.overlay(named: "panel")?.picture
    scene.display.expose("panel", Rect(x: 6, y: 6, width: 5, height: 5))
    scene.display.unreadableCount = 100
    try scene.step()
    #expect(scene.display.overlay(named: "panel")?.picture == shown)
    scene.display.unreadableCount = 0
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func queuedEventsAreProcessedAtOnce() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.wait(Scene.interval)
    paint(corner, red)
    scene.display.heldBackCount = 40
    for iteration in 1...4 {
      try scene.step()
      #expect(scene.deadline == .zero, "iteration \(iteration)")
    }
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
    scene.display.heldBackCount = 5
    paint(corner, 0xff00_00ff)
    try scene.sync()
    #expect(scene.fault() == nil)
  }

  @Test func floodOfEventsDoesNotDelayFrame() throws {
    try scene.add("panel", corner)
    try scene.step()
    for i in 0..<10 {
      paint(Rect(x: 5 + i, y: 5, width: 2, height: 2), red)
      try scene.step()
      scene.wait(Scene.interval)
      try scene.step()
      #expect(calls.presents == i + 2)
    }
    #expect(scene.fault() == nil)
  }

  @Test func destroyedOverlayIsRecreatedAtOnce() throws {
    try scene.add("panel", corner)
    try scene.step()
    scene.wait(.milliseconds(1))
    let before = calls.captures
    scene.display.destroy("panel")
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(calls.captures == before)
    #expect(scene.deadline == nil)
  }

  /// The glass of a pane that shows the wallpaper does not depend on its layer, but its soft parts do.
  @Test func softPartsOfAWallpaperPaneFollowItsLayer() throws {
    let scene = Scene(width: 120, height: 90)
    scene.display.setWindows(Region(Rect(x: 0, y: 0, width: 60, height: 90)), above: .normal)
    try scene.add("pane", Rect(x: 30, y: 20, width: 50, height: 40))
    try scene.change("pane") { settings in
      settings.sees = .wallpaper
      settings.corner = Corner(radius: 15)
    }
    for layer in StackingLayer.allCases + [.normal, .desktop, .top] {
      try scene.change("pane") { $0.stackingLayer = layer }
      try scene.sync()
      #expect(scene.fault() == nil, "\(layer)")
      scene.display.draw(Rect(x: 25, y: 15, width: 30, height: 30)) { x, y in
        UInt32(truncatingIfNeeded: x &* 77_777 ^ y &* 3_333) | 0xff00_0000
      }
      try scene.sync()
      #expect(scene.fault() == nil, "\(layer), redrawn")
    }
  }

  @Test func watchedRegionOfManyPanesIsSimplified() throws {
    let scene = Scene(Bitmap(width: 1024, height: 1024, filledWith: red))
    for i in 0..<64 {
      try scene.add("row\(i)", Rect(x: 0, y: 16 * i, width: 1024, height: 1), sigma: 0)
      try scene.add("column\(i)", Rect(x: 16 * i, y: 0, width: 1, height: 1024), sigma: 0)
    }
    try scene.sync()
    // Their union has 4,000 rectangles.
    #expect(scene.display.watched[.belowPanes(.normal)]?.rects.count ?? .max <= 64)
    #expect(scene.deadline == nil)
  }
}
