import Raster
import TestDice
import TestSupport
import Testing

/// Windows with glass behind them that change as fast as they can.
@Suite(.serialized, .waiting) struct BehindStormTests {
  private let scene: CaptureScene
  private static let glass = [
    "behind", "add", "glass", "--class", "kitty", "--style", "plain", "--sigma", "8",
  ]
  private static let other = Rect(x: 20, y: 200, width: 90, height: 70)

  init() throws {
    scene = try CaptureScene(seed: 71, width: 400, height: 300)
    // Unlike xcompmgr, it paints any shape.
    try scene.startCompositor(
      ["picom", "--backend", "xrender", "--config", "/dev/null"])
    for _ in 0..<4 { try scene.makeWindow() }
    try scene.daemon.ask(Self.glass)
    try scene.add("other", Self.other, sigma: 5)
  }

  private func makeTarget(_ rect: Rect) throws -> TestWindow {
    let window = try scene.client.makeWindow(rect, color: 0x4000_1020, argb: true)
    scene.client.setClass("kitty", "Kitty", of: window)
    try scene.client.sync()
    return window
  }

  /// Repeats a step, each time without a wait for the server. Meanwhile requests are answered, and other panes follow what
  /// is behind them.
  private func storm(_ step: (Int) throws -> Void) throws {
    let window = try scene.client.makeWindow(Self.other, color: 0xFF00_0000)
    for round in 0..<Effort.rounds(2) {
      for index in 0..<250 {
        try step(250 * round + index)
        scene.client.flush()
      }
      window.draw(.noise(width: 90, height: 70, seed: UInt64(round)))
      window.raise()
      try scene.daemon.ask("set", "other", "--sigma", "\(3 + round % 3)")
      let problem = try scene.eventually {
        try scene.client.sync()
        let bare = try scene.snapshot("other", isBackdrop: true)
        let seen = Bitmap.noise(width: 90, height: 70, seed: UInt64(round))
        return bare.difference(from: seen)
      }
      #expect(problem == nil, "round \(round)")
    }
    try scene.daemon.ask("set", "other", "--sigma", "5")
    window.destroy()
  }

  /// Checks that the screen becomes the same as with a daemon that starts now.
  private func expectAsAfterAStart(_ when: String) throws {
    try scene.client.sync()
    try scene.daemon.sync()
    let list = try scene.daemon.ask("behind", "list")
    let shown = try settledScreen()
    try scene.daemon.stop()
    let fresh = try TestDaemon(on: scene.server)
    try fresh.ask(Self.glass)
    try fresh.ask("add", "other", "--plain", "--geometry", "\(Self.other)", "--sigma", "5")
    var difference: String?
    let isSame = try soon {
      try scene.client.sync()
      try fresh.sync()
      difference = try scene.client.screenshot().difference(from: shown)
      return difference == nil
    }
    let freshList = try fresh.ask("behind", "list")
    #expect(isSame, "\(when): \(difference ?? "")\n\(list)\n\(freshList)")
  }

  /// The screen when it has not changed for a second: a compositor paints later than it is asked, and the daemon follows.
  private func settledScreen() throws -> Bitmap {
    try settled(for: .seconds(1)) { try scene.client.screenshot() }
  }

  /// Panes stay below a window that raised itself faster than a user does, until it moves later than a second after it
  /// began. On a slow machine a storm of raises is as long.
  private func endRaces(with windows: [TestWindow]) {
    pause(.seconds(1))
    for window in windows {
      window.lower()
      window.raise()
    }
  }

  // MARK: Storms

  @Test func windowMapsAndUnmapsAllTheTime() throws {
    _ = try makeTarget(Rect(x: 40, y: 30, width: 120, height: 90))
    let window = try makeTarget(Rect(x: 150, y: 60, width: 200, height: 150))
    try storm { index in index % 2 == 0 ? window.unmap() : window.map() }
    try expectAsAfterAStart("mapped at last")
  }

  @Test func windowRestacksItselfAllTheTime() throws {
    _ = try makeTarget(Rect(x: 40, y: 30, width: 120, height: 90))
    let window = try makeTarget(Rect(x: 100, y: 60, width: 200, height: 150))
    try storm { index in index % 2 == 0 ? window.lower() : window.raise() }
    endRaces(with: [window])
    try expectAsAfterAStart("raised at last")
  }

  @Test func windowsRaiseEachOtherAllTheTime() throws {
    let windows = [
      try makeTarget(Rect(x: 40, y: 30, width: 220, height: 190)),
      try makeTarget(Rect(x: 100, y: 60, width: 200, height: 150)),
    ]
    try storm { index in windows[index % 2].raise() }
    endRaces(with: windows)
    try expectAsAfterAStart("the second one is above")
  }

  /// A client goes from frame to frame, and each frame is destroyed at the same time.
  @Test func frameDiesWhileItsClientLeaves() throws {
    let window = try makeTarget(Rect(x: 100, y: 60, width: 150, height: 120))
    window.setProperty("WM_STATE", cardinals: [1, 0])
    var frame: TestWindow?
    try storm { index in
      if index % 10 != 0 { return }
      let next = try scene.client.makeWindow(
        Rect(x: 60 + index % 90, y: 40, width: 170, height: 140), color: 0x2010_0000, argb: true,
        overrideRedirect: index % 20 == 0)
      window.reparent(into: next)
      frame?.destroy()
      if index % 30 == 0 {
        window.reparent(into: scene.client.rootWindow)
        next.destroy()
      }
      frame = index % 30 == 0 ? nil : next
    }
    try expectAsAfterAStart("in the last frame")
  }

  /// However a client has come into its last frame, the glass is behind that one.
  @Test(arguments: 0..<Effort.rounds(2)) func clientIsFoundInItsLastFrame(seed: Int) throws {
    var dice = Dice(seed: 7300 + seed)
    let window = try makeTarget(Rect(x: 100, y: 60, width: 150, height: 120))
    window.setProperty("WM_STATE", cardinals: [1, 0])
    var former: [TestWindow] = []
    for round in 0..<50 {
      var frame = Rect.zero
      for _ in 0...dice.roll(0...5) {
        frame = Rect(
          x: dice.roll(0...200), y: dice.roll(0...150), width: dice.roll(60...170), height: 140)
        let next = try scene.client.makeWindow(frame, color: 0x2010_0000, argb: true)
        if dice.roll(0...2) == 0 { window.reparent(into: scene.client.rootWindow) }
        if dice.roll(0...4) == 0 { scene.client.flush() }
        window.reparent(into: next)
        for other in former where dice.roll(0...2) == 0 { other.unmap() }
        if dice.roll(0...1) == 0 {
          for other in former { other.destroy() }
          former = []
        }
        former.append(next)
        if dice.roll(0...4) == 0 { try scene.client.sync() }
      }
      let problem = try scene.eventually {
        try scene.client.sync()
        try scene.daemon.sync()
        let glass = try scene.server.listedOverlay(of: "glass")?.rect
        return glass == frame ? nil : "\(glass ?? .zero), not \(frame)"
      }
      #expect(problem == nil, "\(dice), round \(round)")
    }
  }

  /// Requests for blur that no client should make.
  @Test func hostileRequestsHurtNothing() throws {
    let window = try makeTarget(Rect(x: 100, y: 60, width: 150, height: 120))
    let name = "_KDE_NET_WM_BLUR_BEHIND_REGION"
    var dice = Dice(seed: 73)
    let extremes: [UInt32] = [0, 1, 70, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF]
    func words(_ count: Int) -> [UInt32] {
      (0..<count).map { _ in
        dice.roll(0...1) == 0
          ? extremes.randomElement(using: &dice) ?? 0 : UInt32(dice.roll(0...160))
      }
    }
    for count in [1, 3, 5, 1023, 1024, 4096, 40_000, 40_001] {
      window.setProperty(name, cardinals: words(count))
      try scene.client.sync()
      try scene.daemon.sync()
    }
    // 128 MiB.
    let part = words(1 << 21)
    for _ in 0..<16 { window.appendProperty(name, cardinals: part) }
    try scene.client.sync()
    try scene.daemon.sync()
    #expect(try scene.daemon.ask("behind", "list").contains("shown"))
    try storm { index in
      if index % 25 == 0 { window.setProperty(name, cardinals: words(dice.roll(1...1200))) }
    }
    try expectAsAfterAStart("\(dice)")
  }

  /// Anything may happen to the windows; at last glass is where a daemon that starts then shows it.
  @Test(arguments: 0..<Effort.rounds(4)) func randomWindowsEndAsAfterAStart(seed: Int) throws {
    var dice = Dice(seed: 7200 + seed)
    func somewhere() -> Rect {
      Rect(
        x: dice.roll(-60...300), y: dice.roll(-60...220), width: dice.roll(1...220),
        height: dice.roll(1...180))
    }
    var windows = [try makeTarget(somewhere()), try makeTarget(somewhere())]
    for _ in 0..<400 {
      let index = dice.roll(0...windows.count - 1)
      let window = windows[index]
      switch dice.roll(0...15) {
      case 0 where windows.count < 9, 1 where windows.count < 9:
        windows.append(try makeTarget(somewhere()))
      case 2 where windows.count > 2:
        window.destroy()
        windows.remove(at: index)
      case 3: window.unmap()
      case 4, 5: window.map()
      case 6, 7: window.move(x: dice.roll(-60...300), y: dice.roll(-60...220))
      case 8: window.resize(width: dice.roll(1...220), height: dice.roll(1...180))
      case 9: window.raise()
      case 10: window.lower()
      case 11: window.stack(above: windows[(index + 1) % windows.count])
      case 12:
        let name = dice.roll(0...2) == 0 ? "Other" : "Kitty"
        scene.client.setClass("x", name, of: window)
      case 13: window.setShape([Rect(x: 10, y: 10, width: dice.roll(1...90), height: 50)])
      case 14:
        window.setProperty(
          "_KDE_NET_WM_BLUR_BEHIND_REGION",
          cardinals: (0..<4 * dice.roll(0...3)).map { _ in UInt32(dice.roll(0...120)) })
      default: try scene.act()
      }
      if dice.roll(0...9) == 0 { try scene.client.sync() }
      if dice.roll(0...99) == 0 { try scene.daemon.sync() }
    }
    try expectAsAfterAStart("\(dice)")
  }
}
