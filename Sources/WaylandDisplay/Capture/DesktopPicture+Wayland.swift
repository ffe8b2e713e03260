package import Engine
import Linux
import Panes
import Raster
import WaylandClient

extension DesktopPicture {
  /// Captures the outputs of a Wayland compositor, and waits for it. Calls `recordStep` when it has connected and after each
  /// output. Throws `unreachable`, `lost`, or `unsupported` if the compositor cannot be captured.
  package init(ofCompositor display: String, recordStep: () -> Void = {}) throws(DisplayError) {
    let opened = try WaylandDisplay.open(display)
    recordStep()
    var captured: [(state: OutputState, pixels: Bitmap?)] = []
    for monitor in opened.monitors where monitor.state.isOn {
      guard let capture = monitor.captures.capture else {
        throw .unsupported("display \(display) cannot be captured")
      }
      try withDisplayErrors { () throws(WaylandError) in
        try capture.captureOnce(opened.connection)
      }
      captured.append((monitor.state, monitor.seenPicture(of: capture)))
      recordStep()
    }
    let outputs = picturedOutputs(captured.map { ($0.state, isCaptured: $0.pixels != nil) })
    self.init(zip(outputs, captured).map { Part($0, $1.pixels) })
  }
}

/// The longest wait for a capture. It is shorter than the wait of a command for the display, because captures of the other
/// outputs may succeed.
private let patience = Duration.seconds(4)

extension OutputCapture {
  /// Captures an output, and waits for it, at most for `patience`.
  fileprivate func captureOnce(
    _ connection: borrowing WaylandConnection
  ) throws(WaylandError) {
    let end = ContinuousClock.now + patience
    start(connection, waitsForDamage: false)
    while !isIdle, ContinuousClock.now < end {
      try connection.flush()
      guard awaitReadable(connection.descriptor, within: end - .now) else { break }
      for event in try connection.takeEvents(reads: true) {
        if try handle(event, connection) == .failed { return discardBuffer(connection) }
      }
    }
    if !isIdle { discardBuffer(connection) }
  }
}

extension MonitoredOutput {
  /// The pixels of the last capture in the order in which they are seen; nil if there is none, or it has another size.
  fileprivate func seenPicture(of capture: any OutputCapture) -> Bitmap? {
    guard let buffer = capture.buffer, let output else { return nil }
    let turn = state.turned(as: capture.transform).turn
    let captured = CapturedPart(
      transform: turn, native: Rect(x: 0, y: 0, width: turn.width, height: turn.height),
      stride: buffer.layout.stride, isInverted: capture.isInverted)
    let seen = Rect(x: 0, y: 0, width: output.bounds.width, height: output.bounds.height)
    guard buffer.layout.bounds == captured.native, turn.seenSize == (seen.width, seen.height) else {
      return nil
    }
    var picture = Bitmap(width: seen.width, height: seen.height)
    buffer.withSpan { pixels in
      var span = picture.pixels.mutableSpan
      captured.copy(seen, from: pixels, to: &span, PixelLayout(seen))
    }
    return picture
  }
}
