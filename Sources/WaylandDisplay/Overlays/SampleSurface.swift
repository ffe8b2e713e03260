import Frost
import Panes
import Raster
import WaylandClient

/// A surface that shows a `BlendingSample`: the lower picture, and the upper one as a part of it.
final class SampleSurface {
  let place: SurfacePlace
  let level: BackdropLevel
  let layerSurface: WaylandObject
  private let lower, upper: Layer
  private let subsurface: WaylandObject
  /// What was committed; nil before.
  private(set) var sample: BlendingSample?
  private var isConfigured = false

  /// One of the two surfaces.
  private final class Layer {
    let surface: WaylandObject
    private let viewport: WaylandObject?
    private var buffer: SharedBuffer?

    init(
      _ objects: DisplayObjects, _ connection: borrowing WaylandConnection, _ place: SurfacePlace
    ) {
      surface = connection.make(
        .surface, by: CompositorRequest.createSurface, of: objects.compositor, [.newObject])
      viewport = objects.viewporter.map { [surface] in
        connection.make(
          .viewport, by: ViewporterRequest.getViewport, of: $0, [.newObject, .object(surface)])
      }
      if let viewport {
        connection.send(
          ViewportRequest.setDestination, to: viewport,
          [.int(place.logical.width), .int(place.logical.height)])
      } else {
        connection.send(
          SurfaceRequest.setBufferScale, to: surface, [.int(max(1, Int(place.scale.rounded())))])
      }
      // Clicks go to what is below.
      let region = connection.make(
        .region, by: CompositorRequest.createRegion, of: objects.compositor, [.newObject])
      connection.send(SurfaceRequest.setInputRegion, to: surface, [.object(region)])
      connection.send(RegionRequest.destroy, to: region, destroys: true)
    }

    func commit(
      _ pixels: [UInt32], _ layout: PixelLayout, _ objects: DisplayObjects,
      _ connection: borrowing WaylandConnection
    ) throws(WaylandError) {
      let size = (layout.bounds.width, layout.bounds.height)
      let new = try SharedBuffer(
        connection, objects.shm, width: size.0, height: size.1, .argb)
      new.withPixels { span in for i in pixels.indices { span[i] = pixels[i] } }
      buffer = new
      connection.send(SurfaceRequest.attach, to: surface, [.object(new.object), .int(0), .int(0)])
      connection.send(
        SurfaceRequest.damageBuffer, to: surface, [.int(0), .int(0), .int(size.0), .int(size.1)])
      connection.send(SurfaceRequest.commit, to: surface)
    }

    func destroy(_ connection: borrowing WaylandConnection) {
      if let viewport { connection.send(ViewportRequest.destroy, to: viewport, destroys: true) }
      connection.send(SurfaceRequest.destroy, to: surface, destroys: true)
      if let buffer { connection.send(BufferRequest.destroy, to: buffer.object, destroys: true) }
    }
  }

  /// The event `configure` follows.
  init(
    _ objects: DisplayObjects, _ subcompositor: WaylandObject,
    _ connection: borrowing WaylandConnection, on output: WaylandObject,
    _ level: BackdropLevel, at place: SurfacePlace
  ) {
    self.place = place
    self.level = level
    lower = Layer(objects, connection, place)
    upper = Layer(objects, connection, place)
    // Above all windows, or below them as the overlays.
    let layer = level == .windows ? StackingLayer.top : .belowDocks
    layerSurface = connection.make(
      .layerSurface, by: LayerShellRequest.getLayerSurface, of: objects.layerShell,
      [
        .newObject, .object(lower.surface), .object(output), .uint(layer.waylandLayer),
        .text("backdropd"),
      ])
    subsurface = connection.make(
      .subsurface, by: SubcompositorRequest.getSubsurface, of: subcompositor,
      [.newObject, .object(upper.surface), .object(lower.surface)])
    connection.placeLayerSurface(layerSurface, at: place)
    connection.send(SurfaceRequest.commit, to: lower.surface)
  }

  func takeConfigure(serial: Int, _ connection: borrowing WaylandConnection) {
    isConfigured = true
    connection.send(LayerSurfaceRequest.ackConfigure, to: layerSurface, [.uint(serial)])
  }

  /// Whether a sample can be shown, and was not yet.
  var isReady: Bool { isConfigured && sample == nil }

  /// Throws `outOfMemory`.
  func show(
    _ sample: BlendingSample, _ objects: DisplayObjects,
    _ connection: borrowing WaylandConnection
  ) throws(WaylandError) {
    // The upper one takes effect with the lower one.
    try upper.commit(sample.upper, sample.layout, objects, connection)
    try lower.commit(sample.lower, sample.layout, objects, connection)
    self.sample = sample
  }

  func destroy(_ connection: borrowing WaylandConnection) {
    connection.send(SubsurfaceRequest.destroy, to: subsurface, destroys: true)
    connection.send(LayerSurfaceRequest.destroy, to: layerSurface, destroys: true)
    upper.destroy(connection)
    lower.destroy(connection)
  }
}

extension WaylandConnection {
  /// Places a surface relative to the top left corner of its output, over the space of panels too.
  func placeLayerSurface(_ layerSurface: WaylandObject, at place: SurfacePlace) {
    let logical = place.logical
    send(LayerSurfaceRequest.setAnchor, to: layerSurface, [.uint(1 | 4)])
    send(LayerSurfaceRequest.setExclusiveZone, to: layerSurface, [.int(-1)])
    send(
      LayerSurfaceRequest.setSize, to: layerSurface, [.uint(logical.width), .uint(logical.height)])
    send(
      LayerSurfaceRequest.setMargin, to: layerSurface,
      [.int(logical.y), .int(0), .int(0), .int(logical.x)])
  }
}
