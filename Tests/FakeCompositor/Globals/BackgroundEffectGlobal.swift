import Raster

extension FakeCompositor {
  /// Offers `ext_background_effect_manager_v1`. It can blur if the lowest bit of the capabilities is set.
  package func addBackgroundEffects(capabilities: Int) {
    add(
      FakeGlobal("ext_background_effect_manager_v1") {
        BackgroundEffectManagerHandler(capabilities: capabilities)
      })
  }
}

/// `ext_background_effect_manager_v1`.
private final class BackgroundEffectManagerHandler: RequestHandler {
  weak var resource: Resource?
  private let capabilities: Int

  init(capabilities: Int) { self.capabilities = capabilities }

  func begin() { send("capabilities", [.uint(capabilities)]) }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "get_background_effect",
      let surface = request.handler(1, as: FakeSurface.self)
    else { return }
    guard !surface.hasEffect else {
      throw request.resource.error(0, "the surface has a background effect")
    }
    try request.make(0, BackgroundEffectHandler(surface))
    surface.hasEffect = true
  }
}

/// `ext_background_effect_surface_v1`.
private final class BackgroundEffectHandler: RequestHandler {
  weak var resource: Resource?
  private weak var surface: FakeSurface?

  init(_ surface: FakeSurface) { self.surface = surface }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "set_blur_region" else { return }
    guard let surface, surface.resource != nil else {
      throw request.resource.error(0, "the surface is gone")
    }
    surface.setBlurred(request.handler(0, as: RegionHandler.self)?.region)
  }

  func end() {
    surface?.hasEffect = false
    surface?.setBlurred(nil)
  }
}
