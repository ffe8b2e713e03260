import Glibc
import TestSupport
import Testing

/// The heartbeat that a service manager expects.
@Suite(.serialized, .waiting) struct HeartbeatTests {
  @Test func loopSendsTheHeartbeat() throws {
    let server = try XServer(width: 200, height: 150)
    let manager = try NotifySocket(in: server.runtimeDirectory)
    let daemon = try Child(
      ProgramPaths.backdropd, [],
      environment: server.environment.merging([
        "NOTIFY_SOCKET": manager.path, "WATCHDOG_USEC": "200000",
      ]) { $1 })
    try manager.waitUntilReady(daemon)
    for _ in 0..<3 { try manager.wait(for: "WATCHDOG=1", of: daemon) }
    // A stopped loop sends nothing.
    daemon.send(SIGSTOP)
    manager.discard()
    #expect(throws: TestFailure.self) {
      try manager.wait(for: "WATCHDOG=1", of: daemon, within: .milliseconds(500))
    }
    daemon.send(SIGCONT)
    try manager.wait(for: "WATCHDOG=1", of: daemon)
    try daemon.stop()
  }
}
