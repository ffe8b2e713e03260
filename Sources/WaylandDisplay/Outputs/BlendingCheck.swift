import Frost
import Raster

/// The check of how an output is blended, by a sample that is shown until a capture contains it.
///
/// A surface above a sample hides it, so the check ends after a while without a verdict, and is made again later elsewhere.
struct BlendingCheck {
  /// The last verdict; nil if there is none since the output has changed.
  private(set) var verdict: BlendingSample.Verdict?
  /// The surfaces of the check in progress.
  private(set) var surfaces: SampleSurfaces?
  /// Whether the screen may still show the last sample, or the last capture does.
  private(set) var awaitsRemoval = false
  /// The number of the first capture without the last sample, if it is known.
  private var removalCapture: Int?
  /// The number of checks so far.
  private(set) var count = 0
  /// Whether the compositor shows the first of two new surfaces above the other, as sway 1.7 does.
  private(set) var isReversed = false
  private var isNeeded = true
  /// The earliest time of the next check.
  private var start = Duration.zero
  /// When the check in progress ends without a verdict.
  private var end = Duration.zero
  private var retry = RetryPause()

  /// The longest time for which a sample is shown. Some compositors fade surfaces in.
  private static let patience = Duration.seconds(1)
  /// The time after which a verdict is too old when another overlay appears.
  private static let validity = Duration.seconds(60)

  /// The time at which something is to be done.
  var deadline: Duration? { surfaces != nil ? end : isNeeded ? start : nil }

  /// Whether a check may begin.
  func isDue(_ now: Duration) -> Bool { surfaces == nil && isNeeded && start <= now }

  /// Whether the check in progress has lasted too long.
  func isOver(_ now: Duration) -> Bool { surfaces != nil && end <= now }

  /// Requests a check at once.
  mutating func request() {
    isNeeded = true
    start = .zero
    retry = RetryPause()
  }

  /// Requests a check if there is no verdict, or only an old one, because an overlay appears.
  mutating func requestIfOutdated(now: Duration) {
    if surfaces == nil, verdict == nil || start + Self.validity <= now { request() }
  }

  mutating func begin(_ surfaces: SampleSurfaces, now: Duration) {
    self.surfaces = surfaces
    count += 1
    end = now + Self.patience
  }

  /// Records that the sample was committed.
  mutating func recordCommit(now: Duration) { end = now + Self.patience }

  /// Ends the check in progress. Without a verdict it is made again after a pause, a few times. Returns its surfaces, which the
  /// caller must destroy.
  mutating func finish(_ verdict: BlendingSample.Verdict?, now: Duration) -> SampleSurfaces? {
    guard let surfaces else { return nil }
    if let verdict { self.verdict = verdict }
    isNeeded = verdict == nil && !retry.isFutile
    start = verdict == nil ? now + retry.next() : now
    (awaitsRemoval, removalCapture) = (true, nil)
    self.surfaces = nil
    return surfaces
  }

  /// Ends the check in progress because the compositor shows the surfaces in the other order. The first time, the next check
  /// begins at once; if the other order is wrong too, it begins after a pause.
  mutating func reverse(now: Duration) -> SampleSurfaces? {
    isReversed.toggle()
    let surfaces = finish(nil, now: now)
    if isReversed { request() }
    return surfaces
  }

  /// Records that the compositor has removed the destroyed surfaces. Captures from `number` on do not show them. Returns whether
  /// such a capture is needed.
  mutating func recordRemoval(beforeCapture number: Int) -> Bool {
    if awaitsRemoval { removalCapture = number }
    return awaitsRemoval
  }

  /// Records that the pixels of a capture were taken.
  mutating func recordCapture(_ number: Int) {
    if let removalCapture, number >= removalCapture { awaitsRemoval = false }
  }

  /// Forgets the verdict, because the output has changed.
  mutating func forget() {
    verdict = nil
    awaitsRemoval = false
    request()
  }

  /// The finding of a capture about a sample.
  enum Finding {
    case verdict(BlendingSample.Verdict)
    /// The lower surface is above the other.
    case reversed

    /// Nil if the screen shows nothing of the sample.
    init?(
      of sample: BlendingSample, onScreen screen: Span<UInt32>, _ layout: PixelLayout
    ) {
      if let verdict = sample.verdict(onScreen: screen, layout) {
        self = .verdict(verdict)
      } else if sample.isLowerAbove(onScreen: screen, layout) {
        self = .reversed
      } else {
        return nil
      }
    }
  }

  /// The place of the next sample: in the middle of an overlay, or nearer to one of its corners.
  func place(in overlay: Rect) -> Rect {
    let side = 32
    let steps = [(2, 2), (1, 1), (3, 3), (3, 1), (1, 3)][count % 5]
    let (x, y) = (
      overlay.x + overlay.width * steps.0 / 4, overlay.y + overlay.height * steps.1 / 4
    )
    return Rect(x: x - side / 2, y: y - side / 2, width: side, height: side)
  }
}
