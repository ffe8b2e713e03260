import Engine
import Frost
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// Backdrops that panes share through the store, seen at the display.
@Suite struct SharedBackdropTests {
  private let red: UInt32 = 0xffff_0000

  /// A pane with rounded corners and a shadow.
  private func softPane(_ name: String, _ rect: Rect, sigma: Double = 20) throws -> Pane {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = geometry(rect)
    settings.sigma = sigma
    settings.corner = Corner(
      radius: min(16, Double(min(rect.width, rect.height)) / 2), curve: .continuous)
    settings.shadow = Shadow(
      offsetX: 0, offsetY: 8, radius: 24, opacity: 0.4, color: Color(white: 0, alpha: 1))
    return try Pane(name, settings)
  }

  // MARK: Moves

  @Test(arguments: [5.0, 20], 0..<Effort.rounds(1))
  func movingPaneReadsOnlyNewPixels(sigma: Double, seed: Int) throws {
    var dice = Dice(seed: seed)
    let scene = Scene(dice.picture(width: 1000, height: 700))
    var rect = Rect(x: 300, y: 200, width: 400, height: 300)
    try scene.add(softPane("panel", rect, sigma: sigma))
    #expect(try scene.settle())
    var direction = (x: 3, y: 2)
    var (read, shown) = (0, 0)
    for move in 0..<80 {
      if dice.roll(0...9) == 0 { direction = (dice.roll(-3...3), dice.roll(-3...3)) }
      let next = rect.translated(x: direction.x, y: direction.y)
      guard scene.screen.grown(by: -80).contains(next) else { continue }
      rect = next
      let before = scene.display.calls.capturedPixels
      try scene.change("panel") { $0.geometry = geometry(rect) }
      scene.wait(Scene.interval)
      try scene.step()
      let overlay = try #require(scene.display.overlay(named: "panel")?.rect)
      let captured = scene.display.calls.capturedPixels - before
      // A row and a column of the largest cells at once, which the next moves do not read again. A cell of 8
      // pixels depends on 12.
      #expect(captured * 6 <= overlay.area, "\(dice), move \(move)")
      #expect(overlay.contains(rect), "\(dice), move \(move)")
      read += captured
      shown += overlay.area
    }
    #expect(read * 20 <= shown, "\(dice): \(read) of \(shown) pixels")
    #expect(scene.fault() == nil, "\(dice)")
  }

  // MARK: Several panes

  @Test(arguments: [2, 9])
  func identicalPanesReadAsManyPixelsAsOne(count: Int) throws {
    let rect = Rect(x: 50, y: 40, width: 90, height: 70)
    let (single, several) = (Scene(width: 220, height: 170), Scene(width: 220, height: 170))
    try single.add(softPane("pane", rect))
    for i in 0..<count { try several.add(softPane("pane\(i)", rect)) }
    var dice = Dice(seed: count)
    for round in 0..<20 {
      #expect(try single.settle())
      #expect(try several.settle())
      let (one, all) = (single.display.calls, several.display.calls)
      #expect(one.capturedPixels == all.capturedPixels, "\(dice), round \(round)")
      #expect(one.captures == all.captures, "\(dice), round \(round)")
      let damage = dice.rect(in: single.screen)
      let color = UInt32(dice.roll(0...0xff_ffff))
      for scene in [single, several] { scene.display.draw(damage) { _, _ in color } }
      for scene in [single, several] { scene.wait(Scene.interval) }
    }
    #expect(single.display.calls.captures > 5)
    #expect(try several.settle())
    #expect(several.fault() == nil, "\(dice)")
  }

  @Test(arguments: 0..<Effort.rounds(8))
  func overlappingPanesReadEachPixelOnce(seed: Int) throws {
    var dice = Dice(seed: seed)
    let scene = Scene(dice.picture(width: 300, height: 200))
    for i in 0..<dice.roll(2...8) {
      let rect = dice.rect(in: Rect(x: 50, y: 40, width: 200, height: 120))
      let sigma = [2.0, 5.0, 8.0, 20.0][dice.roll(0...3)]
      try scene.add(softPane("pane\(i)", rect, sigma: sigma))
    }
    for _ in 0..<6 {
      let before = scene.display.calls
      #expect(try scene.settle())
      let watched = scene.display.watched[.belowPanes(.normal)] ?? Region()
      #expect(
        scene.display.calls.capturedPixels - before.capturedPixels <= watched.area, "\(dice)")
      #expect(scene.display.calls.captures == before.captures + 1, "\(dice)")
      #expect(scene.fault() == nil, "\(dice)")
      scene.wait(Scene.interval)
      let salt = UInt32(truncatingIfNeeded: dice.next())
      scene.display.draw(scene.screen) { x, y in UInt32(x * 77 + y * 5) &* salt }
    }
  }

  @Test func paneInsideAnotherReadsNothing() throws {
    let scene = Scene(width: 300, height: 200)
    try scene.add("large", Rect(x: 20, y: 20, width: 240, height: 150), sigma: 8)
    #expect(try scene.settle())
    let before = scene.display.calls
    try scene.add("small", Rect(x: 60, y: 50, width: 90, height: 60), sigma: 8)
    scene.wait(Scene.interval)
    try scene.step()
    #expect(scene.display.calls.captures == before.captures)
    #expect(scene.fault() == nil)
  }

  // MARK: Hidden panes

  private let corner = Rect(x: 30, y: 20, width: 50, height: 40)

  private func isShown(_ name: String, _ scene: Scene) -> Bool {
    scene.display.overlay(named: name)?.isShown == true
  }

  @Test func paneShownAgainReadsNothingIfAnotherStillWatches() throws {
    let scene = Scene(width: 160, height: 120)
    try scene.add(softPane("still", corner, sigma: 8))
    try scene.add(softPane("panel", corner, sigma: 8))
    #expect(try scene.settle())
    try scene.setShown("panel", false)
    #expect(try scene.settle())
    scene.wait(Scene.interval)
    let before = scene.display.calls
    try scene.setShown("panel", true)
    try scene.step()
    #expect(isShown("panel", scene))
    #expect(scene.fault() == nil)
    #expect(scene.display.calls.captures == before.captures)
    #expect(scene.display.calls.presents == before.presents + 1)
    #expect(scene.deadline == nil)
  }

  @Test func paneShownAgainAfterChangeThatWasWatchedReadsNothing() throws {
    let scene = Scene(width: 160, height: 120)
    try scene.add(softPane("still", corner, sigma: 8))
    try scene.add(softPane("panel", corner, sigma: 8))
    #expect(try scene.settle())
    try scene.setShown("panel", false)
    scene.display.draw(corner) { _, _ in red }
    #expect(try scene.settle())
    scene.wait(Scene.interval)
    let before = scene.display.calls
    try scene.setShown("panel", true)
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.display.calls.captures == before.captures)
  }

  @Test func paneShownAgainIsDrawnFromStaleCellsAndCorrected() throws {
    let scene = Scene(width: 160, height: 120)
    try scene.add(softPane("panel", corner, sigma: 8))
    #expect(try scene.settle())
    let old = scene.display.overlay(named: "panel")
    try scene.setShown("panel", false)
    #expect(try scene.settle())
    scene.display.draw(corner) { _, _ in red }
    scene.wait(Scene.interval)
    scene.display.answersAtOnce = false
    let before = scene.display.calls
    try scene.setShown("panel", true)
    try scene.step()
    #expect(isShown("panel", scene))
    #expect(scene.display.overlay(named: "panel")?.picture == old?.picture)
    #expect(scene.display.calls.presents == before.presents + 1)
    #expect(scene.display.calls.captures == before.captures + 1)
    scene.display.answer()
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.display.overlay(named: "panel")?.picture != old?.picture)
    #expect(scene.display.calls.presents == before.presents + 2)
    #expect(scene.display.calls.captures == before.captures + 1)
    #expect(scene.deadline == nil)
  }

  @Test func correctionOfUnchangedCellsPresentsNothing() throws {
    let scene = try sceneWithHiddenPanel()
    scene.wait(Scene.interval)
    let before = scene.display.calls
    try scene.setShown("panel", true)
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.display.calls.presents == before.presents + 1)
    #expect(scene.deadline == nil)
  }

  @Test func paneWithoutCachedCellsIsShownAfterItsCapture() throws {
    let scene = try sceneWithHiddenPanel()
    scene.shrinkCache()
    #expect(scene.store.tileCount == 0)
    scene.wait(Scene.interval)
    scene.display.answersAtOnce = false
    try scene.setShown("panel", true)
    try scene.step()
    #expect(!isShown("panel", scene))
    scene.display.answer()
    try scene.step()
    #expect(scene.fault() == nil)
  }

  /// A scene with a pane that was shown and is hidden now.
  private func sceneWithHiddenPanel() throws -> Scene {
    let scene = Scene(width: 160, height: 120)
    try scene.add(softPane("panel", corner, sigma: 8))
    #expect(try scene.settle())
    try scene.setShown("panel", false)
    #expect(try scene.settle())
    return scene
  }

  // MARK: Lost overlays

  @Test(arguments: 0..<3)
  func lostOverlayOfStackIsPresentedInOneFrame(index: Int) throws {
    let scene = Scene(width: 160, height: 120)
    scene.display.setDirectOverlays(false)
    for i in 0..<3 {
      try scene.add(softPane("pane\(i)", corner.translated(x: 12 * i, y: 9 * i), sigma: 8))
    }
    #expect(try scene.settle())
    scene.wait(.milliseconds(1))
    let before = scene.display.calls
    scene.display.destroy("pane\(index)")
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.display.calls.captures == before.captures)
    #expect(try scene.state(of: "pane\(index)").frames == 2)
    for lower in 0..<index { #expect(try scene.state(of: "pane\(lower)").frames == 1) }
    #expect(scene.deadline == nil)
  }

  // MARK: Routing

  @Test func damageOfOtherViewsDoesNotWakePanes() throws {
    let scene = Scene(width: 160, height: 120)
    try scene.add("glass", corner)
    try scene.add(softPane("soft", corner))
    #expect(try scene.settle())
    scene.wait(Scene.interval)
    let before = scene.display.calls
    for view in [View.belowWindow(WindowID(number: 7)), .wallpaper] {
      scene.display.damage(scene.screen, of: view)
      try scene.step()
      #expect(scene.deadline == nil, "\(view)")
      #expect(scene.display.calls == before, "\(view)")
    }
    scene.display.damage(scene.screen, of: .belowPanes(.normal))
    try scene.step()
    #expect(scene.display.calls.captures == before.captures + 1)
  }

  @Test func damageOfWindowsDoesNotWakeGlassOverWallpaper() throws {
    let scene = Scene(width: 160, height: 120)
    try scene.add("glass", corner)
    try scene.change("glass") { $0.sees = .wallpaper }
    #expect(try scene.settle())
    scene.wait(Scene.interval)
    let before = scene.display.calls
    scene.display.damage(scene.screen, of: .belowPanes(.normal))
    scene.display.damage(scene.screen, of: .belowWindow(WindowID(number: 7)))
    try scene.step()
    #expect(scene.display.calls == before)
    #expect(scene.deadline == nil)
    scene.display.damage(scene.screen, of: .wallpaper)
    try scene.step()
    #expect(scene.display.calls.captures == before.captures + 1)
  }

  /// The glass shows the wallpaper, but its shadow falls on the windows.
  @Test func softPartsOfGlassOverWallpaperFollowWindows() throws {
    let scene = Scene(width: 260, height: 220)
    try scene.add(softPane("soft", Rect(x: 80, y: 60, width: 100, height: 90)))
    try scene.change("soft") { $0.sees = .wallpaper }
    #expect(try scene.settle())
    scene.wait(Scene.interval)
    let before = scene.display.calls
    scene.display.draw(Rect(x: 110, y: 90, width: 40, height: 30)) { _, _ in red }
    try scene.step()
    #expect(scene.display.calls == before)
    scene.display.draw(Rect(x: 60, y: 40, width: 140, height: 140)) { _, _ in red }
    try scene.step()
    #expect(scene.display.calls.captures == before.captures + 1)
    #expect(scene.fault() == nil)
  }

  // MARK: Threads

  /// A frame of more than 2 megapixels uses all threads.
  @Test(arguments: [2, 3])
  func threadsGiveTheSamePixelsAsOne(count: Int) throws {
    var dice = Dice(seed: count)
    let backdrop = dice.picture(width: 2200, height: 1100)
    let scenes = [1, count].map { Scene(backdrop, threads: $0) }
    let rect = Rect(x: 40, y: 20, width: 2080, height: 1040)
    for scene in scenes {
      try scene.add(softPane("soft", rect, sigma: 8))
      try scene.add("glass", scene.screen, sigma: 20)
    }
    for round in 0..<3 {
      for scene in scenes {
        #expect(try scene.settle())
        scene.wait(Scene.interval)
      }
      for name in ["soft", "glass"] {
        let overlays = scenes.map { $0.display.overlay(named: name) }
        #expect(overlays[0] == overlays[1], "\(dice), round \(round): \(name) differs")
      }
      let salt = UInt32(truncatingIfNeeded: dice.next())
      for scene in scenes {
        scene.display.draw(scene.screen) { x, y in UInt32(x * 77 + y * 5) &* salt }
      }
    }
  }
}
