/// The figures that `bench` prints as a table or as JSON.
struct BenchReport: Encodable {
  var frames: [FrameFigure] = []
  var stages: [StageFigure] = []
  var updates: [UpdateFigure] = []
}

/// The time of a whole frame, and its ratio to that of a memcpy.
struct FrameFigure: Encodable {
  let width, height: Int
  let sigma: Double
  let threads: Int
  let milliseconds, memcpyMilliseconds, ratio: Double

  /// The figure of the fastest of `times`.
  init(width: Int, height: Int, sigma: Double, threads: Int, _ times: [FrameTimes]) {
    (self.width, self.height, self.sigma, self.threads) = (width, height, sigma, threads)
    milliseconds = fastest(times.map(\.frame))
    memcpyMilliseconds = fastest(times.map(\.copy))
    ratio = milliseconds / memcpyMilliseconds
  }
}

/// The time of one stage of a whole frame on one thread, and its ratio to that of a memcpy of the
/// frame.
struct StageFigure: Encodable {
  let width, height: Int
  let sigma: Double
  let stage: String
  let milliseconds, memcpyMilliseconds, ratio: Double

  /// The figures of all stages of a frame, each the fastest of `times`.
  static func all(
    width: Int, height: Int, sigma: Double, _ times: [FrameTimes]
  ) -> [StageFigure] {
    let copy = fastest(times.map(\.copy))
    let stages = [
      ("reduce", fastest(times.map(\.reduce))), ("settle", fastest(times.map(\.settle))),
      ("draw", fastest(times.map(\.draw))),
    ]
    return stages.map { name, milliseconds in
      StageFigure(
        width: width, height: height, sigma: sigma, stage: name, milliseconds: milliseconds,
        memcpyMilliseconds: copy, ratio: milliseconds / copy)
    }
  }
}

/// The time of an update of a square part of a frame with edges of `size` pixels.
/// `memcpyMicroseconds` is the median, and `ratio` that of the medians, because the positions
/// differ.
struct UpdateFigure: Encodable {
  let size: Int
  let medianMicroseconds, minimumMicroseconds, memcpyMicroseconds, ratio: Double

  init(size: Int, _ times: [FrameTimes]) {
    self.size = size
    medianMicroseconds = median(times.map(\.frame)) * 1000
    minimumMicroseconds = fastest(times.map(\.frame)) * 1000
    memcpyMicroseconds = median(times.map(\.copy)) * 1000
    ratio = medianMicroseconds / memcpyMicroseconds
  }
}

private func fastest(_ times: [Double]) -> Double { times.min() ?? 0 }

private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
