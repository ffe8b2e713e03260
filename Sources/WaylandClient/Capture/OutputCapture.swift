package import Raster

/// The capture of one output: one frame at a time, into one buffer.
package protocol OutputCapture: AnyObject {
  /// The pixels of the last frame, if it ended well; nil before the first.
  var buffer: SharedBuffer? { get }
  /// Whether the rows of the last frame are in reverse order.
  var isInverted: Bool { get }
  /// How the picture of the last frame is turned, as `wl_output.transform` counts; nil if it is that of the output.
  var transform: Int? { get }
  /// Whether a part of an output can be captured.
  var capturesParts: Bool { get }
  /// Whether no frame is in progress.
  var isIdle: Bool { get }

  /// Requests a frame: the next one in which something has changed on the output since the last, or one at once. `part` is
  /// in logical pixels from the corner of the output as it is seen; nil is all of it. Traps if a frame is in progress, or if
  /// parts cannot be captured.
  func start(_ connection: borrowing WaylandConnection, part: Rect?, waitsForDamage: Bool)

  /// Applies an event, if it is one of the capture. Returns nil if the frame continues. Throws `outOfMemory` if there is none
  /// for the pixels.
  func handle(
    _ event: WaylandEvent, _ connection: borrowing WaylandConnection
  ) throws(WaylandError) -> CaptureOutcome?

  /// Ends a frame in progress, if any.
  func cancel(_ connection: borrowing WaylandConnection)

  /// Ends a frame in progress and frees the pixels. The next frame needs memory again.
  func discardBuffer(_ connection: borrowing WaylandConnection)
}

extension OutputCapture {
  /// Requests a frame of all of the output.
  package func start(_ connection: borrowing WaylandConnection, waitsForDamage: Bool) {
    start(connection, part: nil, waitsForDamage: waitsForDamage)
  }
}

/// The end of a frame of a capture.
package enum CaptureOutcome: Equatable {
  /// The buffer has the pixels. `damage` is the region that has changed since the last frame that waited for changes, or the
  /// whole output if there was none. It is in pixels of the whole picture of the output, in the orientation of the buffer. It is
  /// empty if the frame did not wait.
  case ready(damage: [Rect])
  /// The output changed, or is off.
  case failed
}
