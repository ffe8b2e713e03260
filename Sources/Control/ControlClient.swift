import Glibc
import Linux

/// The client's end of the control socket. Its calls block, with a timeout.
package struct ControlClient: ~Copyable {
  private let socket: FileDescriptor
  private let display: String
  private var buffer: [UInt8]

  /// The timeout of a call, in seconds.
  fileprivate static let timeoutSeconds = 10
  /// The limit of a reply, in bytes, above any that the daemon sends.
  private static let longestReply = 1 << 24

  /// Connects to the daemon of the first display that has one. `displays` must not be empty. Throws `noDaemon`, `noAnswer`,
  /// `system`, or an error of `controlSocketPath`.
  package static func connect(
    to displays: [DisplayName]
  ) throws(ControlError) -> ControlClient {
    var paths: [String] = []
    for display in displays {
      let path = try controlSocketPath(display: display)
      paths.append(path)
      do {
        return try ControlClient(display: display.text, path: path)
      } catch .noDaemon {
        continue
      }
    }
    throw .noDaemon(
      display: displays.map(\.text).joined(separator: " or "),
      path: paths.joined(separator: " or "))
  }

  /// Connects to the socket at `path`; `display` is for error messages.
  package init(display: String, path: String) throws(ControlError) {
    self.socket = try connectedSocket(display: display, path: path)
    self.display = display
    buffer = []
  }

  /// Sends a request with the pixels of its content and waits for its reply. Throws `noAnswer`,
  /// `unreadableReply` or `system`.
  package mutating func ask(_ request: Request) throws(ControlError) -> ReceivedReply {
    let pictures = request.pictures
    let file: FileDescriptor? = pictures.isEmpty ? nil : try .makePixelFile(pictures)
    send(request.line, attaching: file)
    return try nextReply()
  }

  /// Becomes readable when events arrive, and at the end of the connection.
  package var descriptor: Int32 { socket.raw }

  /// Whether an event was received already.
  package var hasEvent: Bool { buffer.contains(UInt8(ascii: "\n")) }

  /// The next event after the reply to `subscribe`, for which it waits up to 10 seconds. Throws `noAnswer`, also at the end of the
  /// daemon, or `unreadableReply`.
  package mutating func nextEvent() throws(ControlError) -> EventReport {
    guard case .event(let event) = try nextReply().reply else { throw .unreadableReply }
    return event
  }

  private mutating func nextReply() throws(ControlError) -> ReceivedReply {
    var attachment: FileDescriptor?
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let reply = try Reply(parsing: buffer[..<end])
        buffer.removeSubrange(...end)
        return ReceivedReply(reply: reply, attachment: attachment)
      }
      guard buffer.count < Self.longestReply else { throw .unreadableReply }
      switch socket.receive(into: &buffer, limit: 65536, attachment: &attachment) {
      case .moved: continue
      case .wouldBlock, .ended: throw .noAnswer(display: display)
      }
    }
  }

  /// Sends bytes, and the file with the first of them. Ignores errors: a daemon that closes the
  /// connection early has sent a reply with the reason, which the caller reads.
  private func send(_ bytes: [UInt8], attaching file: borrowing FileDescriptor?) {
    var raw: Int32? =
      switch file {
      case .some(let file): file.raw
      case .none: nil
      }
    var done = 0
    while done < bytes.count,
      case .moved(let byteCount) = socket.send(bytes, from: done, attaching: raw)
    {
      done += byteCount
      raw = nil
    }
  }
}

/// Throws `noDaemon` if no daemon listens, `noAnswer` if its queue is full, or `system`.
private func connectedSocket(
  display: String, path: String
) throws(ControlError) -> FileDescriptor {
  let socket = try FileDescriptor.makeSocket(isBlocking: true)
  socket.setTimeout(seconds: ControlClient.timeoutSeconds)
  switch socket.connect(path: path) {
  case 0: return socket
  case ENOENT, ENOTDIR, ECONNREFUSED: throw .noDaemon(display: display, path: path)
  case EAGAIN: throw .noAnswer(display: display)
  case let code: throw .system(action: "connect to \(path)", errno: code)
  }
}
