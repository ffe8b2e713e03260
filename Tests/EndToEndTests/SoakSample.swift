import TestSupport
import Testing

/// The resources that a daemon without panes uses.
struct SoakSample {
  /// Memory that only the daemon uses, without the tiles of the cache, which has a limit.
  let privateByteCount: Int
  /// Whether nearly all tiles are in use.
  let isCacheFull: Bool
  /// The numbers that must be the same after each round, by name.
  let counts: [String: Int]
}

extension Soak {
  /// The resources that the daemon uses when it sleeps.
  func settledSample() throws -> SoakSample {
    try scene.daemon.waitUntilAsleep()
    return try sample()
  }

  private func sample() throws -> SoakSample {
    let status = try ask(.status)
    func reported(_ key: String) throws -> Int {
      guard let value = number(key, in: status) else { throw TestFailure("no \(key) in \(status)") }
      return value
    }
    let process = scene.daemon.process
    return SoakSample(
      privateByteCount: try process.privateByteCount() - reported("bytes"),
      isCacheFull: try reported("tiles") * 16 > reported("tileLimit") * 15,
      counts: try scene.heldCounts())
  }

  // MARK: Checks

  /// Checks that nothing but memory differs from the end of the warm-up.
  func checkCounts() {
    guard let warmUpCount, let last = samples.last else { return }
    let first = samples[warmUpCount - 1].counts
    for name in Set(first.keys).union(last.counts.keys).sorted() {
      #expect(last.counts[name] == first[name], "\(place): \(name)")
    }
  }

  /// Checks that memory does not grow more than it varies.
  ///
  /// The heap is divided differently in each round, and grows by up to 1 MiB in the first minutes after the cache is
  /// full. A round has more than a hundred requests: a leak of 4 KiB in each exceeds the bound in a minute, and one of
  /// 16 bytes within half an hour.
  func checkMemory() {
    guard !Sanitizer.isActive else { return }
    #expect(memoryTrend.growth < Double(2 << 20), "\(place): \(summary)")
  }

  /// Checks that the daemon sleeps all the time.
  func checkRest() throws {
    try scene.daemon.waitUntilAsleep()
    let wakeUpCount = try scene.daemon.process.usage(within: .seconds(2)).sleepCount
    #expect(wakeUpCount == 0, "\(place): wake-ups of a daemon at rest")
  }

  private var warmSamples: ArraySlice<SoakSample> {
    samples.dropFirst((warmUpCount ?? samples.count + 1) - 1)
  }

  private var memoryTrend: Trend {
    Trend(warmSamples.map { Double($0.privateByteCount) })
  }

  /// The figures so far, in one line.
  var summary: String {
    let bytes = warmSamples.map(\.privateByteCount)
    let trend = memoryTrend
    func kibibytes(_ count: some BinaryInteger) -> String { "\(count >> 10) KiB" }
    return "\(samples.count) rounds, \(warmUpCount ?? samples.count) of them to fill the cache, "
      + "\(requestCount) requests, slowest reply \(slowestReply) to \(slowestRequest.prefix(60)); "
      + "private memory \(kibibytes(bytes.first ?? 0)) at first, \(kibibytes(bytes.last ?? 0)) at last, growth "
      + "\(kibibytes(Int(trend.growth))) with an error of \(kibibytes(Int(trend.error))); "
      + "\(samples.last?.counts["descriptors"] ?? 0) descriptors, "
      + "\(samples.last?.counts["threads"] ?? 0) threads"
  }
}

/// The line through values at equal distances with the least squares.
private struct Trend {
  /// The growth from the first value to the last one along the line, and its standard error; both 0 for less than
  /// three values.
  let growth, error: Double

  init(_ values: [Double]) {
    guard values.count > 2 else {
      (growth, error) = (0, 0)
      return
    }
    let count = Double(values.count)
    let mean = values.reduce(0, +) / count
    let middle = (count - 1) / 2
    let spread = count * (count * count - 1) / 12
    let slope =
      values.enumerated().reduce(0) { $0 + (Double($1.offset) - middle) * $1.element } / spread
    let squares = values.enumerated().reduce(0) { sum, item in
      let residual = item.element - mean - slope * (Double(item.offset) - middle)
      return sum + residual * residual
    }
    growth = slope * (count - 1)
    error = (squares / (count - 2) / spread).squareRoot() * (count - 1)
  }
}
