import Glibc
package import WaylandClient

/// A client of a compositor that waits for events.
package struct CompositorClient: ~Copyable {
  package let connection: WaylandConnection
  package let globals: Globals

  /// Connects to a server. `interfaces` has all that are used.
  package init(_ server: WaylandServer, _ interfaces: CInterfaces) throws {
    try self.init(socket: server.socket, interfaces)
  }

  /// Connects to a compositor by the path of its socket, and learns the globals.
  package init(socket: String, _ interfaces: CInterfaces) throws {
    let connection = try WaylandConnection(socket, interfaces)
    try connection.roundTrip()
    var globals = Globals()
    for event in try connection.takeEvents(reads: false) { _ = globals.handle(event) }
    self.connection = connection
    self.globals = globals
  }

  /// The object for a global; throws if there is none.
  package func bind(_ table: InterfaceTable) throws -> WaylandObject {
    guard let object = connection.bind(table, in: globals) else {
      throw TestFailure("the compositor has no \(table.name)")
    }
    return object
  }

  /// Sends all requests, and waits for events until there are some, or for a time.
  package func events(within timeout: Duration) throws -> [WaylandEvent] {
    try connection.flush()
    let events = try connection.takeEvents(reads: true)
    if !events.isEmpty || timeout <= .zero { return events }
    var polled = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&polled, 1, Int32((timeout / .milliseconds(1)).rounded(.up)))
    return try connection.takeEvents(reads: true)
  }

  /// Calls `body` with each event until it returns a value; throws after 30 seconds.
  package func wait<Result>(for body: (WaylandEvent) throws -> Result?) throws -> Result {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      for event in try events(within: .milliseconds(100)) {
        if let result = try body(event) { return result }
      }
    }
    throw TestFailure("the compositor sent nothing of use for 30 seconds")
  }
}
