import Glibc

/// The daemon's end of the control socket, for a single-threaded poll loop. No call blocks.
///
/// The caller polls `interests()`, passes the result to `receive`, and replies once to each request
/// with `send`, at once or later.
package struct ControlServer: ~Copyable {
  private var listener: Listener
  private var connections: [Connection] = []
  private var nextNumber: UInt64 = 0

  /// The largest number of connected clients.
  package static let clientLimit = 64

  /// Listens at `path`. The file has the mode 0600 when it is created and is removed at the end.
  /// Replaces the socket of a daemon that ended, and no other file. Throws a `ControlError`.
  package init(path: String) throws(ControlError) { listener = try Listener(path: path) }

  /// The descriptors and events to poll. They change with each `receive` and `send`.
  package func interests() -> [PollInterest] {
    [PollInterest(descriptor: listener.socket.raw, events: Int16(POLLIN))]
      + connections.map { PollInterest(descriptor: $0.socket.raw, events: $0.events) }
  }

  /// Handles the events that `poll` returned and ignores those of other descriptors. Returns the
  /// requests that have arrived. Replies with an error to lines that are not requests.
  package mutating func receive(_ ready: [(descriptor: Int32, events: Int16)]) -> [Incoming] {
    var incoming: [Incoming] = []
    for (descriptor, events) in ready where events != 0 {
      if descriptor == listener.socket.raw { acceptClients() }
      guard let connection = connections.first(where: { $0.socket.raw == descriptor }) else {
        continue
      }
      incoming += connection.handle(events: events).map {
        let client = ClientID(connection: connection.number, request: $0.number)
        return Incoming(client: client, request: $0.request)
      }
    }
    connections.removeAll { $0.isFinished }
    return incoming
  }

  /// Replies to a request, with a file if one is given. Does nothing if the client has
  /// disconnected.
  package mutating func send(
    _ reply: Reply, to client: ClientID, attaching file: consuming FileDescriptor? = nil
  ) {
    guard let connection = connections.first(where: { $0.number == client.connection }) else {
      return
    }
    connection.answer(client.request, reply, attaching: file)
    connections.removeAll { $0.isFinished }
  }

  private mutating func acceptClients() {
    while true {
      switch listener.accept() {
      case .client(let socket): admit(socket)
      case .rejected: continue
      case .none: return
      }
    }
  }

  private mutating func admit(_ socket: consuming FileDescriptor) {
    let user = socket.peerUser
    if user != geteuid() && user != 0 {
      refuse(socket, "this backdropd belongs to another user")
    } else if connections.count >= Self.clientLimit {
      refuse(socket, "backdropd has \(Self.clientLimit) clients already; try again later")
    } else {
      connections.append(Connection(socket: socket, number: nextNumber))
      nextNumber += 1
    }
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

/// Identifies a client and one of its requests. Replies are sent in the order of the requests, in
/// whichever order they are given to `send`.
package struct ClientID: Hashable, Sendable {
  fileprivate let connection: UInt64
  fileprivate let request: UInt64
}
