/// The schedule of frames. A pure value; the time is an argument.
///
/// It limits the mean rate of frames, but not each distance: a frame may begin up to an interval early, and later
/// frames make up for it. So after one short distance, frames follow work that arrives once per interval without a
/// delay. With a fixed distance, such work would wait for a part of the interval each time, and the daemon would
/// wake twice for it. The shortest mean distance is 63/64 of an interval, so that the delay that a burst of frames
/// causes becomes shorter with each frame and ends.
package struct FrameSchedule: Equatable, Sendable {
  /// The urgency of work.
  package enum Urgency: Comparable, Sendable {
    /// No work.
    case none
    /// At the next frame of a constant rate.
    case animation
    /// The frame starts as soon as the mean rate and the shortest distance of frames allow.
    case frame
    /// At once, independent of the last frame: the screen shows wrong pixels, or a client waits.
    case immediate
  }

  /// The time between two frames of a constant rate.
  package private(set) var interval: Duration
  /// The shortest value of `interval`.
  package private(set) var shortestInterval: Duration
  /// The shortest mean distance of frames.
  package var shortestMeanDistance: Duration { interval - interval / 64 }
  /// The shortest distance of two frames, so that the parts of one change, which often arrive separately, do
  /// not become frames.
  package var shortestDistance: Duration { interval / 4 }
  private var lastFrame: Frame?

  private struct Frame: Equatable {
    /// The time at which it began.
    let start: Duration
    /// The time at which it would have begun at the highest mean rate; not before `start`.
    let planned: Duration
  }

  package init(interval: Duration) { (self.interval, shortestInterval) = (interval, interval) }

  /// Changes the shortest interval from the next frame on.
  package mutating func limit(to interval: Duration) {
    (self.interval, shortestInterval) = (interval, interval)
  }

  /// Makes the interval as long as a budget demands.
  package mutating func slowDown(to distance: Duration) {
    interval = max(shortestInterval, distance)
  }

  /// The time at which the next frame begins; nil without work.
  package func nextFrame(_ urgency: Urgency) -> Duration? {
    switch urgency {
    case .none: nil
    case .animation: lastFrame.map { $0.planned + interval } ?? .zero
    case .frame: lastFrame.map { max($0.planned, $0.start + shortestDistance) } ?? .zero
    case .immediate: .zero
    }
  }

  /// Records the start of a frame.
  package mutating func beginFrame(now: Duration) {
    let next = lastFrame.map { $0.planned + shortestMeanDistance } ?? now
    lastFrame = Frame(start: now, planned: min(max(now, next), now + interval))
  }
}
