import Raster

/// The progress of a frame. Its stages, in this order, are in the files of this folder: collect and capture, reduce, compose and
/// settle, plan, draw and commit.
enum FrameState {
  /// No frame is in progress.
  case idle
  /// Steps are drawn before a capture: panes that can appear with the cells that are there, or, if the capture is repeated, pictures
  /// for clients of the backdrops that could be read.
  case preparing(Painting, attempt: Int)
  /// The display captures.
  case capturing(CapturePlan)
  /// The capture has ended.
  case captured(CapturePlan, failed: [View: Region])
  /// The frame draws and commits all changes. `framesBefore` is the number of frames presented before it; nil if it captured
  /// nothing.
  case drawing(Painting, framesBefore: Int?)

  var isIdle: Bool { if case .idle = self { true } else { false } }

  /// Whether a capture has begun whose cells are not computed.
  var isCapturing: Bool {
    switch self {
    case .capturing, .captured: true
    case .idle, .preparing, .drawing: false
    }
  }

  /// The painting in progress; nil if nothing is drawn.
  var painting: Painting? {
    switch self {
    case .preparing(let painting, _), .drawing(let painting, _): painting
    case .idle, .capturing, .captured: nil
    }
  }
}

/// The pixels of panes that a frame shows and that were not shown before. They need new memory, which takes the kernel much longer
/// than to draw them. So a frame that would show many of them leaves some panes to the next frames.
struct NewPixels {
  private var count = 0
  /// Whether panes that could be shown wait for the next frame.
  private(set) var isDeferring = false

  /// The largest number of pixels in one frame, if there are several panes: half of a screen of 3840x2160.
  private static let limit = 1 << 22

  /// Whether the frame may show a new pane of an area.
  mutating func admit(_ area: Int) -> Bool {
    if count > 0, count + area > Self.limit {
      isDeferring = true
      return false
    }
    count += area
    return true
  }
}
