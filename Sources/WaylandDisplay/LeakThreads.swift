/// The threads that recover backdrops and draw leaks. All outputs have the same, so that its limit can change.
final class LeakThreads {
  /// The largest number.
  var limit: Int

  init(limit: Int) { self.limit = limit }

  /// The number of threads for a number of pixels.
  func count(for pixelCount: Int) -> Int { pixelCount > Self.largePixelCount ? limit : 1 }

  /// For fewer pixels, which take about two milliseconds, the threads that are not needed should sleep.
  private static let largePixelCount = 1 << 20
}
