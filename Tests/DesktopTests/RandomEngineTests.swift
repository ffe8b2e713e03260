import Desktop
import Panes
import Raster
import TestDice
import Testing

/// Whatever happened, in whatever order: what the screen shows is what it should show.
@Suite struct RandomEngineTests {
  @Test(arguments: 0..<200)
  func afterAnythingEveryPaneIsTheGlassOfItsBackdrop(seed: Int) throws {
    var dice = Dice(seed: seed)
    let scene = Scene(dice.picture(width: dice.roll(1...140), height: dice.roll(1...110)))
    for round in 0..<12 {
      scene.desktop.releasesAtOnce = dice.roll(0...2) > 0
      for _ in 0..<dice.roll(1...12) {
        try act(on: scene, &dice)
        if dice.roll(0...2) == 0 { scene.wait(.milliseconds(dice.roll(0...30))) }
        if dice.roll(0...2) == 0 { try scene.step() }
      }
      scene.desktop.unreadableCount = 0
      scene.desktop.releasesAtOnce = true
      scene.desktop.releaseBuffers()
      let isSynced = dice.roll(0...2) == 0
      if isSynced { try scene.sync() }
      if !isSynced || scene.isFading {
        let isSettled = try scene.settle()
        #expect(isSettled)
      }
      #expect(scene.fault() == nil, "seed \(seed), round \(round)")
      try nothingIsLeftToDo(scene)
    }
  }

  /// Time passes, and nobody is asked for anything.
  private func nothingIsLeftToDo(_ scene: Scene) throws {
    let isSettled = try scene.settle()
    #expect(isSettled)
    let before = scene.desktop.calls
    scene.wait(.seconds(10))
    try scene.step()
    #expect(scene.deadline == nil)
    #expect(scene.desktop.calls == before)
  }

  private func act(on scene: Scene, _ dice: inout Dice) throws {
    let screen = scene.desktop.screen
    let name = scene.names.randomElement(using: &dice) ?? "none"
    switch dice.roll(0...14) {
    case 0, 1:
      let fade = try dice.fade()
      refusable { try scene.add(randomPane(on: screen, &dice), fade: fade) }
    case 2, 3, 4:
      let change = dice.change(on: screen)
      let fade = try dice.fade()
      refusable { try scene.change(name, change, fade: fade) }
    case 5:
      let isShown = Bool.random(using: &dice)
      let fade = try dice.fade()
      refusable { try scene.setShown(name, isShown, fade: fade) }
    case 6:
      if dice.roll(0...2) == 0 { refusable { try scene.remove(name) } }
    case 7:
      scene.desktop.expose(name, dice.rect(in: screen))
    case 8:
      if dice.roll(0...3) == 0 {
        scene.desktop.resize(
          to: dice.picture(width: dice.roll(1...140), height: dice.roll(1...110)))
      }
    case 9:
      scene.desktop.unreadableCount = dice.roll(0...2)
      scene.desktop.heldBackCount = dice.roll(0...3)
    case 10:
      if Bool.random(using: &dice) {
        scene.desktop.setBlending(Bool.random(using: &dice))
      } else {
        scene.desktop.releaseBuffers()
      }
    case 11:
      scene.desktop.damage(dice.rect(in: screen))
    case 12:
      let rect = dice.rect(in: screen)
      let color = dice.picture(width: 1, height: 1)[0, 0]
      scene.desktop.announce(rect)
      if Bool.random(using: &dice) { try scene.step() }
      scene.desktop.drawSilently(rect) { _, _ in color }
    default:
      let salt = UInt32(truncatingIfNeeded: dice.next())
      scene.desktop.draw(dice.rect(in: screen)) { x, y in
        (UInt32(x) &* 2_654_435_761 ^ UInt32(y) &* 40_503) &* salt | 0xff00_0000
      }
    }
  }

  private func randomPane(on screen: Rect, _ dice: inout Dice) throws -> Pane {
    let name = "pane\(dice.roll(0...5))"
    var change = dice.change(on: screen)
    change.geometry = change.geometry ?? dice.geometry(on: screen)
    return try change.makePane(named: name)
  }

  /// A request that is refused is no fault here: it names what it is about, and all goes on.
  private func refusable(_ body: () throws -> Void) {
    do { try body() } catch { #expect(error is EngineError || error is PaneError) }
  }
}
