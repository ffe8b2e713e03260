import Glibc
import WaylandClient

/// The connection of a client, with its objects.
package final class FakeClient {
  package private(set) var objects: [UInt32: Resource] = [:]
  /// The number of requests so far.
  package private(set) var requestCount = 0
  /// The error that ended the connection; nil if there was none.
  package private(set) var error: ProtocolError?
  private var socket: ClientSocket?
  private unowned let compositor: FakeCompositor
  private var received: [UInt8] = []
  private var descriptors: [Int32] = []
  private var unsent: [UInt8] = []
  /// The connection ends after so many more bytes of events; nil if it does not.
  var byteLimit: Int?

  init(_ socket: ClientSocket, _ compositor: FakeCompositor) {
    self.socket = socket
    self.compositor = compositor
    let display = Resource(
      1, .named("wl_display"), version: 1, DisplayHandler(compositor, self), of: self)
    objects[1] = display
  }

  deinit { for descriptor in descriptors { close(descriptor) } }

  package var isConnected: Bool { socket != nil }

  /// The number of objects of each interface.
  package var counts: [String: Int] {
    objects.values.reduce(into: [:]) { $0[$1.interface.name, default: 0] += 1 }
  }

  // MARK: Requests

  /// Performs all requests that have arrived. Returns whether there were any.
  func serve() -> Bool {
    guard let socket else { return false }
    guard let (bytes, files) = socket.receive() else {
      disconnect()
      return true
    }
    received += bytes
    descriptors += files
    var offset = 0
    let all = received
    while isConnected, error == nil, let message = WireMessage(all[offset...]) {
      offset += message.byteCount
      requestCount += 1
      compositor.beforeRequest?()
      do throws(ProtocolError) { try perform(message) } catch { fail(error) }
    }
    received = Array(all[min(offset, all.count)...])
    return offset > 0
  }

  private func perform(_ message: WireMessage) throws(ProtocolError) {
    guard let resource = objects[message.object] else {
      throw ProtocolError(object: 1, code: 0, text: "there is no object \(message.object)")
    }
    guard message.opcode < resource.interface.requests.count,
      resource.interface.requests[message.opcode].since <= resource.version
    else { throw invalid(resource, "request \(message.opcode) does not exist") }
    let known = resource.interface.requests[message.opcode]
    guard let arguments = message.arguments(known, &descriptors) else {
      throw invalid(resource, "the arguments of \(known.name) do not fit")
    }
    for (index, argument) in arguments.enumerated() {
      guard case .object(let id) = argument, id != 0 else { continue }
      let interface = objects[id]?.interface.name
      guard let interface, known.interface(ofArgument: index).map({ $0 == interface }) != false
      else { throw invalid(resource, "\(known.name) has a wrong object \(id)") }
    }
    try resource.handler.handle(
      ClientRequest(resource: resource, message: known, arguments: arguments, client: self))
    if ["destroy", "release"].contains(known.name) { remove(resource) }
  }

  private func invalid(_ resource: Resource, _ text: String) -> ProtocolError {
    ProtocolError(object: 1, code: 1, text: "\(resource.interface.name): \(text)")
  }

  /// Makes an object with a number that the client has chosen.
  func make(
    _ id: UInt32, _ interface: WireInterface, version: Int, _ handler: any RequestHandler
  ) throws(ProtocolError) {
    guard objects[id] == nil, id < 0xff00_0000 else {
      throw ProtocolError(object: 1, code: 0, text: "the object \(id) exists already")
    }
    objects[id] = Resource(id, interface, version: version, handler, of: self)
    handler.begin()
  }

  func remove(_ resource: Resource) {
    guard objects[resource.id] === resource else { return }
    objects[resource.id] = nil
    resource.detach()
    objects[1]?.send("delete_id", [.uint(Int(resource.id))])
  }

  // MARK: Events

  func write(_ bytes: [UInt8]) { if isConnected { unsent += bytes } }

  /// Sends events, as many as the socket takes. Returns whether there were any.
  func flush() -> Bool {
    guard let socket, !unsent.isEmpty || byteLimit == 0 else { return false }
    let bytes = Array(unsent.prefix(byteLimit ?? unsent.count))
    guard let count = socket.send(bytes) else {
      disconnect()
      return true
    }
    unsent.removeFirst(count)
    byteLimit = byteLimit.map { $0 - count }
    if byteLimit == 0 || error != nil && unsent.isEmpty { disconnect() }
    return count > 0
  }

  /// Reports an error. The connection ends when it is sent.
  func fail(_ error: ProtocolError) {
    if self.error != nil { return }
    self.error = error
    objects[1]?.send(
      "error", [.object(error.object), .uint(error.code), .text(error.text)])
  }

  /// Closes the connection and destroys all objects.
  func disconnect() {
    if socket == nil { return }
    socket = nil
    let all = objects.values.sorted { $0.id > $1.id }
    objects = [:]
    for resource in all { resource.detach() }
    for descriptor in descriptors { close(descriptor) }
    descriptors = []
  }
}

/// The object 1 of each client.
private final class DisplayHandler: RequestHandler {
  weak var resource: Resource?
  private unowned let compositor: FakeCompositor
  private unowned let client: FakeClient

  init(_ compositor: FakeCompositor, _ client: FakeClient) {
    self.compositor = compositor
    self.client = client
  }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    switch request.name {
    case "sync":
      let callback = CallbackHandler()
      try request.make(0, callback)
      callback.finish(0)
    default: try request.make(0, RegistryHandler(compositor, client))
    }
  }
}

/// A callback, which ends with its only event.
final class CallbackHandler: RequestHandler {
  weak var resource: Resource?
  func finish(_ data: Int) {
    send("done", [.uint(data)])
    resource?.destroy()
  }
}

/// Ignores all requests.
package final class InertHandler: RequestHandler {
  package weak var resource: Resource?
  package init() {}
}

/// The list of globals of a client.
final class RegistryHandler: RequestHandler {
  weak var resource: Resource?
  private unowned let compositor: FakeCompositor
  private unowned let client: FakeClient

  init(_ compositor: FakeCompositor, _ client: FakeClient) {
    self.compositor = compositor
    self.client = client
  }

  func begin() {
    compositor.registries.append(self)
    for (name, global) in compositor.globals.sorted(by: { $0.key < $1.key }) {
      announce(name, global)
    }
  }

  func end() { compositor.registries.removeAll { $0 === self } }

  func announce(_ name: Int, _ global: FakeGlobal) {
    send("global", [.uint(name), .text(global.interface), .uint(global.version)])
  }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    let (name, interface, version) = (request.number(0), request.text(1), request.number(2))
    guard case .newObject(let id) = request.arguments[3] else { return }
    // A client may bind what was removed until it knows.
    guard let global = compositor.globals[name] ?? compositor.removedGlobals[name],
      global.interface == interface, (1...global.version).contains(version)
    else { throw request.resource.error(0, "there is no global \(name) \(interface)") }
    try client.make(id, .named(interface), version: version, global.makeHandler())
  }
}
