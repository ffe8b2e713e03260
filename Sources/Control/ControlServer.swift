import Glibc
package import Linux

/// The daemon's end of the control socket, for a single-threaded poll loop. No call blocks.
///
/// The caller polls `interests()`, passes the result to `handle`, takes turns with one request of each client,
/// and replies once to each request with `send`, at once or later.
package struct ControlServer: ~Copyable {
  private var listener: Listener
  private var connections: [Connection] = []
  private var nextNumber: UInt64 = 0
  private var iteration: UInt64 = 0
  /// The clients that had requests when turns were taken last, and the least cost of one of them.
  private var active: Set<UInt64> = []
  private var floor = Duration.zero

  /// The largest number of connected clients.
  package static let clientLimit = 64

  /// Listens at `path`. The file has the mode 0600 when it is created and is removed at the end.
  /// Replaces the socket of a daemon that ended, and no other file. If `replacesOther` is true, first ends a
  /// daemon that listens there, for which it waits up to 5 seconds. Throws a `ControlError`.
  package init(path: String, replacesOther: Bool = false) throws(ControlError) {
    self.init(try Listener(path: path, replacesOther: replacesOther))
  }

  private init(_ listener: consuming Listener) { self.listener = listener }

  /// Removes the file of the socket. Connections stay.
  package func removeFile() { listener.removeFile() }

  /// The descriptors and events to poll. They change with each other call.
  package func interests() -> [PollInterest] {
    [PollInterest(descriptor: listener.socket.raw, events: Int16(POLLIN))]
      + connections.map(\.interest).filter { $0.events != 0 }
  }

  /// Handles the events that `poll` returned and ignores those of other descriptors.
  package mutating func handle(_ ready: [(descriptor: Int32, events: Int16)]) {
    iteration += 1
    for (descriptor, events) in ready where events != 0 {
      connections.first { $0.socket.raw == descriptor }?
        .handle(events: events, iteration: iteration)
    }
    for connection in connections { connection.update() }
    connections.removeAll { $0.isFinished }
    // Last, because clients that have left make room for others.
    if ready.contains(where: { $0.descriptor == listener.socket.raw && $0.events != 0 }) {
      acceptClients()
    }
  }

  /// Whether `takeTurns` has a client now.
  package var hasRequests: Bool {
    let isReading = isReadingInBackground
    return connections.contains { hasTurn($0, whileReading: isReading) }
  }

  /// At most one request is read in the background, so that these need little memory.
  private var isReadingInBackground: Bool { connections.contains { $0.isReadingInBackground } }

  private func hasTurn(_ connection: Connection, whileReading isReading: Bool) -> Bool {
    connection.hasRequest && !(isReading && connection.hasLargeFile)
  }

  /// Whether a client has sent requests that are performed when it has received a file. No event reports that.
  package var awaitsReaders: Bool { connections.contains { $0.awaitsReader } }

  /// The size of all files that were sent and that clients have not received.
  package var unreadByteCount: Int { connections.reduce(0) { $0 + $1.unreadByteCount } }

  /// The number of connected clients.
  package var clientCount: Int { connections.count }

  // MARK: Turns

  /// The clients that have requests, those whose requests have taken the least time first. A client that had
  /// none for a while gets no credit for it.
  package mutating func takeTurns() -> [Turn] {
    let isReading = isReadingInBackground
    let waiting = connections.filter { hasTurn($0, whileReading: isReading) }
      .sorted { $0.cost < $1.cost }
    for connection in waiting where !active.contains(connection.number) {
      connection.cost = max(connection.cost, floor)
    }
    active = Set(waiting.map(\.number))
    floor = waiting.first.map { max(floor, $0.cost) } ?? floor
    return waiting.sorted { $0.cost < $1.cost }.map { Turn(connection: $0.number) }
  }

  /// Begins the next request of a client; nil if it has none. Replies with an error to lines that are not
  /// requests.
  package mutating func nextRequest(of turn: Turn) -> Incoming? {
    let isReading = isReadingInBackground
    let connection = connections.first {
      $0.number == turn.connection && hasTurn($0, whileReading: isReading)
    }
    defer { connections.removeAll { $0.isFinished } }
    return connection?.nextRequest().map {
      let client = ClientID(connection: turn.connection, request: $0.number)
      return Incoming(client: client, request: $0.request)
    }
  }

  /// Records the time that a request of a client took.
  package func charge(_ turn: Turn, _ time: Duration) {
    connections.first { $0.number == turn.connection }?.cost += time
  }

  /// Replies to a request, with a file of `fileSize` bytes if one is given. Does nothing if the client has
  /// disconnected.
  package mutating func send(
    _ reply: Reply, to client: ClientID, attaching file: consuming FileDescriptor? = nil,
    fileSize: Int = 0
  ) {
    guard let connection = connections.first(where: { $0.number == client.connection }) else {
      return
    }
    connection.answer(client.request, reply, attaching: file, fileSize: fileSize)
    connections.removeAll { $0.isFinished }
  }

  // MARK: Subscriptions

  /// Replies to a request that events follow.
  package mutating func subscribe(_ client: ClientID) {
    connections.first { $0.number == client.connection }?.subscribe(client.request)
    connections.removeAll { $0.isFinished }
  }

  /// Whether a subscriber has received all its events, so that it can get others; nil if it has disconnected.
  package func hasRoom(_ client: ClientID) -> Bool? {
    connections.first { $0.number == client.connection }?.hasRoom(client.request)
  }

  /// Sends events to a subscriber that has room.
  package mutating func post(_ events: [EventReport], to client: ClientID) {
    connections.first { $0.number == client.connection }?.post(events, to: client.request)
    connections.removeAll { $0.isFinished }
  }

  private mutating func acceptClients() {
    // Others follow in the next iteration.
    for _ in 0..<Self.clientLimit {
      switch listener.accept() {
      case .client(let socket): admit(socket)
      case .crowded(let socket):
        refuse(socket, "backdropd has too many open files; raise its limit (ulimit -n)")
        _ = consume socket
        listener.reserve()
      case .rejected: continue
      case .none: return
      }
    }
  }

  private mutating func admit(_ socket: consuming FileDescriptor) {
    let user = SocketPeer(of: socket.raw)?.user
    if user != geteuid() && user != 0 {
      refuse(socket, "this backdropd belongs to another user")
    } else if connections.count >= Self.clientLimit, !disconnectIdleClient() {
      refuse(socket, "backdropd has \(Self.clientLimit) clients already; try again later")
    } else {
      connections.append(Connection(socket: socket, number: nextNumber, iteration: iteration))
      nextNumber += 1
    }
  }

  /// Disconnects the client that has asked nothing for the longest time. Returns false if all have requests in
  /// progress.
  private mutating func disconnectIdleClient() -> Bool {
    let idle = connections.filter(\.isIdle).min { $0.lastActivity < $1.lastActivity }
    guard let idle else { return false }
    idle.disconnect()
    connections.removeAll { $0 === idle }
    return true
  }

  private func refuse(_ socket: borrowing FileDescriptor, _ text: String) {
    // The empty buffer of a new socket can hold one line.
    _ = socket.send(Reply.failure(.unavailable, text).line, from: 0, attaching: nil)
  }
}

/// One entry for `poll`.
package struct PollInterest: Equatable, Sendable {
  /// The file descriptor.
  package let descriptor: Int32
  /// The events to wait for, such as `POLLIN`.
  package let events: Int16
}

/// A request and its client.
package struct Incoming: Equatable, Sendable {
  /// The target of the reply.
  package let client: ClientID
  /// The request.
  package let request: Request
}

/// The turn of a client to have one request performed.
package struct Turn: Hashable, Sendable {
  fileprivate let connection: UInt64
}

/// Identifies a client and one of its requests.
package struct ClientID: Hashable, Sendable {
  let connection: UInt64
  fileprivate let request: UInt64
}
