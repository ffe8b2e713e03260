// wlr-layer-shell-unstable-v1.xml: surfaces in layers below and above windows.

extension InterfaceTable {
  static let layerShell = InterfaceTable("zwlr_layer_shell_v1", 4, LayerShellRequest.self)
  static let layerSurface = InterfaceTable(
    "zwlr_layer_surface_v1", 4, LayerSurfaceRequest.self, LayerSurfaceEvent.self)
}

enum LayerShellRequest: Int, MessageSet {
  case getLayerSurface, destroy
  var message: Message {
    switch self {
    case .getLayerSurface:
      Message("get_layer_surface", "no?ous", "zwlr_layer_surface_v1", "wl_surface", "wl_output")
    case .destroy: Message("destroy", "3")
    }
  }
}

enum LayerSurfaceRequest: Int, MessageSet {
  case setSize, setAnchor, setExclusiveZone, setMargin, setKeyboardInteractivity, getPopup
  case ackConfigure, destroy, setLayer
  var message: Message {
    switch self {
    case .setSize: Message("set_size", "uu")
    case .setAnchor: Message("set_anchor", "u")
    case .setExclusiveZone: Message("set_exclusive_zone", "i")
    case .setMargin: Message("set_margin", "iiii")
    case .setKeyboardInteractivity: Message("set_keyboard_interactivity", "u")
    case .getPopup: Message("get_popup", "o", "xdg_popup")
    case .ackConfigure: Message("ack_configure", "u")
    case .destroy: Message("destroy")
    case .setLayer: Message("set_layer", "2u")
    }
  }
}

enum LayerSurfaceEvent: Int, MessageSet {
  case configure, closed
  var message: Message {
    switch self {
    case .configure: Message("configure", "uuu")
    case .closed: Message("closed")
    }
  }
}
