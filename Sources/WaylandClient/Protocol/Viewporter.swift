// viewporter.xml: surfaces whose size differs from that of their buffers.

extension InterfaceTable {
  /// Scales surfaces.
  package static let viewporter = InterfaceTable("wp_viewporter", 1, ViewporterRequest.self)
  /// The size of a surface.
  package static let viewport = InterfaceTable("wp_viewport", 1, ViewportRequest.self)
}

/// The requests of `wp_viewporter`.
package enum ViewporterRequest: Int, MessageSet {
  case destroy, getViewport
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .getViewport: Message("get_viewport", "no", "wp_viewport", "wl_surface")
    }
  }
}

/// The requests of `wp_viewport`.
package enum ViewportRequest: Int, MessageSet {
  case destroy, setSource, setDestination
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .setSource: Message("set_source", "ffff")
    case .setDestination: Message("set_destination", "ii")
    }
  }
}
