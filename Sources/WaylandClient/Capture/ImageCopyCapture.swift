package import Raster

/// The capture of an output by ext-image-copy-capture.
///
/// A session says which buffer it needs and makes frames. Its first frame shows the output at once. Each later one waits for
/// a change since the last, so a frame that must not wait needs a new session. Between two frames of a session the buffer
/// keeps the picture, and the compositor writes what has changed.
package final class ImageCopyCapture: OutputCapture {
  private let manager, sources, output: WaylandObject
  private var memory: CaptureBuffer
  private var session: Session?
  private var frame: Frame?
  package private(set) var transform: Int?

  private struct Session {
    let object, source: WaylandObject
    /// The constraints since the last `done`.
    var size = (width: 0, height: 0)
    var formats: [SharedBuffer.Format] = []
    /// Whether the buffer has the shape that the session demands.
    var isDescribed = false
    /// Whether a frame of it was captured.
    var isUsed = false
    /// Whether the buffer has the picture of its last frame.
    var hasPicture = false
  }

  private struct Frame {
    let waitsForDamage: Bool
    /// Nil until the session has said which buffer it needs.
    var object: WaylandObject?
    var damage: [Rect] = []
    var transform = 0
  }

  /// A capture of an output without a session yet.
  package init(
    manager: WaylandObject, sources: WaylandObject, of output: WaylandObject, shm: WaylandObject
  ) {
    self.manager = manager
    self.sources = sources
    self.output = output
    memory = CaptureBuffer(shm: shm)
  }

  package var buffer: SharedBuffer? { memory.current }
  package var isInverted: Bool { false }
  package var capturesParts: Bool { false }
  package var isIdle: Bool { frame == nil }

  package func start(
    _ connection: borrowing WaylandConnection, part: Rect?, waitsForDamage: Bool
  ) {
    precondition(isIdle && part == nil)
    if !waitsForDamage, session?.isUsed == true { endSession(connection) }
    if session == nil { session = makeSession(connection) }
    frame = Frame(waitsForDamage: waitsForDamage)
    requestFrame(connection)
  }

  private func makeSession(_ connection: borrowing WaylandConnection) -> Session {
    let source = connection.make(
      .imageSource, by: OutputSourceManagerRequest.createSource, of: sources,
      [.newObject, .object(output)])
    // The option 0 captures no cursors.
    let object = connection.make(
      .imageCopySession, by: ImageCopyManagerRequest.createSession, of: manager,
      [.newObject, .object(source), .uint(0)])
    return Session(object: object, source: source)
  }

  /// Sends the frame that was requested, if the session has said which buffer it needs.
  private func requestFrame(_ connection: borrowing WaylandConnection) {
    guard let session, session.isDescribed, let buffer = memory.current, frame != nil else {
      return
    }
    let object = connection.make(
      .imageCopyFrame, by: ImageCopySessionRequest.createFrame, of: session.object, [.newObject])
    frame?.object = object
    frame?.damage = []
    connection.send(
      ImageCopyFrameRequest.attachBuffer, to: object, [.object(buffer.object)])
    if !session.hasPicture {
      let bounds = buffer.layout.bounds
      connection.send(
        ImageCopyFrameRequest.damageBuffer, to: object,
        [.int(0), .int(0), .int(bounds.width), .int(bounds.height)])
    }
    connection.send(ImageCopyFrameRequest.capture, to: object)
  }

  // MARK: Events

  package func handle(
    _ event: WaylandEvent, _ connection: borrowing WaylandConnection
  ) throws(WaylandError) -> CaptureOutcome? {
    if event.object == session?.object { return try handleSessionEvent(event, connection) }
    if event.object == frame?.object { return handleFrameEvent(event, connection) }
    return nil
  }

  private func handleSessionEvent(
    _ event: WaylandEvent, _ connection: borrowing WaylandConnection
  ) throws(WaylandError) -> CaptureOutcome? {
    switch ImageCopySessionEvent(rawValue: event.opcode) {
    case .bufferSize: session?.size = (event.number(0), event.number(1))
    case .shmFormat:
      if let format = SharedBuffer.Format(rawValue: event.number(0)) {
        session?.formats.append(format)
      }
    case .done: return try applyDescription(connection)
    case .stopped: return fail(connection)
    case .dmabufDevice, .dmabufFormat, nil: break
    }
    return nil
  }

  /// Prepares the buffer that the session needs from now on.
  private func applyDescription(
    _ connection: borrowing WaylandConnection
  ) throws(WaylandError) -> CaptureOutcome? {
    guard let session else { return nil }
    let (size, formats) = (session.size, session.formats)
    self.session?.formats = []
    let format = formats.contains(.xrgb) ? .xrgb : formats.first
    guard let format else { return fail(connection) }
    let shape = CaptureBuffer.Shape(
      width: size.width, height: size.height, stride: 4 * size.width, format: format)
    guard shape.isUsable else { return fail(connection) }
    if session.isDescribed, memory.fits(shape) { return nil }
    // A frame into the former buffer would fail.
    if let object = frame?.object { destroyFrame(object, connection) }
    if !memory.fits(shape) { self.session?.hasPicture = false }
    _ = try memory.fitted(to: shape, connection)
    self.session?.isDescribed = true
    requestFrame(connection)
    return nil
  }

  private func handleFrameEvent(
    _ event: WaylandEvent, _ connection: borrowing WaylandConnection
  ) -> CaptureOutcome? {
    switch ImageCopyFrameEvent(rawValue: event.opcode) {
    case .transform: frame?.transform = event.number(0)
    case .damage:
      frame?.damage.append(
        Rect(
          x: event.number(0), y: event.number(1), width: event.number(2),
          height: event.number(3)))
    case .ready: return finish(connection)
    case .failed: return fail(connection)
    case .presentationTime, nil: break
    }
    return nil
  }

  private func finish(_ connection: borrowing WaylandConnection) -> CaptureOutcome? {
    guard let frame, let object = frame.object, let session, let buffer else { return nil }
    destroyFrame(object, connection)
    self.frame = nil
    transform = frame.transform
    self.session?.isUsed = true
    self.session?.hasPicture = true
    if !frame.waitsForDamage { return .ready(damage: []) }
    return .ready(damage: session.isUsed ? frame.damage : [buffer.layout.bounds])
  }

  /// Ends the session and the frame in progress. Returns `failed` if there is such a frame.
  private func fail(_ connection: borrowing WaylandConnection) -> CaptureOutcome? {
    let wasIdle = isIdle
    endSession(connection)
    return wasIdle ? nil : .failed
  }

  // MARK: Ends

  /// Ends the frame and its session. The compositor may have captured the frame already; then no later frame of the session would
  /// report its damage. A new session begins with a whole picture.
  package func cancel(_ connection: borrowing WaylandConnection) {
    if !isIdle { endSession(connection) }
  }

  package func discardBuffer(_ connection: borrowing WaylandConnection) {
    endSession(connection)
    memory.discard(connection)
  }

  private func endSession(_ connection: borrowing WaylandConnection) {
    if let object = frame?.object { destroyFrame(object, connection) }
    frame = nil
    guard let session else { return }
    connection.send(ImageCopySessionRequest.destroy, to: session.object, destroys: true)
    connection.send(ImageSourceRequest.destroy, to: session.source, destroys: true)
    self.session = nil
  }

  private func destroyFrame(
    _ object: WaylandObject, _ connection: borrowing WaylandConnection
  ) {
    connection.send(ImageCopyFrameRequest.destroy, to: object, destroys: true)
    frame?.object = nil
  }
}
