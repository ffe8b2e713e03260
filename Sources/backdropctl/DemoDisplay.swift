import Control
import Glibc

/// A display that the demo shows panes on, and the daemon that serves it.
struct DemoDisplay {
  let name: String
  /// What programs need to run on it.
  let environment: [String: String]

  /// The reply to a request, which is no failure.
  func ask(_ request: Request) throws(Failure) -> Reply {
    let reply = try reply(to: request)
    if case .failure(let kind, let text) = reply { throw Failure(kind, text) }
    return reply
  }

  private func reply(to request: Request) throws(Failure) -> Reply {
    do throws(ControlError) {
      let path = try controlSocketPath(
        display: name, runtimeDirectory: environment["XDG_RUNTIME_DIR"])
      var client = try ControlClient(display: name, path: path)
      return try client.ask(request).reply
    } catch {
      throw Failure(error)
    }
  }

  func status() throws(Failure) -> StatusReport {
    guard case .status(let status) = try ask(.status) else {
      throw Failure(.unreadableReply)
    }
    return status
  }

  var hasDaemon: Bool { (try? status()) != nil }

  func start(
    _ program: String, _ arguments: [String] = [], package: String
  ) throws -> DemoProcess {
    try DemoProcess(
      program, arguments, hint: "'apt install \(package)' has it", environment: environment)
  }

  /// Starts a daemon and returns when it answers.
  func startDaemon(_ interrupts: borrowing DemoInterrupts) throws -> DemoProcess {
    let daemon = try DemoProcess(
      try daemonPath(), ["--display", name], hint: "build it with 'make build'",
      environment: environment, isQuiet: false)
    let answers = try interrupts.wait(seconds: 10) { !daemon.isRunning || hasDaemon }
    guard answers, daemon.isRunning else {
      throw Failure(.unavailable, "backdropd does not serve \(name); its messages say why")
    }
    return daemon
  }
}
