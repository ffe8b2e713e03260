import Raster

/// `ext_output_image_capture_source_manager_v1`.
final class OutputSourceManagerHandler: RequestHandler {
  weak var resource: Resource?
  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "create_source" else { return }
    let output = request.handler(1, as: OutputHandler.self)?.output
    try request.make(0, ImageSourceHandler(output))
  }
}

/// `ext_image_capture_source_v1`.
final class ImageSourceHandler: RequestHandler {
  weak var resource: Resource?
  /// Nil if it is gone.
  private(set) weak var output: FakeOutput?

  init(_ output: FakeOutput?) { self.output = output }
}

/// `ext_image_copy_capture_manager_v1`.
final class ImageCopyManagerHandler: RequestHandler {
  weak var resource: Resource?
  private unowned let compositor: FakeCompositor

  init(_ compositor: FakeCompositor) { self.compositor = compositor }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "create_session" else { return }
    guard request.number(2) <= 1 else {
      throw request.resource.error(1, "there are no options \(request.number(2))")
    }
    let output = request.handler(1, as: ImageSourceHandler.self)?.output
    try request.make(0, ImageCopySessionHandler(output, compositor))
  }
}

/// `ext_image_copy_capture_session_v1`. Each one has its own account of damage.
package final class ImageCopySessionHandler: RequestHandler {
  package weak var resource: Resource?
  /// Nil if it is gone.
  package private(set) weak var output: FakeOutput?
  fileprivate unowned let compositor: FakeCompositor
  /// The changed region since the last frame, as it is seen; all before the first.
  fileprivate var damage = Region()
  fileprivate var description = CaptureDescription(width: 0, height: 0)
  fileprivate weak var frame: ImageCopyFrameHandler?
  package private(set) var isStopped = false

  init(_ output: FakeOutput?, _ compositor: FakeCompositor) {
    self.output = output
    self.compositor = compositor
  }

  package func begin() {
    compositor.imageCopySessions.append(self)
    guard let output else { return stop() }
    damage = Region(output.state.seen)
    describe()
  }

  package func end() {
    compositor.imageCopySessions.removeAll { $0 === self }
    isStopped = true
  }

  package func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "create_frame" else { return }
    guard frame?.resource == nil else {
      throw request.resource.error(1, "the session has a frame")
    }
    let new = ImageCopyFrameHandler(self)
    try request.make(0, new)
    frame = new
    if isStopped { new.fail(.stopped) }
  }

  func record(_ region: Region) { damage.form(union: region) }

  /// Says which buffers it needs.
  func describe() {
    guard let output, !isStopped else { return }
    damage = Region(output.state.seen)
    let size = compositor.capturedTurn(of: output).nativeSize
    description = compositor.describe(
      CaptureDescription(width: size.width, height: size.height))
    for format in description.formatsBefore { send("shm_format", [.uint(format)]) }
    if description.hasDmabuf {
      send("dmabuf_device", [.array([1, 2, 3, 4, 5, 6, 7, 8])])
      send("dmabuf_format", [.uint(0x3432_5258), .array(Array(repeating: 0, count: 8))])
    }
    send("buffer_size", [.uint(description.width), .uint(description.height)])
    for format in [1] + description.formatsAfter { send("shm_format", [.uint(format)]) }
    send("done")
  }

  /// Ends the session and its frame.
  package func stop() {
    if isStopped { return }
    isStopped = true
    frame?.fail(.stopped)
    send("stopped")
  }
}

/// `ext_image_copy_capture_frame_v1`.
final class ImageCopyFrameHandler: RequestHandler, PendingCapture {
  weak var resource: Resource?
  private weak var session: ImageCopySessionHandler?
  private var buffer: BufferHandler?
  /// The region that the client wants to be written, in pixels of the buffer.
  private var wanted = Region()
  private var isCapturing = false
  private var isEnded = false

  /// Why a frame fails.
  enum Reason: Int {
    case unknown, constraints, stopped
  }

  init(_ session: ImageCopySessionHandler) { self.session = session }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    if request.name == "destroy" { return }
    if isCapturing { throw request.resource.error(3, "\(request.name) after capture") }
    switch request.name {
    case "attach_buffer": buffer = request.handler(0, as: BufferHandler.self)
    case "damage_buffer":
      let (x, y, width, height) = request.numbers(from: 0)
      guard x >= 0, y >= 0, width > 0, height > 0 else {
        throw request.resource.error(2, "the damage is \(width)x\(height) at (\(x), \(y))")
      }
      wanted.form(union: Rect(x: x, y: y, width: width, height: height))
    default: try capture(request)
    }
  }

  private func capture(_ request: ClientRequest) throws(ProtocolError) {
    guard let buffer else { throw request.resource.error(1, "the frame has no buffer") }
    isCapturing = true
    if isEnded { return }
    guard let session, let output = session.output else { return fail(.stopped) }
    session.compositor.captureCount += 1
    guard session.description.isOffered(buffer) else { return fail(.constraints) }
    output.copies.append(self)
  }

  func end() { leave() }

  private func leave() {
    isEnded = true
    session?.output?.copies.removeAll { $0 === self }
  }

  // MARK: Frames

  /// wlroots does not fail it.
  var needsPower: Bool { false }

  var isDue: Bool {
    guard let session, let output = session.output else { return true }
    return !session.damage.isEmpty || !output.damage.isEmpty
  }

  func fail() { fail(.unknown) }

  func fail(_ reason: Reason) {
    if isEnded { return }
    leave()
    send("failed", [.uint(reason.rawValue)])
  }

  func finish() {
    guard let session, let output = session.output, let buffer, !isEnded else { return }
    if session.damage.isEmpty { return }
    let turn = session.compositor.capturedTurn(of: output)
    guard session.description.isOffered(buffer),
      session.description.fits(
        Rect(x: 0, y: 0, width: turn.nativeSize.width, height: turn.nativeSize.height))
    else { return fail(.constraints) }
    leave()
    let changed = session.damage.rects.map(turn.native)
    session.damage = Region()
    copy(output, turn, to: buffer, wanted.union(Region(changed)))
    send("transform", [.uint(turn.value)])
    for rect in session.compositor.reportedDamage(changed) {
      send("damage", [.int(rect.x), .int(rect.y), .int(rect.width), .int(rect.height)])
    }
    send("presentation_time", [.uint(0), .uint(0), .uint(0)])
    send("ready")
  }

  /// Writes only `parts` of the picture.
  private func copy(
    _ output: FakeOutput, _ turn: PictureTurn, to buffer: BufferHandler, _ parts: Region
  ) {
    let (shown, layout) = (output.shown, buffer.layout)
    let foreign = session?.compositor.takeForeignPixels()
    buffer.withPixels { pixels in
      for y in 0..<shown.height {
        for x in 0..<shown.width {
          let place = turn.native(x: x, y: y)
          guard parts.rects.contains(where: { $0.contains(x: place.x, y: place.y) }) else {
            continue
          }
          // The fourth byte has no meaning.
          let pixel = foreign?[x % 64, y % 64] ?? shown.pixels[y * shown.width + x]
          pixels[layout.index(x: place.x, y: place.y)] = pixel & 0x00ff_ffff
        }
      }
    }
  }
}

extension FakeCompositor {
  /// The sessions of all clients that were neither stopped nor destroyed.
  package var openSessions: [ImageCopySessionHandler] { imageCopySessions.filter { !$0.isStopped } }

  /// How the pictures of image captures are turned.
  func capturedTurn(of output: FakeOutput) -> PictureTurn {
    let turn = output.state.turn
    return behavior.capturesUpright
      ? PictureTurn(value: 0, width: turn.width, height: turn.height) : turn
  }

  /// Withdraws all globals by which outputs can be captured.
  package func removeCaptures() {
    removeGlobals(of: "zwlr_screencopy_manager_v1")
    removeGlobals(of: "ext_image_copy_capture_manager_v1")
  }

  /// Withdraws all globals of an interface.
  package func removeGlobals(of interface: String) {
    for name in globalNames(of: interface) { removeGlobal(name) }
  }
}

extension CaptureDescription {
  /// Whether a buffer has the size, and a format that was offered.
  fileprivate func isOffered(_ buffer: BufferHandler) -> Bool {
    (buffer.width, buffer.height) == (width, height)
      && ([1] + formatsBefore + formatsAfter).contains(buffer.format)
  }
}
