import TestSupport
import Testing

extension TestDaemon {
  /// Starts the `backdropd` that was built with the tests, without the panes of the last one if there are no other
  /// arguments. What it logs as an error fails the test.
  convenience init(
    on server: any DisplayServer, _ arguments: [String] = ["--fresh"],
    environment: [String: String] = [:],
    readyWithin timeout: Duration = .seconds(10)
  ) throws(TestFailure) {
    try self.init(
      on: server, program: ProgramPaths.backdropd, arguments, environment: environment,
      readyWithin: timeout, recordFailure: { Issue.record("\($0)") })
  }

  /// The reply to the request `status`.
  func status() throws -> String {
    try ControlConnection(server).ask(#"{"request":"status"}"#) ?? ""
  }

  /// Whether a lock screen hides panes.
  func isLocked() throws -> Bool { try status().contains(#""locked":true"#) }
}
