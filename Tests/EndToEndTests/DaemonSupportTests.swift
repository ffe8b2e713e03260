import Glibc
import Raster
import TestSupport
import Testing

/// `TestDaemon`, on which the other suites rely.
@Suite(.serialized, .waiting) struct DaemonSupportTests {
  @Test func daemonStartsAnswersAndEnds() throws {
    let server = try XServer(width: 320, height: 240)
    let daemon = try TestDaemon(on: server)
    try daemon.ask("add", "pane", "--plain", "--geometry", "100x80+20+30", "--tint", "#102030")
    try daemon.sync()
    #expect(try TestClient(server).screenPixel(x: 60, y: 60) == 0xFF10_2030)
    let path = server.runtimeDirectory + "/pane.png"
    try daemon.ask("snapshot", "pane", path)
    #expect(try readPNG(path).bounds == Rect(x: 0, y: 0, width: 100, height: 80))
    #expect(try daemon.stop() == .exited(0))
  }

  @Test func refusedCommandIsAnError() throws {
    let server = try XServer(width: 64, height: 64)
    let daemon = try TestDaemon(on: server)
    let outcome = try daemon.ctl("remove", "nothing")
    #expect(outcome.status == .exited(64))
    #expect(outcome.err.contains("nothing"))
    #expect(throws: TestFailure.self) { try daemon.ask("remove", "nothing") }
  }

  @Test func failedStartIsExplained() throws {
    let server = try XServer(width: 64, height: 64)
    let failure = #expect(throws: TestFailure.self) {
      _ = try TestDaemon(on: server, ["--rate", "-1"])
    }
    #expect(failure?.description.contains("rate") == true)
  }

  @Test func loggedErrorFailsTheTest() throws {
    var text = ""
    withKnownIssue {
      let server = try XServer(width: 64, height: 64)
      let daemon = try TestDaemon(on: server, ["--exit-with-display"])
      server.process.kill()
      #expect(daemon.process.wait(for: .seconds(10)) == .exited(75))
      text = daemon.unexpectedErrors.joined()
    }
    #expect(text.contains("has closed the connection"))
  }
}
