extension [Double] {
  /// The smallest value that at least `percent` of the values do not exceed. The array must not be empty.
  func percentile(_ percent: Double) -> Double {
    let rank = (percent / 100 * Double(count)).rounded(.up)
    return sorted()[Swift.max(1, Int(rank)) - 1]
  }

  /// The mean of the two middle values if their number is even.
  var median: Double {
    let ordered = sorted()
    return (ordered[(count - 1) / 2] + ordered[count / 2]) / 2
  }
}

extension Measurement {
  /// Adds the median and the 95th percentile of durations in milliseconds.
  mutating func addTimes(_ name: String, _ milliseconds: [Double]) {
    add("\(name), median", milliseconds.median, "ms")
    add("\(name), p95", milliseconds.percentile(95), "ms")
  }
}
