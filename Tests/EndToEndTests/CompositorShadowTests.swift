import Raster
import TestSupport
import Testing

/// No compositor paints a shadow of its own around a pane.
@Suite(.serialized, .waiting) struct CompositorShadowTests {
  private static let place = Rect(x: 150, y: 100, width: 160, height: 120)

  @Test(arguments: [
    ["picom", "--backend", "xrender", "--config", "/dev/null", "--shadow"], ["xcompmgr", "-c"],
  ])
  func compositorWithShadowsPaintsNoneAroundPanes(command: [String]) throws {
    let server = try XServer(width: 400, height: 300)
    let client = try TestClient(server)
    client.setWallpaper(Bitmap(width: 1, height: 1, filledWith: 0xFFC0_C0C0))
    try client.sync()
    let daemon = try TestDaemon(on: server)
    // One pane is there before the compositor.
    try daemon.ask("add", "early", "--plain", "--geometry", "40x30+20+20")
    for _ in 0..<2 {
      let compositor = try server.start(command[0], Array(command.dropFirst()))
      try client.waitForCompositor()
      try expectShadowsOfWindows(client)
      try expectNoShadow(client, daemon)
      try expectNoShadowBehindAWindow(client, daemon)
      try compositor.stop()
      #expect(try soon { try !client.hasSelection("_NET_WM_CM_S0") })
    }
  }

  @Test(arguments: RealDesktop.Kind.all.filter(\.compositor.isEmpty))
  func windowManagerPaintsNoShadowAroundPanes(kind: RealDesktop.Kind) throws {
    let desktop = try RealDesktop(kind)
    desktop.client.setWallpaper(Bitmap(width: 1, height: 1, filledWith: 0xFFC0_C0C0))
    try expectNoShadow(desktop.client, desktop.daemon)
    try expectNoShadowBehindAWindow(desktop.client, desktop.daemon)
  }

  /// xcompmgr takes a window for opaque that it sees restacked before it is mapped. Others would show the window where it is not
  /// meant to be.
  @Test(arguments: ["xcompmgr", "another"]) func windowIsMappedFirstUnderXcompmgr(
    name: String
  ) throws {
    let server = try XServer(width: 400, height: 300)
    let client = try TestClient(server)
    client.setWallpaper(Bitmap(width: 1, height: 1, filledWith: 0xFFC0_C0C0))
    _ = try client.makeWindow(Rect(x: 0, y: 0, width: 90, height: 90), color: 0xFF20_3040)
    client.setCompositing(true)
    try client.nameCompositor(name)
    try client.sync()
    let daemon = try TestDaemon(on: server)
    try daemon.sync()
    client.selectTopLevelEvents()
    try client.sync()
    try daemon.ask("add", "pane", "--geometry", "160x120+20+30", "--shadow", "outer-view")
    try daemon.sync()
    let pane = try #require(try server.overlay(of: "pane"))
    #expect(try client.isMappedFirst(pane) == (name == "xcompmgr"))
  }

  /// Waits until the compositor paints a shadow around a window of another client.
  private func expectShadowsOfWindows(_ client: TestClient) throws {
    let window = try client.makeWindow(
      Rect(x: 330, y: 240, width: 40, height: 30), color: 0xFF20_3040, overrideRedirect: true)
    let hasShadow = try soon {
      try client.sync()
      return try client.screenPixel(x: 350, y: 273) | 0xFF00_0000 != 0xFFC0_C0C0
    }
    #expect(hasShadow)
    window.destroy()
    try client.sync()
  }

  /// Checks that all around a plain pane looks as before.
  private func expectNoShadow(_ client: TestClient, _ daemon: TestDaemon) throws {
    try daemon.ask("add", "pane", "--plain", "--geometry", "\(Self.place)", "--tint", "#FF00FF")
    try expectOnly(Self.place, client, daemon)
    try daemon.ask("remove", "pane")
  }

  /// The same for glass that is larger than what its window paints.
  private func expectNoShadowBehindAWindow(_ client: TestClient, _ daemon: TestDaemon) throws {
    let window = try client.makeWindow(
      Self.place, color: 0x20FF_00FF, argb: true, overrideRedirect: true)
    client.setClass("kitty", "Kitty", of: window)
    // It needs none itself.
    window.setProperty("_COMPTON_SHADOW", cardinals: [0])
    try client.sync()
    try daemon.ask("behind", "add", "glass", "--class", "kitty", "--tint", "#FF00FF")
    try expectOnly(Self.place, client, daemon)
    #expect(try daemon.ask("behind", "list").contains("shown"))
    try daemon.ask("remove", "glass")
    window.destroy()
  }

  /// Checks that a part of the screen shows the tint, and that nothing around it differs from the wallpaper.
  private func expectOnly(_ part: Rect, _ client: TestClient, _ daemon: TestDaemon) throws {
    var problem: String?
    // The compositor paints later.
    let isRight = try soon {
      try client.sync()
      try daemon.sync()
      let screen = try client.screenshot()
      problem = fault(of: screen, around: part)
      return problem == nil
    }
    #expect(isRight, "\(problem ?? "")")
  }
}

/// The first pixel that is wrong.
private func fault(of screen: Bitmap, around part: Rect) -> String? {
  for y in 0..<screen.height {
    for x in 0..<screen.width {
      let isInside = part.contains(Rect(x: x, y: y, width: 1, height: 1))
      let isRight =
        isInside ? screen[x, y] & 0xFF00 < 0x4000 : screen[x, y] | 0xFF00_0000 == 0xFFC0_C0C0
      if !isRight { return "\(x),\(y): \(String(screen[x, y], radix: 16))" }
    }
  }
  return nil
}
