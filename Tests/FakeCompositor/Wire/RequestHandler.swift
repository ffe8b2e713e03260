import WaylandClient

/// The behaviour of an object: what its requests do.
///
/// To add a protocol, write a handler for each of its interfaces, and add a `FakeGlobal` whose objects have the first of
/// them. The interfaces must be in `InterfaceTable.all`.
package protocol RequestHandler: AnyObject {
  /// The object; nil before its beginning and after its end. Set by the client's connection.
  var resource: Resource? { get set }

  /// Called when the object was made. It may send events.
  func begin()

  /// Performs a request. Requests with the name "destroy" or "release" destroy the object afterwards. Throws if the client
  /// is wrong, which ends its connection.
  func handle(_ request: ClientRequest) throws(ProtocolError)

  /// Called when the object was destroyed, also because the client is gone.
  func end()
}

extension RequestHandler {
  package func begin() {}
  /// Ignores all requests.
  package func handle(_ request: ClientRequest) throws(ProtocolError) {}
  package func end() {}

  /// Sends an event of the object, if it still exists and its version has the event. Traps if the interface has none with
  /// this name.
  package func send(_ event: String, _ arguments: [WireValue] = []) {
    resource?.send(event, arguments)
  }
}

/// An object of a client.
package final class Resource {
  package let id: UInt32
  package let interface: WireInterface
  package let version: Int
  package let handler: any RequestHandler
  /// Its client; nil if it is gone.
  package private(set) weak var client: FakeClient?

  init(
    _ id: UInt32, _ interface: WireInterface, version: Int, _ handler: any RequestHandler,
    of client: FakeClient
  ) {
    self.id = id
    self.interface = interface
    self.version = version
    self.handler = handler
    self.client = client
    handler.resource = self
  }

  /// Sends an event, if its version has it. Traps if the interface has none with this name.
  package func send(_ event: String, _ arguments: [WireValue] = []) {
    guard let opcode = interface.events.firstIndex(where: { $0.name == event }) else {
      preconditionFailure("\(interface.name) has no event \(event)")
    }
    if interface.events[opcode].since > version { return }
    client?.write(WireMessage.bytes(id, opcode, arguments))
  }

  /// Ends the object as the compositor's own decision, such as a callback that is done.
  package func destroy() { client?.remove(self) }

  /// Called by the client when it has removed the object.
  func detach() {
    handler.end()
    handler.resource = nil
  }

  /// An error of the client that is reported for this object.
  package func error(_ code: Int, _ text: String) -> ProtocolError {
    ProtocolError(object: id, code: code, text: "\(interface.name): \(text)")
  }
}

/// A request of a client, with objects instead of their numbers.
package struct ClientRequest {
  /// The object to which it was sent.
  package let resource: Resource
  let message: Message
  package let arguments: [WireValue]
  let client: FakeClient

  package var name: String { message.name }

  /// A number among the arguments. Traps if it is none: the signature says what is.
  package func number(_ index: Int) -> Int {
    switch arguments[index] {
    case .int(let number), .uint(let number), .fixed(let number): number
    default: preconditionFailure("argument \(index) of \(name) is no number")
    }
  }

  /// A text among the arguments; empty if it is null or none.
  package func text(_ index: Int) -> String {
    if case .text(let text?) = arguments[index] { text } else { "" }
  }

  /// The rectangle of four numbers.
  package func numbers(from index: Int) -> (x: Int, y: Int, width: Int, height: Int) {
    (number(index), number(index + 1), number(index + 2), number(index + 3))
  }

  /// The behaviour of an object among the arguments; nil if it is null or has another behaviour.
  package func handler<Handler: RequestHandler>(_ index: Int, as type: Handler.Type) -> Handler? {
    guard case .object(let id) = arguments[index] else { return nil }
    return client.objects[id]?.handler as? Handler
  }

  /// Makes the new object of an argument.
  package func make(_ index: Int, _ handler: any RequestHandler) throws(ProtocolError) {
    guard case .newObject(let id) = arguments[index],
      let interface = message.interface(ofArgument: index)
    else { preconditionFailure("argument \(index) of \(name) is no new object") }
    try client.make(id, .named(interface), version: resource.version, handler)
  }
}

/// An error of a client, after which its connection is closed.
package struct ProtocolError: Error, Equatable {
  package let object: UInt32
  package let code: Int
  package let text: String
}

/// An object that a compositor offers.
package struct FakeGlobal {
  package let interface: String
  package let version: Int
  /// Makes the behaviour of an object that a client binds.
  package let makeHandler: () -> any RequestHandler

  /// The newest version of the tables if `version` is nil.
  package init(
    _ interface: String, version: Int? = nil, _ makeHandler: @escaping () -> any RequestHandler
  ) {
    self.interface = interface
    self.version = version ?? WireInterface.named(interface).version
    self.makeHandler = makeHandler
  }
}
