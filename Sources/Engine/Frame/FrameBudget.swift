/// Computes the distance between frames that limits the process to a share of a processor. A pure value; the times are arguments.
///
/// The cost of a frame is a mean that follows changes within half a second, so the rate falls and rises smoothly.
package struct FrameBudget: Equatable, Sendable {
  /// The share of one processor, above 0; nil without a limit.
  package var share: Double?
  /// The mean processor time between the starts of two frames.
  private var cost = Duration.zero
  private var lastStart: Start?

  private struct Start: Equatable {
    let time, processorTime: Duration
  }

  /// The time after which the mean has followed a change by 63 %.
  private static let settlingTime = Duration.milliseconds(500)
  /// The largest distance that it demands: glass stays live with any share.
  package static let longestDistance = Duration.seconds(1)

  package init() {}

  /// Records the start of a frame. `processorTime` is that of all threads of the process since its start.
  package mutating func beginFrame(now: Duration, processorTime: Duration) {
    defer { lastStart = Start(time: now, processorTime: processorTime) }
    guard let lastStart, now > lastStart.time else { return }
    // After the time t, an exponential mean with the time constant T has 1 - exp(-t/T) of the new value. This is t / (t + T),
    // which is near it and needs no library.
    let time = now - lastStart.time
    let weight = time / (time + Self.settlingTime)
    cost += (processorTime - lastStart.processorTime - cost) * weight
  }

  /// The shortest distance of frames; zero without a limit.
  package var distance: Duration {
    share.map { min(cost / $0, Self.longestDistance) } ?? .zero
  }
}
