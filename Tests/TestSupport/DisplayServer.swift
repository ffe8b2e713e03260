/// A display server for one test, whose programs a test starts.
package protocol DisplayServer: AnyObject {
  var process: Child { get }
  /// The environment of programs on this server: nothing of the session that runs the tests.
  var environment: [String: String] { get }
  /// The directory for the sockets of programs on this display. No other server uses it.
  var runtimeDirectory: String { get }
  /// The path of the socket at which the daemon of this display takes requests.
  var controlSocket: String { get }
}

extension DisplayServer {
  /// Starts any program on this server.
  package func start(_ program: String, _ arguments: [String] = []) throws(TestFailure) -> Child {
    try Child(program, arguments, environment: environment)
  }

  /// The folder in which the daemon of this display saves its panes.
  package var stateFolder: String { runtimeDirectory + "/state/backdropd" }

  /// The folder of the configuration.
  package var configurationFolder: String { runtimeDirectory + "/config/backdropd" }

  /// Runs any program on this server to its end.
  package func run(
    _ program: String, _ arguments: [String] = [], timeout: Duration = .seconds(120)
  ) throws(TestFailure) -> ProgramOutcome {
    try Child.run(program, arguments, environment: environment, timeout: timeout)
  }
}
