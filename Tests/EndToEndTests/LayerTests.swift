import Raster
import TestSupport
import Testing

/// Panes among windows of a window manager.
@Suite(.serialized, .waiting) struct LayerTests {
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
    try daemon.ask("add", "pane", "--plain", "--geometry", "100x80+150+110", "--tint", "#FF00FF")
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
    try daemon.ask("add", "pane", "--plain", "--geometry", "100x80+150+110", "--tint", "#FF00FF")
    let window = try show(.ordinary)
    #expect(try isPaneVisible())
    for _ in 0..<3 {
      try toggle(window, "fullscreen")
      #expect(try soon { try !isPaneVisible() })
      try toggle(window, "fullscreen")
      #expect(try soon { try isPaneVisible() })
    }
    try daemon.ask("set", "pane", "--layer", "below-docks")
    #expect(try isPaneVisible())
    try toggle(window, "above")
    #expect(try soon { try !isPaneVisible() })
    try toggle(window, "above")
    #expect(try soon { try isPaneVisible() })
  }

  private func toggle(_ window: TestWindow, _ state: String) throws {
    let name = "_NET_WM_STATE_\(state.uppercased())"
    client.requestState(name, isOn: nil, of: window)
    try client.sync()
  }

  /// A window between two panes covers the lower one, and is behind the upper one.
  @Test func windowBetweenPanesIsBehindTheUpperOne() throws {
    client.setWallpaper(.noise(width: 400, height: 300, seed: 7))
    let look = ["--corner", "30", "--shadow", "0,0 20 #000000FF", "--sigma", "6"]
    try daemon.ask(
      [
        "add", "low", "--plain", "--geometry", "200x160+60+50", "--layer", "desktop", "--tint",
        "#C0401080",
      ]
        + look)
    try daemon.ask(
      [
        "add", "high", "--plain", "--geometry", "180x140+150+100", "--layer", "top", "--tint",
        "#10804080",
      ]
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

  /// Expects that panes that are drawn anew look the same, and that the upper one does not show the lower one.
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
    try daemon.ask("hide", "low")
    try daemon.sync()
    let alone = try client.screenshot(Rect(x: 190, y: 130, width: 100, height: 80))
    #expect(
      shown.cropped(to: Rect(x: 190, y: 130, width: 100, height: 80)).difference(from: alone)
        == nil)
    try daemon.ask("show", "low")
    try daemon.sync()
  }

  /// A window that raises itself all the time: the pane is raised at most once in a frame interval, and then no
  /// more. It shows what is below it then, without that window.
  @Test func windowThatRaisesItselfWins() throws {
    try daemon.ask("add", "pane", "--plain", "--geometry", "200x120+100+90", "--sigma", "8")
    // Openbox does not raise a window that is the highest of its own windows.
    try manager.stop()
    let window = try show(.ordinary)
    try client.sync()
    try daemon.sync()
    let pane = try #require(try server.overlay(of: "pane"))
    let counter = try EventCounter(of: pane, on: server)
    let start = ContinuousClock.now
    // It gives up after 20 raises within a second.
    var last = (count: 0, time: start)
    while ContinuousClock.now - last.time < .milliseconds(1500),
      last.time - start < .seconds(30)
    {
      window.raise()
      try client.sync()
      try counter.take()
      if counter.count != last.count { last = (counter.count, ContinuousClock.now) }
    }
    let frames = Int((last.time - start) / .seconds(1) * 60) + 2
    #expect(counter.count > 1)
    #expect(counter.count <= frames)
    try daemon.sync()
    try counter.take()
    let count = counter.count
    for _ in 0..<50 {
      window.raise()
      try client.sync()
      try daemon.sync()
    }
    try counter.take()
    #expect(counter.count == count)
    window.move(x: 200, y: 90)
    try client.sync()
    try daemon.sync()
    let shown = try client.screenshot(Rect(x: 100, y: 90, width: 200, height: 120))
    try daemon.ask("hide", "pane")
    try daemon.ask("show", "pane")
    try daemon.sync()
    #expect(
      try client.screenshot(Rect(x: 100, y: 90, width: 200, height: 120)).difference(from: shown)
        == nil)
  }

  /// A pane comes below a window that rests, and the windows above which it is then raised may not exist any more. It
  /// is raised until it is above the window that rests.
  @Test func windowThatRestsStaysBelow() throws {
    try daemon.ask("add", "pane", "--plain", "--geometry", "100x80+150+110", "--tint", "#FF00FF")
    try manager.stop()
    _ = try show(.ordinary)
    try daemon.sync()
    let pane = client.foreignWindow(try #require(try server.overlay(of: "pane")))
    let start = ContinuousClock.now
    while ContinuousClock.now - start < .milliseconds(1500) {
      pane.lower()
      for _ in 0..<10 {
        try client.makeWindow(Rect(x: 140, y: 100, width: 90, height: 60), color: 0xFFFF_FFFF)
          .destroy()
      }
      try client.sync()
    }
    #expect(try isPaneVisible())
  }

  /// The daemon starts when all windows are there already.
  @Test func windowsAtTheStartAreKnown() throws {
    try daemon.stop()
    for kind in Kind.allCases {
      let window = try show(kind)
      let late = try TestDaemon(on: server)
      for (i, layer) in ["desktop", "below-docks", "normal", "top"].enumerated() {
        try late.ask(
          "add", layer, "--plain", "--geometry", "40x40+\(80 + 60 * i)+130", "--tint", "#FF00FF",
          "--layer",
          layer)
      }
      try late.sync()
      let visible = try (0..<4).map {
        try client.screenPixel(x: 100 + 60 * $0, y: 150) == Self.pane
      }
      // The panes of how many layers, the highest ones, are above each kind.
      let count =
        switch kind {
        case .desktop: 4
        case .ordinary: 3
        case .dock: 2
        case .fullscreen, .notification, .menu: 1
        }
      #expect(visible == (0..<4).map { $0 >= 4 - count }, "\(kind)")
      try late.stop()
      window.destroy()
      try client.sync()
    }
  }
}

/// Counts the ConfigureNotify events about a window.
private final class EventCounter {
  private let client: TestClient
  private let window: UInt32
  private(set) var count = 0

  init(of window: UInt32, on server: XServer) throws {
    self.window = window
    client = try TestClient(server)
    client.selectStructureEvents(of: window)
    try client.sync()
  }

  /// Counts the events up to now.
  func take() throws {
    count += try client.countConfigured(window)
  }
}
