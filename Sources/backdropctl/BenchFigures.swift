/// What `bench` prints as a table or as JSON.
struct BenchReport: Encodable {
  var frames: [FrameFigure] = []
  var stages: [StageFigure] = []
  var updates: [UpdateFigure] = []
}

/// A whole frame.
struct FrameFigure: Encodable {
  let width, height: Int
  let sigma: Double
  let threads: Int
  let milliseconds, memcpyMilliseconds, ratio: Double

  /// The fastest of `times`.
  init(width: Int, height: Int, sigma: Double, threads: Int, _ times: [FrameTimes]) {
    (self.width, self.height, self.sigma, self.threads) = (width, height, sigma, threads)
    milliseconds = fastest(times.map(\.frame))
    memcpyMilliseconds = fastest(times.map(\.copy))
    ratio = milliseconds / memcpyMilliseconds
  }
}

/// One of the steps of a whole frame, on one thread.
struct StageFigure: Encodable {
  let width, height: Int
  let sigma: Double
  let stage: String
  let milliseconds, memcpyMilliseconds, ratio: Double

  /// All of the steps of a frame, each the fastest of `times`.
  static func all(
    width: Int, height: Int, sigma: Double, _ times: [FrameTimes]
  ) -> [StageFigure] {
    let copy = fastest(times.map(\.copy))
    let stages = [
      ("absorb", fastest(times.map(\.absorb))), ("settle", fastest(times.map(\.settle))),
      ("draw", fastest(times.map(\.draw))),
    ]
    return stages.map { name, milliseconds in
      StageFigure(
        width: width, height: height, sigma: sigma, stage: name, milliseconds: milliseconds,
        memcpyMilliseconds: copy, ratio: milliseconds / copy)
    }
  }
}

/// An update of a square part of a frame. The memcpy and the ratio are those of the medians: one place
/// differs from the other.
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
