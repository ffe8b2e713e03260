import Engine
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// Panes that are added or replaced in one request.
@Suite struct PutTests {
  private func makeScene(_ dice: inout Dice) throws -> Scene {
    let scene = Scene(dice.picture(width: 130, height: 100))
    try scene.add("lower", Rect(x: 5, y: 5, width: 90, height: 60))
    return scene
  }

  /// A pane whose look does not depend on the looks before it. A drawer would keep its position.
  private func randomPane(on screen: Rect, _ dice: inout Dice) throws -> Pane {
    while true {
      var settings = dice.settings(on: screen)
      if settings.geometry == nil, settings.size == nil { dice.place(&settings, on: screen) }
      (settings.edge, settings.peek, settings.elasticity, settings.dragHandle) = (
        nil, nil, nil, nil
      )
      settings.scheme = settings.scheme?.scheme == nil ? .light : settings.scheme
      if let pane = try? Pane("pane", settings) { return pane }
    }
  }

  /// Whether the engine accepted the pane.
  private func put(_ pane: Pane, on scene: Scene, fade: Fade = .none) -> Bool {
    do throws(EngineError) { try scene.put(pane, fade: fade) } catch { return false }
    return true
  }

  /// The same pane again changes nothing, at any time, and once all is shown it costs nothing.
  @Test(arguments: 0..<100)
  func samePaneTwiceEqualsOnce(seed: Int) throws {
    var dice = Dice(seed: 700 + seed)
    var copy = dice
    let (once, twice) = (try makeScene(&dice), try makeScene(&copy))
    let pane = try randomPane(on: once.screen, &dice)
    let fade = try dice.fade()
    guard put(pane, on: once, fade: fade) else {
      #expect(!put(pane, on: twice, fade: fade))
      return
    }
    #expect(put(pane, on: twice, fade: fade))
    for _ in 0..<dice.roll(0...6) {
      try once.step()
      try twice.step()
      #expect(put(pane, on: twice, fade: fade))
      once.wait(Scene.interval)
      twice.wait(Scene.interval)
    }
    #expect(try once.settle() && twice.settle())
    #expect(twice.panes == once.panes && twice.fault() == nil, "\(dice)")
    #expect(twice.screenshot == once.screenshot, "\(dice)")
    let calls = twice.display.calls
    #expect(put(pane, on: twice, fade: fade))
    #expect(twice.deadline == nil)
    try twice.step()
    #expect(twice.display.calls == calls, "\(dice)")
  }

  /// The former state of the pane leaves nothing.
  @Test(arguments: 0..<100)
  func replacedPaneEqualsNewOne(seed: Int) throws {
    var dice = Dice(seed: 900 + seed)
    var copy = dice
    let (new, replaced) = (try makeScene(&dice), try makeScene(&copy))
    var old = try randomPane(on: new.screen, &dice)
    old.isShown = dice.roll(0...2) > 0
    guard put(old, on: replaced) else { return }
    if dice.roll(0...1) == 0 { #expect(try replaced.settle()) }
    let pane = try randomPane(on: new.screen, &dice)
    let fade = try dice.fade()
    guard put(pane, on: new, fade: fade), put(pane, on: replaced, fade: fade) else { return }
    #expect(try new.settle() && replaced.settle())
    #expect(replaced.panes == new.panes && replaced.fault() == nil, "\(dice)")
    #expect(replaced.screenshot == new.screenshot, "\(dice)")
  }

  @Test func replacedPaneKeepsItsPosition() throws {
    let scene = Scene(width: 100, height: 80)
    for name in ["a", "b"] { try scene.add(name, Rect(x: 10, y: 10, width: 50, height: 40)) }
    try scene.put(makePane("a", Rect(x: 20, y: 20, width: 40, height: 40), sigma: 9))
    #expect(scene.names == ["a", "b"])
    #expect(try scene.state(of: "a").rect == Rect(x: 20, y: 20, width: 40, height: 40))
  }
}

/// Panes that are removed by themselves.
@Suite struct EndTests {
  private func pane(endingAt time: Duration, fade: Double = 0) throws -> Pane {
    var pane = try makePane("note", Rect(x: 10, y: 10, width: 50, height: 40))
    pane.end = .at(time, try Fade(milliseconds: fade))
    return pane
  }

  /// Nothing wakes the engine between the first frame of a pane and its end.
  @Test func paneEndsAtItsTime() throws {
    let scene = Scene(width: 100, height: 80)
    let before = scene.screenshot
    let end = scene.now + .seconds(5)
    try scene.add(pane(endingAt: end))
    try scene.sync()
    #expect(scene.deadline == end && scene.screenshot != before)
    scene.wait(.seconds(5) - .nanoseconds(1))
    try scene.step()
    #expect(scene.names == ["note"] && scene.deadline == end && !scene.takeEnds())
    scene.wait(.nanoseconds(1))
    try scene.step()
    #expect(scene.names == [] && scene.deadline == nil && scene.takeEnds())
    #expect(!scene.takeEnds() && scene.display.overlayCount == 0)
    #expect(scene.screenshot == before)
  }

  @Test func paneFadesAtItsEnd() throws {
    let scene = Scene(width: 100, height: 80)
    scene.display.setBlending(true)
    let start = scene.now
    try scene.add(pane(endingAt: start + .seconds(2), fade: 300))
    #expect(try scene.settle())
    #expect(scene.names == [])
    let rest = scene.now - start - .seconds(2)
    #expect(rest >= .milliseconds(300) && rest < .milliseconds(350), "\(rest)")
  }

  @Test func replacementBeginsTheTimeAgain() throws {
    let scene = Scene(width: 100, height: 80)
    let start = scene.now
    try scene.add(pane(endingAt: start + .seconds(5)))
    try scene.sync()
    let calls = scene.display.calls
    try scene.put(pane(endingAt: start + .seconds(9), fade: 100))
    #expect(scene.deadline == start + .seconds(9))
    try scene.step()
    #expect(scene.display.calls == calls)
    // A change keeps the time.
    try scene.change("note") { $0.sigma = 9 }
    #expect(scene.panes.map(\.end) == [.at(start + .seconds(9), try Fade(milliseconds: 100))])
    try scene.put(makePane("note", Rect(x: 10, y: 10, width: 50, height: 40)))
    try scene.sync()
    #expect(scene.deadline == nil && scene.panes.map(\.end) == [nil])
  }

  /// A pane that is hidden, or whose display is lost, ends in time too.
  @Test(arguments: [true, false]) func paneEndsUnseen(isHidden: Bool) throws {
    let scene = Scene(width: 100, height: 80)
    let end = scene.now + .seconds(5)
    try scene.add(pane(endingAt: end, fade: 300))
    try scene.sync()
    if isHidden { try scene.setShown("note", false) } else { scene.loseDisplay() }
    if isHidden { try scene.sync() }
    #expect(scene.deadline == end)
    scene.wait(.seconds(5))
    try scene.step()
    #expect(scene.names == [] && scene.takeEnds() && scene.deadline == nil)
  }

  /// A pane that is shown again while it fades at its end stays.
  @Test func paneShownAgainStays() throws {
    let scene = Scene(width: 100, height: 80)
    try scene.add(pane(endingAt: scene.now + .seconds(1), fade: 300))
    try scene.sync()
    scene.wait(.seconds(1))
    try scene.step()
    #expect(scene.names == ["note"] && scene.isFading)
    try scene.setShown("note", true, fade: Fade(milliseconds: 100))
    #expect(try scene.settle())
    #expect(scene.names == ["note"] && scene.fault() == nil)
  }
}
