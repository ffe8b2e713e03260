import ArgumentParser
import Frost
import Raster

/// The command `bench`.
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Measures the time of the glass, compared with a memcpy of the same pixels.",
    discussion: """
      Every figure is the fastest of its runs unless the table says otherwise. The two times of a ratio \
      are measured alternately in one process, because the load of the machine may change.
      """,
    subcommands: [BenchTable.self, BenchFrame.self], defaultSubcommand: BenchTable.self)
}

/// The command `bench table`.
struct BenchTable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table",
    abstract: "Measures whole frames, their stages, and updates of a part (the default).",
    discussion: """
      The stages, on one thread: 'reduce' computes cells from pixels, 'settle' blurs the cells, 'draw' \
      makes pixels from them. An update is a change of a square part of a 1920x1080 frame at sigma 20, on \
      one thread. Updates are measured at many positions: the median and the fastest, compared with the \
      median memcpy of the same square.
      """)

  @Flag(help: "Print JSON.") var json = false
  @Option(help: "Number of runs of each measurement.") var runs = 15

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

  /// The times of updates at many positions of a 1920x1080 frame, at sigma 20.
  private func updateTimes(size: Int) -> [FrameTimes] {
    let picture = Bitmap.benchNoise(width: 1920, height: 1080)
    var bench = FrameBench(picture, Material(sigma: 20), threads: 1)
    return (0..<20 * runs).map { i in
      bench.update(
        Rect(x: i * 997 % (1920 - size), y: i * 691 % (1080 - size), width: size, height: size))
    }
  }
}
