/// A `backdropd` under test, ready to be asked, and the command line that asks it.
package final class Daemon {
  package let server: XServer
  package let process: Child

  /// Returns when the daemon has said that it is ready; throws with its log when it does not.
  package init(
    on server: XServer, _ arguments: [String] = [], readyWithin timeout: Duration = .seconds(10)
  ) throws(TestFailure) {
    self.server = server
    let manager = try NotifySocket(in: server.runtimeDirectory)
    let environment = server.environment.merging(
      ["NOTIFY_SOCKET": manager.path], uniquingKeysWith: { $1 })
    process = try Child(ProgramPaths.backdropd, arguments, environment: environment)
    try manager.waitUntilReady(process, within: timeout)
  }

  /// Its log so far.
  package var log: String { process.err }

  /// Runs `backdropctl` to its end, whatever it answers.
  package func ctl(
    _ arguments: String..., timeout: Duration = .seconds(30)
  ) throws(TestFailure) -> Outcome {
    try server.run(ProgramPaths.backdropctl, arguments, timeout: timeout)
  }

  /// Runs `backdropctl` and returns what it printed; throws unless it succeeds.
  @discardableResult
  package func ask(
    _ arguments: String..., timeout: Duration = .seconds(30)
  ) throws(TestFailure) -> String {
    try ask(arguments, timeout: timeout)
  }

  @discardableResult
  package func ask(
    _ arguments: [String], timeout: Duration = .seconds(30)
  ) throws(TestFailure) -> String {
    let outcome = try server.run(ProgramPaths.backdropctl, arguments, timeout: timeout)
    guard outcome.status == .exited(0) else {
      throw TestFailure(
        "backdropctl \(arguments.joined(separator: " ")): \(outcome.status)\n\(outcome.err)\(log)")
    }
    return outcome.out
  }

  /// Returns when everything asked, and every change drawn, before has reached the screen.
  package func sync() throws(TestFailure) { try ask("sync") }

  /// Ends the daemon by SIGTERM, as the service manager does.
  @discardableResult
  package func stop(within timeout: Duration = .seconds(10)) throws(TestFailure) -> ExitStatus {
    try process.stop(within: timeout)
  }
}
