import Control

/// What the daemon had done and used at one moment.
struct DemoReading {
  let status: StatusReport
  let cpuSeconds: Double

  init(_ status: StatusReport) {
    self.status = status
    cpuSeconds = backdropctl.cpuSeconds(ofProcess: status.pid)
  }
}

/// What the daemon did and used between two moments.
struct DemoCost: CustomStringConvertible {
  private let frames: Int
  private let seconds, cpuSeconds: Double
  private let stages: [(name: String, milliseconds: Double)]

  init(from before: DemoReading, to after: DemoReading) {
    frames = after.status.frames - before.status.frames
    seconds = after.status.uptimeSeconds - before.status.uptimeSeconds
    cpuSeconds = after.cpuSeconds - before.cpuSeconds
    let (first, last) = (before.status.milliseconds, after.status.milliseconds)
    stages = [
      ("capture", last.capture - first.capture), ("reduce", last.reduce - first.reduce),
      ("blur", last.blur - first.blur), ("draw", last.draw - first.draw),
      ("present", last.present - first.present),
    ]
  }

  var description: String {
    let count = Double(max(1, frames))
    let total = stages.reduce(0) { $0 + $1.milliseconds }
    let parts = stages.map { "\($0.name) \(rounded($0.milliseconds / count, digits: 3))" }
    return """
      frames       \(frames) of panes in \(rounded(seconds, digits: 1)) s
      CPU          \(rounded(cpuSeconds, digits: 2)) s of backdropd, \
      \(rounded(100 * cpuSeconds / max(0.001, seconds), digits: 1)) % of a core
      a frame      \(rounded(total / count, digits: 3)) ms: \(parts.joined(separator: ", "))
      """
  }
}

/// `printf` without Foundation.
private func rounded(_ value: Double, digits: Int) -> String {
  let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
  let units = Int((value * Double(scale)).rounded())
  let fraction = String(abs(units) % scale)
  let zeros = String(repeating: "0", count: digits - fraction.count)
  return "\(units < 0 ? "-" : "")\(abs(units) / scale).\(zeros)\(fraction)"
}
