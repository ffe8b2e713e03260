import Glibc
import Raster
import TestSupport
import Testing

/// A compositor starts or ends while the daemon does something else.
@Suite(.serialized, .waiting) struct BlendingTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon
  private let look = ["--corner", "20", "--shadow", "outer-view"]

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 1))
    try client.sync()
    daemon = try TestDaemon(on: server)
  }

  /// The windows of the panes above are replaced at the same time.
  @Test(arguments: [true, false])
  func shownPaneKeepsItsPlaceInTheStack(isBlended: Bool) throws {
    if !isBlended { client.setCompositing(true) }
    try client.sync()
    for i in 0..<3 {
      let geometry = "150x110+\(40 + 60 * i)+\(30 + 50 * i)"
      try daemon.ask(["add", "pane\(i)", "--geometry", geometry] + look)
    }
    try daemon.ask("hide", "pane0")
    let connection = try ControlConnection(server)
    #expect(connection.ask(#"{"request":"sync"}"#) == done)
    try whileDaemonIsStopped {
      client.setCompositing(isBlended)
      try client.sync()
      connection.send(#"{"request":"show","name":"pane0"}"#)
    }
    #expect(connection.reply() == done)
    try daemon.sync()
    // The replaced windows stay below for a moment.
    let depth = isBlended ? "Depth: 32" : "Depth: 24"
    let shown = try windows().filter { $0.about.contains(depth) }.map(\.name)
    #expect(shown == ["pane2", "pane1", "pane0"])
  }

  /// The selection has an owner and windows are redirected, but nothing is blended.
  @Test func automaticRedirectionKeepsPanesOpaque() throws {
    try daemon.ask(["add", "pane", "--plain", "--geometry", "150x110+60+50"] + look)
    try daemon.sync()
    func depth() throws -> [Bool] { try windows().map { $0.about.contains("Depth: 24") } }
    client.setCompositing(true, isManual: false)
    try client.sync()
    try daemon.sync()
    #expect(try depth() == [true])
    client.setCompositing(false, isManual: false)
    client.setCompositing(true)
    try client.sync()
    try daemon.sync()
    #expect(try depth().contains(false))
  }

  /// The replaced window stays for a moment and must not be visible through the shadow of a smaller pane.
  @Test func replacedWindowIsClippedToTheOpaquePartOfTheNewOne() throws {
    try daemon.ask(["add", "pane", "--plain", "--geometry", "250x200+60+50"] + look)
    try daemon.sync()
    client.setCompositing(true)
    try client.sync()
    for size in ["80x60", "200x50", "240x190"] {
      try daemon.ask("set", "pane", "--geometry", "\(size)+60+50")
      try daemon.sync()
      let all = try windows().map(\.about)
      let known = "\(all.joined())\n\(daemon.log)"
      #expect(all.first?.contains("Depth: 32") == true, "\(size): \(known)")
      for window in all where window.contains("Depth: 24") {
        #expect(window.contains("Window shape extents:  \(size)"), "\(known)")
      }
    }
  }

  /// Stops the daemon during `body`: it receives all events of it together.
  private func whileDaemonIsStopped(_ body: () throws -> Void) throws {
    daemon.process.send(SIGSTOP)
    try body()
    daemon.process.send(SIGCONT)
  }

  /// Every window of a shown pane, the highest first, with the output of `xwininfo`.
  private func windows() throws -> [(name: String, about: String)] {
    let lines = try server.run("xwininfo", ["-root", "-children"]).out.split(separator: "\n")
    return try lines.compactMap { line in
      guard let id = line.split(separator: " ").first, id.hasPrefix("0x"),
        let name = line.split(separator: "\"").dropFirst().first, name.hasPrefix("backdropd pane")
      else { return nil }
      let about = try server.run("xwininfo", ["-id", String(id), "-stats", "-shape"])
      // A replaced window may end meanwhile; then its shape, which is the last part, is missing.
      let isWhole = about.out.contains("indow shape ")
      guard isWhole, about.out.contains("IsViewable") else { return nil }
      return (String(name.dropFirst("backdropd ".count)), about.out)
    }
  }
}
