/// The globals of a compositor: what it offers, in which version.
struct Globals {
  /// By the name that the compositor gives.
  private(set) var all: [Int: Global] = [:]

  struct Global: Equatable {
    let interface: String
    let version: Int
  }

  /// A change of the globals.
  enum Change: Equatable {
    case added(Int, Global)
    case removed(Int, Global)
  }

  /// Applies an event of the registry.
  mutating func take(_ event: WaylandEvent) -> Change? {
    let name = event.number(0)
    switch RegistryEvent(rawValue: event.opcode) {
    case .global:
      let global = Global(interface: event.text(1), version: event.number(2))
      all[name] = global
      return .added(name, global)
    case .globalRemove: return all.removeValue(forKey: name).map { .removed(name, $0) }
    case nil: return nil
    }
  }

  /// The version of an interface that is offered; nil if it is not.
  func version(of table: InterfaceTable) -> Int? {
    all.values.first { $0.interface == table.name }?.version
  }
}

extension WaylandConnection {
  /// The object for a global, in the newest version that both sides know. Nil if the compositor has none.
  func bind(_ table: InterfaceTable, in globals: Globals) -> WaylandObject? {
    guard let (name, global) = globals.all.first(where: { $0.value.interface == table.name })
    else { return nil }
    return bind(table, name, global)
  }

  /// The object for one of several globals of an interface.
  func bind(_ table: InterfaceTable, _ name: Int, _ global: Globals.Global) -> WaylandObject {
    let version = min(table.version, global.version)
    return make(
      table, by: RegistryRequest.bind, of: registry,
      [.uint(name), .text(table.name), .uint(version), .newObject], version: version)
  }
}
