// viewporter.xml: surfaces whose size differs from that of their buffers.

extension InterfaceTable {
  static let viewporter = InterfaceTable("wp_viewporter", 1, ViewporterRequest.self)
  static let viewport = InterfaceTable("wp_viewport", 1, ViewportRequest.self)
}

enum ViewporterRequest: Int, MessageSet {
  case destroy, getViewport
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .getViewport: Message("get_viewport", "no", "wp_viewport", "wl_surface")
    }
  }
}

enum ViewportRequest: Int, MessageSet {
  case destroy, setSource, setDestination
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .setSource: Message("set_source", "ffff")
    case .setDestination: Message("set_destination", "ii")
    }
  }
}
