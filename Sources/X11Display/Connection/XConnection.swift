import CXCB
import Engine
import Glibc
import Linux

/// A connection to an X server, as one stream of items in the order of the server: events, replies
/// and errors.
///
/// Unlike libxcb alone, no call waits for the server after the start: see `ServerRelay`. A request with a reply is recorded when
/// it is made, and its reply is an item. An error is an item with the name of its request. Only the files in this folder use
/// pointers of XCB.
@safe struct XConnection: ~Copyable {
  let raw: OpaquePointer
  let identity: Identity
  let screen: XScreen
  let extensions: Extensions
  private var ids: ResourceIDs
  var relay: ServerRelay
  /// The number of bytes that libxcb had sent when the relay collected them last.
  private var collectedCount: UInt64 = 0
  /// The number of files that libxcb was given to send.
  private var fileCount = 0
  private let display: String
  /// The requests without a reply that may still fail.
  private var sent = RequestLog()
  /// The requests whose replies have not arrived, in order.
  private var pending = Fifo<PendingReply>()
  /// An event that was read before earlier replies were.
  private var heldEvent: UnsafeMutablePointer<xcb_generic_event_t>?
  /// The first pending reply, if it was read before earlier events were.
  private var heldReply: XReply?
  /// Whether there was enough memory for all requests and replies.
  let memory = MemoryState()
  /// The last request that the server had processed when it sent the last item.
  private(set) var processed: RequestSequence = 0
  /// The last request that was recorded.
  private(set) var lastRequest: RequestSequence = 0

  /// The extensions of a server that need not suit backdropd. Throws `unreachable`. Waits for the server.
  static func extensions(of display: String) throws(DisplayError) -> [ServerExtension] {
    guard let raw = unsafe xcb_connect(display, nil) else {
      throw .unreachable("cannot connect to display '\(display)': out of memory")
    }
    defer { unsafe xcb_disconnect(raw) }
    if unsafe xcb_connection_has_error(raw) != 0 { throw unreachable(display) }
    return try unsafe findExtensions(raw, display)
  }

  /// Throws `unreachable` or `unsupported`. Waits for the server.
  init(
    display: String, needs: [ExtensionName] = ExtensionName.needed
  ) throws(DisplayError) {
    var number: Int32 = 0
    guard let raw = unsafe xcb_connect(display.isEmpty ? nil : display, &number) else {
      throw .unreachable("cannot connect to display '\(display)': out of memory")
    }
    do {
      let setup = try unsafe ServerSetup(raw, display, screenNumber: number, needs)
      unsafe self.init(raw, setup, try makeRelay(raw, display), display: display)
    } catch {
      unsafe xcb_disconnect(raw)
      throw error
    }
  }

  private init(
    _ raw: OpaquePointer, _ setup: ServerSetup, _ relay: consuming ServerRelay, display: String
  ) {
    unsafe self.raw = unsafe raw
    self.display = display
    self.relay = relay
    identity = setup.identity
    screen = setup.screen
    extensions = setup.extensions
    ids = ResourceIDs(base: setup.identity.base, mask: setup.identity.mask)
    unsafe heldEvent = nil
  }

  deinit {
    unsafe free(heldEvent)
    unsafe xcb_disconnect(raw)
  }

  var root: UInt32 { screen.root }
  var replies: ArrivedReplies { unsafe ArrivedReplies(raw, memory) }
  var descriptor: Int32 { relay.descriptor }

  /// A new resource identifier.
  mutating func makeID() -> UInt32 {
    if ids.needsMore, extensions.hasIDRanges {
      ids.recordQuestion()
      requestIDs()
    }
    return ids.next()
  }

  /// Handles the reply about unused identifiers.
  mutating func addIDs(start: UInt32, count: UInt32) { ids.add(start: start, count: count) }

  /// Throws `lost` if the connection is broken.
  func check() throws(DisplayError) {
    if unsafe xcb_connection_has_error(raw) != 0 { throw unsafe loss(of: display, raw) }
  }

  /// Sends all requests that were made so far, or as many as the server takes now. Throws `lost`.
  mutating func flush() throws(DisplayError) {
    send()
    try check()
  }

  /// Whether the server has not taken all requests. Further ones would be kept in memory. `flush` should be called
  /// again when the descriptor is writable.
  var isCongested: Bool { relay.isCongested }

  /// Like `flush`, without a check of the connection.
  mutating func send() {
    _ = unsafe xcb_flush(raw)
    relay.collect(fileCount: fileCount)
    relay.send()
  }

  /// Takes what libxcb has sent because its buffer was full. Must be called after each request.
  private mutating func collect() {
    let count = unsafe xcb_total_written(raw)
    if count == collectedCount { return }
    collectedCount = count
    relay.collect(fileCount: fileCount)
  }

  /// Must be called before libxcb is given a file to send.
  mutating func countFile() { fileCount += 1 }

  /// Ends the connection on the side of the server too: after an error on this side alone, it would keep all windows.
  func disconnect() { relay.disconnect() }

  // MARK: Sending

  /// Records a request without a reply, so that its error can be matched.
  ///
  /// - Parameters:
  ///   - subject: The window or pixmap of the request.
  ///   - sibling: A second window of the request.
  @discardableResult
  mutating func record(
    _ cookie: xcb_void_cookie_t, _ name: RequestName, about subject: UInt32,
    sibling: UInt32? = nil
  ) -> RequestSequence {
    sent.append(
      SentRequest(sequence: cookie.sequence, name: name, subject: subject, sibling: sibling))
    lastRequest = cookie.sequence
    collect()
    return cookie.sequence
  }

  /// Records a request with a reply. `decode` returns nil until that has arrived.
  mutating func expect(
    _ sequence: RequestSequence, _ decode: @escaping (ArrivedReplies) -> XReply?
  ) {
    pending.append(PendingReply(sequence: sequence, decode: decode))
    lastRequest = sequence
    collect()
  }

  /// Whether the server has finished a request.
  func hasFinished(_ request: RequestSequence) -> Bool { isLater(processed, than: request) }

  /// Whether a request will destroy a window: the server had not started it when it sent the last item.
  func isDestroying(_ window: UInt32) -> Bool {
    sent.contains(.destroyWindow, about: window, after: processed)
  }

  /// Whether the server has at least started a request.
  func hasReached(_ request: RequestSequence) -> Bool { !isLater(request, than: processed) }

  // MARK: Receiving

  /// The next item that has arrived; nil if there is none. Items in memory come first. The socket
  /// is read only if `reads` is true, once; then `reads` becomes false. Throws `lost`.
  mutating func nextItem(reads: inout Bool) throws(DisplayError) -> XItem? {
    while true {
      if unsafe heldEvent == nil { unsafe heldEvent = xcb_poll_for_queued_event(raw) }
      if let reply = nextReply() { return .reply(reply) }
      guard let event = unsafe heldEvent else {
        if relay.deliver() {
          unsafe heldEvent = xcb_poll_for_event(raw)
          try check()
        } else if reads {
          reads = false
          relay.receive()
        } else {
          break
        }
        continue
      }
      unsafe heldEvent = nil
      defer { unsafe free(event) }
      unsafe recordProgress(event.pointee.full_sequence)
      if unsafe event.pointee.response_type == 0 { return unsafe .failure(makeError(event)) }
      if let decoded = unsafe decode(event) { return .event(decoded) }
    }
    try check()
    return nil
  }

  /// The reply to the first pending request, if it has arrived and precedes all events that have.
  private mutating func nextReply() -> XReply? {
    guard let first = pending.first, !isPrecededByEvent(first) else { return nil }
    if heldReply == nil { heldReply = first.decode(replies) }
    guard let reply = heldReply else { return nil }
    // The search for the reply may have read events, too.
    if unsafe heldEvent == nil { unsafe heldEvent = xcb_poll_for_queued_event(raw) }
    if isPrecededByEvent(first) { return nil }
    heldReply = nil
    pending.removeFirst()
    recordProgress(first.sequence)
    return reply
  }

  private func isPrecededByEvent(_ reply: PendingReply) -> Bool {
    guard let event = unsafe heldEvent else { return false }
    return unsafe isLater(reply.sequence, than: event.pointee.full_sequence)
  }

  private mutating func recordProgress(_ sequence: RequestSequence) {
    if isLater(sequence, than: processed) { processed = sequence }
    sent.removeAll(before: sequence)
  }

  private mutating func makeError(_ event: UnsafeMutablePointer<xcb_generic_event_t>) -> XError {
    let error = unsafe UnsafeRawPointer(event).loadUnaligned(as: xcb_generic_error_t.self)
    let request = sent.request(numbered: error.full_sequence)
    return XError(
      code: error.error_code, request: request?.name,
      requestCodes: (error.major_code, error.minor_code),
      subject: request?.subject ?? error.resource_id, sibling: request?.sibling)
  }
}

/// An item that the server sent.
enum XItem {
  case event(XEvent)
  case reply(XReply)
  /// A request without a reply failed.
  case failure(XError)
}

/// Makes the relay of a new connection. Throws `unreachable`.
private func makeRelay(
  _ raw: OpaquePointer, _ display: String
) throws(DisplayError) -> ServerRelay {
  do throws(SystemError) {
    return try unsafe ServerRelay(between: xcb_get_file_descriptor(raw))
  } catch {
    throw .unreachable("cannot connect to display '\(display)': \(error)")
  }
}
