import Raster
import TestSupport
import Testing

/// Frames of window managers: as those of i3, which are override-redirect, with tabs as those of Fluxbox, with a window
/// between frame and client as those of KWin; and top-level windows with children that are no clients.
@Suite(.waiting) struct FrameTests {
  private static let screen = Rect(x: 0, y: 0, width: 400, height: 300)

  private let server: XServer
  private let client: TestClient

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
  }

  @Test(arguments: [false, true])
  func framesAreInTheLayersOfTheirClients(daemonIsFirst: Bool) throws {
    var daemon = daemonIsFirst ? try TestDaemon(on: server) : nil
    let (frame, window) = try makeFrame()
    let running = try daemon ?? TestDaemon(on: server)
    daemon = running
    for (layer, x) in [("normal", 60), ("top", 220)] {
      try running.ask(
        "add", layer, "--plain", "--geometry", "100x80+\(x)+100", "--tint", "#FF00FF", "--layer",
        layer)
    }
    #expect(try soon { try visiblePanes(running) == [true, true] })
    for _ in 0..<3 {
      window.setAtoms("_NET_WM_STATE", ["_NET_WM_STATE_FULLSCREEN"])
      place(frame, Self.screen)
      try client.sync()
      #expect(try soon { try visiblePanes(running) == [false, true] })
      #expect(try !running.isLocked())
      window.setAtoms("_NET_WM_STATE", [])
      place(frame, Rect(x: 20, y: 20, width: 360, height: 260))
      try client.sync()
      #expect(try soon { try visiblePanes(running) == [true, true] })
    }
    // Without a client it could be a lock screen.
    window.reparent(into: client.rootWindow)
    place(frame, Self.screen)
    frame.raise()
    try frame.grabKeyboard()
    #expect(try soon { try running.isLocked() })
  }

  /// When one of several clients is destroyed, the other one says what the window is.
  @Test(arguments: [0, 1]) func framesMayHaveSeveralClients(destroyed: Int) throws {
    let daemon = try TestDaemon(on: server)
    let (frame, one) = try makeFrame()
    let other = try client.makeWindow(Self.screen, color: 0xFF40_8020)
    other.setProperty("WM_STATE", cardinals: [1, 0])
    other.reparent(into: frame)
    place(frame, Self.screen)
    try client.sync()
    try daemon.sync()
    for _ in 0..<20 {
      for window in [one, other] { window.setAtoms("_NET_WM_STATE", ["_NET_WM_STATE_FULLSCREEN"]) }
      try client.sync()
      try daemon.sync()
    }
    try addPane(to: daemon, layer: "normal")
    #expect(try visiblePanes(daemon) == [false, false])
    #expect(try !daemon.isLocked())
    [one, other][destroyed].destroy()
    try client.sync()
    #expect(try soon { try visiblePanes(daemon) == [false, false] && !daemon.isLocked() })
  }

  /// A search for the client finds it before its window manager has said that it is one.
  @Test func clientIsFoundWhenItsFrameIsMapped() throws {
    let daemon = try TestDaemon(on: server)
    try addPane(to: daemon, layer: "normal")
    let window = try client.makeWindow(Self.screen, color: 0xFF20_8040, mapped: false)
    window.setAtoms("_NET_WM_STATE", ["_NET_WM_STATE_FULLSCREEN"])
    let inPane = Rect(x: 100, y: 140, width: 1, height: 1)
    let frame = try client.makeWindow(inPane, color: 0xFF80_4020, mapped: false)
    let wrapper = try client.makeWindow(Self.screen, color: 0xFF80_4020, mapped: false)
    wrapper.reparent(into: frame)
    window.reparent(into: wrapper)
    try client.sync()
    try daemon.sync()
    window.map()
    wrapper.map()
    place(frame, Self.screen)
    window.setProperty("WM_STATE", cardinals: [1, 0])
    frame.map()
    try client.sync()
    #expect(try soon { try visiblePanes(daemon) == [false, false] })
    #expect(try !daemon.isLocked())
  }

  /// An icon in a panel is a child of a top-level window, which stays what it is.
  @Test(arguments: [false, true]) func iconIsNoClient(isManaged: Bool) throws {
    let daemon = try TestDaemon(on: server)
    try addPane(to: daemon, layer: "below-docks")
    let panel = try client.makeWindow(Self.screen, color: 0xFF20_8040, mapped: false)
    panel.setAtoms("_NET_WM_WINDOW_TYPE", ["_NET_WM_WINDOW_TYPE_DOCK"])
    if isManaged { panel.setProperty("WM_STATE", cardinals: [1, 0]) }
    panel.map()
    try client.sync()
    #expect(try soon { try visiblePanes(daemon) == [false, false] })
    for isPlug in [false, true] {
      let icon = try client.makeWindow(
        Rect(x: 0, y: 0, width: 20, height: 20), color: 0xFF80_4020)
      if isPlug, isManaged { icon.setProperty("WM_STATE", cardinals: [1, 0]) }
      icon.reparent(into: panel)
      try client.sync()
      #expect(try visiblePanes(daemon) == [false, false])
      icon.destroy()
      try client.sync()
      #expect(try visiblePanes(daemon) == [false, false])
    }
  }

  /// The same, if the icon is found before its panel is known. No daemon is asked meanwhile, so the order is any.
  @Test func panelIsNoFrameWhateverIsKnownFirst() throws {
    let daemon = try TestDaemon(on: server)
    try addPane(to: daemon, layer: "below-docks")
    for round in 0..<40 {
      let panel = try client.makeWindow(Self.screen, color: 0xFF20_8040, mapped: false)
      let icon = try client.makeWindow(
        Rect(x: 0, y: 0, width: 20, height: 20), color: 0xFF80_4020)
      icon.setProperty("WM_STATE", cardinals: [1, 0])
      panel.setAtoms("_NET_WM_WINDOW_TYPE", ["_NET_WM_WINDOW_TYPE_DOCK"])
      if round % 2 == 0 { panel.setProperty("WM_STATE", cardinals: [1, 0]) }
      panel.map()
      if round % 3 == 0 { try client.sync() }
      icon.reparent(into: panel)
      client.flush()
      if round % 2 == 1 { panel.setProperty("WM_STATE", cardinals: [1, 0]) }
      try client.sync()
      #expect(try soon { try visiblePanes(daemon) == [false, false] }, "round \(round)")
      panel.destroy()
      try client.sync()
      #expect(try soon { try visiblePanes(daemon) == [true, false] }, "round \(round)")
    }
  }

  private func addPane(to daemon: TestDaemon, layer: String) throws {
    try daemon.ask(
      "add", layer, "--plain", "--geometry", "100x80+60+100", "--tint", "#FF00FF", "--layer", layer)
  }

  private func makeFrame() throws -> (frame: TestWindow, window: TestWindow) {
    let window = try client.makeWindow(Self.screen, color: 0xFF20_8040, mapped: false)
    let frame = try client.makeWindow(
      Rect(x: 20, y: 20, width: 360, height: 260), color: 0xFF80_4020, overrideRedirect: true,
      mapped: false)
    window.reparent(into: frame)
    window.setProperty("WM_STATE", cardinals: [1, 0])
    window.map()
    frame.map()
    try client.sync()
    return (frame, window)
  }

  private func place(_ window: TestWindow, _ rect: Rect) {
    window.move(x: rect.x, y: rect.y)
    window.resize(width: rect.width, height: rect.height)
  }

  private func visiblePanes(_ daemon: TestDaemon) throws -> [Bool] {
    try daemon.sync()
    return try [100, 270].map { try client.screenPixel(x: $0, y: 140) == 0xFFFF_00FF }
  }
}
