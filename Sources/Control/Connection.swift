import Glibc
import Linux
import Synchronization

/// The connection of one client: received bytes, and the request that is being performed.
///
/// The requests of a client are performed one after the other: the next one begins when the reply to the last
/// one has been sent, and if that had a file, received. So a client that sends faster than it reads waits for
/// itself, and holds the memory of one reply. A class, because it owns noncopyable file descriptors, which an
/// array cannot hold.
final class Connection {
  let socket: FileDescriptor
  /// Identifies the connection; numbers are not reused.
  let number: UInt64
  private var input = LineBuffer()
  /// The file that came with the line that is being received.
  private var file: FileDescriptor?
  /// The file that came with the last bytes.
  private var arrived: FileDescriptor?
  private var phase = Phase.idle
  private var isReading = true
  /// Becomes false when the client can receive no more. Its requests are performed nevertheless, if they have an
  /// effect.
  private var isWriting = true
  private var requestCount: UInt64 = 0
  /// The size of the file that was sent last, until the client has received it.
  private var sentFileSize = 0
  /// The time that its requests have taken, for fairness.
  var cost = Duration.zero
  /// The number of the loop iteration in which it connected or last sent anything.
  private(set) var lastActivity: UInt64

  private enum Phase {
    case idle
    /// A request with a large file is being read.
    case reading(BackgroundTask<ReadRequest>)
    /// A request was read in the background.
    case read(ReadRequest)
    /// A request is being performed. Its reply follows.
    case performing(UInt64)
    case sending(Message)
    /// The client gets events, and its input is ignored. The number is that of its request.
    case subscribed(UInt64, Message?)
  }

  /// The largest number of bytes of one read, so that no client delays the others.
  private static let chunk = 4096

  init(socket: consuming FileDescriptor, number: UInt64, iteration: UInt64) {
    self.socket = socket
    self.number = number
    lastActivity = iteration
  }

  /// The size of the file that it has not received; 0 if there is none.
  var unreadByteCount: Int {
    if case .sending(let message) = phase { message.fileSize } else { sentFileSize }
  }

  /// Whether nothing has been asked that is not answered.
  var isIdle: Bool {
    if case .idle = phase { !input.hasLine } else { false }
  }

  /// Whether the connection can be closed: nothing more will be received, performed or sent.
  var isFinished: Bool { !isReading && isIdle }

  /// The events to wait for with `poll`; none if there is nothing to wait for.
  var interest: PollInterest {
    switch phase {
    case .reading(let task): PollInterest(descriptor: task.descriptor, events: Int16(POLLIN))
    case .idle, .read, .performing, .sending, .subscribed:
      PollInterest(descriptor: socket.raw, events: events)
    }
  }

  /// The events of the socket to wait for.
  private var events: Int16 {
    switch phase {
    case .idle: isReading && !input.hasLine ? Int16(POLLIN) : 0
    case .reading, .read, .performing: 0
    case .sending: Int16(POLLOUT)
    case .subscribed(_, let message): Int16(POLLIN) | (message == nil ? 0 : Int16(POLLOUT))
    }
  }

  /// Whether a request waits only until the client has received a file. No event reports that.
  var awaitsReader: Bool { unreadByteCount > 0 && input.hasLine && isInIdlePhase }

  /// Whether a request can be performed now.
  var hasRequest: Bool {
    if case .read = phase { true } else { input.hasLine && isInIdlePhase && unreadByteCount == 0 }
  }

  private var isInIdlePhase: Bool { if case .idle = phase { true } else { false } }

  /// Whether a request is being read in the background.
  var isReadingInBackground: Bool { if case .reading = phase { true } else { false } }

  /// Whether the file that came last is read in the background.
  var hasLargeFile: Bool { file.isLarge || arrived.isLarge }

  /// Sends and receives according to the events that `poll` returned in a loop iteration.
  func handle(events: Int16, iteration: UInt64) {
    if case .sending = phase { flush() }
    if case .subscribed = phase { return serveSubscriber() }
    guard self.events & Int16(POLLIN) != 0, events != 0 else { return }
    lastActivity = iteration
    // A file that came with earlier lines and the begin of this one belongs to this one.
    if !input.isEmpty { keepArrivedFile() }
    let transfer = input.append {
      socket.receive(into: &$0, limit: Self.chunk, attachment: &arrived)
    }
    if transfer == .ended {
      isReading = false
      input.end()
    }
    // Without a complete line, the file belongs to the incomplete one.
    if !input.hasLine, !input.isEmpty { keepArrivedFile() }
  }

  /// Looks whether the client has received the last file, and whether a request has been read.
  func update() {
    if sentFileSize > 0, socket.unreadByteCount == 0 { sentFileSize = 0 }
    if case .reading(let task) = phase, let request = task.take() { phase = .read(request) }
  }

  /// Begins the next request. Replies with an error to lines that are not requests. Returns nil if there is
  /// none, or if it is read in the background first.
  func nextRequest() -> (number: UInt64, request: Request)? {
    while hasRequest {
      do throws(RequestError) {
        guard let request = try readRequest() else {
          if isInIdlePhase, input.hasLine { continue }
          return nil
        }
        if !isWriting, !request.hasEffect { continue }
        requestCount += 1
        phase = .performing(requestCount)
        return (requestCount, request)
      } catch {
        if case .lineTooLong = error { endReading() }
        send(Message(Reply(refusing: error)))
      }
    }
    return nil
  }

  /// Reads the next request. Returns nil for an empty line, or if a thread reads the request now.
  private func readRequest() throws(RequestError) -> Request? {
    if case .read(let request) = phase {
      phase = .idle
      return try request.result.get()
    }
    guard let line = try input.nextLine() else { return nil }
    if input.isEmpty { keepArrivedFile() }
    let file = RequestFile(self.file.take())
    if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { return nil }
    if file.isLarge, let task = try? BackgroundTask({ ReadRequest(line, file) }) {
      phase = .reading(task)
      return nil
    }
    return try ReadRequest(line, file).result.get()
  }

  private func endReading() {
    isReading = false
    input = LineBuffer()
    file = nil
    arrived = nil
  }

  /// Stores a file that came with the line that is being received. If there are several, the first
  /// is used and the others are closed.
  ///
  /// The kernel ends a read after the bytes with which a file was sent. A client sends a file with
  /// bytes of one line only, so the file belongs to the line with which the read ended.
  private func keepArrivedFile() {
    let new = arrived.take()
    if file == nil { file = new }
  }

  /// Sends the reply to a request, with a file of `fileSize` bytes if one is given. Does nothing if the request
  /// is not being performed any more.
  func answer(
    _ number: UInt64, _ reply: Reply, attaching file: consuming FileDescriptor?, fileSize: Int
  ) {
    guard case .performing(number) = phase else { return }
    send(Message(reply, attachment: file, fileSize: fileSize))
  }

  private func send(_ message: Message) {
    phase = .sending(message)
    flush()
  }

  /// Sends what can be sent now.
  private func flush() {
    while case .sending(let message) = phase {
      let transfer = isWriting ? message.send(to: socket) : .ended
      if transfer == .wouldBlock { return }
      if transfer == .ended {
        isWriting = false
        // If the client can still receive, this ends its wait for the rest.
        socket.endSending()
      } else if !message.isSent {
        continue
      }
      phase = .idle
      sentFileSize = isWriting ? message.fileSize : 0
    }
  }

  // MARK: Subscription

  /// Replies to a request that events follow. Does nothing if the request is not being performed any more.
  func subscribe(_ number: UInt64) {
    guard case .performing(number) = phase else { return }
    phase = .subscribed(number, Message([.done]))
    sendEvents()
  }

  /// Whether the client of a subscription has received all events; nil if it has disconnected.
  func hasRoom(_ number: UInt64) -> Bool? {
    if case .subscribed(number, let message) = phase { message == nil } else { nil }
  }

  /// Sends events to a client that has room for them.
  func post(_ events: [EventReport], to number: UInt64) {
    guard hasRoom(number) == true, !events.isEmpty else { return }
    phase = .subscribed(number, Message(events.map { .event($0) }))
    sendEvents()
  }

  /// Sends what can be sent now, and looks whether the client has disconnected.
  private func serveSubscriber() {
    sendEvents()
    let transfer = input.append {
      socket.receive(into: &$0, limit: Self.chunk, attachment: &arrived)
    }
    if transfer == .ended { return disconnect() }
    input = LineBuffer()
    arrived = nil
  }

  private func sendEvents() {
    while case .subscribed(let number, let message?) = phase {
      switch message.send(to: socket) {
      case .wouldBlock: return
      case .ended: return disconnect()
      case .moved: if message.isSent { phase = .subscribed(number, nil) }
      }
    }
  }

  /// Closes the connection in both directions.
  func disconnect() {
    endReading()
    isWriting = false
    phase = .idle
  }
}

extension Reply {
  fileprivate init(refusing error: RequestError) { self = .failure(.usage, "\(error)") }
}

/// A request that was read, or the error of its line.
private struct ReadRequest: Sendable {
  let result: Result<Request, RequestError>

  init(_ line: [UInt8], _ file: RequestFile) {
    do throws(RequestError) {
      result = .success(try Request(parsing: line) { file.take() })
    } catch {
      result = .failure(error)
    }
  }
}

/// The file that came with a request; at most one thread takes it.
private final class RequestFile: Sendable {
  private let file: Mutex<FileDescriptor?>
  let isLarge: Bool

  init(_ file: consuming FileDescriptor?) {
    isLarge = file.isLarge
    self.file = Mutex(file)
  }

  func take() -> FileDescriptor? { file.withLock { $0.take() } }
}

extension Optional where Wrapped == FileDescriptor {
  /// Whether it takes more than about a millisecond to read the pixels of a file and to prepare them.
  fileprivate var isLarge: Bool {
    switch self {
    case .some(let file): file.pixelCount ?? 0 > 1 << 14
    case .none: false
    }
  }
}

/// A reply that is being sent. A class for the same reason as `Connection`.
private final class Message {
  private let bytes: [UInt8]
  private var sentCount = 0
  /// The file to send with the first bytes. It is closed after that.
  private var attachment: FileDescriptor?
  /// The size of the file.
  let fileSize: Int

  convenience init(
    _ reply: Reply, attachment: consuming FileDescriptor? = nil, fileSize: Int = 0
  ) {
    self.init([reply], attachment: attachment, fileSize: fileSize)
  }

  init(_ replies: [Reply], attachment: consuming FileDescriptor? = nil, fileSize: Int = 0) {
    bytes = replies.flatMap(\.line)
    self.attachment = attachment
    self.fileSize = fileSize
  }

  var isSent: Bool { sentCount == bytes.count }

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
