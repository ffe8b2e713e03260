import Glibc
import Raster
import TestSupport
import Testing

/// What a compositor that comes or goes meets in the middle of something else.
@Suite(.serialized) struct BlendingTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: Daemon
  private let look = ["--corner", "20", "--shadow", "outer-view"]

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 1))
    try client.sync()
    daemon = try Daemon(on: server)
  }

  /// While the windows of younger panes are replaced by others.
  @Test(arguments: [true, false])
  func aPaneThatIsShownAgainStaysBelowYoungerOnes(isBlended: Bool) throws {
    if !isBlended { client.setCompositing(true) }
    try client.sync()
    for i in 0..<3 {
      let geometry = "150x110+\(40 + 60 * i)+\(30 + 50 * i)"
      try daemon.ask(["add", "pane\(i)", "--geometry", geometry] + look)
    }
    try daemon.ask("hide", "pane0")
    try daemon.sync()
    let connection = try ControlConnection(server)
    try meanwhile {
      client.setCompositing(isBlended)
      try client.sync()
      connection.send(#"{"request":"show","name":"pane0"}"#)
    }
    #expect(connection.reply() == done)
    try daemon.sync()
    #expect(try stack() == ["pane2", "pane1", "pane0"])
  }

  /// Has the daemon find all of this at once.
  private func meanwhile(_ body: () throws -> Void) throws {
    daemon.process.send(SIGSTOP)
    try body()
    daemon.process.send(SIGCONT)
  }

  /// The panes that are shown, the highest first. One whose window has just been replaced has two, one
  /// right above the other.
  private func stack() throws -> [String] {
    let lines = try server.run("xwininfo", ["-root", "-children"]).out.split(separator: "\n")
    var names: [String] = []
    for line in lines {
      guard let id = line.split(separator: " ").first, id.hasPrefix("0x"),
        let name = line.split(separator: "\"").dropFirst().first, name.hasPrefix("backdropd pane"),
        try server.run("xwininfo", ["-id", String(id)]).out.contains("IsViewable")
      else { continue }
      let pane = String(name.dropFirst("backdropd ".count))
      if names.last != pane { names.append(pane) }
    }
    return names
  }
}
