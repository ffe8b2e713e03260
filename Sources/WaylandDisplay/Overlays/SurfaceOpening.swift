/// When a surface may be made again that the compositor has closed. Some close one again and again.
struct SurfaceOpening {
  /// The pauses after surfaces that the compositor closed in a row; nil if it closed none.
  private var retry: RetryPause?
  /// The time before which no surface may be made; nil if one may be made now.
  private(set) var pauseEnd: Duration?
  private var time = Duration.zero

  /// The time after which the closure of a surface does not count as repeated.
  private static let lifetime = Duration.seconds(10)

  var isPausing: Bool { pauseEnd != nil }

  /// Records that a surface is made. Returns false if none may be now.
  mutating func open(now: Duration) -> Bool {
    if isPausing { return false }
    time = now
    return true
  }

  /// Records that the compositor has closed the surface. Another one may be made at once the first time.
  mutating func recordClosure(now: Duration) {
    if now - time > Self.lifetime { retry = nil }
    let pause = retry?.next()
    pauseEnd = pause.map { now + $0 }
    retry = retry ?? RetryPause()
  }

  /// Allows a surface at once.
  mutating func allow() { (pauseEnd, retry) = (nil, nil) }

  /// Ends the pause if its time is over. Returns whether it was not ended before.
  mutating func endsPause(now: Duration) -> Bool {
    guard let pauseEnd, pauseEnd <= now else { return false }
    self.pauseEnd = nil
    return true
  }
}
