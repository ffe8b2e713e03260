/// An object of the protocol: a proxy of libwayland. It must not be used after the request that destroys it. A later object,
/// which may have the same address, is not equal: an event that was received before belongs to none.
package struct WaylandObject: Hashable, Sendable {
  let address: UInt
  private let number: UInt64

  /// `number` must be another one for each object.
  @unsafe init(_ proxy: OpaquePointer, number: UInt64) {
    address = UInt(bitPattern: proxy)
    self.number = number
  }

  @unsafe var proxy: OpaquePointer {
    guard let proxy = unsafe OpaquePointer(bitPattern: address) else {
      preconditionFailure("a proxy is never null")
    }
    return unsafe proxy
  }
}

/// An argument of a request or an event.
package enum WaylandArgument: Equatable, Sendable {
  case int(Int)
  case uint(Int)
  /// In units of 1/256.
  case fixed(Int32)
  case text(String)
  /// Nil is the null object.
  case object(WaylandObject?)
  /// A descriptor of a request; it stays open.
  case descriptor(Int32)
  /// A descriptor of an event.
  case file(ReceivedFile)
  /// The place of the object that a request makes.
  case newObject
  /// An argument of a kind that is not used.
  case other
}

/// An event of an object.
package struct WaylandEvent: Equatable, Sendable {
  package let object: WaylandObject
  package let opcode: Int
  package let arguments: [WaylandArgument]

  /// A number among the arguments. Traps if it is none: the signature says what is.
  package func number(_ index: Int) -> Int {
    switch arguments[index] {
    case .int(let number), .uint(let number): number
    default: preconditionFailure("argument \(index) is no number")
    }
  }

  /// A number with a fraction among the arguments. Traps if it is none.
  package func fraction(_ index: Int) -> Double {
    guard case .fixed(let number) = arguments[index] else {
      preconditionFailure("argument \(index) is no fraction")
    }
    return Double(number) / 256
  }

  /// An object among the arguments; nil if it is the null object, or was destroyed.
  package func object(_ index: Int) -> WaylandObject? {
    if case .object(let object) = arguments[index] { object } else { nil }
  }

  /// A text among the arguments; empty if it is none.
  package func text(_ index: Int) -> String {
    if case .text(let text) = arguments[index] { text } else { "" }
  }
}
