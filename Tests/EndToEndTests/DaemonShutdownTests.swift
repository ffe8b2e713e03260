import Glibc
import Raster
import TestSupport
import Testing

/// Nothing of the daemon is left after its end.
@Suite(.serialized, .waiting) struct DaemonShutdownTests {
  private let server: XServer
  private let client: TestClient

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setRootBackground(color: 0xff40_5060)
  }

  private func daemonWithPanes(_ arguments: [String] = []) throws -> TestDaemon {
    let daemon = try TestDaemon(on: server, ["--fresh"] + arguments)
    try daemon.ask("add", "one", "--plain", "--geometry", "100x80+10+10")
    try daemon.ask("add", "two", "--plain", "--geometry", "100x80+200+10")
    try daemon.sync()
    let names = try windowNames()
    #expect(names.contains { $0.contains("backdropd one") })
    #expect(names.contains { $0.contains("backdropd two") })
    #expect(try !server.sharedMemory().isEmpty)
    return daemon
  }

  /// The windows of the daemon.
  private func windowNames() throws -> [Substring] {
    let tree = try server.run("xwininfo", ["-root", "-tree"]).out
    return tree.split(separator: "\n").filter { $0.contains("backdropd") }
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func signalEndsTheDaemonWithoutResidue(signal: Int32) throws {
    let daemon = try daemonWithPanes()
    daemon.process.send(signal)
    #expect(daemon.process.wait(for: .seconds(10)) == .exited(0))
    #expect(try soon { try windowNames().isEmpty })
    #expect(try soon { try server.sharedMemory().isEmpty })
    #expect(!server.hasSocket)
    #expect(try client.screenshot().pixels.allSatisfy { $0 == 0xff40_5060 })
  }

  @Test func quitEndsTheDaemonWithoutResidue() throws {
    let daemon = try daemonWithPanes()
    try daemon.ask("quit")
    #expect(daemon.process.wait(for: .seconds(10)) == .exited(0))
    #expect(try soon { try windowNames().isEmpty })
    #expect(try soon { try server.sharedMemory().isEmpty })
    #expect(!server.hasSocket)
  }

  /// Syncs and pictures wait for the server, which is frozen.
  @Test func endAnswersAllThatWait() throws {
    let daemon = try daemonWithPanes()
    try server.freeze()
    let requests = [
      #"{"request":"sync"}"#, #"{"request":"windows"}"#,
      #"{"request":"snapshot","name":"one","backdrop":true}"#,
    ]
    let clients = try requests.map { line in
      let client = try ControlConnection(server)
      client.send(line)
      return client
    }
    let last = try ControlConnection(server)
    // Each loop iteration performs a request of each client.
    for _ in 0..<4 { #expect(last.ask(#"{"request":"list"}"#)?.contains("one") == true) }
    #expect(last.ask(#"{"request":"quit"}"#) == done)
    for client in clients { #expect(client.reply()?.contains("backdropd ends") == true) }
    server.thaw()
    #expect(daemon.process.wait(for: .seconds(10)) == .exited(0))
  }

  /// The reply to a change waits until it is saved; the end of the daemon too.
  @Test func quitRightAfterAChangeIsAnswered() throws {
    for round in 0..<20 {
      let daemon = try TestDaemon(on: server, round == 0 ? ["--fresh"] : [])
      let (first, second) = (try ControlConnection(server), try ControlConnection(server))
      let name = "pane\(round)"
      first.send(#"{"request":"add","name":"\#(name)","style":"plain","geometry":"9x9+0+0"}"#)
      #expect(first.reply() == done)
      first.send(#"{"request":"set","name":"\#(name)","sigma":5}"#)
      second.send(#"{"request":"quit"}"#)
      #expect(second.reply() == done, "round \(round)")
      #expect(daemon.process.wait(for: .seconds(10)) == .exited(0))
    }
  }

  @Test func killedDaemonLeavesNoMemoryAndBlocksNoSuccessor() throws {
    let daemon = try daemonWithPanes()
    daemon.process.kill()
    #expect(daemon.process.wait(for: .seconds(10)) == .signalled(SIGKILL))
    #expect(try soon { try server.sharedMemory().isEmpty })
    let next = try TestDaemon(on: server)
    #expect(number("panes", in: try next.ask("status", "--json")) == 0)
    #expect(try next.stop() == .exited(0))
    #expect(!server.hasSocket)
  }

  @Test func lostDisplayIsLoggedAndExitStatusRequestsARestart() throws {
    let daemon = try daemonWithPanes(["--exit-with-display"])
    daemon.expectError(containing: "has closed the connection")
    server.process.kill()
    #expect(daemon.process.wait(for: .seconds(10)) == .exited(75))
    let errors = daemon.logLines.filter { $0.level == 3 }.map(\.text)
    #expect(
      errors == ["backdropd: display \(server.display) has closed the connection"],
      "\(daemon.log)")
    #expect(!server.hasSocket)
  }

  @Test func lostDisplayDuringFramesIsLogged() throws {
    let daemon = try daemonWithPanes(["--exit-with-display"])
    daemon.expectError(containing: "has closed the connection")
    let picture = Bitmap.noise(width: 100, height: 100, seed: 1)
    let window = try client.makeWindow(
      Rect(x: 20, y: 20, width: 100, height: 100), picture: picture)
    for i in 0..<20 {
      window.move(x: 20 + i, y: 20)
      try client.sync()
    }
    server.process.kill()
    #expect(daemon.process.wait(for: .seconds(10)) == .exited(75))
    #expect(daemon.log.hasSuffix("has closed the connection\n"), "\(daemon.log)")
    #expect(!server.hasSocket)
  }
}
