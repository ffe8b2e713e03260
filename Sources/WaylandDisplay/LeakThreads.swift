/// The number of threads that recover backdrops and draw leaks. All outputs share this object, so that the limit can change.
final class LeakThreads {
  /// The largest number of threads.
  var limit: Int

  init(limit: Int) { self.limit = limit }

  /// The number of threads for a number of pixels.
  func count(for pixelCount: Int) -> Int { pixelCount > Self.largePixelCount ? limit : 1 }

  /// Fewer pixels take about two milliseconds on one thread, so it is better not to wake other threads.
  private static let largePixelCount = 1 << 20
}
