import ArgumentParser
import Frost
import Raster

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times the glass on this machine, beside a memcpy of the same pixels.",
    discussion: """
      Every figure is the fastest of its runs where nothing else is said, and a ratio is one of two \
      times measured in turn in one process: the machine may be busy with other things.
      """,
    subcommands: [BenchTable.self, BenchFrame.self], defaultSubcommand: BenchTable.self)
}

struct BenchTable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Whole frames, their stages, and updates of a part (the default).",
    discussion: """
      The stages, on one thread: 'absorb' makes cells of pixels, 'settle' blurs the cells, 'draw' \
      makes pixels of them. Updates are of a square part of a 1920x1080 frame at sigma 20, on one \
      thread, at places all over it: the median and the fastest, beside the median memcpy of the same \
      square.
      """)

  @Flag(help: "Print JSON.") var json = false
  @Option(help: "How many times to run each.") var runs = 15

  func validate() throws {
    guard runs > 0 else { throw ValidationError("runs: \(runs); it takes 1 or more") }
  }

  func run() throws {
    var report = BenchReport()
    for (width, height) in [(1920, 1080), (3840, 2160)] {
      let picture = Bitmap.benchNoise(width: width, height: height)
      for sigma in [5.0, 10, 20, 40] {
        for threads in [1, 2] { measure(picture, sigma: sigma, threads: threads, into: &report) }
      }
    }
    report.updates = [16, 64, 256].map { UpdateFigure(size: $0, updateTimes(size: $0)) }
    if json { try printJSON(report) } else { print(table(of: report)) }
  }

  private func measure(
    _ picture: Bitmap, sigma: Double, threads: Int, into report: inout BenchReport
  ) {
    var bench = FrameBench(picture, Material(sigma: sigma, isDithered: false), threads: threads)
    let times = (0..<runs).map { _ in bench.run() }
    let (width, height) = (picture.width, picture.height)
    report.frames.append(
      FrameFigure(width: width, height: height, sigma: sigma, threads: threads, times))
    if threads == 1, [5, 20].contains(sigma) {
      report.stages += StageFigure.all(width: width, height: height, sigma: sigma, times)
    }
  }

  /// At places all over a 1920x1080 frame, at sigma 20.
  private func updateTimes(size: Int) -> [FrameTimes] {
    let picture = Bitmap.benchNoise(width: 1920, height: 1080)
    var bench = FrameBench(picture, Material(sigma: 20), threads: 1)
    return (0..<20 * runs).map { i in
      bench.update(
        Rect(x: i * 997 % (1920 - size), y: i * 691 % (1080 - size), width: size, height: size))
    }
  }
}
