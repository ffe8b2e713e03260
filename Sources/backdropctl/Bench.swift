import ArgumentParser
import Frost
import Raster

struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Times the glass on this machine, beside a memcpy of the same frame.",
    discussion: """
      Every figure is the fastest of its runs, and a ratio is one of two times measured in turn in \
      one process: the machine may be busy with other things.
      """,
    subcommands: [BenchTable.self, BenchFrame.self], defaultSubcommand: BenchTable.self)
}

struct BenchTable: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table", abstract: "Whole frames, and updates of a part (the default).")

  @Flag(help: "Print JSON.") var json = false
  @Option(help: "How many times to run each.") var runs = 15

  func validate() throws {
    guard runs > 0 else { throw ValidationError("runs: \(runs); it takes 1 or more") }
  }

  func run() throws {
    var frames: [FrameFigure] = []
    for (width, height) in [(1920, 1080), (3840, 2160)] {
      let picture = Bitmap.benchNoise(width: width, height: height)
      for sigma in [5.0, 10, 20, 40] {
        for threads in [1, 2] {
          let material = Material(sigma: sigma, isDithered: false)
          var bench = FrameBench(picture, material, threads: threads)
          let times = (0..<runs).map { _ in bench.run() }
          frames.append(
            FrameFigure(
              width: width, height: height, sigma: sigma, threads: threads,
              milliseconds: times.map(\.frame).min() ?? 0,
              memcpyMilliseconds: times.map(\.copy).min() ?? 0))
        }
      }
    }
    let updates = [16, 64, 256].map { size in updateFigure(size: size) }
    if json {
      try printJSON(BenchReport(frames: frames, updates: updates))
    } else {
      printTable(frames, updates)
    }
  }

  /// The median over places all over a 1920x1080 frame, at sigma 20.
  private func updateFigure(size: Int) -> UpdateFigure {
    let picture = Bitmap.benchNoise(width: 1920, height: 1080)
    var bench = FrameBench(picture, Material(sigma: 20), threads: 1)
    let times = (0..<20 * runs).map { i in
      bench.update(
        Rect(x: i * 997 % (1920 - size), y: i * 691 % (1080 - size), width: size, height: size))
    }
    return UpdateFigure(
      size: size, medianMicroseconds: times.sorted()[times.count / 2] * 1000,
      minimumMicroseconds: (times.min() ?? 0) * 1000)
  }

  private func printTable(_ frames: [FrameFigure], _ updates: [UpdateFigure]) {
    print("whole frames        sigma  threads  milliseconds   memcpy    ratio")
    for frame in frames {
      let size = "\(frame.width)x\(frame.height)"
      print(
        column(size, 18), column("\(frame.sigma)", 6), column("\(frame.threads)", 8),
        column("\(rounded(frame.milliseconds))", 13),
        column("\(rounded(frame.memcpyMilliseconds))", 8), "\(rounded(frame.ratio))")
    }
    print("\nupdates of a 1920x1080 pane at sigma 20, in microseconds")
    for update in updates {
      print(
        column("\(update.size)x\(update.size)", 18),
        "median \(rounded(update.medianMicroseconds)),",
        "fastest \(rounded(update.minimumMicroseconds))")
    }
  }

  private func column(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

struct FrameFigure: Encodable {
  var width, height: Int
  var sigma: Double
  var threads: Int
  var milliseconds, memcpyMilliseconds: Double

  var ratio: Double { milliseconds / memcpyMilliseconds }
}

struct UpdateFigure: Encodable {
  var size: Int
  var medianMicroseconds, minimumMicroseconds: Double
}

struct BenchReport: Encodable {
  var frames: [FrameFigure]
  var updates: [UpdateFigure]
}
