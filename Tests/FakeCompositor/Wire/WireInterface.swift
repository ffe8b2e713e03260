package import WaylandClient

/// An interface of the protocol with its messages, in the order of their opcodes.
package struct WireInterface: Sendable {
  package let name: String
  package let version: Int
  package let requests, events: [Message]

  /// The interfaces that the tables of the display lack, because libwayland has them.
  private static let display = WireInterface(
    name: "wl_display", version: 1,
    requests: [
      Message("sync", "n", "wl_callback"), Message("get_registry", "n", "wl_registry"),
    ],
    events: [Message("error", "ous"), Message("delete_id", "u")])

  private static let all: [String: WireInterface] = {
    var all = [display.name: display]
    for table in InterfaceTable.all {
      all[table.name] = WireInterface(
        name: table.name, version: table.version, requests: table.requests, events: table.events)
    }
    return all
  }()

  /// The interface with a name. Traps if it is unknown.
  package static func named(_ name: String) -> WireInterface {
    guard let interface = all[name] else { preconditionFailure("\(name) has no table") }
    return interface
  }
}

extension Message {
  /// The version of the interface since which it exists.
  var since: Int { Int(signature.prefix { $0.isNumber }) ?? 1 }

  /// For each argument, its kind and whether it may be null.
  var parameters: [(kind: Character, isNullable: Bool)] {
    var found: [(Character, Bool)] = []
    var isNullable = false
    for letter in signature where !letter.isNumber {
      if letter == "?" {
        isNullable = true
      } else {
        found.append((letter, isNullable))
        isNullable = false
      }
    }
    return found
  }

  /// The interface of an argument that is an object; nil if it may be any.
  func interface(ofArgument index: Int) -> String? {
    let position = kinds[..<index].count { "on".contains($0) }
    return position < interfaces.count ? interfaces[position] : nil
  }
}
