import Raster
import TestSupport

extension Scenario {
  /// Many sessions on one host, each with a daemon and a still pane.
  static let sessions = Scenario(name: .sessions, cases: [Case(measure: measureSessions)])
}

/// The number of sessions.
private let sessionCount = 40

private func measureSessions(_ candidate: Candidate) throws -> Measurement {
  var daemons: [LiveDaemon<Screen>] = []
  for _ in 0..<sessionCount {
    let screen = try Screen(width: 1024, height: 768)
    try screen.showStillDesktop()
    let daemon = try LiveDaemon(candidate, on: screen)
    try daemon.addPane("pane", Rect(x: 100, y: 100, width: 400, height: 300), hasShadow: false)
    daemons.append(daemon)
  }
  // Caches of the first frames are written back, and nothing else happens any more.
  sleep(milliseconds: 2000)
  func wakeUps() throws -> Int {
    try daemons.reduce(0) { try $0 + $1.process.usage().sleepCount }
  }
  let before = try wakeUps()
  sleep(milliseconds: 5000)
  let after = try wakeUps()
  let own = try daemons.map { Double(try $0.process.privateByteCount()) / 1_048_576 }
  let share = try daemons.map { Double(try $0.process.memoryUse().proportional) / 1_048_576 }
  var result = Measurement()
  result.add("memory of its own, each of \(sessionCount)", own.median, "MiB")
  result.add("with its share of common memory", share.median, "MiB")
  result.add("wake-ups of all in 5 s", Double(after - before), "")
  return result
}
