import Engine
import Panes
import Raster
import TestDice
import Testing

/// After any sequence of requests and events, the screen equals a whole recompute.
@Suite struct RandomEngineTests {
  @Test(arguments: 0..<300)
  func anySequenceEqualsWholeRecompute(seed: Int) throws {
    var dice = Dice(seed: seed)
    let origin = seed % 3 == 0 ? (x: dice.roll(-99...99), y: dice.roll(-99...99)) : (x: 0, y: 0)
    // A small cache makes evictions part of the sequence.
    let limits = seed % 2 == 0 ? (bytes: dice.roll(0...64) << 12, tiles: dice.roll(0...32)) : nil
    let scene = Scene(
      dice.picture(width: dice.roll(1...140), height: dice.roll(1...110)), x: origin.x,
      y: origin.y, limits: limits)
    for round in 0..<12 {
      scene.display.releasesAtOnce = dice.roll(0...2) > 0
      scene.display.answersAtOnce = dice.roll(0...2) > 0
      scene.display.capturesAtStart = Bool.random(using: &dice)
      scene.display.setDirectOverlays(dice.roll(0...3) > 0)
      scene.display.pixelsPerCall = dice.roll(0...1) == 0 ? .max : dice.roll(1...2000)
      // Frames are interrupted after each step, or sometimes, or never.
      scene.slowness = .milliseconds([0, 0, 1, 5][dice.roll(0...3)])
      for _ in 0..<dice.roll(1...12) {
        try act(on: scene, &dice)
        if dice.roll(0...2) == 0 { scene.wait(.milliseconds(dice.roll(0...30))) }
        if dice.roll(0...2) == 0 { try scene.step() }
      }
      if scene.isSuspended { reconnect(scene, &dice) }
      scene.display.isCongested = false
      scene.display.unreadableCount = 0
      scene.display.releasesAtOnce = true
      scene.display.answersAtOnce = true
      scene.display.releaseBuffers()
      let isSynced = dice.roll(0...2) == 0
      if isSynced { try scene.sync() }
      if !isSynced || scene.isFading { #expect(try scene.settle(), "\(dice)") }
      #expect(scene.fault() == nil, "seed \(seed), round \(round)")
      try expectNoWork(scene, "seed \(seed), round \(round)")
    }
  }

  /// Expects that all requests are completed, and that no call of the display follows when time
  /// passes.
  private func expectNoWork(_ scene: Scene, _ place: Comment) throws {
    #expect(try scene.settle(), place)
    let before = scene.display.calls
    scene.wait(.seconds(10))
    try scene.step()
    #expect(scene.deadline == nil, place)
    #expect(scene.display.calls == before, place)
    scene.takeCompletions()
    #expect(scene.openTickets.isEmpty, place)
  }

  private func act(on scene: Scene, _ dice: inout Dice) throws {
    let screen = scene.screen
    let name = scene.names.randomElement(using: &dice) ?? "none"
    switch dice.roll(0...27) {
    case 0, 1:
      let fade = try dice.fade()
      refusable {
        var pane = try randomPane(on: screen, &dice)
        let end = scene.now + .milliseconds(dice.roll(0...2000))
        pane.end = dice.roll(0...3) == 0 ? .at(end, try dice.fade()) : nil
        if dice.roll(0...2) == 0 {
          try scene.put(pane, fade: fade)
        } else {
          try scene.add(pane, fade: fade)
        }
      }
    case 2, 3, 4:
      let change = PaneChange(dice.settings(on: screen), reset: dice.resets())
      let fade = try dice.fade()
      refusable { try scene.change(name, change, fade: fade) }
    case 5:
      let isShown = Bool.random(using: &dice)
      let fade = try dice.fade()
      refusable { try scene.setShown(name, isShown, fade: fade) }
    case 6:
      if dice.roll(0...2) == 0 { refusable { try scene.remove(name) } }
    case 7:
      scene.display.expose(name, dice.rect(in: screen))
    case 8:
      if dice.roll(0...3) == 0 { resize(scene, &dice) }
    case 9:
      scene.display.unreadableCount = dice.roll(0...6)
      scene.display.heldBackCount = dice.roll(0...3)
      scene.display.isCongested = dice.roll(0...3) == 0
    case 10:
      if Bool.random(using: &dice) {
        scene.display.setBlending(Bool.random(using: &dice))
      } else {
        scene.display.releaseBuffers()
      }
    case 11:
      scene.display.damage(dice.rect(in: screen))
    case 12:
      let rect = dice.rect(in: screen)
      let color = dice.picture(width: 1, height: 1)[0, 0]
      scene.display.announce(rect)
      if Bool.random(using: &dice) { try scene.step() }
      scene.display.drawSilently(rect) { _, _ in color }
    case 13:
      scene.display.destroy(name)
    case 14:
      refusable { try scene.apply(randomPanes(scene, &dice), isRehearsal: dice.roll(0...2) == 0) }
    case 15:
      refusable {
        if Bool.random(using: &dice) {
          try scene.startPicture(of: name)
        } else {
          try scene.startBackdrop(of: name)
        }
      }
    case 17:
      let layer = StackingLayer.allCases.dropLast().randomElement(using: &dice) ?? .normal
      let rects = (0..<dice.roll(0...2)).map { _ in dice.rect(in: screen) }
      scene.display.setWindows(Region(rects), above: layer)
    case 18:
      let isLocked = dice.roll(0...2) == 0
      scene.display.setLocked(isLocked ? Region(dice.rect(in: screen)) : Region())
    case 19:
      if scene.isSuspended {
        reconnect(scene, &dice)
      } else if dice.roll(0...3) == 0 {
        scene.loseDisplay()
      }
    case 20:
      scene.display.pointer = (dice.roll(screen.x...screen.maxX), dice.roll(screen.y...screen.maxY))
      if dice.roll(0...1) == 0 {
        scene.display.setOutputs(dice.outputs(on: scene.display.nextBounds))
      }
    case 23:
      let action = DrawerAction.allCases.randomElement(using: &dice) ?? .toggle
      refusable { try scene.moveDrawer(name, action) }
    case 24, 25, 26:
      contact(scene, &dice)
    case 16:
      if Bool.random(using: &dice) { scene.shrinkCache() } else { scene.display.answer() }
    default:
      let salt = UInt32(truncatingIfNeeded: dice.next())
      scene.display.draw(dice.rect(in: screen)) { x, y in
        let mixed = UInt32(truncatingIfNeeded: x) &* 2_654_435_761
        return (mixed ^ UInt32(truncatingIfNeeded: y) &* 40_503) &* salt | 0xff00_0000
      }
    }
  }

  /// A press, a move or a release on any overlay, or the key Escape.
  private func contact(_ scene: Scene, _ dice: inout Dice) {
    let overlays = scene.display.order.filter { scene.display.overlay($0.id)?.isShown == true }
    guard let overlay = overlays.randomElement(using: &dice),
      let state = scene.display.overlay(overlay.id)?.state
    else { return }
    if dice.roll(0...9) == 0 { return scene.display.pressEscape(overlay.id) }
    let rect = state.rect.grown(by: 20)
    let contact = Contact(
      dice.roll(0...3) == 0 ? .finger(7) : .pointer,
      [.began, .moved, .moved, .ended].randomElement(using: &dice) ?? .began,
      x: dice.number(Double(rect.x)...Double(rect.maxX)),
      y: dice.number(Double(rect.y)...Double(rect.maxY)),
      time: UInt32(scene.now / .milliseconds(1)))
    scene.display.touch(overlay.id, contact)
  }

  private func reconnect(_ scene: Scene, _ dice: inout Dice) {
    scene.reconnect(to: dice.picture(width: dice.roll(1...140), height: dice.roll(1...110)))
  }

  /// Changes the output, sometimes to a size and orientation that it had before.
  private func resize(_ scene: Scene, _ dice: inout Dice) {
    let turns = dice.roll(0...3)
    let isKnown = Bool.random(using: &dice)
    let (width, height) = isKnown ? (90, 70) : (dice.roll(1...140), dice.roll(1...110))
    scene.display.resize(
      to: dice.picture(width: width, height: height), orientation: Orientation(quarterTurns: turns),
      x: isKnown ? 0 : dice.roll(-50...50), y: isKnown ? 0 : dice.roll(-50...50))
  }

  private func randomPane(on screen: Rect, _ dice: inout Dice) throws -> Pane {
    var settings = dice.settings(on: screen)
    if settings.geometry == nil, settings.size == nil { dice.place(&settings, on: screen) }
    return try Pane("pane\(dice.roll(0...5))", settings, isShown: dice.roll(0...4) > 0)
  }

  /// Some of the existing panes, some of them changed, and new panes, in random order.
  private func randomPanes(_ scene: Scene, _ dice: inout Dice) throws -> [Pane] {
    var panes = scene.panes.filter { _ in dice.roll(0...3) > 0 }
    for i in panes.indices where dice.roll(0...2) == 0 {
      let change = PaneChange(dice.settings(on: scene.screen), reset: dice.resets())
      if let changed = try? panes[i].changed(by: change) { panes[i] = changed }
    }
    for _ in 0..<dice.roll(0...2) { panes.append(try randomPane(on: scene.screen, &dice)) }
    return panes.shuffled(using: &dice)
  }

  /// Makes a request that may be refused.
  private func refusable(_ body: () throws -> Void) {
    do { try body() } catch { #expect(error is EngineError || error is PaneError) }
  }
}
