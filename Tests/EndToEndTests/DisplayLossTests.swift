import Glibc
import Raster
import TestSupport
import Testing

/// The X server dies and comes back: so do the panes.
@Suite(.serialized, .waiting) struct DisplayLossTests {
  /// The number of times that the server dies in one test.
  private static let count = 8

  private let server: XServer

  init() throws { server = try XServer(width: 400, height: 300, isRestartable: true) }

  /// A client that has drawn a wallpaper.
  private func connect() throws -> TestClient {
    let client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 3))
    try client.sync()
    return client
  }

  private func killServer() {
    server.process.kill()
    #expect(server.process.wait(for: .seconds(10)) == .signalled(SIGKILL))
  }

  @Test func panesReturnWithTheDisplay() throws {
    let daemon = try TestDaemon(on: server)
    let look = ["--sigma", "9", "--corner", "20", "--shadow", "outer-view"]
    try daemon.ask(["add", "one", "--plain", "--geometry", "200x150+30+40"] + look)
    try daemon.ask(["add", "two", "--plain", "--geometry", "150x100+180+150"] + look)
    var times: [Duration] = []
    for round in 0..<Self.count {
      if round % 2 == 0 { killServer() } else { try server.stop() }
      try server.startAgain()
      let start = ContinuousClock.now
      let client = try connect()
      while try !daemon.status().contains(#""connected":true"#) {}
      try daemon.sync()
      times.append(ContinuousClock.now - start)
      let shown = try client.screenshot()
      for name in ["one", "two"] { try daemon.ask("hide", name) }
      try daemon.sync()
      #expect(try client.screenshot().difference(from: shown) != nil)
      for name in ["one", "two"] { try daemon.ask("show", name) }
      try daemon.sync()
      #expect(try client.screenshot().difference(from: shown) == nil)
    }
    times.sort()
    print(
      "panes after a restart of the server: median \(times[times.count / 2]), last \(times.last!)")
    #expect(try daemon.stop() == .exited(0))
    #expect(!server.hasSocket)
  }

  @Test func panesCanBeChangedWhileTheDisplayIsAway() throws {
    let daemon = try TestDaemon(on: server)
    try daemon.ask("add", "one", "--plain", "--geometry", "200x150+30+40")
    try daemon.ask("add", "two", "--plain", "--geometry", "150x100+180+150")
    try daemon.sync()
    let waiting = try ControlConnection(server)
    try server.freeze()
    waiting.send(#"{"request":"sync"}"#)
    killServer()
    #expect(
      waiting.reply()?.contains("there is no connection to display \(server.display)") == true)
    for arguments in [["sync"], ["snapshot", "one", "\(server.runtimeDirectory)/one.png"]] {
      let outcome = try daemon.ctl(arguments)
      #expect(outcome.status == .exited(69))
      #expect(outcome.err.contains("there is no connection"), "\(outcome.err)")
    }
    #expect(try daemon.ask("status").contains("no connection"))
    try daemon.ask("remove", "two")
    try daemon.ask("set", "one", "--tint", "#FF00FF", "--fade", "300")
    try daemon.ask("add", "three", "--plain", "--geometry", "60x50+300+20", "--tint", "#00FF00")
    #expect(daemon.logLines.filter { $0.text.contains("has closed the connection") }.count == 1)
    try server.startAgain()
    let client = try connect()
    #expect(try soon { try daemon.status().contains(#""connected":true"#) })
    try daemon.sync()
    #expect(try client.screenPixel(x: 100, y: 100) == 0xFFFF_00FF)
    #expect(try client.screenPixel(x: 320, y: 40) == 0xFF00_FF00)
    #expect(try server.overlay(of: "two") == nil)
  }

  /// The daemon that waits ends as usual, at once.
  @Test func waitingDaemonEnds() throws {
    for end in 0..<2 {
      let daemon = try TestDaemon(on: server)
      killServer()
      #expect(try soon { try daemon.status().contains(#""connected":false"#) })
      if end == 0 {
        #expect(try daemon.stop() == .exited(0))
      } else {
        try daemon.ask("quit")
        #expect(daemon.process.wait(for: .seconds(10)) == .exited(0))
      }
      #expect(!server.hasSocket)
      try server.startAgain()
    }
  }

  /// While it waits, it sleeps nearly all the time.
  @Test func waitingCostsLittle() throws {
    let daemon = try TestDaemon(on: server)
    killServer()
    #expect(try soon { try daemon.status().contains(#""connected":false"#) })
    #expect(try daemon.process.usage(within: .seconds(4)).sleepCount < 60)
  }

  @Test func daemonMayEndWithItsDisplay() throws {
    let daemon = try TestDaemon(on: server, ["--exit-with-display"])
    daemon.expectError(containing: "has closed the connection")
    try daemon.ask("add", "one", "--plain", "--geometry", "200x150+30+40")
    killServer()
    #expect(daemon.process.wait(for: .seconds(10)) == .exited(75))
    #expect(
      daemon.logLines.filter { $0.level == 3 }.map(\.text)
        == ["backdropd: display \(server.display) has closed the connection"])
    #expect(!server.hasSocket)
  }

  /// At the start, before the server answers.
  @Test func startingDaemonAnswersClientsWhileTheServerIsFrozen() throws {
    for end in 0..<2 {
      try server.freeze()
      defer { server.thaw() }
      let starting = try server.start(ProgramPaths.backdropd)
      #expect(soon { server.hasSocket })
      let outcome = try server.run(ProgramPaths.backdropctl, ["list"])
      #expect(outcome.status == .exited(69))
      #expect(
        outcome.err.contains("display \(server.display) does not answer yet"), "\(outcome.err)")
      if end == 0 {
        #expect(try starting.stop(within: .seconds(5)) == .exited(0))
      } else {
        #expect(try server.run(ProgramPaths.backdropctl, ["quit"]).status == .exited(0))
        #expect(starting.wait(for: .seconds(5)) == .exited(0))
      }
      #expect(!server.hasSocket)
    }
  }
}
