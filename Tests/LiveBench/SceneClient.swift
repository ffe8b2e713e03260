import Glibc
import Raster
import TestSupport
import WaylandClient

/// A client with a surface in the middle of an output.
final class SceneClient {
  private let client: CompositorClient
  private let surface, layerSurface: WaylandObject
  private let bounds: Rect
  private var drafts: [Draft] = []
  private var shown = 0
  private var callback: WaylandObject?
  private var step = 0
  private(set) var commitCount = 0
  /// When the compositor had drawn the last commit, in the unit of `CallbackLog`.
  private(set) var drawnTime = CallbackLog.now()

  /// A buffer that shows a picture, but a square in a part of it.
  private struct Draft {
    let buffer: SharedBuffer
    var picture: Bitmap
    var box = Rect.zero
  }

  static let boxSide = 64

  /// Shows the first of two pictures, of which the second one is lighter, in a layer of wlr-layer-shell. Returns when it is on
  /// the screen.
  init(_ server: WaylandServer, width: Int, height: Int, layer: Int) throws {
    client = try CompositorClient(server, .shared)
    bounds = Rect(x: 0, y: 0, width: width, height: height)
    surface = client.connection.make(
      .surface, by: CompositorRequest.createSurface, of: try client.bind(.compositor),
      [.newObject])
    layerSurface = client.connection.make(
      .layerSurface, by: LayerShellRequest.getLayerSurface, of: try client.bind(.layerShell),
      [.newObject, .object(surface), .object(nil), .uint(layer), .text("scene")])
    client.connection.send(
      LayerSurfaceRequest.setSize, to: layerSurface, [.uint(width), .uint(height)])
    client.connection.send(LayerSurfaceRequest.setExclusiveZone, to: layerSurface, [.int(-1)])
    client.connection.send(SurfaceRequest.commit, to: surface)
    let shm = try client.bind(.shm)
    for seed in 1...2 {
      let picture = Bitmap.detailed(width: width, height: height, seed: UInt32(seed))
        .dimmed(adding: seed == 1 ? 0 : 112)
      let buffer = try SharedBuffer(client.connection, shm, width: width, height: height, .xrgb)
      drafts.append(Draft(buffer: buffer, picture: picture))
      restore(seed - 1, bounds)
    }
    let serial = try client.wait { [layerSurface] event in
      event.object == layerSurface && event.opcode == LayerSurfaceEvent.configure.rawValue
        ? event.number(0) : nil
    }
    client.connection.send(LayerSurfaceRequest.ackConfigure, to: layerSurface, [.uint(serial)])
    commit(0, damage: bounds)
    while callback != nil { try pump(until: now() + 100_000_000) }
  }

  /// Draws for some time.
  func run(_ change: SceneChange, seconds: Double) throws {
    let start = now()
    let end = start + Int(seconds * 1e9)
    var count = 0
    while now() < end {
      switch change {
      case .none: try pump(until: end)
      case .box(let area):
        if callback == nil, !drafts[1 - shown].buffer.isBusy { moveBox(in: area) }
        try pump(until: end)
      case .full:
        let next = start + count * 33_333_333
        if now() >= next, !drafts[1 - shown].buffer.isBusy {
          flip()
          count += 1
        }
        try pump(until: min(end, max(next, now() + 1_000_000)))
      }
    }
  }

  /// Shows the other picture.
  func flip() {
    restore(1 - shown, drafts[1 - shown].box)
    drafts[1 - shown].box = .zero
    commit(1 - shown, damage: bounds)
  }

  /// Draws the square of the first picture in a new place of a rectangle.
  private func moveBox(in area: Rect) {
    step += 1
    func position(_ speed: Int, _ length: Int) -> Int {
      let way = length - Self.boxSide
      let travelled = speed * step % (2 * way)
      return travelled < way ? travelled : 2 * way - travelled
    }
    drawBox(
      Rect(
        x: area.x + position(4, area.width), y: area.y + position(3, area.height),
        width: Self.boxSide, height: Self.boxSide))
  }

  /// Shows the picture of the buffer that is drawn next with a square in a place; nowhere if it is empty.
  func drawBox(_ box: Rect) {
    let next = 1 - shown
    restore(next, drafts[next].box)
    drafts[next].buffer.withPixels { pixels in
      for y in box.rows {
        for x in box.columns { pixels[y * bounds.width + x] = 0xFFE0_A040 }
      }
    }
    drafts[next].box = box
    commit(next, damage: drafts[shown].box.hull(box))
  }

  /// Gives all buffers one picture, and shows it.
  func showOnePicture() throws {
    for _ in drafts {
      drafts[1 - shown].picture = drafts[0].picture
      restore(1 - shown, bounds)
      commit(1 - shown, damage: bounds)
      while callback != nil || drafts[1 - shown].buffer.isBusy {
        try pump(until: now() + 100_000_000)
      }
    }
  }

  private func restore(_ index: Int, _ part: Rect) {
    let (width, picture) = (bounds.width, drafts[index].picture)
    drafts[index].buffer.withPixels { pixels in
      for y in part.rows {
        for i in y * width + part.x..<y * width + part.maxX { pixels[i] = picture.pixels[i] }
      }
    }
  }

  private func commit(_ index: Int, damage: Rect) {
    let buffer = drafts[index].buffer
    client.connection.send(
      SurfaceRequest.attach, to: surface, [.object(buffer.object), .int(0), .int(0)])
    client.connection.send(
      SurfaceRequest.damageBuffer, to: surface,
      [.int(damage.x), .int(damage.y), .int(damage.width), .int(damage.height)])
    if let callback { client.connection.release(callback) }
    callback = client.connection.make(
      .callback, by: SurfaceRequest.frame, of: surface, [.newObject])
    client.connection.send(SurfaceRequest.commit, to: surface)
    buffer.isBusy = true
    shown = index
    commitCount += 1
  }

  /// Waits for events until a time, or until some came, and handles them.
  func pump(until deadline: Int) throws {
    for event in try client.events(within: .nanoseconds(deadline - now())) {
      if event.object == callback {
        client.connection.release(event.object)
        callback = nil
        drawnTime = CallbackLog.now()
      }
      for draft in drafts where draft.buffer.object == event.object { draft.buffer.isBusy = false }
    }
  }

  /// Handles events until a time.
  func pump(throughout deadline: Int) throws {
    while now() < deadline { try pump(until: deadline) }
  }

  /// Sends what was drawn.
  func flush() throws { try client.connection.flush() }
}

extension Bitmap {
  /// An opaque picture with half the contrast, lightened by some levels.
  fileprivate func dimmed(adding levels: UInt32) -> Bitmap {
    Bitmap(
      width: width, height: height,
      pixels: pixels.map {
        0xFF00_0000 | (($0 >> 1 & 0x007F_7F7F) &+ levels &* 0x0001_0101)
      })
  }
}
