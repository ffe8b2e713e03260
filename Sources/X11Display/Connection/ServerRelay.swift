import Glibc
import Linux

/// Passes the bytes of libxcb to the server and back, so that libxcb never waits for the server.
///
/// libxcb waits in two cases even if no reply is asked for: if requests do not fit into its socket, because the server
/// does not read them, and if only a part of a reply has arrived. A server that is stopped, or at the other end of a
/// slow network, would then stop the event loop for as long. So libxcb has one end of a socket pair instead. From the
/// other end `collect` takes all requests at once, before the pair is full, and `deliver` passes on whole replies and
/// events only. All of this happens on the thread that calls libxcb: one more thread would cost 0.3 ms per frame.
struct ServerRelay: ~Copyable {
  private let server: FileDescriptor
  /// The end of the pair that libxcb does not have.
  private let end: FileDescriptor
  /// The end that libxcb has.
  private let socket: Int32
  private var outgoing, incoming: RelayQueue
  private var hasEnded: Bool

  /// The largest length of a request. The pair has room for it, and for the 16 KiB of requests that libxcb collects
  /// before it sends them: for 200 KB by default.
  static let requestLimit = 1 << 17

  /// The size of the replies and events that are passed on at once: what libxcb reads at once.
  private static let deliveryLimit = 1 << 14

  /// The length from which on a reply may not fit into the pair.
  private static let largePacket = 1 << 16

  /// Takes the place of the server for libxcb, which has `socket` and has read all replies. Throws if the system has
  /// no descriptors for it.
  init(between socket: Int32) throws(SystemError) {
    let server = try FileDescriptor.makeCopy(of: socket)
    let end = try FileDescriptor.makePeer(replacing: socket)
    self.socket = socket
    self.server = server
    self.end = end
    outgoing = RelayQueue()
    incoming = RelayQueue()
    hasEnded = false
  }

  /// The socket to the server.
  var descriptor: Int32 { server.raw }

  /// Whether the server has not taken everything that was collected.
  var isCongested: Bool { outgoing.count > 0 }

  /// Ends the connection to the server.
  func disconnect() { server.endStream() }

  // MARK: To the server

  /// Receives the bytes that libxcb has sent. `fileCount` is the number of files that libxcb was given to send, ever. It tells
  /// how many files were lost because this process had no free descriptors.
  mutating func collect(fileCount: Int) {
    while true {
      switch outgoing.receive(from: end) {
      case .moved: continue
      case .wouldBlock: return outgoing.replaceLostFiles(sent: fileCount)
      case .ended: return close()
      }
    }
  }

  /// Sends as much as the server takes now. A socket replaces each lost file, because the server refuses it as shared memory.
  mutating func send() {
    if !outgoing.send(to: server, limit: outgoing.count, replacement: end.raw) { close() }
  }

  // MARK: From the server

  /// Receives what has arrived.
  mutating func receive() {
    if incoming.receive(from: server) == .ended { close() }
  }

  /// Waits until something arrives. Meanwhile sends what the server takes.
  mutating func awaitServer() {
    let events = Int16(POLLIN) | (isCongested ? Int16(POLLOUT) : 0)
    var polled = pollfd(fd: server.raw, events: events, revents: 0)
    // A call that failed is repeated, but not all the time.
    if unsafe poll(&polled, 1, -1) < 0, errno != EINTR { usleep(10_000) }
    send()
    receive()
  }

  /// Passes whole replies and events on to libxcb. Returns whether there is something to read for it.
  mutating func deliver() -> Bool {
    if unreadByteCount > 0 { return true }
    let count = incoming.countWholePackets(upTo: Self.deliveryLimit)
    if count == 0 { return hasEnded }
    let first = count > Self.largePacket ? Self.deliveryLimit : count
    if !incoming.send(to: end, limit: first) { close() }
    if first < count { deliverInBackground(count - first) }
    return true
  }

  /// Passes on the rest of a reply that does not fit into the pair. libxcb waits for the rest when it has read the beginning, so
  /// it reads nothing else meanwhile.
  private mutating func deliverInBackground(_ count: Int) {
    let bytes = incoming.removeFirst(count)
    let copy: FileDescriptor
    do throws(SystemError) { copy = try FileDescriptor.makeCopy(of: end.raw) } catch {
      return close()
    }
    let code = startThread { sendAll(bytes, to: copy) }
    if code != 0 { close() }
  }

  /// The number of bytes that libxcb has not read.
  private var unreadByteCount: Int {
    var count: Int32 = 0
    return unsafe ioctl(socket, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
  }

  /// Ends the connection on both sides. libxcb reads what was delivered before, and then an end.
  private mutating func close() {
    hasEnded = true
    server.endStream()
    end.endStream()
  }
}

/// Sends bytes to a socket that does not block, as fast as the other side reads them.
private func sendAll(_ bytes: [UInt8], to socket: borrowing FileDescriptor) {
  var start = 0
  while start < bytes.count {
    let transfer = unsafe bytes.withUnsafeBytes {
      unsafe socket.send(UnsafeRawBufferPointer(rebasing: $0[start...]), attaching: [])
    }
    switch transfer {
    case .moved(let byteCount): start += byteCount
    case .wouldBlock:
      var polled = pollfd(fd: socket.raw, events: Int16(POLLOUT), revents: 0)
      _ = unsafe poll(&polled, 1, -1)
    case .ended: return
    }
  }
}
