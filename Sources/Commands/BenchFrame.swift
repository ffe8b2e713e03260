import ArgumentParser
import Control
import Frost
import Panes
import Raster

/// The command `bench frame`.
struct BenchFrame: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frame",
    abstract: "Measures whole frames of glass, each with a memcpy of the same frame.",
    discussion: """
      Prints the milliseconds of each run, one per line, then a line with the fastest run, the fastest \
      memcpy and their ratio. The two alternate in one process with warm caches; so do the frame and its \
      inversion. Without --input the frame is noise. A raw file has one frame of premultiplied BGRX, rows \
      packed.
      """)

  @Option(help: "Pixels per row.") var width = 1920
  @Option(help: "Number of rows.") var height = 1080
  @Option(help: "The standard deviation of the blur, in pixels, 0 to 200. (default: 20)")
  var sigma: Double?
  @Option(help: ArgumentHelp("A named material; its sigma is the default.", valueName: "NAME"))
  var material: String?
  @Option(help: "Number of frames to time.") var runs = 30
  @Option(help: "Number of threads, 1 to 16.") var threads = 1
  @Option(help: "Raw file with the frame to blur.") var input: String?
  @Option(help: "Raw file to write the blurred frame to.") var output: String?
  @Flag(help: "Dither the last rounding, as panes do.") var dither = false

  func validate() throws {
    if output == standardStream {
      throw ValidationError("output: name a file; figures are on the standard output")
    }
    guard (1...16384).contains(width), (1...16384).contains(height) else {
      throw ValidationError("width and height: \(width)x\(height); they take 1 to 16384 each")
    }
    if let sigma, !Material.sigmaRange.contains(sigma) {
      throw ValidationError("sigma: \(sigma) is out of range; it takes 0 to 200")
    }
    guard runs > 0, (1...16).contains(threads) else {
      throw ValidationError("runs takes 1 or more, threads 1 to 16")
    }
  }

  func run() throws {
    let picture = try input.map { path throws(Failure) in
      try readRawFrame(path, width: width, height: height)
    }
    var bench = FrameBench(
      picture ?? .benchNoise(width: width, height: height), try glass(), threads: threads)
    let times = (0..<runs).map { _ in bench.run() }
    for time in times { print(time.frame) }
    let frame = times.map(\.frame).min() ?? 0
    let copy = times.map(\.copy).min() ?? 0
    print(
      "glass \(decimal(frame)) ms, memcpy \(decimal(copy)) ms: \(decimal(frame / copy)) times")
    bench.finish()
    if let output { try writeRawFrame(bench.result, output) }
  }

  private func glass() throws(Failure) -> Material {
    var glass = Material(sigma: 20)
    do throws(PaneError) {
      if let material { glass = try MaterialChoice(parsing: material).material }
    } catch {
      throw Failure(error)
    }
    if let sigma { glass.sigma = sigma }
    glass.isDithered = dither
    return glass
  }
}
