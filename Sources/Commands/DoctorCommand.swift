import ArgumentParser
import Control
import Doctor
import Frost

/// The command `doctor`.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract:
      "Tells what is there on this machine and in this session, what is wrong, and what mends it.",
    discussion: """
      Needs no daemon, but asks the one that runs. Looks only; changes nothing. Each line has a state: good, note \
      (it limits something that not everyone needs), warning (glass works worse, or not yet), problem (glass does \
      not work). Exit status: 0 if there is no problem, or else 1.
      """)

  @Flag(help: "Print a JSON object.")
  var json = false
  @OptionGroup var daemon: DaemonOptions

  func run() throws {
    let report = diagnose(display: daemon.display, speed: measuredSpeed())
    if json { try printJSON(report) } else { print(report.text) }
    if report.exitStatus != 0 { throw ExitCode(report.exitStatus) }
  }

  /// Takes some hundredths of a second.
  private func measuredSpeed() -> GlassSpeed {
    var bench = FrameBench(
      .benchNoise(width: 1920, height: 1080), Material(sigma: 20, isDithered: false), threads: 1)
    let figure = FrameFigure(
      width: 1920, height: 1080, sigma: 20, threads: 1, (0..<10).map { _ in bench.run() })
    return GlassSpeed(milliseconds: figure.milliseconds, ratio: figure.ratio)
  }
}
