// wlr-layer-shell-unstable-v1.xml: surfaces in layers below and above windows.

extension InterfaceTable {
  /// Puts surfaces into layers below and above windows.
  package static let layerShell = InterfaceTable("zwlr_layer_shell_v1", 4, LayerShellRequest.self)
  /// The place of a surface in a layer.
  package static let layerSurface = InterfaceTable(
    "zwlr_layer_surface_v1", 4, LayerSurfaceRequest.self, LayerSurfaceEvent.self)
}

/// The requests of `zwlr_layer_shell_v1`.
package enum LayerShellRequest: Int, MessageSet {
  case getLayerSurface, destroy
  package var message: Message {
    switch self {
    case .getLayerSurface:
      Message("get_layer_surface", "no?ous", "zwlr_layer_surface_v1", "wl_surface", "wl_output")
    case .destroy: Message("destroy", "3")
    }
  }
}

/// The requests of `zwlr_layer_surface_v1`.
package enum LayerSurfaceRequest: Int, MessageSet {
  case setSize, setAnchor, setExclusiveZone, setMargin, setKeyboardInteractivity, getPopup
  case ackConfigure, destroy, setLayer
  package var message: Message {
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

/// The events of `zwlr_layer_surface_v1`.
package enum LayerSurfaceEvent: Int, MessageSet {
  case configure, closed
  package var message: Message {
    switch self {
    case .configure: Message("configure", "uuu")
    case .closed: Message("closed")
    }
  }
}
