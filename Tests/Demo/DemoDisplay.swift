import FoundationEssentials
import Glibc
import TestSupport

/// A display that panes are shown on, and the commands that a user would type.
struct DemoDisplay {
  let environment: [String: String]

  /// Runs backdropctl. Returns what it printed.
  @discardableResult
  func ask(_ arguments: [String]) throws -> String {
    let outcome = try run(arguments)
    guard outcome.status == .exited(0) else { throw TestFailure(outcome.err) }
    return outcome.out
  }

  /// The obstacles of glass behind windows, and their remedies: a line each.
  func warnings() throws -> String { try run(["list"]).err }

  /// Waits until there is a window that glass of a pane is behind, for ten seconds at most.
  func awaitWindow(of pane: String) throws {
    for _ in 0..<100 where try !run(["behind", "list", "--json"]).out.contains("\"\(pane)\"") {
      pause(for: .milliseconds(100))
    }
  }

  private func run(_ arguments: [String]) throws -> ProgramOutcome {
    try Child.run(ProgramPaths.backdropctl, arguments, environment: environment)
  }

  /// Whether the daemon serves an X server. Names of compositors have no colon.
  func isX11() throws -> Bool { try status().display.contains(":") }

  var hasDaemon: Bool { (try? run(["status"]).status) == .exited(0) }

  /// Starts a daemon. Returns when it answers. Throws `DisplayRefusal` if it cannot show glass here.
  func startDaemon() throws -> Child {
    // In a session of its own, which Ctrl-C does not reach.
    let daemon = try Child("/usr/bin/setsid", [ProgramPaths.backdropd], environment: environment)
    for _ in 0..<500 {
      if hasDaemon { return daemon }
      if let status = daemon.wait(for: .milliseconds(20)) {
        if status == .exited(69) { throw DisplayRefusal(description: daemon.err) }
        throw TestFailure("backdropd ended: \(status)\n\(daemon.err)")
      }
    }
    throw TestFailure("backdropd does not answer\n\(daemon.err)")
  }

  /// The work of the daemon in a time.
  func measureCost(for time: Duration) throws -> DemoCost {
    // Printed lines must be visible now, also in a file.
    fflush(nil)
    try ask(["sync"])
    let before = try status()
    pause(for: time)
    return DemoCost(from: before, to: try status())
  }

  private func status() throws -> DemoStatus {
    let text = try ask(["status", "--json"])
    var status = try JSONDecoder().decode(DemoStatus.self, from: Data(text.utf8))
    status.cpuSeconds = try cpuSeconds(ofProcess: status.pid)
    return status
  }
}

/// The daemon cannot show glass on a display.
struct DisplayRefusal: Error, CustomStringConvertible {
  /// Its log, with the reason.
  let description: String
}

/// The work of the daemon up to a moment.
struct DemoStatus: Decodable {
  struct Stages: Decodable {
    let capture, reduce, blur, draw, present: Double
  }

  let display: String
  let pid, frames: Int
  let uptimeSeconds: Double
  let milliseconds: Stages
  /// User and system time; from the kernel.
  var cpuSeconds = 0.0

  private enum CodingKeys: CodingKey {
    case display, pid, frames, uptimeSeconds, milliseconds
  }
}

/// The work and the cost of the daemon between two moments.
struct DemoCost: CustomStringConvertible {
  private let frames: Int
  private let seconds, cpuSeconds: Double
  private let stages: [(name: String, milliseconds: Double)]

  init(from before: DemoStatus, to after: DemoStatus) {
    frames = after.frames - before.frames
    seconds = after.uptimeSeconds - before.uptimeSeconds
    cpuSeconds = after.cpuSeconds - before.cpuSeconds
    let (first, last) = (before.milliseconds, after.milliseconds)
    stages = [
      ("capture", last.capture - first.capture), ("reduce", last.reduce - first.reduce),
      ("blur", last.blur - first.blur), ("draw", last.draw - first.draw),
      ("present", last.present - first.present),
    ]
  }

  var description: String {
    let count = Double(max(1, frames))
    let parts = stages.map { "\($0.name) \(rounded($0.milliseconds / count, digits: 3))" }
    return """
      frames       \(frames) of panes in \(rounded(seconds, digits: 1)) s
      CPU          \(rounded(cpuSeconds, digits: 2)) s of backdropd, \
      \(rounded(100 * cpuSeconds / max(0.001, seconds), digits: 1)) % of a core
      per frame    \(parts.joined(separator: ", ")) ms
      """
  }
}

/// A number as a text with so many digits after the point.
func rounded(_ value: Double, digits: Int) -> String {
  let scale = (0..<digits).reduce(1.0) { scale, _ in scale * 10 }
  return "\((value * scale).rounded() / scale)"
}
