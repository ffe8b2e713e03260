/// Why no capture of an output starts.
enum CapturePause: Equatable {
  /// The last one failed: the output may be off. If no time is given for the next one, the compositor tells when it shows an
  /// overlay again.
  case failed(since: Duration, until: Duration?)
  /// Something covers all overlays. If no time is given, the compositor tells when one is visible again.
  case covered(until: Duration?)
  /// The compositor does not end the frame in progress: the output may be off, or the session not active.
  case unanswered

  /// The shortest pause after a capture that failed or showed no overlay, if the compositor says that overlays are visible.
  static let shortTime = Duration.milliseconds(200)
  /// The longest time that is needed for a frame.
  static let answerTime = Duration.seconds(2)

  var end: Duration? {
    switch self {
    case .failed(_, let end): end
    case .covered(let end): end
    case .unanswered: nil
    }
  }

  var isCovered: Bool { if case .covered = self { true } else { false } }

  var isTimed: Bool { end != nil }
}
