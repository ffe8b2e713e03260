import Glibc
import Raster
import TestSupport
import WaylandClient

/// A client of a compositor that waits for events.
struct CompositorClient: ~Copyable {
  let connection: WaylandConnection
  let globals: Globals

  /// Connects and learns the globals.
  init(_ server: WaylandServer) throws {
    let connection = try WaylandConnection(server.socket, .forTests)
    try connection.roundTrip()
    var globals = Globals()
    for event in try connection.takeEvents(reads: false) { _ = globals.take(event) }
    self.connection = connection
    self.globals = globals
  }

  func bind(_ table: InterfaceTable) throws -> WaylandObject {
    guard let object = connection.bind(table, in: globals) else {
      throw TestFailure("the compositor has no \(table.name)")
    }
    return object
  }

  /// Calls `body` with each event until it returns a value; throws after 30 seconds.
  func wait<Result>(for body: (WaylandEvent) throws -> Result?) throws -> Result {
    let deadline = ContinuousClock.now + .seconds(30)
    while ContinuousClock.now < deadline {
      try connection.flush()
      for event in try connection.takeEvents(reads: true) {
        if let result = try body(event) { return result }
      }
      var polled = pollfd(fd: connection.descriptor, events: Int16(POLLIN), revents: 0)
      _ = unsafe poll(&polled, 1, 100)
    }
    throw TestFailure("the compositor sent nothing of use for 30 seconds")
  }
}
