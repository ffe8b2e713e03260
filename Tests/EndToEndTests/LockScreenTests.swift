import Raster
import TestSupport
import Testing

/// No pane is ever above a lock screen, and panes are hidden only where one hides the desktop. `LockRuleTests` has the
/// rule; here are programs, and what the server tells of them.
@Suite(.serialized, .waiting) struct LockScreenTests {
  /// A lock screen whose colour differs from those of desktop and panes.
  enum Locker: String {
    case i3lock, xsecurelock
    /// Windows that no window manager manages: one for the screen, and one for each output.
    case window, windowPerOutput
  }

  struct Case: CustomTestStringConvertible {
    var locker = Locker.window
    var compositor: [String] = []
    var hasTwoOutputs = false
    var isDaemonFirst = true

    var testDescription: String {
      "\(locker.rawValue), \(compositor.first ?? "no compositor"), \(hasTwoOutputs ? 2 : 1) outputs, "
        + "daemon \(isDaemonFirst ? "before" : "after")"
    }
  }

  @Test(arguments: [
    Case(locker: .i3lock), Case(locker: .i3lock, isDaemonFirst: false),
    Case(
      locker: .i3lock, compositor: ["picom", "--backend", "xrender", "--config", "/dev/null"],
      hasTwoOutputs: true),
    Case(locker: .xsecurelock, compositor: ["xcompmgr"]),
    Case(locker: .windowPerOutput, hasTwoOutputs: true, isDaemonFirst: false),
  ])
  func paneIsNeverAboveTheLockScreen(_ one: Case) throws {
    try LockedScreen(one).run()
  }

  /// The screen saver of Xvfb and Xvnc shows nothing unless it has a window.
  @Test func screenSaverHidesPanesOnlyIfItHasAWindow() throws {
    let screen = try LockedScreen()
    let daemon = try screen.startDaemon()
    for (settings, isHidden) in [("blank", false), ("noblank", true)] {
      for word in [settings, "activate"] { _ = try screen.server.run("xset", ["s", word]) }
      #expect(try soon { try screen.client.isScreenSaverActive() })
      try daemon.sync()
      #expect(try daemon.isLocked() == isHidden)
      #expect(try screen.isPaneVisible() == !isHidden)
      if isHidden { #expect(try daemon.status().contains("the screen saver of the X server")) }
      _ = try screen.server.run("xset", ["s", "reset"])
      #expect(try soon { try screen.isPaneVisible() && !daemon.isLocked() })
    }
  }

  /// No event tells of its window.
  @Test func screenSaverThatIsOlderThanTheDaemonHidesPanes() throws {
    let screen = try LockedScreen()
    for word in ["noblank", "activate"] { _ = try screen.server.run("xset", ["s", word]) }
    #expect(try soon { try screen.client.isScreenSaverActive() })
    let daemon = try screen.startDaemon()
    try daemon.sync()
    #expect(try daemon.isLocked() && !screen.isPaneVisible())
    _ = try screen.server.run("xset", ["s", "reset"])
    #expect(try soon { try screen.isPaneVisible() && !daemon.isLocked() })
  }

  /// Xorg says so by a property when the user switches to another virtual terminal.
  @Test func paneIsHiddenWhileAnotherTerminalIsShown() throws {
    let screen = try LockedScreen()
    func set(_ value: Int) throws {
      let words = "-root -f XFree86_has_VT 32i -set XFree86_has_VT \(value)"
      let outcome = try screen.server.run("xprop", words.split(separator: " ").map(String.init))
      #expect(outcome.status == .exited(0), "\(outcome.err)")
    }
    try set(0)
    let daemon = try screen.startDaemon()
    #expect(try soon { try daemon.isLocked() })
    try set(1)
    #expect(try soon { try screen.isPaneVisible() })
    try set(0)
    #expect(try soon { try daemon.isLocked() })
    try daemon.sync()
    #expect(try !screen.isPaneVisible())
  }

  @Test func nothingIsCapturedWhileTheScreenIsLocked() throws {
    let screen = try LockedScreen()
    let daemon = try screen.startDaemon()
    let below = try screen.client.makeWindow(
      Rect(x: 50, y: 50, width: 200, height: 200), color: 0xFF20_8040)
    try screen.lock()
    try daemon.sync()
    func captures() throws -> Substring? {
      try daemon.status().split(separator: ",").first { $0.contains("\"captures\"") }
    }
    let before = try captures()
    for i in 0..<20 {
      below.draw(.noise(width: 80, height: 80, seed: UInt64(i)), x: i, y: i)
      try screen.client.sync()
      try daemon.sync()
    }
    #expect(try captures() == before)
    let outcome = try daemon.ctl("snapshot", "left", "\(screen.server.runtimeDirectory)/a.png")
    #expect(outcome.status == .exited(69))
    #expect(outcome.err.contains("while the screen is locked"))
    try screen.unlock()
    try daemon.sync()
    #expect(try screen.isPaneVisible())
  }

  /// The server tells of grabs, so the daemon does not ask again and again.
  @Test func coverThatHoldsTheKeyboardLocksTheScreen() throws {
    let screen = try LockedScreen()
    let daemon = try screen.startDaemon()
    let cover = try screen.client.makeWindow(
      screen.client.screen, color: 0xFF20_8040, overrideRedirect: true)
    try screen.client.sync()
    try daemon.sync()
    #expect(try !screen.isPaneVisible() && !daemon.isLocked())
    try daemon.waitUntilAsleep()
    for _ in 0..<3 {
      try cover.grabKeyboard()
      #expect(try soon { try daemon.isLocked() })
      #expect(try soon { try daemon.status().contains("0x\(String(cover.id, radix: 16))") })
      try daemon.waitUntilAsleep()
      cover.releaseKeyboard()
      try screen.client.sync()
      #expect(try soon { try !daemon.isLocked() })
      #expect(try !screen.isPaneVisible())
    }
    cover.destroy()
    try screen.client.sync()
    #expect(try soon { try screen.isPaneVisible() })
  }

  /// A condition that holds for any lock screen must not end the lock.
  @Test(arguments: [
    (["--override-redirect"], true), (["--type", "normal"], true), (["--title", ".*"], true),
    (["--no-requests", "--exclude", "class=other"], true), (["--class", "game"], false),
    (["--instance", "game", "--override-redirect"], false), (["--title", "^Chess"], false),
  ])
  func coverWithGlassLocksUnlessItIsNamed(conditions: [String], locks: Bool) throws {
    let screen = try LockedScreen(Case(compositor: ["xcompmgr"]))
    let daemon = try screen.startDaemon()
    try daemon.ask(["behind", "add", "glass"] + conditions)
    let cover = try screen.client.makeWindow(
      screen.client.screen, color: 0xFF20_8040, overrideRedirect: true, mapped: false)
    screen.client.setClass("game", "Game", of: cover)
    screen.client.setTitle("Chess", of: cover)
    cover.map()
    try cover.grabKeyboard()
    try screen.client.sync()
    try daemon.sync()
    #expect(try daemon.isLocked() == locks)
    // The compositor paints later.
    #expect(try soon { try !screen.isPaneVisible() })
  }

  /// A launcher, a selector or an annotation under a compositor: the desktop is visible, and so are panes.
  @Test(arguments: [true, false]) func translucentCoverLocksNothing(takesInput: Bool) throws {
    let screen = try LockedScreen(Case(compositor: ["xcompmgr"]))
    let daemon = try screen.startDaemon()
    let cover = try screen.client.makeWindow(
      screen.client.screen, color: 0, argb: true, overrideRedirect: true, mapped: false)
    if !takesInput { cover.setInputShape([]) }
    cover.map()
    try cover.grabKeyboard()
    try screen.client.sync()
    try daemon.sync()
    #expect(try !daemon.isLocked())
    try daemon.waitUntilAsleep()
    // The compositor paints later.
    #expect(try soon { try screen.isPaneVisible() } && !daemon.isLocked())
  }

  /// A window below all others shows the wallpaper, whether the daemon saw that it was lowered or not.
  @Test(arguments: [true, false]) func loweredCoverIsTheWallpaper(isDaemonFirst: Bool) throws {
    let screen = try LockedScreen()
    let managed = try screen.client.makeWindow(
      Rect(x: 200, y: 250, width: 20, height: 20), color: 0xFF20_8040)
    var daemon = isDaemonFirst ? try screen.startDaemon() : nil
    let wallpaper = try screen.client.makeWindow(
      screen.client.screen, color: 0xFF40_8040, overrideRedirect: true, mapped: false)
    wallpaper.lower()
    wallpaper.map()
    try screen.client.sync()
    let running = try daemon ?? screen.startDaemon()
    daemon = running
    #expect(try soon { try screen.isPaneVisible() })
    managed.destroy()
    try screen.client.sync()
    try running.sync()
    #expect(try screen.isPaneVisible() && !running.isLocked())
    // Raised, it hides everything.
    wallpaper.raise()
    try screen.client.sync()
    try running.sync()
    #expect(try !screen.isPaneVisible())
    try wallpaper.grabKeyboard()
    #expect(try soon { try running.isLocked() })
  }
}

/// A screen with a desktop, panes and a lock screen of one kind.
private final class LockedScreen {
  let server: XServer
  let client: TestClient
  private let one: LockScreenTests.Case
  private var compositor: Child?
  private var locker: Child?
  private var lockWindows: [TestWindow] = []

  private static let desktop: UInt32 = 0xFF30_60A0
  private static let lock: UInt32 = 0xFF10_2030
  private static let pane: UInt32 = 0xFFFF_00FF
  private static let size = (width: 400, height: 300)
  /// A part of the screen with a pane and what is beside it.
  private static let eye = Rect(x: 8, y: 40, width: 60, height: 40)
  private static let paneGeometries = ["left": "120x200+30+20", "right": "120x200-30+20"]

  init(_ one: LockScreenTests.Case = LockScreenTests.Case()) throws {
    self.one = one
    server = try XServer(width: Self.size.width, height: Self.size.height)
    client = try TestClient(server)
    client.setWallpaper(Bitmap(width: 1, height: 1, filledWith: Self.desktop))
    try client.sync()
    if let program = one.compositor.first {
      compositor = try server.start(program, Array(one.compositor.dropFirst()))
      try client.waitForCompositor()
    }
    if one.hasTwoOutputs {
      _ = try server.run("xrandr", ["--setmonitor", "left", "200/50x300/75+0+0", "screen"])
      _ = try server.run("xrandr", ["--setmonitor", "right", "200/50x300/75+200+0", "none"])
    }
  }

  func startDaemon() throws -> TestDaemon {
    let daemon = try TestDaemon(on: server)
    for (name, geometry) in Self.paneGeometries.sorted(by: { $0.key < $1.key }) {
      let layer = name == "left" ? "normal" : "top"
      try daemon.ask(
        "add", name, "--plain", "--geometry", geometry, "--tint", "#FF00FF", "--layer", layer)
    }
    try daemon.sync()
    return daemon
  }

  /// Locks and unlocks the screen once.
  func run() throws {
    let windows = try (0..<3).map {
      try client.makeWindow(
        Rect(x: 20 + 40 * $0, y: 30 + 20 * $0, width: 180, height: 120), color: 0xFF20_8040)
    }
    try client.sync()
    let daemon = one.isDaemonFirst ? try startDaemon() : nil
    if daemon != nil { #expect(try soon { try isPaneVisible() }) }
    try lock()
    let running = try daemon ?? startDaemon()
    try running.sync()
    // A compositor may paint the change later.
    #expect(try soon { try !isPaneVisible() })
    #expect(try soon { try running.isLocked() })
    windows.last?.raise()
    lockWindows.first?.raise()
    for i in 0..<30 {
      if i == 10 { try running.ask("set", "left", "--geometry", "130x190+25+25") }
      if i == 20 {
        try running.ask("add", "new", "--plain", "--geometry", "60x60+20+30", "--tint", "#FF00FF")
      }
      #expect(try !isPaneVisible())
    }
    try unlock()
    #expect(try soon { try isPaneVisible() })
    try running.stop()
  }

  /// Shows the lock screen. Returns when it is visible; no pane may be above it from its first frame on.
  func lock() throws {
    switch one.locker {
    case .i3lock: locker = try server.start("i3lock", ["-n", "-u", "-c", "102030"])
    case .xsecurelock: locker = try server.start("xsecurelock")
    case .window: lockWindows = [try makeLockWindow(client.screen)]
    case .windowPerOutput:
      lockWindows = try outputs.map { try makeLockWindow($0) }
    }
    try lockWindows.first?.grabKeyboard()
    try client.sync()
    var isAbove = false
    let hasLocked = try soon {
      isAbove = try isAbove || isPaneAboveTheLock()
      return try isLocked()
    }
    #expect(hasLocked, "\(locker?.err ?? "")")
    #expect(!isAbove)
  }

  private var outputs: [Rect] {
    guard one.hasTwoOutputs else { return [client.screen] }
    return [0, 200].map { Rect(x: $0, y: 0, width: 200, height: 300) }
  }

  private func makeLockWindow(_ rect: Rect) throws -> TestWindow {
    try client.makeWindow(rect, color: Self.lock, overrideRedirect: true)
  }

  func unlock() throws {
    lockWindows.first?.releaseKeyboard()
    lockWindows.forEach { $0.destroy() }
    lockWindows = []
    try locker?.stop()
    locker = nil
    try client.sync()
  }

  // MARK: Pixels

  private func isLocked() throws -> Bool {
    // Under xcompmgr its colour depends on chance.
    if one.locker == .xsecurelock {
      return try server.topLevelWindows().contains { $0.text.contains("\"obscurer\"") }
    }
    return isLockColor(try client.screenPixel(x: 10, y: 45))
  }

  private func isLockColor(_ color: UInt32) -> Bool {
    color == Self.lock || one.locker == .xsecurelock && color == 0xFF00_0000
  }

  func isPaneVisible() throws -> Bool {
    try client.screenshot(Self.eye).pixels.contains(Self.pane)
  }

  /// Whether a pane is visible while the screen beside it is locked.
  private func isPaneAboveTheLock() throws -> Bool {
    let picture = try client.screenshot(Self.eye)
    return isLockColor(picture[0, 0]) && picture.pixels.contains(Self.pane)
  }
}
