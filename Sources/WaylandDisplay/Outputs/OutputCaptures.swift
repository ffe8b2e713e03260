import Raster
import WaylandClient

/// The captures of an output: the one in progress, when the next one starts, and why none does.
struct OutputCaptures {
  /// Nil if the compositor cannot be captured.
  let capture: (any OutputCapture)?
  /// The part of the output that they contain.
  var area: CaptureArea
  /// The number of the capture in progress, or of the last one.
  private(set) var number = 0
  /// Whether the next capture must not wait for a change.
  var needsFrame = false
  /// Whether the capture in progress waits for a change.
  private var isWaiting = false
  /// The time of the last request for a frame that must not wait.
  private var requestTime = Duration.zero
  /// Why no capture starts; nil if one may.
  private(set) var pause: CapturePause?
  /// Whether the compositor is believed when it says that an overlay is visible again.
  private var trustsRevivals = true
  private var wasRevived = false
  /// The pauses after captures that fail in a row.
  private var retry = RetryPause()

  init(_ capture: (any OutputCapture)?) {
    self.capture = capture
    area = CaptureArea(capturesParts: capture?.capturesParts == true)
  }

  /// Ends the capture in progress, and forgets why none started, because the output has changed.
  mutating func reset(_ connection: borrowing WaylandConnection) {
    area = CaptureArea(capturesParts: capture?.capturesParts == true)
    pause = nil
    retry = RetryPause()
    capture?.cancel(connection)
  }

  private var isCapturing: Bool { capture?.isIdle == false }
  var isIdle: Bool { !isCapturing }

  // MARK: Start and end

  /// Starts a capture of what is needed, or of where something may change. None may be in progress. `bounds` are those of the
  /// output.
  mutating func start(
    needed: Rect, watched: Rect, waits: Bool, on state: OutputState, _ bounds: Rect,
    _ connection: borrowing WaylandConnection, now: Duration
  ) {
    area.choose(needed: needed, watched: watched, waits: waits, on: state, bounds)
    capture?.start(connection, part: area.logical, waitsForDamage: waits)
    isWaiting = waits
    requestTime = now
    needsFrame = false
    number += 1
  }

  /// Ends a capture that waits for a change, because one is needed that does not wait. If the compositor has already made the
  /// capture, its damage is lost.
  mutating func cancelWaiting(_ connection: borrowing WaylandConnection) {
    if isWaiting { cancel(connection) }
  }

  /// Ends the capture in progress if it does not contain a committed region, because it could not confirm the commit.
  mutating func cancel(unlessItContains region: Region, _ connection: borrowing WaylandConnection) {
    if !area.part.contains(region.bounds) { cancel(connection) }
  }

  private mutating func cancel(_ connection: borrowing WaylandConnection) {
    if !isCapturing { return }
    capture?.cancel(connection)
    needsFrame = true
  }

  /// Ends a capture that waits for a change, if there is one. No other capture has to follow.
  func stopWaiting(_ connection: borrowing WaylandConnection) {
    if isWaiting { capture?.cancel(connection) }
  }

  /// The frame in progress has ended.
  mutating func endFrame() { if pause == .unanswered { pause = nil } }

  /// Pixels were captured.
  mutating func succeed() { retry = RetryPause() }

  // MARK: Pauses

  /// The time at which captures continue without an event; nil if there is none.
  var deadline: Duration? { pause == nil ? answerDeadline : pause?.end }

  /// The time after which the frame in progress is not awaited any more; nil if it waits for a change.
  private var answerDeadline: Duration? {
    isCapturing && !isWaiting ? requestTime + CapturePause.answerTime : nil
  }

  /// If the frame in progress should have ended by now, nothing waits for it any more.
  mutating func advance(to now: Duration) {
    if pause == nil, let answerDeadline, answerDeadline <= now { pause = .unanswered }
  }

  /// Ends a pause that is over. `hasNewPixels` is whether pixels are needed that were never known: new panes may be beside what
  /// covers the others. Returns whether a capture may start.
  mutating func endPause(now: Duration, hasNewPixels: Bool) -> Bool {
    guard let pause else { return true }
    let isOver = pause.end.map { $0 <= now } == true
    guard isOver || pause.isCovered && hasNewPixels else { return false }
    if !pause.isCovered { needsFrame = true }
    self.pause = nil
    return true
  }

  /// Ends a pause without a known end, because other pixels are watched now.
  mutating func endOpenPause() {
    guard let pause, !pause.isTimed else { return }
    if case .failed = pause { needsFrame = true }
    self.pause = nil
  }

  /// No capture can be made for some time. `isToldEnd` is whether the compositor tells when it shows an overlay again.
  mutating func fail(now: Duration, isToldEnd: Bool = false) {
    let next = retry.next()
    pause = .failed(since: now, until: isToldEnd && retry.isFutile ? nil : now + next)
  }

  /// The last capture showed that something covers all overlays.
  mutating func pauseCovered(now: Duration) {
    if wasRevived { trustsRevivals = false }
    pause = .covered(until: trustsRevivals ? nil : now + CapturePause.shortTime)
  }

  /// The last capture showed an overlay.
  mutating func trustRevivals() { (trustsRevivals, wasRevived) = (true, false) }

  /// The compositor shows our overlays again.
  mutating func resume(now: Duration) {
    switch pause {
    case nil: return
    // An earlier report that overlays are visible was wrong, so the pause goes on until its end.
    case .covered(.some): return
    // The frame in progress ends when the output shows something.
    case .unanswered: return
    case .covered(nil): wasRevived = true
    case .failed(let since, let end):
      // If captures still fail, this must not be repeated at each frame.
      let early = since + CapturePause.shortTime
      if early > now { return pause = .failed(since: since, until: min(early, end ?? early)) }
      wasRevived = false
    }
    pause = nil
    needsFrame = true
  }
}
