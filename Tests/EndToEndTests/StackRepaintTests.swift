import Raster
import TestSupport
import Testing

/// Compositors paint again what looks different after panes were restacked, although no window has drawn anything.
@Suite(.serialized) struct StackRepaintTests {
  private static let window = Rect(x: 120, y: 120, width: 260, height: 200)
  private static let pane = Rect(x: 250, y: 180, width: 240, height: 90)
  private static let both = window.intersection(pane)

  /// xfwm4 does not paint where opaque windows are in front of what was lowered: the glass, or the window itself.
  @Test(arguments: RealDesktop.Kind.all, [true, false])
  func loweredPaneIsCovered(kind: RealDesktop.Kind, hasGlass: Bool) throws {
    let desktop = try RealDesktop(kind)
    let window = try desktop.client.makeWindow(
      Self.window, color: hasGlass ? 0x4020_6040 : 0xFF20_6040, argb: hasGlass, mapped: false)
    desktop.client.setClass("kitty", "Kitty", of: window)
    window.refuseDecorations()
    // While openbox starts, it may lose a request to map a window.
    #expect(
      soon {
        window.map()
        return (try? window.waitUntilMapped(within: .milliseconds(200))) != nil
      })
    window.move(x: Self.window.x, y: Self.window.y)
    #expect(try soon { try window.screenBounds() == Self.window })
    if hasGlass {
      try desktop.daemon.ask("behind", "add", "glass", "--class", "kitty", "--tint", "#FFFF00")
      #expect(try soon { try desktop.daemon.ask("behind", "list").contains("shown") })
    }
    try desktop.daemon.ask(
      "add", "pane", "--plain", "--geometry", "\(Self.pane)", "--tint", "#FF00FF")
    func isPane(_ screen: Bitmap) -> Bool {
      screen.cropped(to: Self.both).pixels.allSatisfy { $0 == 0xFFFF_00FF }
    }
    func hasPane(_ screen: Bitmap) -> Bool {
      screen.cropped(to: Self.both).pixels.contains { $0 == 0xFFFF_00FF }
    }
    try expectSoon(desktop, "above", isPane)
    for layer in ["desktop", "normal", "desktop"] {
      try desktop.daemon.ask("set", "pane", "--layer", layer)
      try expectSoon(desktop, layer) { layer == "normal" ? isPane($0) : !hasPane($0) }
    }
  }

  /// xfwm4 reads late, while it starts, what happened to windows, and does not know those that existed for a moment only:
  /// the window that a pane has until it has alpha again.
  @Test(arguments: RealDesktop.Kind.all.filter { $0.manager == ["xfwm4", "--compositor=on"] })
  func glassIsBelowItsWindowAfterTheManagerWasReplaced(kind: RealDesktop.Kind) throws {
    let desktop = try RealDesktop(kind)
    let (client, daemon) = (desktop.client, desktop.daemon)
    // With more windows xfwm4 takes longer to start.
    for x in 0..<12 {
      let rect = Rect(x: 40 * x, y: 380, width: 30, height: 30)
      try client.makeWindow(rect, color: 0xFF80_8080).waitUntilMapped()
    }
    let window = try client.makeWindow(Self.window, color: 0xFF20_6040, argb: true)
    client.setClass("kitty", "Kitty", of: window)
    try client.sync()
    try daemon.ask("behind", "add", "glass", "--class", "kitty", "--tint", "#FFFF00")
    try daemon.ask("add", "low", "--geometry", "100x80+20+20", "--layer", "desktop")
    try expectSoon(desktop, "at first") { try isWhole(window, $0) }
    var managers: [Child] = []
    defer { withExtendedLifetime(managers) {} }
    for round in 1...4 {
      managers.append(try desktop.start(kind.manager + ["--replace"]))
      let isSettled = try soon {
        try daemon.sync()
        let own = try desktop.server.topLevelWindows().filter { $0.text.contains("backdropd") }
        return own.count == 2
      }
      #expect(isSettled, "round \(round)")
      // The compositor paints all of the screen again.
      let color = 0x10_1010 * UInt32(round) | 0xFF00_0000
      client.setWallpaper(Bitmap(width: 1, height: 1, filledWith: color))
      try expectSoon(desktop, "round \(round)") {
        try $0[600, 20] == color && isWhole(window, $0)
      }
    }
  }

  /// Whether nothing covers the window with the colour that a test gives to it.
  private func isWhole(_ window: TestWindow, _ screen: Bitmap) throws -> Bool {
    let rect = try window.screenBounds().intersection(screen.bounds)
    return screen.cropped(to: rect).pixels.allSatisfy { $0 == 0xFF20_6040 }
  }

  /// The compositor paints later.
  private func expectSoon(
    _ desktop: RealDesktop, _ when: String, _ isRight: (Bitmap) throws -> Bool
  ) throws {
    #expect(try soon { try isRight(try desktop.screenshot()) }, "\(when)")
  }
}
