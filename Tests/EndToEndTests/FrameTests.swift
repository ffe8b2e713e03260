import Raster
import TestSupport
import Testing

/// Window managers whose frames are override-redirect, as those of i3 are.
@Suite struct FrameTests {
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
    try client.sync()
    #expect(try soon { try running.isLocked() })
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
