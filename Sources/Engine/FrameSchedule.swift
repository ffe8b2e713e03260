/// The schedule of frames: a frame begins at once if none began within the last interval, else at
/// the end of that interval. A pure value; the time is an argument.
package struct FrameSchedule: Equatable, Sendable {
  /// The urgency of work.
  package enum Urgency: Comparable, Sendable {
    /// No work.
    case none
    /// With the next frame.
    case frame
    /// At once, independent of the last frame: the screen shows wrong pixels, or a client waits.
    case immediate
  }

  /// The shortest time between the starts of two frames.
  package let interval: Duration
  private var lastFrame: Duration?
  private var recheckTime: Duration?

  /// The time that a program has to draw an announced change.
  private static let announcementDelay = Duration.milliseconds(100)

  package init(interval: Duration) { self.interval = interval }

  /// The time at which the next frame begins; nil without work.
  package func nextFrame(_ urgency: Urgency) -> Duration? {
    switch urgency {
    case .none: nil
    case .frame: lastFrame.map { $0 + interval } ?? .zero
    case .immediate: .zero
    }
  }

  /// Records the start of a frame.
  package mutating func beginFrame(now: Duration) { lastFrame = now }

  // MARK: Announcements

  /// Records the announcement of a change that may be drawn later.
  package mutating func noteAnnouncement(now: Duration) {
    recheckTime = now + Self.announcementDelay
  }

  /// The time at which announced changes must be captured again; nil if there are none.
  package var nextRecheck: Duration? { recheckTime }

  /// Returns whether announced changes must be captured again now, and if so removes them.
  package mutating func takeRecheck(now: Duration) -> Bool {
    guard let recheckTime, recheckTime <= now else { return false }
    self.recheckTime = nil
    return true
  }
}
