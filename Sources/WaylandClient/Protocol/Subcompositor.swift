// The interfaces of wayland.xml for surfaces that are parts of others.

extension InterfaceTable {
  /// Makes surfaces parts of others.
  package static let subcompositor = InterfaceTable(
    "wl_subcompositor", 1, SubcompositorRequest.self)
  /// The place of a surface above its parent. A commit of it takes effect with the next one of the parent.
  package static let subsurface = InterfaceTable("wl_subsurface", 1, SubsurfaceRequest.self)
}

/// The requests of `wl_subcompositor`.
package enum SubcompositorRequest: Int, MessageSet {
  case destroy, getSubsurface
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .getSubsurface:
      Message("get_subsurface", "noo", "wl_subsurface", "wl_surface", "wl_surface")
    }
  }
}

/// The requests of `wl_subsurface`.
package enum SubsurfaceRequest: Int, MessageSet {
  case destroy, setPosition, placeAbove, placeBelow, setSync, setDesync
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .setPosition: Message("set_position", "ii")
    case .placeAbove: Message("place_above", "o", "wl_surface")
    case .placeBelow: Message("place_below", "o", "wl_surface")
    case .setSync: Message("set_sync")
    case .setDesync: Message("set_desync")
    }
  }
}
