import Glibc
import Raster
import TestDice
import TestSupport
import Testing

/// Panes survive the end of their daemon.
@Suite(.serialized, .waiting) struct KeptPanesTests {
  /// The number of daemons that are killed at a random time.
  private static let killCount = Effort.rounds(10)
  /// The number of times that several daemons replace each other.
  private static let replacementCount = 4

  private let server: XServer

  init() throws { server = try XServer(width: 400, height: 300) }

  private var file: String {
    "\(server.stateFolder)/backdropd-\(server.display.dropFirst()).panes"
  }

  private var filesOfPanes: [String] {
    namesInDirectory(server.stateFolder).filter { !$0.hasSuffix("-crashes") }.sorted()
  }

  /// The panes in `list --json`, without the numbers of frames.
  private func panes(of daemon: TestDaemon) throws -> [Substring] {
    try daemon.ask("list", "--json").split(separator: "\n").filter { !$0.contains("\"frames\"") }
  }

  private func addPanes(to daemon: TestDaemon) throws {
    try daemon.ask("add", "one", "--plain", "--geometry", "200x150+30+40", "--corner", "20")
    try daemon.ask("add", "two", "--plain", "--geometry", "150x100+180+150", "--layer", "top")
    try daemon.ask("set", "one", "--label", "Hello")
    try daemon.ask("add", "gone", "--plain", "--geometry", "50x50+10+10")
    try daemon.ask("add", "hidden", "--plain", "--geometry", "50x50+10+10")
    try daemon.ask("hide", "hidden")
    try daemon.ask("remove", "gone")
    try daemon.ask("set", "two", "--tint", "#80FF0040")
    try daemon.sync()
  }

  @Test(arguments: [SIGTERM, SIGKILL])
  func panesSurviveTheEnd(signal: Int32) throws {
    let client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 3))
    let first = try TestDaemon(on: server, [])
    try addPanes(to: first)
    // Changes that follow each other fast are saved together, some time later.
    #expect(soon { (try? readText(file))?.contains("#80FF0040") == true })
    let before = try panes(of: first)
    let shown = try client.screenshot()
    first.process.send(signal)
    #expect(first.process.wait(for: .seconds(10)) != nil)
    for _ in 0..<2 {
      let next = try TestDaemon(on: server, [])
      #expect(try panes(of: next) == before)
      try next.sync()
      #expect(try client.screenshot().difference(from: shown) == nil)
      try next.stop()
    }
    #expect(filesOfPanes.count == 2, "\(filesOfPanes)")
    let last = try TestDaemon(on: server, [])
    for name in ["one", "two", "hidden"] { try last.ask("remove", name) }
    #expect(filesOfPanes == [])
  }

  /// When the power fails, only bytes on the disk are left.
  @Test(.enabled(if: !Sanitizer.isActive, "the sanitizer hides the calls"))
  func panesSurviveAPowerCut() throws {
    let injector = try FaultInjector(in: server.runtimeDirectory)
    injector.loseUnsyncedBytes()
    let first = try TestDaemon(on: server, [], environment: injector.environment)
    try addPanes(to: first)
    let before = try panes(of: first)
    first.expectError(containing: "")
    first.process.kill()
    #expect(first.process.wait(for: .seconds(10)) == .signalled(SIGKILL))
    let next = try TestDaemon(on: server, [])
    // Changes of settings are saved some time later.
    try next.ask("set", "two", "--tint", "#80FF0040")
    #expect(try panes(of: next) == before)
    try next.stop()
  }

  /// A request that was answered is saved; another one may be. Nothing is half saved.
  @Test func noAnsweredPaneIsLost() throws {
    var dice = Dice(seed: 9)
    for round in 0..<Self.killCount {
      let daemon = try TestDaemon(on: server, ["--fresh"])
      daemon.expectError(containing: "")
      let connection = try ControlConnection(server)
      let killer = ContinuousClock.now + .microseconds(dice.roll(0...20_000))
      var answered = 0
      // The next request is under way when the daemon is killed.
      while ContinuousClock.now < killer, answered < 200 {
        let line = #"{"request":"add","name":"p\#(answered)","geometry":"40x30+5+5"}"#
        #expect(connection.ask(line) == done)
        answered += 1
      }
      connection.send(#"{"request":"add","name":"last","style":"plain","geometry":"40x30+5+5"}"#)
      daemon.process.kill()
      #expect(daemon.process.wait(for: .seconds(10)) == .signalled(SIGKILL))
      let next = try TestDaemon(on: server, [])
      let names = try next.ask("list").split(separator: "\n").dropFirst()
        .compactMap { $0.split(separator: " ").first }.filter { $0.hasPrefix("p") }
      #expect(names.count == answered, "\(dice), round \(round)")
      try next.stop()
    }
  }

  /// Several daemons that start at the same time, over a running one or none, end with one that has the panes.
  @Test func replacingDaemonsEndWithOne() throws {
    let daemon = try TestDaemon(on: server, [])
    try addPanes(to: daemon)
    let wanted = try panes(of: daemon)
    for round in 0..<Self.replacementCount {
      if round == Self.replacementCount / 2 { try daemon.stop() }
      let arguments = [["--replace"], ["--replace"], [], ["--replace"], ["--replace"]]
      let starters = try arguments.map { try server.start(ProgramPaths.backdropd, $0) }
      // Each has served the display, or has ended.
      #expect(
        soon {
          let running = starters.filter { $0.wait(for: .zero) == nil }
          return running.count == 1 && running[0].err.contains("serving display")
        })
      let running = starters.filter { $0.wait(for: .zero) == nil }
      for starter in starters where starter !== running.first {
        let status = starter.wait(for: .zero)
        #expect(status == .exited(0) || status == .exited(69), "\(starter.err)")
      }
      let last = try #require(running.first)
      let status = try server.run(ProgramPaths.backdropctl, ["status", "--json"]).out
      #expect(number("pid", in: status) == Int(last.pid))
      let list = try server.run(ProgramPaths.backdropctl, ["list", "--json"]).out
      #expect(list.split(separator: "\n").filter { !$0.contains("\"frames\"") } == wanted)
      #expect(try server.run(ProgramPaths.backdropctl, ["sync"]).status == .exited(0))
      let overlays = try server.topLevelWindows().filter { $0.text.contains("\"backdropd one\"") }
      #expect(overlays.count == 1)
      try last.stop()
      if round < Self.replacementCount / 2 - 1 {
        // The next round replaces a running one again.
        let again = try TestDaemon(on: server, [])
        #expect(try panes(of: again) == wanted)
        let next = try TestDaemon(on: server, ["--replace"])
        #expect(again.process.wait(for: .seconds(10)) == .exited(0))
        #expect(try panes(of: next) == wanted)
      }
    }
  }

  /// A daemon that cannot open the display ends no other one.
  @Test func failedReplacementChangesNothing() throws {
    let daemon = try TestDaemon(on: server, [])
    try addPanes(to: daemon)
    let wanted = try panes(of: daemon)
    try server.freeze()
    let waiting = try server.start(ProgramPaths.backdropd, ["--replace"])
    #expect(try daemon.ask("list", "--json").contains("\"two\""))
    // It may not have blocked the signal yet.
    #expect(try [.exited(0), .signalled(SIGTERM)].contains(waiting.stop()))
    server.thaw()
    #expect(try panes(of: daemon) == wanted)
    try daemon.sync()
  }

  /// A daemon that does not end is named.
  @Test func stoppedDaemonIsNotReplaced() throws {
    let daemon = try TestDaemon(on: server, [])
    daemon.process.send(SIGSTOP)
    let outcome = try server.run(ProgramPaths.backdropd, ["--replace"])
    #expect(outcome.status == .exited(69))
    #expect(outcome.err.contains("(process \(daemon.process.pid))"), "\(outcome.err)")
    #expect(outcome.err.contains("does not end; stop it first"), "\(outcome.err)")
    daemon.process.send(SIGCONT)
    // It was asked to end.
    #expect(daemon.process.wait(for: .seconds(10)) == .exited(0))
  }

  @Test func freshDaemonHasNoPanes() throws {
    let first = try TestDaemon(on: server, [])
    try addPanes(to: first)
    try first.stop()
    let fresh = try TestDaemon(on: server, ["--fresh"])
    #expect(try fresh.ask("list").contains("no panes"))
    #expect(filesOfPanes == [])
    try fresh.ask("add", "new", "--plain", "--geometry", "200x150+30+40")
    try fresh.stop()
    let last = try TestDaemon(on: server, [])
    #expect(try last.ask("list").contains("new"))
    #expect(try !last.ask("list").contains("two"))
  }

  /// The Swift runtime of a toolchain writes a backtrace, which takes some seconds.
  private let noBacktrace = ["SWIFT_BACKTRACE": "enable=no"]

  /// Panes that crash every daemon are set aside. Daemons that are killed do not count.
  @Test(.enabled(if: !Sanitizer.isActive, "the address sanitizer handles these signals"))
  func panesThatCrashTheDaemonAreSetAside() throws {
    let first = try TestDaemon(on: server, [])
    try addPanes(to: first)
    try first.stop()
    for signal in [SIGKILL, SIGSEGV, SIGKILL, SIGILL, SIGKILL, SIGABRT] {
      let daemon = try TestDaemon(on: server, [], environment: noBacktrace)
      #expect(try daemon.ask("list").contains("two"))
      crash(daemon, signal)
    }
    let last = try TestDaemon(on: server, [])
    #expect(try last.ask("list").contains("no panes"))
    #expect(last.log.contains("3 daemons that showed these panes crashed within seconds"))
    #expect(unsafe access(file + "-bad", F_OK) == 0)
  }

  /// Sends a signal to a daemon that waits: it has finished its last request, whose crash would not count.
  private func crash(_ daemon: TestDaemon, _ signal: Int32 = SIGSEGV) {
    #expect(soon { (try? daemon.process.state()) == "S" })
    daemon.process.send(signal)
    #expect(daemon.process.wait(for: .seconds(20)) == .signalled(signal))
  }

  /// A request that crashes each daemon soon after its start costs no pane.
  @Test(.enabled(if: !Sanitizer.isActive, "the address sanitizer handles these signals"))
  func crashesAfterRequestsDoNotCount() throws {
    let first = try TestDaemon(on: server, [])
    try addPanes(to: first)
    try first.stop()
    for round in 0..<5 {
      let daemon = try TestDaemon(on: server, [], environment: noBacktrace)
      #expect(try daemon.ask("list").contains("two"), "round \(round)")
      try daemon.ask("set", "two", "--sigma", "\(round + 2)", "--ephemeral")
      crash(daemon)
    }
    #expect(try TestDaemon(on: server, []).ask("list").contains("two"))
  }

  /// Only the panes that changed last are set aside.
  @Test(.enabled(if: !Sanitizer.isActive, "the address sanitizer handles these signals"))
  func panesThatWereThereBeforeStay() throws {
    let first = try TestDaemon(on: server, [])
    try addPanes(to: first)
    try first.ask("set", "one", "--label", "tried")
    // A daemon tries panes for ten seconds.
    #expect(soon { (try? readText(file))?.contains(#""tried":["hidden","one","two"]"#) == true })
    try first.ask("add", "new", "--plain", "--geometry", "50x50+10+10")
    try first.ask("set", "two", "--sigma", "9")
    try first.stop()
    for _ in 0..<3 {
      let daemon = try TestDaemon(on: server, [], environment: noBacktrace)
      #expect(try daemon.ask("list").contains("new"))
      crash(daemon)
    }
    for _ in 0..<2 {
      let next = try TestDaemon(on: server, [], environment: noBacktrace)
      let list = try next.ask("list")
      #expect(list.contains("one") && list.contains("hidden"), "\(list)")
      #expect(!list.contains("two") && !list.contains("new"), "\(list)")
      // Its label has its pixels.
      try next.sync()
      next.process.kill()
      _ = next.process.wait(for: .seconds(10))
    }
    #expect(try readText(file + "-bad").contains(#""new""#))
  }

  /// Crashes count only if all of them follow each other within seconds.
  @Test(.enabled(if: !Sanitizer.isActive, "the address sanitizer handles these signals"))
  func crashesBeforeAGoodDaemonDoNotCount() throws {
    let first = try TestDaemon(on: server, [])
    try addPanes(to: first)
    try first.stop()
    for round in 0..<4 {
      let daemon = try TestDaemon(on: server, [], environment: noBacktrace)
      #expect(try daemon.ask("list").contains("two"), "round \(round)")
      if round == 2 {
        try daemon.stop()
      } else {
        crash(daemon)
      }
    }
  }

  /// Ephemeral changes are not there after a restart; the state before them is.
  @Test func ephemeralChangesEndWithTheirDaemon() throws {
    let first = try TestDaemon(on: server, [])
    try addPanes(to: first)
    let wanted = try panes(of: first)
    try first.ask("add", "fleeting", "--plain", "--geometry", "90x80+5+5", "--ephemeral")
    try first.ask("set", "one", "--label", "Bye", "--sigma", "3", "--ephemeral")
    try first.ask("set", "fleeting", "--sigma", "4")
    try first.ask(
      "add", "two", "--plain", "--geometry", "99x99+9+9", "--or-set", "--ephemeral", "--for", "1h")
    try first.sync()
    #expect(try panes(of: first) != wanted)
    try first.stop()
    let next = try TestDaemon(on: server, [])
    #expect(try panes(of: next) == wanted)
    try next.ask("set", "one", "--sigma", "3", "--ephemeral")
    try next.ask("set", "one", "--tint", "#12345678")
    next.process.kill()
    _ = next.process.wait(for: .seconds(10))
    let last = try TestDaemon(on: server, [])
    let list = try last.ask("list", "--json")
    #expect(list.contains("#12345678") && !list.contains("\"sigma\" : 3"), "\(list)")
  }

  @Test(arguments: [
    "", "\n", "{}\n{}\n", "{\"version\":9,\"pixels\":0,\"declared\":[]}\n{}\n",
    "{\"version\":2,\"pixels\":0,\"declared\":[]}\n{\"request\":\"quit\"}\n",
    "{\"version\":2,\"pixels\":0,\"declared\":[]}\n{\"request\":\"apply\",\"panes\":[{\"name\":\"x\"}]}",
    "{\"version\":2,\"pixels\":0,\"declared\":[],\"ends\":{\"x\":{\"time\":-1,\"fade\":0}}}\n"
      + "{\"request\":\"apply\",\"panes\":[{\"name\":\"x\",\"geometry\":\"9x9+0+0\"}]}",
    "{\"version\":2,\"pixels\":0,\"declared\":[{\"name\":\"x\"}]}\n{\"request\":\"apply\",\"panes\":[]}",
    "{\"version\":2,\"pixels\":-9223372036854775808,\"declared\":[]}\n{\"request\":\"apply\",\"panes\":[]}",
  ])
  func unusableFileIsKept(text: String) throws {
    unsafe mkdir(server.runtimeDirectory + "/state", 0o700)
    unsafe mkdir(server.stateFolder, 0o700)
    try writeText(text, to: file)
    let daemon = try TestDaemon(on: server, [])
    #expect(try daemon.ask("list").contains("no panes"))
    #expect(daemon.log.contains("cannot use the panes in \(file)"), "\(daemon.log)")
    #expect(try readBytes(file + "-bad") == Array(text.utf8))
    try daemon.ask("add", "new", "--plain", "--geometry", "200x150+30+40")
    try daemon.stop()
    #expect(try TestDaemon(on: server, []).ask("list").contains("new"))
  }
}
