// ext-background-effect-v1.xml: blur by the compositor.

extension InterfaceTable {
  static let backgroundEffectManager = InterfaceTable(
    "ext_background_effect_manager_v1", 1, BackgroundEffectManagerRequest.self,
    BackgroundEffectManagerEvent.self)
  static let backgroundEffect = InterfaceTable(
    "ext_background_effect_surface_v1", 1, BackgroundEffectRequest.self)
}

enum BackgroundEffectManagerRequest: Int, MessageSet {
  case destroy, getBackgroundEffect
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .getBackgroundEffect:
      Message(
        "get_background_effect", "no", "ext_background_effect_surface_v1", "wl_surface")
    }
  }
}

enum BackgroundEffectManagerEvent: Int, MessageSet {
  case capabilities
  var message: Message {
    switch self {
    case .capabilities: Message("capabilities", "u")
    }
  }
}

enum BackgroundEffectRequest: Int, MessageSet {
  case destroy, setBlurRegion
  var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .setBlurRegion: Message("set_blur_region", "?o", "wl_region")
    }
  }
}
