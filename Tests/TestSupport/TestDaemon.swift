import Glibc
import Synchronization

/// A `backdropd` under test that is ready, and the command line that controls it.
///
/// A line of the level "error" in its log is a bug of the daemon: it fails the test, unless the test expects
/// it.
package final class TestDaemon {
  package let server: any DisplayServer
  package let process: Child
  private let expectedErrors = Mutex<[String]>([])
  private let recordFailure: (String) -> Void

  /// Returns when the daemon has reported that it is ready; throws with its log if it does not.
  ///
  /// `program` is the path of a `backdropd`. `recordFailure` gets errors in the log, and a failed stop, when
  /// the daemon ends. It is a parameter because programs that are not tests have no test framework.
  package init(
    on server: any DisplayServer, program: String, _ arguments: [String],
    environment: [String: String] = [:], readyWithin timeout: Duration = .seconds(10),
    recordFailure: @escaping (String) -> Void
  ) throws(TestFailure) {
    self.server = server
    self.recordFailure = recordFailure
    let manager = try NotifySocket(in: server.runtimeDirectory)
    // With JOURNAL_STREAM each line of the log begins with its level.
    let own = ["NOTIFY_SOCKET": manager.path, "JOURNAL_STREAM": "0:0"]
    process = try Child(
      program, arguments,
      environment: server.environment.merging(own) { $1 }.merging(environment) { $1 })
    do {
      try manager.waitUntilReady(process, within: timeout)
    } catch {
      // The error has the log.
      expectError(containing: "")
      throw error
    }
  }

  deinit {
    process.send(SIGCONT)
    do { try process.stop() } catch { recordFailure("\(error)") }
    for line in unexpectedErrors { recordFailure("the daemon logged an error: \(line)") }
  }

  /// Runs `backdropctl` to its end.
  package func ctl(
    _ arguments: String..., timeout: Duration = .seconds(120)
  ) throws(TestFailure) -> ProgramOutcome {
    try ctl(arguments, timeout: timeout)
  }

  /// Runs `backdropctl` on the display of the daemon, whatever its exit status.
  package func ctl(
    _ arguments: [String], timeout: Duration = .seconds(120)
  ) throws(TestFailure) -> ProgramOutcome {
    try server.run(ProgramPaths.backdropctl, arguments, timeout: timeout)
  }

  /// Runs `backdropctl` and returns what it printed; throws unless it succeeds.
  @discardableResult
  package func ask(
    _ arguments: String..., timeout: Duration = .seconds(120)
  ) throws(TestFailure) -> String {
    try ask(arguments, timeout: timeout)
  }

  /// Runs `backdropctl` and returns what it printed; throws unless it succeeds. Frequent requests are sent
  /// without it.
  @discardableResult
  package func ask(
    _ arguments: [String], timeout: Duration = .seconds(120)
  ) throws(TestFailure) -> String {
    if isDone(arguments) { return "" }
    let outcome = try ctl(arguments, timeout: timeout)
    guard outcome.status == .exited(0) else {
      throw TestFailure(
        "backdropctl \(arguments.joined(separator: " ")): \(outcome.status)\n\(outcome.err)\(log)")
    }
    return outcome.out
  }

  /// Whether a frequent request was sent and performed. If it was not, the command tells why.
  private func isDone(_ arguments: [String]) -> Bool {
    guard let request = FrequentRequest(arguments) else { return false }
    return (try? ControlConnection(server))?.ask(request.line) == #"{"reply":"done"}"#
  }

  /// Returns when everything requested, and every change drawn, before is on the screen.
  package func sync() throws(TestFailure) { try ask("sync") }

  /// Ends the daemon by SIGTERM, as the service manager does.
  @discardableResult
  package func stop(within timeout: Duration = .seconds(10)) throws(TestFailure) -> ExitStatus {
    try process.stop(within: timeout)
  }

  // MARK: Log

  /// A line of the log.
  package struct LogLine: Equatable, Sendable {
    /// The level by its number in syslog(3): 3 is an error, 4 a warning, 6 information. Nil if the line has none.
    package let level: Int?
    package let text: String
  }

  /// The log so far, without the levels.
  package var log: String { logLines.map { $0.text + "\n" }.joined() }

  package var logLines: [LogLine] { process.err.split(separator: "\n").map { LogLine($0) } }

  /// From now on errors that contain `text` do not fail the test.
  package func expectError(containing text: String) {
    expectedErrors.withLock { $0.append(text) }
  }

  /// The lines of the level "error" and worse that the test does not expect.
  package var unexpectedErrors: [String] {
    let expected = expectedErrors.withLock(\.self)
    return logLines.filter { line in
      (line.level ?? 3) <= 3 && !expected.contains { line.text.contains($0) }
    }.map(\.text)
  }
}

extension TestDaemon.LogLine {
  /// A line such as `<6>backdropd: ended`.
  fileprivate init(_ line: Substring) {
    let end = line.hasPrefix("<") ? line.firstIndex(of: ">") : nil
    level = end.flatMap { Int(line[line.index(after: line.startIndex)..<$0]) }
    text = String(level == nil ? line : line[(end ?? line.startIndex)...].dropFirst())
  }
}
