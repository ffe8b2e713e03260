import Glibc
import Raster
import TestSupport
import Testing

/// The start of the daemon, and the errors of a failed start.
@Suite(.serialized, .waiting) struct DaemonStartTests {
  private let server: XServer

  init() throws { server = try XServer(width: 400, height: 300) }

  private func run(
    _ arguments: [String] = [], without removed: String? = nil, _ changed: [String: String] = [:]
  ) throws -> ProgramOutcome {
    var environment = server.environment.merging(changed) { $1 }
    if let removed { environment[removed] = nil }
    return try Child.run(ProgramPaths.backdropd, arguments, environment: environment)
  }

  /// Expects an exit status and one line with a text.
  private func expect(
    _ outcome: ProgramOutcome, _ status: Int32, _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == .exited(status), sourceLocation: sourceLocation)
    #expect(outcome.err.contains(text), "\(outcome.err)", sourceLocation: sourceLocation)
    #expect(outcome.err.hasPrefix("backdropd: "), sourceLocation: sourceLocation)
    let lines = outcome.err.split(separator: "\n").count
    #expect(lines == 1, "\(outcome.err)", sourceLocation: sourceLocation)
    #expect(outcome.out == "", sourceLocation: sourceLocation)
  }

  @Test func unreachableDisplayIsNamed() throws {
    try expect(run(["--display", ":4999"]), 69, "cannot connect to display ':4999'")
    try expect(run(["--display", "nonsense"]), 69, "cannot connect to Wayland display nonsense")
    #expect(!server.hasSocket)
  }

  @Test func missingEnvironmentIsNamed() throws {
    try expect(run(without: "DISPLAY"), 78, "no display is given; set WAYLAND_DISPLAY or DISPLAY")
    try expect(run(["--display", ""]), 78, "no display is given")
    try expect(run(without: "XDG_RUNTIME_DIR"), 78, "XDG_RUNTIME_DIR is not set")
    try expect(run([], ["XDG_RUNTIME_DIR": "relative"]), 78, "XDG_RUNTIME_DIR is not set to an abs")
  }

  @Test func unusableRuntimeDirectoryIsNamed() throws {
    let missing = server.runtimeDirectory + "/missing"
    try expect(run([], ["XDG_RUNTIME_DIR": missing]), 73, missing)
  }

  @Test(arguments: ["0", "1001", "nan", "-1", "fast"])
  func rateOutOfRangeIsNamed(rate: String) throws {
    let outcome = try run(["--rate=\(rate)"])
    expect(outcome, 64, "rate")
    #expect(outcome.err.contains("'backdropd --help'"))
  }

  @Test(arguments: ["0", "17", "-1", "many"])
  func threadCountOutOfRangeIsNamed(count: String) throws {
    let outcome = try run(["--threads=\(count)"])
    expect(outcome, 64, "threads")
    #expect(outcome.err.contains("'backdropd --help'"))
  }

  @Test func unknownOptionIsNamed() throws {
    try expect(run(["--frobnicate"]), 64, "--frobnicate")
    try expect(run(["extra"]), 64, "extra")
  }

  @Test func helpIsPrintedWithStatusZero() throws {
    let outcome = try run(["--help"])
    #expect(outcome.status == .exited(0))
    for option in ["--replace", "--threads", "--rate", "--display"] {
      #expect(outcome.out.contains(option))
    }
    #expect(outcome.err == "")
  }

  @Test func secondDaemonIsRefused() throws {
    let first = try TestDaemon(on: server)
    try first.ask("add", "panel", "--plain", "--geometry", "100x80+10+10")
    let second = try run()
    expect(second, 69, "a backdropd (process \(first.process.pid)) serves this display already")
    #expect(second.err.contains("'backdropd --replace'"))
    #expect(try first.ask("list").contains("panel"))
    // Also if its socket is another one.
    try expect(run([], ["XDG_RUNTIME_DIR": "/tmp"]), 69, "process \(first.process.pid)")
    try first.sync()
  }

  @Test func replacingDaemonTakesOver() throws {
    var daemon = try TestDaemon(on: server)
    try daemon.ask("add", "panel", "--plain", "--geometry", "100x80+10+10")
    for _ in 0..<3 {
      try daemon.sync()
      let old = daemon
      daemon = try TestDaemon(on: server, ["--replace"])
      #expect(old.process.wait(for: .seconds(10)) == .exited(0))
      #expect(server.hasSocket)
      let status = try daemon.ask("status", "--json")
      #expect(number("pid", in: status) == Int(daemon.process.pid))
      #expect(number("panes", in: status) == 1)
    }
    #expect(try daemon.stop() == .exited(0))
    #expect(!server.hasSocket)
  }

  @Test func replaceWorksWithoutAnotherDaemon() throws {
    let daemon = try TestDaemon(on: server, ["--replace"])
    try daemon.sync()
  }

  @Test func displayNameMayHaveAScreenNumber() throws {
    let daemon = try TestDaemon(on: server, ["--display", server.display + ".0"])
    try daemon.sync()
  }

  @Test func journalLinesHaveAPriority() throws {
    let outcome = try run(["--display", ":4999"], ["JOURNAL_STREAM": "8:12345"])
    #expect(outcome.err.hasPrefix("<3>backdropd: cannot connect"))
  }

  @Test func firstPaneIsShownSoonAfterTheStart() throws {
    let client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 1))
    let before = try client.screenshot()
    let start = ContinuousClock.now
    let daemon = try TestDaemon(on: server)
    let ready = ContinuousClock.now
    let connection = try ControlConnection(server)
    #expect(
      connection.ask(
        #"{"request":"add","name":"panel","style":"plain","geometry":"300x200+20+20"}"#)
        == done)
    #expect(connection.ask(#"{"request":"sync"}"#) == done)
    let shown = ContinuousClock.now
    #expect(try client.screenshot() != before)
    print("first pane: ready after \(ready - start), on the screen after \(shown - start)")
    #expect(shown - start < .seconds(2))
    try daemon.stop()
  }
}
