/// An interface of the Wayland protocol: a fact of the wire. A test compares all with the XML of their protocols.
package struct InterfaceTable: Sendable {
  package let name: String
  /// The newest version that is described.
  package let version: Int
  /// In the order of their opcodes.
  package let requests, events: [Message]

  /// An interface without events that are used.
  package init<Request: MessageSet>(_ name: String, _ version: Int, _ requests: Request.Type) {
    self.init(name, version, requests: Request.allCases.map(\.message), events: [])
  }

  /// An interface without requests that are used.
  package init<Event: MessageSet>(_ name: String, _ version: Int, events: Event.Type) {
    self.init(name, version, requests: [], events: Event.allCases.map(\.message))
  }

  /// `version` is the newest one that the requests and the events describe.
  package init<Request: MessageSet, Event: MessageSet>(
    _ name: String, _ version: Int, _ requests: Request.Type, _ events: Event.Type
  ) {
    self.init(
      name, version, requests: Request.allCases.map(\.message),
      events: Event.allCases.map(\.message))
  }

  private init(_ name: String, _ version: Int, requests: [Message], events: [Message]) {
    self.name = name
    self.version = version
    self.requests = requests
    self.events = events
  }
}

/// The requests or the events of an interface. The raw values are the opcodes.
package protocol MessageSet: CaseIterable, RawRepresentable<Int> {
  var message: Message { get }
}

/// A request or an event.
package struct Message: Equatable, Sendable {
  package let name: String
  /// The version since which it exists, if that is not the first one; then a letter for each argument: i (signed), u
  /// (unsigned), f (fixed-point), s (text), o (object), n (new object), a (array), h (descriptor), each after a ? if it may
  /// be null.
  package let signature: String
  /// The interface of each object among the arguments, in their order.
  package let interfaces: [String]

  /// An argument without `interfaces` may be an object of any interface.
  package init(_ name: String, _ signature: String = "", _ interfaces: String...) {
    self.init(name, signature: signature, interfaces: interfaces)
  }

  /// The same with the interfaces in a list.
  package init(_ name: String, signature: String, interfaces: [String]) {
    self.name = name
    self.signature = signature
    self.interfaces = interfaces
  }

  /// The kinds of the arguments, as in the signature.
  package var kinds: [Character] { signature.filter { $0.isLetter } }
}
