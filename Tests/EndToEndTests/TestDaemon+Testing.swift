import Control
import Raster
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

  /// A pane as it was drawn last, or its backdrop, premultiplied. The program that writes it as a PNG file would take 50 ms.
  func snapshot(_ name: String, isBackdrop: Bool = false) throws -> Bitmap {
    var client = try ControlClient(display: "", path: server.controlSocket)
    let answer = try client.ask(.snapshot(name: name, isBackdrop: isBackdrop))
    guard let picture = answer.picture() else {
      throw TestFailure("snapshot \(name): \(answer.reply)\n\(log)")
    }
    return picture
  }

  /// The reply to the request `status`.
  func status() throws -> String {
    try ControlConnection(server).ask(#"{"request":"status"}"#) ?? ""
  }

  /// Waits until the daemon has nothing to do. A test that counts wake-ups must do so: the daemon answers before it sleeps.
  func waitUntilAsleep() throws {
    let isAsleep = try soon {
      // Longer than the time after which the daemon checks an announced change.
      try process.usage(within: .milliseconds(150)).sleepCount == 0 && process.state() == "S"
    }
    #expect(isAsleep, "the daemon is woken all the time")
  }

  /// Whether a lock screen hides panes.
  func isLocked() throws -> Bool { try status().contains(#""locked":true"#) }
}
