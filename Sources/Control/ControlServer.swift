import Glibc

/// The daemon's end of the control socket, for a loop of one thread that polls: nothing blocks.
///
/// Wait for `interests()`, hand what `poll` reported to `receive`, and give every request that it
/// returns one reply by `send`, now or later.
package struct ControlServer: ~Copyable {
  private var listener: Listener
  private var connections: [Connection] = []
  private var nextNumber: UInt64 = 0

  package static let clientLimit = 64

  /// Listens at `path`: a file of mode 0600 from its first moment, removed in the end. Replaces the
  /// socket of a daemon that died, and nothing else.
  package init(path: String) throws(ControlError) { listener = try Listener(path: path) }

  /// What to wait for. Changes with each `receive` and `send`.
  package func interests() -> [PollInterest] {
    [PollInterest(descriptor: listener.socket.raw, events: Int16(POLLIN))]
      + connections.map { PollInterest(descriptor: $0.socket.raw, events: $0.events) }
  }

  /// Takes what `poll` reported, other people's descriptors too, and returns the requests that have
  /// arrived. Lines that are no request are answered here.
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

  /// Answers a request, with a file when one is given. Its client may be gone, which is no error.
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
      case .turnedAway: continue
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
    // One line fits in the empty buffer of a new socket.
    _ = socket.send(Reply.failure(.unavailable, text).line, from: 0, attaching: nil)
  }
}

/// One entry for `poll`.
package struct PollInterest: Equatable, Sendable {
  package let descriptor: Int32
  package let events: Int16
}

/// A request, and whom to answer.
package struct Incoming: Equatable, Sendable {
  package let client: ClientID
  package let request: Request
}

/// A client as the author of one request. Replies reach it in the order of its requests, in
/// whatever order they are given.
package struct ClientID: Hashable, Sendable {
  fileprivate let connection: UInt64
  fileprivate let request: UInt64
}
