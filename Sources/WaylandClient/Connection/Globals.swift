/// The globals of a compositor: what it offers, in which version.
package struct Globals {
  /// By the name that the compositor gives.
  package private(set) var all: [Int: Global] = [:]

  /// The newest version of an interface that the compositor offers.
  package struct Global: Equatable, Sendable {
    package let interface: String
    package let version: Int

    package init(interface: String, version: Int) {
      self.interface = interface
      self.version = version
    }
  }

  /// A change of the globals.
  package enum Change: Equatable {
    case added(Int, Global)
    case removed(Int, Global)
  }

  package init() {}

  /// Applies an event of the registry. Returns nil if no global has changed.
  package mutating func handle(_ event: WaylandEvent) -> Change? {
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
  package func version(of table: InterfaceTable) -> Int? {
    all.values.first { $0.interface == table.name }?.version
  }

  /// Whether an interface is offered.
  package func has(_ interface: String) -> Bool {
    all.values.contains { $0.interface == interface }
  }
}

extension WaylandConnection {
  /// The globals of the compositor, at the start. Waits for it. Throws `lost` or `refused`.
  package func globals() throws(WaylandError) -> Globals {
    try roundTrip()
    var globals = Globals()
    for event in try takeEvents(reads: false) where event.object == registry {
      _ = globals.handle(event)
    }
    return globals
  }

  /// The object for a global, in the newest version that both sides know. Nil if the compositor has none.
  package func bind(_ table: InterfaceTable, in globals: Globals) -> WaylandObject? {
    guard let (name, global) = globals.all.first(where: { $0.value.interface == table.name })
    else { return nil }
    return bind(table, name, global)
  }

  /// The object for one of several globals of an interface.
  package func bind(
    _ table: InterfaceTable, _ name: Int, _ global: Globals.Global
  ) -> WaylandObject {
    let version = min(table.version, global.version)
    return make(
      table, by: RegistryRequest.bind, of: registry,
      [.uint(name), .text(table.name), .uint(version), .newObject], version: version)
  }
}
