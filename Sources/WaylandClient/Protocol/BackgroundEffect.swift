// ext-background-effect-v1.xml: blur by the compositor.

extension InterfaceTable {
  /// Makes objects for background effects.
  package static let backgroundEffectManager = InterfaceTable(
    "ext_background_effect_manager_v1", 1, BackgroundEffectManagerRequest.self,
    BackgroundEffectManagerEvent.self)
  /// The background effect of a surface.
  package static let backgroundEffect = InterfaceTable(
    "ext_background_effect_surface_v1", 1, BackgroundEffectRequest.self)
}

/// The requests of `ext_background_effect_manager_v1`.
package enum BackgroundEffectManagerRequest: Int, MessageSet {
  case destroy, getBackgroundEffect
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .getBackgroundEffect:
      Message(
        "get_background_effect", "no", "ext_background_effect_surface_v1", "wl_surface")
    }
  }
}

/// The events of `ext_background_effect_manager_v1`.
package enum BackgroundEffectManagerEvent: Int, MessageSet {
  case capabilities
  package var message: Message {
    switch self {
    case .capabilities: Message("capabilities", "u")
    }
  }
}

/// The requests of `ext_background_effect_surface_v1`.
package enum BackgroundEffectRequest: Int, MessageSet {
  case destroy, setBlurRegion
  package var message: Message {
    switch self {
    case .destroy: Message("destroy")
    case .setBlurRegion: Message("set_blur_region", "?o", "wl_region")
    }
  }
}
