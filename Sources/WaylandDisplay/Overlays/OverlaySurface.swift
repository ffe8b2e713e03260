import Engine
import Frost
import Panes
import Raster

/// A layer surface that shows a pane on one output.
///
/// At most one commit is not confirmed: the next one waits until a capture has shown the last. So a capture contains one of
/// two faces, and their marks tell which.
final class OverlaySurface {
  let surface, layerSurface: WaylandObject
  let output: OutputID
  /// The place for which the compositor was told last.
  private(set) var rect: Rect
  /// What the screen should show: premultiplied BGRA.
  private var wanted: [UInt32]
  private var tiles: MarkedTiles
  private var buffers: [Draft] = []
  /// The face in captures until now; nil before the first commit was seen.
  private(set) var displayed: Face?
  /// The face of the last commit, until a capture shows it.
  private(set) var committed: Face?
  /// The callback of the last commit.
  private var frameCallback: WaylandObject?
  /// Whether the compositor has drawn the last commit, as far as it says.
  private var isFrameDone = false
  private(set) var isConfigured = false
  /// Where the backdrop has changed since the overlay was drawn over it.
  var outdated = Region()
  private var lastInput: Region?

  /// A buffer and what it lacks of the wanted pixels.
  private struct Draft {
    let buffer: SharedBuffer
    var outdated: Region
  }

  /// One is shown, one is committed, and one is drawn.
  private static let bufferLimit = 3

  init(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection, on output: OutputID,
    _ outputObject: WaylandObject, layer: StackingLayer, at rect: Rect
  ) {
    self.output = output
    self.rect = rect
    wanted = Array(repeating: 0, count: rect.area)
    tiles = MarkedTiles(rect)
    surface = connection.make(
      .surface, by: CompositorRequest.createSurface, of: objects.compositor, [.newObject])
    layerSurface = connection.make(
      .layerSurface, by: LayerShellRequest.getLayerSurface, of: objects.layerShell,
      [
        .newObject, .object(surface), .object(outputObject), .uint(layer.waylandLayer),
        .text("backdropd"),
      ])
    // From the top left corner, over the space of panels too.
    connection.send(LayerSurfaceRequest.setAnchor, to: layerSurface, [.uint(1 | 4)])
    connection.send(LayerSurfaceRequest.setExclusiveZone, to: layerSurface, [.int(-1)])
  }

  /// Tells the compositor the place on its output, in logical pixels of `scale` pixels.
  func place(_ logical: Rect, scale: Int, _ connection: borrowing WaylandConnection) {
    connection.send(SurfaceRequest.setBufferScale, to: surface, [.int(scale)])
    connection.send(
      LayerSurfaceRequest.setSize, to: layerSurface, [.uint(logical.width), .uint(logical.height)])
    connection.send(
      LayerSurfaceRequest.setMargin, to: layerSurface,
      [.int(logical.y), .int(0), .int(0), .int(logical.x)])
  }

  /// The first commit, without pixels. The event `configure` follows.
  func announce(_ connection: borrowing WaylandConnection) {
    connection.send(SurfaceRequest.commit, to: surface)
  }

  func takeConfigure(serial: Int, _ connection: borrowing WaylandConnection) {
    isConfigured = true
    connection.send(LayerSurfaceRequest.ackConfigure, to: layerSurface, [.uint(serial)])
  }

  /// Whether an object is the callback of its last commit. Then the compositor has drawn it.
  func takeFrameDone(
    _ callback: WaylandObject, _ connection: borrowing WaylandConnection
  ) -> Bool {
    if callback != frameCallback { return false }
    releaseCallback(connection)
    isFrameDone = true
    return true
  }

  private func releaseCallback(_ connection: borrowing WaylandConnection) {
    if let frameCallback { connection.release(frameCallback) }
    frameCallback = nil
  }

  func takeRelease(of object: WaylandObject) -> Bool {
    guard let draft = buffers.first(where: { $0.buffer.object == object }) else { return false }
    draft.buffer.isBusy = false
    return true
  }

  /// The memory of its buffers.
  var byteCount: Int { buffers.reduce(0) { $0 + 4 * $1.buffer.layout.pixelCount } }

  // MARK: Drawing

  /// Whether it can be drawn and committed now.
  var canCommit: Bool {
    guard isConfigured, committed == nil else { return false }
    return buffers.count < Self.bufferLimit || buffers.contains { isFree($0.buffer) }
  }

  private func isFree(_ buffer: SharedBuffer) -> Bool {
    !buffer.isBusy && buffer !== displayed?.buffer && buffer !== committed?.buffer
  }

  /// Gives it another place. If it has another size, all pixels must be drawn again.
  func move(to new: Rect, _ connection: borrowing WaylandConnection) {
    if new == rect { return }
    if (new.width, new.height) != (rect.width, rect.height) {
      wanted = Array(repeating: 0, count: new.area)
      discardBuffers(connection)
    }
    rect = new
    tiles = MarkedTiles(new)
    for i in buffers.indices { buffers[i].outdated = Region(new) }
    outdated = Region(new)
  }

  /// Draws wanted pixels. Those of an overlay without alpha become opaque.
  func draw(
    _ part: Rect, isOpaque: Bool, _ body: (inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    let layout = PixelLayout(rect)
    var pixels: [UInt32] = []
    swap(&pixels, &wanted)
    var span = pixels.mutableSpan
    body(&span, layout)
    if isOpaque {
      for y in part.rows {
        let first = layout.index(x: part.x, y: y)
        for i in first..<first + part.width { pixels[i] |= 0xff00_0000 }
      }
    }
    swap(&pixels, &wanted)
  }

  /// Draws what has changed over the backdrop and commits it. Throws `unsupported` if there is no memory.
  func commit(
    _ changed: Region, over backdrop: Span<UInt32>, _ backdropLayout: PixelLayout,
    input: Region, _ objects: DisplayObjects, _ connection: borrowing WaylandConnection
  ) throws(DisplayError) {
    let dirty = changed.union(outdated).intersection(Region(rect))
    outdated = Region()
    let touched = tiles.indices(touching: dirty)
    let layout = PixelLayout(rect)
    tiles.touch(touched) { wanted[layout.index(x: $0, y: $1)] >> 24 == 255 }
    for i in buffers.indices { buffers[i].outdated.form(union: dirty) }
    let index = try freeBuffer(objects, connection)
    let draft = buffers[index]
    buffers[index].outdated = Region()
    var marks: [(x: Int, y: Int, pixel: UInt32)] = []
    let face = Face(buffer: draft.buffer, rect: rect, marks: [])
    draft.buffer.withPixels { pixels in
      for part in draft.outdated.intersection(Region(rect)).rects {
        drawLeakyOverlay(
          part, of: wanted.span, layout, over: backdrop, backdropLayout, into: &pixels, face.layout)
      }
      for tile in tiles.indices(touching: draft.outdated) {
        guard let (x, y) = tiles.mark(tile) else { continue }
        let pixel = tiles.pixel(ofMark: tile, wanted: wanted[layout.index(x: x, y: y)])
        pixels[face.layout.index(x: x, y: y)] = pixel
        if touched.contains(tile) { marks.append((x, y, pixel)) }
      }
    }
    let marked = Region(marks.map { Rect(x: $0.x, y: $0.y, width: 1, height: 1) })
    send(draft.buffer, dirty.union(marked), input, objects, connection)
    draft.buffer.isBusy = true
    committed = Face(buffer: draft.buffer, rect: rect, marks: marks)
  }

  private func send(
    _ buffer: SharedBuffer, _ damage: Region, _ input: Region, _ objects: DisplayObjects,
    _ connection: borrowing WaylandConnection
  ) {
    connection.send(SurfaceRequest.attach, to: surface, [.object(buffer.object), .int(0), .int(0)])
    for part in damage.simplified(to: 16).rects {
      connection.send(
        SurfaceRequest.damageBuffer, to: surface,
        [.int(part.x - rect.x), .int(part.y - rect.y), .int(part.width), .int(part.height)])
    }
    if input != lastInput {
      lastInput = input
      let region = connection.make(
        .region, by: CompositorRequest.createRegion, of: objects.compositor, [.newObject])
      for part in input.rects {
        connection.send(
          RegionRequest.add, to: region,
          [.int(part.x - rect.x), .int(part.y - rect.y), .int(part.width), .int(part.height)])
      }
      connection.send(SurfaceRequest.setInputRegion, to: surface, [.object(region)])
      connection.send(RegionRequest.destroy, to: region, destroys: true)
    }
    releaseCallback(connection)
    frameCallback = connection.make(
      .callback, by: SurfaceRequest.frame, of: surface, [.newObject])
    isFrameDone = false
    connection.send(SurfaceRequest.commit, to: surface)
  }

  private func freeBuffer(
    _ objects: DisplayObjects, _ connection: borrowing WaylandConnection
  ) throws(DisplayError) -> Int {
    if let index = buffers.firstIndex(where: { isFree($0.buffer) }) { return index }
    let buffer = try SharedBuffer(
      connection, objects.shm, width: rect.width, height: rect.height, .argb)
    buffers.append(Draft(buffer: buffer, outdated: Region(rect)))
    return buffers.count - 1
  }

  // MARK: Captures

  /// The places of the opaque pixels of the displayed face, below which the backdrop is not visible.
  var marks: [(x: Int, y: Int)] { displayed?.rect == tiles.bounds ? tiles.marks : [] }

  /// Finds out which face a capture shows. Returns whether the last commit is seen for the first time.
  func attribute(_ screen: Span<UInt32>, _ layout: PixelLayout) -> Bool {
    guard let committed else { return false }
    let (seen, all) = committed.visibleMarks(on: screen, layout)
    // Something else may cover all marks. Then the compositor's word counts.
    guard 2 * seen > all || seen == 0 && isFrameDone else { return false }
    displayed = committed
    self.committed = nil
    return true
  }

  func destroy(_ connection: borrowing WaylandConnection) {
    releaseCallback(connection)
    discardBuffers(connection)
    connection.send(LayerSurfaceRequest.destroy, to: layerSurface, destroys: true)
    connection.send(SurfaceRequest.destroy, to: surface, destroys: true)
  }

  private func discardBuffers(_ connection: borrowing WaylandConnection) {
    for draft in buffers {
      connection.send(BufferRequest.destroy, to: draft.buffer.object, destroys: true)
    }
    buffers = []
  }
}

/// The objects that overlays need.
struct DisplayObjects {
  let compositor, shm, layerShell, screencopy: WaylandObject
  let xdgOutputs: WaylandObject?
}

/// Identifies an output by the name of its global.
struct OutputID: Hashable {
  let global: Int
}

extension StackingLayer {
  /// The layer of wlr-layer-shell: background 0, bottom 1, top 2, overlay 3.
  var waylandLayer: Int {
    switch self {
    case .desktop: 0
    case .belowDocks: 1
    case .normal: 2
    case .top: 3
    }
  }
}
