import TestSupport
import Testing

extension TestDaemon {
  /// Starts the `backdropd` that was built with the tests. What it logs as an error fails the test.
  convenience init(
    on server: XServer, _ arguments: [String] = [], readyWithin timeout: Duration = .seconds(10)
  ) throws(TestFailure) {
    try self.init(
      on: server, program: ProgramPaths.backdropd, arguments, readyWithin: timeout,
      recordFailure: { Issue.record("\($0)") })
  }
}
