import Raster
import TestSupport
import Testing

/// The pixels that compositors paint where panes are: after they were restacked, when the compositor starts, and without a picture.
@Suite(.serialized, .waiting) struct CompositorPaintTests {
  private static let window = Rect(x: 120, y: 120, width: 260, height: 200)
  private static let pane = Rect(x: 250, y: 180, width: 240, height: 90)
  private static let both = window.intersection(pane)

  /// xfwm4 does not paint where opaque windows are in front of what was lowered: the glass, or the window itself.
  @Test(arguments: RealDesktop.Kind.all) func loweredPaneIsCovered(kind: RealDesktop.Kind) throws {
    let desktop = try RealDesktop(kind)
    for hasGlass in [true, false] { try expectCoveredPane(on: desktop, hasGlass: hasGlass) }
  }

  private func expectCoveredPane(on desktop: RealDesktop, hasGlass: Bool) throws {
    let window = try makeWindow(
      desktop, color: hasGlass ? 0x4020_6040 : 0xFF20_6040, argb: hasGlass)
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
    for name in try desktop.daemon.ask("list").split(separator: "\n").dropFirst() {
      try desktop.daemon.ask("remove", String(name.prefix { $0 != " " }))
    }
    window.destroy()
  }

  /// xfwm4 shows no window that was there before it and that it does not manage.
  @Test(arguments: RealDesktop.Kind.all)
  func paneThatIsThereBeforeTheCompositorIsShown(kind: RealDesktop.Kind) throws {
    let desktop = try RealDesktop(kind) { daemon in
      try daemon.ask(
        "add", "pane", "--plain", "--geometry", "\(Self.pane)", "--tint", "#FF00FF")
      try daemon.sync()
    }
    func hasPane(_ screen: Bitmap) -> Bool {
      screen.cropped(to: Self.pane).pixels.allSatisfy { $0 == 0xFFFF_00FF }
    }
    try expectSoon(desktop, "at first", hasPane)
    let window = try makeWindow(desktop, color: 0xFF20_6040)
    try expectSoon(desktop, "above a window", hasPane)
    try desktop.daemon.ask("set", "pane", "--layer", "desktop")
    try expectSoon(desktop, "below it") {
      $0.cropped(to: Self.both).pixels.allSatisfy { $0 == 0xFF20_6040 }
    }
    window.destroy()
    try expectSoon(desktop, "at the end", hasPane)
  }

  /// xfwm4 and marco leave the screen black where no picture is set, other compositors paint it gray.
  @Test(arguments: RealDesktop.Kind.all)
  func paneShowsWhatIsSeenWithoutAPicture(kind: RealDesktop.Kind) throws {
    let desktop = try RealDesktop(kind, hasPicture: false)
    try desktop.daemon.ask("add", "pane", "--plain", "--geometry", "\(Self.pane)")
    // Compositors paint what a window uncovers, and may not have painted the rest yet.
    let window = try makeWindow(desktop, color: 0xFF20_6040)
    try expectSoon(desktop, "with a window") {
      $0[Self.window.x + 5, Self.window.y + 5] | 0xFF00_0000 == 0xFF20_6040
    }
    window.destroy()
    try expectSoon(desktop, "without it") { screen in
      let place = Rect(x: Self.window.x + 5, y: Self.window.y + 5, width: 1, height: 1)
      let seen = try desktop.daemon.snapshot("pane", isBackdrop: true)
      return seen.pixels.allSatisfy { $0 == screen.cropped(to: place).pixels[0] | 0xFF00_0000 }
    }
  }

  /// Makes a window without a frame that the window manager manages.
  private func makeWindow(
    _ desktop: RealDesktop, color: UInt32, argb: Bool = false
  ) throws -> TestWindow {
    let window = try desktop.client.makeWindow(
      Self.window, color: color, argb: argb, mapped: false)
    desktop.client.setClass("kitty", "Kitty", of: window)
    window.refuseDecorations()
    window.map()
    try window.waitUntilMapped()
    window.move(x: Self.window.x, y: Self.window.y)
    #expect(try soon { try window.screenBounds() == Self.window })
    return window
  }

  /// The compositor paints later.
  private func expectSoon(
    _ desktop: RealDesktop, _ when: String, _ isRight: (Bitmap) throws -> Bool
  ) throws {
    #expect(try soon { try isRight(try desktop.screenshot()) }, "\(when)")
  }
}
