import Glibc

/// The connection of one client: received bytes, and replies that are not sent yet.
///
/// A class, because it owns noncopyable file descriptors, which an array cannot hold.
final class Connection {
  let socket: FileDescriptor
  /// Identifies the connection; numbers are not reused.
  let number: UInt64
  private var input = LineBuffer()
  /// The file that came with the line that is being received.
  private var file: FileDescriptor?
  private var isReading = true
  /// Becomes false when the client can receive no more. Its earlier requests are performed
  /// nevertheless.
  private var isWriting = true
  /// The replies in the order of the requests; nil while a request is in progress.
  private var replies: [Message?] = []
  /// The number of the request of `replies[0]`.
  private var firstRequest: UInt64 = 0
  private var unsentByteCount = 0

  /// The largest number of unsent bytes, without the reply that is being sent. A client that
  /// exceeds it reads too slowly and is disconnected.
  static let unsentLimit = 1 << 20
  /// The largest number of replies that are not sent yet. A client that exceeds it is disconnected.
  static let unansweredLimit = 4096
  /// The largest number of bytes of one read, so that no client delays the others.
  private static let chunk = 4096

  init(socket: consuming FileDescriptor, number: UInt64) {
    self.socket = socket
    self.number = number
  }

  /// Whether the connection can be closed: nothing more will be received or sent.
  var isFinished: Bool { !isReading && (!isWriting || replies.isEmpty) }

  /// The events to wait for with `poll`, which also reports a hang-up if there are none.
  var events: Int16 {
    let hasUnsent = replies.first.map { $0 != nil } ?? false
    return Int16((isReading ? POLLIN : 0) | (hasUnsent && isWriting ? POLLOUT : 0))
  }

  /// Sends and receives according to the events that `poll` returned. Returns the complete
  /// requests, each with its number. Replies with an error to lines that are not requests.
  func handle(events: Int16) -> [(number: UInt64, request: Request)] {
    if events & Int16(POLLOUT) != 0 { flush() }
    if isReading { return read() }
    if events & Int16(POLLHUP | POLLERR) != 0 { disconnect() }
    return []
  }

  private func read() -> [(number: UInt64, request: Request)] {
    var arrived: FileDescriptor?
    let transfer = input.append {
      socket.receive(into: &$0, limit: Self.chunk, attachment: &arrived)
    }
    if transfer == .ended {
      isReading = false
      input.end()
    }
    var requests: [(number: UInt64, request: Request)] = []
    do throws(RequestError) {
      while let line = try input.nextLine() {
        if input.isEmpty { keep(arrived.take()) }
        if let request = parse(line) { requests.append((nextRequest - 1, request)) }
        file = nil
      }
      if !input.isEmpty { keep(arrived.take()) }
    } catch {
      isReading = false
      file = nil
      append(Message(Reply(refusing: error)))
    }
    flush()
    return requests
  }

  /// Stores a file that came with the line that is being received. If there are several, the first
  /// is used and the others are closed.
  ///
  /// The kernel ends a read after the bytes with which a file was sent. A client sends a file with
  /// bytes of one line only, so the file belongs to the line with which the read ended.
  private func keep(_ arrived: consuming FileDescriptor?) {
    if file == nil { file = arrived }
  }

  /// The number of the next request.
  private var nextRequest: UInt64 { firstRequest + UInt64(replies.count) }

  /// Parses a line and adds a place for its reply. Returns nil for an empty line and for an error,
  /// to which it replies.
  private func parse(_ line: [UInt8]) -> Request? {
    if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return nil }
    do throws(RequestError) {
      let request = try Request(parsing: line) { file.take() }
      append(nil)
      return request
    } catch {
      append(Message(Reply(refusing: error)))
      return nil
    }
  }

  private func append(_ message: Message?) {
    replies.append(message)
    unsentByteCount += message?.bytes.count ?? 0
    if replies.count > Self.unansweredLimit { disconnect() }
  }

  /// Sets the reply to a request, which is sent after the replies to earlier requests. Does nothing
  /// if the connection is closed. Traps if the request has a reply.
  func answer(_ number: UInt64, _ reply: Reply, attaching file: consuming FileDescriptor?) {
    guard isWriting, number >= firstRequest, number < nextRequest else { return }
    let index = Int(number - firstRequest)
    guard replies[index] == nil else { preconditionFailure("a request has exactly one reply") }
    let message = Message(reply, attachment: file)
    replies[index] = message
    unsentByteCount += message.bytes.count
    flush()
  }

  /// Sends what can be sent now.
  private func flush() {
    var sentCount = 0
    loop: while isWriting, sentCount < replies.count, let message = replies[sentCount] {
      switch message.send(to: socket) {
      case .moved(let byteCount): unsentByteCount -= byteCount
      case .wouldBlock: break loop
      case .ended: isWriting = false
      }
      if message.isSent { sentCount += 1 }
    }
    replies.removeFirst(sentCount)
    firstRequest += UInt64(sentCount)
    // The reply that is being received does not count, however long it is.
    let unread = unsentByteCount - (replies.first??.unsentByteCount ?? 0)
    if unread > Self.unsentLimit { disconnect() }
    if !isWriting { forgetReplies() }
  }

  /// Closes the connection in both directions.
  private func disconnect() {
    isReading = false
    isWriting = false
    file = nil
    forgetReplies()
  }

  private func forgetReplies() {
    firstRequest = nextRequest
    replies = []
    unsentByteCount = 0
  }
}

extension Reply {
  fileprivate init(refusing error: RequestError) { self = .failure(.usage, "\(error)") }
}

/// A reply that is being sent. A class for the same reason as `Connection`.
private final class Message {
  let bytes: [UInt8]
  private var sentCount = 0
  /// The file to send with the first bytes. It is closed after that.
  private var attachment: FileDescriptor?

  init(_ reply: Reply, attachment: consuming FileDescriptor? = nil) {
    bytes = reply.line
    self.attachment = attachment
  }

  var isSent: Bool { sentCount == bytes.count }
  var unsentByteCount: Int { bytes.count - sentCount }

  /// Sends as many bytes as the socket accepts.
  func send(to socket: borrowing FileDescriptor) -> Transfer {
    let file: Int32? =
      switch attachment {
      case .some(let file): file.raw
      case .none: nil
      }
    let transfer = socket.send(bytes, from: sentCount, attaching: file)
    if case .moved(let byteCount) = transfer {
      sentCount += byteCount
      attachment = nil
    }
    return transfer
  }
}
