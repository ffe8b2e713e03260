import Raster
import TestSupport
import Testing

/// Panes among windows of a window manager.
@Suite(.serialized) struct LayerTests {
  private static let pane: UInt32 = 0xFFFF_00FF
  private static let screen = Rect(x: 0, y: 0, width: 400, height: 300)

  /// The kinds of windows, the lowest first.
  enum Kind: CaseIterable {
    case desktop, ordinary, dock, fullscreen, notification, menu
  }

  private let server: XServer
  private let client: TestClient
  private let manager: Child
  private let daemon: TestDaemon

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    // With an invalid file it shows a dialog.
    let configuration = "\(server.runtimeDirectory)/openbox.xml"
    try writeText("<openbox_config/>", to: configuration)
    manager = try server.start("openbox", ["--config-file", configuration])
    try client.waitForWindowManager()
    daemon = try TestDaemon(on: server)
  }

  /// Shows a window that covers the middle of the screen.
  private func show(_ kind: Kind) throws -> TestWindow {
    let rect = kind == .desktop ? Self.screen : Rect(x: 50, y: 40, width: 300, height: 200)
    let window = try client.makeWindow(
      rect, color: 0xFF20_8040, overrideRedirect: kind == .menu, mapped: false)
    let type = "_NET_WM_WINDOW_TYPE"
    switch kind {
    case .ordinary, .menu: break
    case .desktop: window.setAtoms(type, ["\(type)_DESKTOP"])
    case .dock: window.setAtoms(type, ["\(type)_DOCK"])
    case .notification: window.setAtoms(type, ["\(type)_NOTIFICATION"])
    case .fullscreen: window.setAtoms("_NET_WM_STATE", ["_NET_WM_STATE_FULLSCREEN"])
    }
    window.map()
    if kind != .menu { try window.waitUntilMapped() }
    try client.sync()
    return window
  }

  private func isPaneVisible() throws -> Bool {
    try client.sync()
    try daemon.sync()
    return try client.screenPixel(x: 200, y: 150) == Self.pane
  }

  @Test(arguments: [
    ("desktop", Kind.desktop), ("below-docks", .ordinary), ("normal", .dock), ("top", .menu),
  ])
  func paneIsAboveTheWindowsOfItsLayerOnly(layer: String, highest: Kind) throws {
    try daemon.ask("add", "pane", "--geometry", "100x80+150+110", "--tint", "#FF00FF")
    try daemon.ask("set", "pane", "--layer", layer)
    var isAbove = true
    for kind in Kind.allCases {
      let window = try show(kind)
      #expect(try isPaneVisible() == isAbove, "\(kind)")
      // A pane that appears later finds the same place.
      try daemon.ask("hide", "pane")
      try daemon.ask("show", "pane")
      #expect(try isPaneVisible() == isAbove, "\(kind), shown again")
      window.destroy()
      if kind == highest { isAbove = false }
    }
    #expect(try isPaneVisible())
  }

  @Test func paneFollowsTheStateOfAWindow() throws {
    try daemon.ask("add", "pane", "--geometry", "100x80+150+110", "--tint", "#FF00FF")
    let window = try show(.ordinary)
    #expect(try isPaneVisible())
    for _ in 0..<3 {
      try toggle(window, "fullscreen")
      #expect(try eventually { try !isPaneVisible() })
      try toggle(window, "fullscreen")
      #expect(try eventually { try isPaneVisible() })
    }
    try daemon.ask("set", "pane", "--layer", "below-docks")
    #expect(try isPaneVisible())
    try toggle(window, "above")
    #expect(try eventually { try !isPaneVisible() })
    try toggle(window, "above")
    #expect(try eventually { try isPaneVisible() })
  }

  private func toggle(_ window: TestWindow, _ state: String) throws {
    let name = "_NET_WM_STATE_\(state.uppercased())"
    client.requestState(name, isOn: nil, of: window)
    try client.sync()
  }

  private func eventually(_ isTrue: () throws -> Bool) throws -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
      if try isTrue() { return true }
    }
    return false
  }

  /// A window between two panes covers the lower one, and is behind the upper one.
  @Test func windowBetweenPanesIsBehindTheUpperOne() throws {
    client.setWallpaper(.noise(width: 400, height: 300, seed: 7))
    let look = ["--corner", "30", "--shadow", "0,0 20 #000000FF", "--sigma", "6"]
    try daemon.ask(
      ["add", "low", "--geometry", "200x160+60+50", "--layer", "desktop", "--tint", "#C0401080"]
        + look)
    try daemon.ask(
      ["add", "high", "--geometry", "180x140+150+100", "--layer", "top", "--tint", "#10804080"]
        + look)
    let window = try show(.menu)
    try expectLayers(window)
    window.move(x: 120, y: 90)
    try expectLayers(window)
    window.resize(width: 90, height: 120)
    try expectLayers(window)
    window.unmap()
    try expectLayers(window)
  }

  /// Expects that the screen equals that of a daemon that has just drawn everything.
  private func expectLayers(_ window: TestWindow) throws {
    try client.sync()
    try daemon.sync()
    let shown = try client.screenshot()
    for name in ["low", "high"] { try daemon.ask("hide", name) }
    try daemon.sync()
    let bare = try client.screenshot()
    for name in ["high", "low"] { try daemon.ask("show", name) }
    try daemon.sync()
    #expect(try client.screenshot().difference(from: shown) == nil)
    #expect(shown.difference(from: bare) != nil)
    // The upper pane shows the window and what is beside it, never the lower pane.
    try daemon.ask("hide", "low")
    try daemon.sync()
    let alone = try client.screenshot(Rect(x: 190, y: 130, width: 100, height: 80))
    #expect(
      shown.cropped(to: Rect(x: 190, y: 130, width: 100, height: 80)).difference(from: alone)
        == nil)
    try daemon.ask("show", "low")
    try daemon.sync()
  }

  /// Two programs that raise their windows all the time do not make the daemon restack more than once in a
  /// frame.
  @Test func windowsThatRaiseEachOtherCauseNoFight() throws {
    try daemon.ask("add", "pane", "--geometry", "100x80+150+110", "--tint", "#FF00FF")
    let windows = try (0..<2).map { _ in try show(.menu) }
    let ordinary = try client.makeWindow(
      Rect(x: 100, y: 100, width: 200, height: 100), color: 0xFF80_2040, overrideRedirect: true)
    for i in 0..<500 {
      windows[i % 2].raise()
      ordinary.raise()
    }
    #expect(try !isPaneVisible())
    (windows + [ordinary]).forEach { $0.destroy() }
    #expect(try isPaneVisible())
  }
}
