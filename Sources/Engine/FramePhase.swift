import Raster

/// The progress of a frame.
enum FramePhase {
  /// No frame is in progress.
  case idle
  /// The display captures.
  case capturing(CapturePlan)
  /// The capture has ended.
  case captured(CapturePlan, failed: [View: Region])

  var isIdle: Bool { if case .idle = self { true } else { false } }
}
