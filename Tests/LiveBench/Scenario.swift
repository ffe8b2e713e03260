import ArgumentParser
import Glibc
import TestSupport

enum ScenarioName: String, CaseIterable, ExpressibleByArgument {
  case move, panes, stack, uhd, frozen, show, raise, start, rotate, drawer, drag, behind, follow,
    hostile, sessions
  case waylandCost = "wayland-cost", waylandOverlap = "wayland-overlap"
  case waylandLatency = "wayland-latency", waylandMemory = "wayland-memory"

  var scenario: Scenario {
    switch self {
    case .move: .move
    case .panes: .panes
    case .stack: .stack
    case .uhd: .uhd
    case .frozen: .frozen
    case .show: .show
    case .raise: .raise
    case .start: .start
    case .rotate: .rotate
    case .drawer: .drawer
    case .drag: .drag
    case .behind: .behind
    case .follow: .follow
    case .hostile: .hostile
    case .sessions: .sessions
    case .waylandCost: .waylandCost
    case .waylandOverlap: .waylandOverlap
    case .waylandLatency: .waylandLatency
    case .waylandMemory: .waylandMemory
    }
  }
}

/// A subject of measurement, in one or more cases.
struct Scenario: Sendable {
  /// One variant. `measure` builds everything it needs and leaves nothing behind.
  struct Case: Sendable {
    /// Empty for the only case of a scenario.
    var name = ""
    let measure: @Sendable (Candidate) throws -> Measurement
  }

  let name: ScenarioName
  let cases: [Case]

  /// Measures every case whose name contains a text, if there is one, with every daemon in turn, `runs` times.
  /// A failure is recorded as a result.
  func run(only text: String?, into results: inout Results) {
    for run in 1...results.runs {
      for one in cases where text.map({ one.name.contains($0) }) ?? true {
        // The order alternates, so that no daemon always follows the same one.
        let indices = Array(results.candidates.indices)
        for index in run.isMultiple(of: 2) ? indices.reversed() : indices {
          if Interrupts.isInterrupted { return }
          self.run(one, candidate: index, run: run, into: &results)
        }
      }
    }
  }

  private func run(_ one: Case, candidate: Int, run: Int, into results: inout Results) {
    let daemon = results.candidates[candidate]
    let place = Results.Place(scenario: name.rawValue, caseName: one.name, candidate: candidate)
    writeProgress("\(name.rawValue) \(one.name): run \(run) of \(results.runs), \(daemon.label)")
    do {
      results.add(try one.measure(daemon), at: place, run: run)
    } catch {
      if Interrupts.isInterrupted { return }
      results.addFailure("\(error)", at: place, run: run)
    }
  }
}

/// The result of one run of one case.
struct Measurement {
  struct Figure {
    let name: String
    let unit: String
    let value: Double
  }

  var figures: [Figure] = []
  /// Records about the figures for the reader.
  var notes: [String] = []
  /// A part of the case that the daemon did not complete.
  var failures: [String] = []

  mutating func add(_ name: String, _ value: Double, _ unit: String) {
    figures.append(Figure(name: name, unit: unit, value: value))
  }
}

/// Writes a line to standard error, apart from the results.
private func writeProgress(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe write(STDERR_FILENO, bytes, bytes.count)
}
