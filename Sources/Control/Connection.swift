import Glibc

/// One client: what it has sent, and what it is owed.
///
/// It owns a file, and an array holds nothing that cannot be copied: hence a class.
final class Connection {
  let socket: FileDescriptor
  let number: UInt64
  private var input = LineBuffer()
  /// Came with the line that is being received.
  private var file: FileDescriptor?
  private var isReading = true
  /// False once the other side reads no more. What it had asked before is done all the same.
  private var isWriting = true
  /// A reply for each request, in the order of the requests; nil while the daemon works on it.
  private var replies: [Message?] = []
  /// The number of the request that `replies[0]` answers.
  private var firstRequest: UInt64 = 0
  private var unsentByteCount = 0

  /// A client that reads slower than it asks is dropped when so many bytes wait behind the reply that
  /// it reads,
  static let unsentLimit = 1 << 20
  /// or so many replies.
  static let unansweredLimit = 4096
  /// Read at a time, so that no client keeps others waiting.
  private static let chunk = 4096

  init(socket: consuming FileDescriptor, number: UInt64) {
    self.socket = socket
    self.number = number
  }

  /// Whether nothing more will come of it.
  var isFinished: Bool { !isReading && (!isWriting || replies.isEmpty) }

  /// What to wait for; `poll` reports a hang-up even when this is nothing.
  var events: Int16 {
    let hasUnsent = replies.first.map { $0 != nil } ?? false
    return Int16((isReading ? POLLIN : 0) | (hasUnsent && isWriting ? POLLOUT : 0))
  }

  /// Does what `poll` says can be done. Returns the requests that have become complete, each with
  /// its number; lines that are none are answered here.
  func handle(events: Int16) -> [(number: UInt64, request: Request)] {
    if events & Int16(POLLOUT) != 0 { flush() }
    if isReading { return read() }
    if events & Int16(POLLHUP | POLLERR) != 0 { drop() }
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
        if let request = note(line) { requests.append((nextRequest - 1, request)) }
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

  /// Keeps a file that came with the line that is being received. The first one counts; others are
  /// closed.
  ///
  /// With a file the last bytes of a read have come: nothing that was sent after them is read along. A
  /// client sends it with bytes of one line only, hence it belongs to that line with which the read ends.
  private func keep(_ arrived: consuming FileDescriptor?) {
    if file == nil { file = arrived }
  }

  /// The number of the request that comes next.
  private var nextRequest: UInt64 { firstRequest + UInt64(replies.count) }

  private func note(_ line: [UInt8]) -> Request? {
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
    if replies.count > Self.unansweredLimit { drop() }
  }

  /// Answers a request. The replies to earlier requests go first.
  func answer(_ number: UInt64, _ reply: Reply, attaching file: consuming FileDescriptor?) {
    guard isWriting, number >= firstRequest, number < nextRequest else { return }
    let index = Int(number - firstRequest)
    guard replies[index] == nil else { preconditionFailure("a request has one reply") }
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
    // A client that takes in its reply is not slow, however long that is.
    let unread = unsentByteCount - (replies.first??.unsentByteCount ?? 0)
    if unread > Self.unsentLimit { drop() }
    if !isWriting { forgetReplies() }
  }

  private func drop() {
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

/// A reply on its way out. A class for the same reason.
private final class Message {
  let bytes: [UInt8]
  private var sentCount = 0
  /// Goes with the first bytes, and is closed here then.
  private var attachment: FileDescriptor?

  init(_ reply: Reply, attachment: consuming FileDescriptor? = nil) {
    bytes = reply.line
    self.attachment = attachment
  }

  var isSent: Bool { sentCount == bytes.count }
  var unsentByteCount: Int { bytes.count - sentCount }

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
