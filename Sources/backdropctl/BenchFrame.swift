import ArgumentParser
import Control
import Frost
import Glibc
import Raster

struct BenchFrame: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frame",
    abstract: "Times whole frames of glass, each beside a memcpy of the same frame.",
    discussion: """
      Prints the milliseconds of each run, one a line, then a line with the fastest run, the fastest \
      memcpy and their ratio. The two alternate in one process, hot. Without --input the frame is \
      noise. RAW is one frame of premultiplied BGRX, rows packed.
      """)

  @Option(help: "Pixels a row.") var width = 1920
  @Option(help: "Rows.") var height = 1080
  @Option(help: "The standard deviation of the blur, in pixels, 0 to 200.") var sigma = 20.0
  @Option(help: "How many frames to time.") var runs = 30
  @Option(help: "How many threads to use, 1 to 16.") var threads = 1
  @Option(help: "A raw frame to blur.") var input: String?
  @Option(help: "Where to write the blurred frame, raw.") var output: String?
  @Flag(help: "Dither the last rounding, as panes do.") var dither = false

  func validate() throws {
    guard (1...16384).contains(width), (1...16384).contains(height) else {
      throw ValidationError("width and height: \(width)x\(height); they take 1 to 16384 each")
    }
    guard Material.sigmaRange.contains(sigma) else {
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
      picture ?? .benchNoise(width: width, height: height),
      Material(sigma: sigma, isDithered: dither), threads: threads)
    let times = (0..<runs).map { _ in bench.run() }
    for time in times { print(time.frame) }
    let frame = times.map(\.frame).min() ?? 0
    let copy = times.map(\.copy).min() ?? 0
    print(
      "glass \(rounded(frame)) ms, memcpy \(rounded(copy)) ms: \(rounded(frame / copy)) times")
    if let output { try writeRawFrame(bench.result, output) }
  }
}

/// A glass over a whole frame, and a memcpy of that frame to measure it by.
struct FrameBench: ~Copyable {
  private let source: Bitmap
  private(set) var result: Bitmap
  private var copy: Bitmap
  private var glass: Glass

  init(_ source: Bitmap, _ material: Material, threads: Int) {
    self.source = source
    result = Bitmap(width: source.width, height: source.height, filledWith: 1)
    copy = result
    glass = Glass(pane: source.bounds, screen: source.bounds, material: material)
    glass.threads = threads
    // Once unmeasured: it touches all memory for the first time.
    _ = run()
  }

  /// One frame from pixels to pixels, and one memcpy; in milliseconds.
  mutating func run() -> (frame: Double, copy: Double) {
    let start = milliseconds()
    blur(source, source.bounds, through: &glass, into: &result)
    let between = milliseconds()
    copyFrame()
    return (between - start, milliseconds() - between)
  }

  /// What a change of `damage` costs.
  mutating func update(_ damage: Rect) -> Double {
    let start = milliseconds()
    blur(source, damage, through: &glass, into: &result)
    return milliseconds() - start
  }

  private mutating func copyFrame() {
    unsafe source.pixels.withUnsafeBytes { from in
      unsafe copy.pixels.withUnsafeMutableBytes { to in
        guard let target = to.baseAddress, let origin = from.baseAddress else { return }
        unsafe _ = memcpy(target, origin, from.count)
      }
    }
  }
}

/// One frame of a change.
private func blur(
  _ source: Bitmap, _ damage: Rect, through glass: inout Glass, into result: inout Bitmap
) {
  let layout = PixelLayout(source.bounds)
  glass.absorb(source.pixels.span, layout, isOpaque: true, damage: damage)
  // The pixels are the same every time; a frame that changes has to go on from here.
  glass.invalidate(damage)
  var pixels = result.pixels.mutableSpan
  for part in glass.settle().rects { glass.draw(part, into: &pixels, layout) }
}

extension Bitmap {
  /// The same noise every time.
  static func benchNoise(width: Int, height: Int) -> Bitmap {
    var picture = Bitmap(width: width, height: height)
    var state: UInt32 = 1
    for i in picture.pixels.indices {
      state = state &* 1_664_525 &+ 1_013_904_223
      picture.pixels[i] = state >> 8 | 0xff00_0000
    }
    return picture
  }
}

/// Of the monotonic clock.
func milliseconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1_000_000
}

/// To three decimals.
func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
