/// A capture that waits for a frame of its output.
protocol PendingCapture: AnyObject {
  /// Whether a frame of the output would end it.
  var isDue: Bool { get }

  /// Whether it fails when its output has no power; otherwise it waits for it.
  var needsPower: Bool { get }

  /// Ends it without pixels.
  func fail()

  /// Ends it with what the output shows, if that has changed or need not.
  func finish()
}
