import ArgumentParser
import Glibc
import TestSupport

@main
struct LiveBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "LiveBench",
    abstract: "Measures a running backdropd from outside, on X servers and compositors in memory.",
    discussion: """
      Every measurement starts an Xvfb or sway, and a daemon, of its own. With more than one daemon, the daemons \
      take turns within each run, so that a ratio of two of them compares the same minutes of the \
      machine. Nothing else should run on the machine meanwhile.

      Exit status: 0 all was measured; 1 a daemon failed a scenario; 64 wrong use; 130 interrupted.
      """)

  @Option(name: .customLong("daemon"), help: "A backdropd to measure. May be given more than once.")
  var daemons: [String]

  @Option(
    name: .customLong("scenario"),
    help: ArgumentHelp(
      "What to measure. May be given more than once. (default: all)", valueName: "name"))
  var scenarios: [ScenarioName] = []

  @Option(
    name: .customLong("case"),
    help: ArgumentHelp(
      "Measure only the cases of a scenario whose names contain a text.", valueName: "text"))
  var caseText: String?

  @Option(help: "How often each measurement is repeated.")
  var runs = 3

  @Option(
    name: .customLong("daemon-option"), parsing: .unconditionalSingleValue,
    help: "An option that every daemon gets. May be given more than once.")
  var daemonOptions: [String] = []

  @Flag(help: "Print JSON with the value of every run.")
  var json = false

  func validate() throws {
    if runs < 1 { throw ValidationError("runs: \(runs) is out of range; it takes at least 1") }
    for path in daemons where unsafe access(path, X_OK) != 0 {
      throw ValidationError("daemon: '\(path)' is not a program")
    }
  }

  func run() throws {
    Interrupts.handleSignals(endingChildren: true)
    let candidates = try daemons.map { try Candidate(path: $0, options: daemonOptions) }
    let names = scenarios.isEmpty ? ScenarioName.allCases : scenarios
    var results = Results(candidates: candidates, runs: runs)
    for name in names where !Interrupts.isInterrupted {
      name.scenario.run(only: caseText, into: &results)
      if !json { print(results.table(of: name.rawValue)) }
    }
    if json { print(results.json) }
    if Interrupts.isInterrupted { throw ExitCode(130) }
    if !results.failures.isEmpty { throw ExitCode(1) }
  }
}
