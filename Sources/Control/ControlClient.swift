import Glibc

/// A command line's end of the control socket: blocks, but not for ever.
package struct ControlClient: ~Copyable {
  private let socket: FileDescriptor
  private let display: String
  private var buffer: [UInt8] = []

  /// How long the daemon may take to answer.
  fileprivate static let patience = 10
  /// No reply comes near.
  private static let longestReply = 1 << 24

  /// Connects to the daemon of a display.
  package init(display: String) throws(ControlError) {
    try self.init(display: display, path: controlSocketPath(display: display))
  }

  package init(display: String, path: String) throws(ControlError) {
    self.socket = try connectedSocket(display: display, path: path)
    self.display = display
  }

  /// Sends a request, with the pixels of its content, and waits for its reply.
  package mutating func ask(_ request: Request) throws(ControlError) -> Answer {
    let pictures = request.contents.map(\.picture)
    let file: FileDescriptor? = pictures.isEmpty ? nil : try .makePixelFile(pictures)
    send(request.line, attaching: file)
    var attachment: FileDescriptor?
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let reply = try Reply(parsing: buffer[..<end])
        buffer.removeSubrange(...end)
        return Answer(reply: reply, attachment: attachment)
      }
      guard buffer.count < Self.longestReply else { throw .unreadableReply }
      switch socket.receive(into: &buffer, limit: 65536, attachment: &attachment) {
      case .moved: continue
      case .wouldBlock, .ended: throw .noAnswer(display: display)
      }
    }
  }

  /// A daemon that closes early has said why: what it said is read even when sending fails.
  /// The file goes with the first of the bytes.
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

private func connectedSocket(
  display: String, path: String
) throws(ControlError) -> FileDescriptor {
  let socket = try FileDescriptor.makeSocket(isBlocking: true)
  socket.setTimeout(seconds: ControlClient.patience)
  switch socket.connect(path: path) {
  case 0: return socket
  case ENOENT, ENOTDIR, ECONNREFUSED: throw .noDaemon(display: display, path: path)
  case EAGAIN: throw .noAnswer(display: display)
  case let code: throw .system(action: "connect to \(path)", errno: code)
  }
}

/// A reply, and the file that came with it.
package struct Answer: ~Copyable {
  package let reply: Reply
  package let attachment: FileDescriptor?
}
