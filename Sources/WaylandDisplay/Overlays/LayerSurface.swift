import Panes
import Raster
import WaylandClient

/// The objects of a layer surface, and what the compositor was told about it.
struct LayerSurface {
  let surface, object: WaylandObject
  /// Maps the buffer to the size of the surface; nil if the compositor cannot.
  private let viewport: WaylandObject?
  /// Lets the compositor blur what is behind it; nil if it is not asked to.
  private let effect: WaylandObject?
  /// The place for which the compositor was told last.
  private(set) var place: SurfacePlace
  private(set) var layer: StackingLayer
  /// The layer of wlr-layer-shell for `top`.
  private let highestLayer: Int
  private(set) var isConfigured = false
  /// Whether its place was sent, but not committed: that must happen together with the pixels for it.
  private(set) var isPlacePending = false
  /// Whether it has the keyboard while it is shown.
  private(set) var takesKeyboard = false
  /// The callback of the last commit.
  private var frameCallback: WaylandObject?
  /// Whether the compositor has drawn the last commit, as far as it says.
  private(set) var isFrameDone = false
  /// Where it takes clicks, and where the compositor blurs.
  private var input = SentRegion(isOutdated: true)
  private var blurred = SentRegion()

  /// A wanted region, and whether it differs from the one that the compositor has.
  private struct SentRegion {
    private(set) var region = Region()
    var isOutdated = false

    mutating func set(_ new: Region) {
      if region == new { return }
      region = new
      isOutdated = true
    }
  }

  init(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection,
    on output: WaylandObject, layer: StackingLayer, at place: SurfacePlace, highestLayer: Int
  ) {
    self.place = place
    self.layer = layer
    self.highestLayer = highestLayer
    surface = connection.make(
      .surface, by: CompositorRequest.createSurface, of: objects.compositor, [.newObject])
    object = connection.make(
      .layerSurface, by: LayerShellRequest.getLayerSurface, of: objects.layerShell,
      [
        .newObject, .object(surface), .object(output),
        .uint(layer.waylandLayer(highest: highestLayer)), .text("backdropd"),
      ])
    viewport = objects.viewporter.map { [surface] in
      connection.make(
        .viewport, by: ViewporterRequest.getViewport, of: $0, [.newObject, .object(surface)])
    }
    effect = objects.backgroundEffects.map { [surface] in
      connection.make(
        .backgroundEffect, by: BackgroundEffectManagerRequest.getBackgroundEffect, of: $0,
        [.newObject, .object(surface)])
    }
    // From the top left corner, over the space of panels too.
    connection.send(LayerSurfaceRequest.setAnchor, to: object, [.uint(1 | 4)])
    connection.send(LayerSurfaceRequest.setExclusiveZone, to: object, [.int(-1)])
    sendPlace(connection)
  }

  func destroy(_ connection: borrowing WaylandConnection) {
    if let frameCallback { connection.release(frameCallback) }
    if let effect {
      connection.send(BackgroundEffectRequest.destroy, to: effect, destroys: true)
    }
    if let viewport { connection.send(ViewportRequest.destroy, to: viewport, destroys: true) }
    connection.send(LayerSurfaceRequest.destroy, to: object, destroys: true)
    connection.send(SurfaceRequest.destroy, to: surface, destroys: true)
  }

  /// Its layer of wlr-layer-shell.
  var waylandLayer: Int { layer.waylandLayer(highest: highestLayer) }

  // MARK: State

  mutating func acknowledgeConfigure(serial: Int, _ connection: borrowing WaylandConnection) {
    isConfigured = true
    connection.send(LayerSurfaceRequest.ackConfigure, to: object, [.uint(serial)])
  }

  mutating func setLayer(_ new: StackingLayer, _ connection: borrowing WaylandConnection) {
    layer = new
    connection.send(LayerSurfaceRequest.setLayer, to: object, [.uint(waylandLayer)])
  }

  mutating func move(to new: SurfacePlace, _ connection: borrowing WaylandConnection) {
    place = new
    // Regions are sent in the coordinates of the surface.
    (input.isOutdated, blurred.isOutdated) = (true, effect != nil)
    sendPlace(connection)
  }

  private mutating func sendPlace(_ connection: borrowing WaylandConnection) {
    isPlacePending = true
    let logical = place.logical
    if let viewport {
      connection.send(
        ViewportRequest.setDestination, to: viewport, [.int(logical.width), .int(logical.height)])
    } else {
      connection.send(
        SurfaceRequest.setBufferScale, to: surface, [.int(max(1, Int(place.scale.rounded())))])
    }
    connection.send(
      LayerSurfaceRequest.setSize, to: object, [.uint(logical.width), .uint(logical.height)])
    connection.send(
      LayerSurfaceRequest.setMargin, to: object,
      [.int(logical.y), .int(0), .int(0), .int(logical.x)])
  }

  /// Takes the keyboard, or gives it back to the surface that had it before.
  ///
  /// The commit has no buffer, so it changes no pixel, and captures show the same face as before. If a new place is pending, the
  /// change waits for the commit with the pixels for that place.
  mutating func setTakesKeyboard(_ takes: Bool, _ connection: borrowing WaylandConnection) {
    if takes == takesKeyboard { return }
    takesKeyboard = takes
    connection.send(
      LayerSurfaceRequest.setKeyboardInteractivity, to: object, [.uint(takes ? 1 : 0)])
    if !isPlacePending { commit(connection) }
  }

  // MARK: Regions

  /// Sets where the next commit takes clicks, and where the compositor blurs with it.
  mutating func setRegions(input: Region, blurred: Region) {
    self.input.set(input)
    if effect != nil { self.blurred.set(blurred) }
  }

  /// Whether a commit would change where it takes clicks, or where the compositor blurs.
  var areRegionsOutdated: Bool { input.isOutdated || blurred.isOutdated }

  private mutating func sendRegions(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection
  ) {
    if input.isOutdated {
      let region = makeRegion(input.region, objects, connection)
      connection.send(SurfaceRequest.setInputRegion, to: surface, [.object(region)])
      connection.send(RegionRequest.destroy, to: region, destroys: true)
    }
    if blurred.isOutdated, let effect {
      let region = makeRegion(blurred.region, objects, connection)
      connection.send(BackgroundEffectRequest.setBlurRegion, to: effect, [.object(region)])
      connection.send(RegionRequest.destroy, to: region, destroys: true)
    }
    (input.isOutdated, blurred.isOutdated) = (false, false)
  }

  private func makeRegion(
    _ pixels: Region, _ objects: DisplayObjects, _ connection: borrowing WaylandConnection
  ) -> WaylandObject {
    let region = connection.make(
      .region, by: CompositorRequest.createRegion, of: objects.compositor, [.newObject])
    for part in pixels.rects {
      let local = place.local(part)
      connection.send(
        RegionRequest.add, to: region,
        [.int(local.x), .int(local.y), .int(local.width), .int(local.height)])
    }
    return region
  }

  // MARK: Commits

  /// Commits what was sent.
  mutating func commit(_ connection: borrowing WaylandConnection) {
    isPlacePending = false
    connection.send(SurfaceRequest.commit, to: surface)
  }

  /// Commits the regions without other pixels.
  mutating func commitRegions(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection
  ) {
    sendRegions(objects, connection)
    commit(connection)
  }

  /// Commits a buffer that differs in `damage` from what was shown. The event `done` follows.
  mutating func commit(
    _ buffer: SharedBuffer, _ damage: Region, _ objects: DisplayObjects,
    _ connection: borrowing WaylandConnection
  ) {
    connection.send(SurfaceRequest.attach, to: surface, [.object(buffer.object), .int(0), .int(0)])
    buffer.isBusy = true
    for part in damage.simplified(to: 16).rects {
      connection.send(
        SurfaceRequest.damageBuffer, to: surface,
        [
          .int(part.x - place.rect.x), .int(part.y - place.rect.y), .int(part.width),
          .int(part.height),
        ])
    }
    sendRegions(objects, connection)
    releaseCallback(connection)
    frameCallback = connection.make(
      .callback, by: SurfaceRequest.frame, of: surface, [.newObject])
    isFrameDone = false
    commit(connection)
  }

  /// Whether the event `done` is requested.
  var awaitsFrameDone: Bool { frameCallback != nil }

  /// Requests the event `done` for the next picture in which it is visible, without other pixels.
  mutating func requestFrameDone(_ connection: borrowing WaylandConnection) {
    if frameCallback != nil { return }
    frameCallback = connection.make(
      .callback, by: SurfaceRequest.frame, of: surface, [.newObject])
    if !isPlacePending { commit(connection) }
  }

  /// Handles the event `done` of a callback: the compositor has drawn the last commit. Returns whether `object` is its callback.
  mutating func handleFrameDone(
    _ callback: WaylandObject, _ connection: borrowing WaylandConnection
  ) -> Bool {
    if callback != frameCallback { return false }
    releaseCallback(connection)
    isFrameDone = true
    return true
  }

  private mutating func releaseCallback(_ connection: borrowing WaylandConnection) {
    if let frameCallback { connection.release(frameCallback) }
    frameCallback = nil
  }
}
