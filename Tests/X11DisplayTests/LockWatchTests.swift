import Engine
import Raster
import TestDice
import Testing

@testable import X11Display

/// When the keyboard is asked for, and what follows from the answers.
@Suite struct LockWatchTests {
  private var stack = WindowStack()
  private var locks = LockWatch(terminalAtom: 1, unmapped: 2, hasMonitors: false)

  init() {
    stack.outputs = [smallScreen]
    stack.screen = smallScreen
    // A hidden window of a window manager.
    stack.append(window(9) { $0.isMapped = false })
  }

  private func window(
    _ id: UInt32, _ change: (inout WindowStack.Window) -> Void = { _ in }
  ) -> WindowStack.Window {
    var window = WindowStack.Window(
      id: id, role: .client,
      geometry: WindowGeometry(x: 0, y: 0, width: 24, height: 18, border: 0), isMapped: true,
      mapCount: 1, isOverrideRedirect: true, attributes: WindowAttributes())
    change(&window)
    return window
  }

  private mutating func update(now: Int = 0) -> LockWatch.Changes {
    let changes = locks.update(stack, named: [], now: .milliseconds(now))
    for id in changes.wallpapers { stack[id]?.isBackground = true }
    return changes
  }

  @Test mutating func keyboardIsAskedForOnceAndThenUponGrabs() {
    stack.append(window(1))
    #expect(update().requests == [.followRoot(true), .follow(1, true), .keyboard])
    #expect(locks.isAsking)
    locks.apply(isKeyboardHeld: false)
    #expect(update() == LockWatch.Changes(hasNewRegion: false, wallpapers: [], requests: []))
    #expect(locks.deadline == nil)
    locks.grabChanged()
    #expect(update().requests == [.keyboard])
    // A grab that ends before the answer is asked for again.
    locks.grabChanged()
    locks.apply(isKeyboardHeld: true)
    let held = update()
    #expect(held.requests == [.keyboard, .names(1)])
    #expect(held.hasNewRegion && locks.region == Region(smallScreen))
    locks.apply(isKeyboardHeld: false)
    #expect(update().hasNewRegion && locks.region.isEmpty && locks.reason == nil)
    stack[1] = nil
    #expect(update().requests == [.followRoot(false)])
    locks.grabChanged()
    #expect(update().requests.isEmpty && locks.deadline == nil)
  }

  @Test mutating func translucentWindowAsksNothing() {
    stack.hasCompositor = true
    stack.append(window(1) { $0.attributes?.depth = 32 })
    #expect(update().requests.isEmpty && locks.deadline == nil)
  }

  @Test mutating func lowWindowIsTheWallpaperIfTheKeyboardStaysFree() {
    stack.insertAtBottom(window(1))
    #expect(update().requests.last == .keyboard)
    locks.apply(isKeyboardHeld: false)
    #expect(update(now: 1).wallpapers.isEmpty)
    #expect(locks.deadline == .milliseconds(501))
    #expect(update(now: 501).requests == [.keyboard])
    locks.apply(isKeyboardHeld: false)
    #expect(update(now: 502).wallpapers == [1])
    #expect(update(now: 503).requests == [.followRoot(false), .follow(1, false)])
    #expect(locks.deadline == nil)
  }

  @Test mutating func lockScreenBelowAllWindowsIsNoWallpaper() {
    stack.insertAtBottom(window(1))
    _ = update()
    locks.apply(isKeyboardHeld: false)
    _ = update(now: 1)
    locks.grabChanged()
    #expect(update(now: 2).requests == [.keyboard])
    locks.apply(isKeyboardHeld: true)
    #expect(update(now: 1000).wallpapers.isEmpty)
    #expect(locks.region == Region(smallScreen) && locks.deadline == nil)
  }

  @Test mutating func lowWindowWithoutInputIsTheWallpaperAtOnce() {
    stack.insertAtBottom(window(1) { $0.attributes?.inputShape = Region() })
    #expect(update() == LockWatch.Changes(hasNewRegion: false, wallpapers: [1], requests: []))
  }

  @Test mutating func reasonNamesTheWindow() {
    stack.append(window(1))
    _ = update()
    locks.apply(isKeyboardHeld: true)
    _ = update()
    #expect(locks.reason == .window(number: 1, name: ""))
    locks.apply(PropertyValue(bytes: Array("ti\u{1B}tle".utf8)), 39, of: 1)
    #expect(locks.reason == .window(number: 1, name: "title"))
    locks.apply(PropertyValue(bytes: Array("a\0Locker\0".utf8)), 67, of: 1)
    locks.apply(PropertyValue(bytes: Array("b".utf8)), 67, of: 3)
    #expect(locks.reason == .window(number: 1, name: "Locker"))
  }

  @Test mutating func screenSaverHidesPanesWhileItsWindowIsShown() {
    locks.apply(ScreenSaverState(isActive: true, window: 0x30))
    #expect(!update().hasNewRegion)
    let geometry = WindowGeometry(x: -9, y: -9, width: 42, height: 36, border: 0)
    stack.append(WindowStack.Window(id: 0x30, role: .server, geometry: geometry, isMapped: true))
    #expect(update().hasNewRegion && locks.reason == .screenSaver)
    stack[0x30]?.isMapped = false
    #expect(update().hasNewRegion && locks.region.isEmpty)
    stack[0x30]?.isMapped = true
    #expect(update().hasNewRegion)
    stack[0x30] = nil
    #expect(update().hasNewRegion && locks.region.isEmpty)
  }

  /// Whatever windows and grabs do: a pane is hidden if and only if the rule says so once all answers have arrived, and
  /// nothing is asked while nothing changes.
  @Test(arguments: 0..<200)
  mutating func answersLeadToTheRule(seed: Int) {
    var dice = Dice(seed: seed)
    var isHeld = false
    stack = .random(using: &dice)
    stack.screen = smallScreen
    for round in 0..<30 {
      stack.changeAtRandom(using: &dice)
      if dice.roll(0...2) == 0 {
        isHeld.toggle()
        locks.grabChanged()
      }
      var now = 10_000 * round
      for _ in 0..<12 {
        if let deadline = locks.deadline { now = max(now, Int(deadline / .milliseconds(1))) }
        _ = update(now: now)
        if locks.isAsking { locks.apply(isKeyboardHeld: isHeld) }
      }
      #expect(update(now: now).requests.isEmpty && locks.deadline == nil)
      let keyboard: KeyboardState = isHeld ? .held : .free
      let locking = stack.covers(named: []).filter { $0.facts.verdict(keyboard) == .lock }
      #expect(locks.region == Region(locking.map(\.output)))
    }
  }
}
