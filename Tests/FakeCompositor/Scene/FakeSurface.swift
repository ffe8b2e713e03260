package import Raster

/// `wl_surface`: what was committed.
package final class FakeSurface: RequestHandler {
  package weak var resource: Resource?
  /// The state that a commit applies.
  private struct State {
    var buffer: BufferHandler?
    var transform = 0
    var scale = 1
    /// The logical size by a viewport; nil if it has none.
    var destination: (width: Int, height: Int)?
    var input: Region?
    var blurred: Region?
  }

  private var pending = State()
  private var current = State()
  private var isAttached = false
  private var surfaceDamage = Region()
  private var bufferDamage = Region()
  private var pendingCallbacks: [CallbackHandler] = []
  /// The callbacks of commits that no frame has shown.
  private(set) var callbacks: [CallbackHandler] = []
  /// The pixels of the committed buffer, if they were copied.
  private var copy: Bitmap?
  weak var role: LayerSurfaceHandler?
  weak var viewport: ViewportHandler?
  /// Whether it has an object for background effects.
  var hasEffect = false
  private unowned let compositor: FakeCompositor

  init(_ compositor: FakeCompositor) { self.compositor = compositor }

  /// Where it takes clicks, in logical pixels; nil is everywhere.
  package var input: Region? { current.input }

  /// Where what is behind it should be blurred, in logical pixels; nil is nowhere.
  package var blurred: Region? { current.blurred }

  var isMapped: Bool { current.buffer != nil }

  /// The size of the buffer; nil without one.
  var bufferBounds: Rect? { current.buffer?.bounds }

  /// The size in logical pixels; zero without a buffer.
  package var size: (width: Int, height: Int) {
    guard let buffer = current.buffer else { return (0, 0) }
    if let destination = current.destination { return destination }
    let turned = current.transform % 2 == 1
    return (
      (turned ? buffer.height : buffer.width) / current.scale,
      (turned ? buffer.width : buffer.height) / current.scale
    )
  }

  // MARK: Requests

  package func handle(_ request: ClientRequest) throws(ProtocolError) {
    switch request.name {
    case "attach":
      pending.buffer = request.handler(0, as: BufferHandler.self)
      isAttached = true
    case "damage": surfaceDamage.form(union: damage(request))
    case "damage_buffer": bufferDamage.form(union: damage(request))
    case "frame":
      let callback = CallbackHandler()
      try request.make(0, callback)
      pendingCallbacks.append(callback)
    case "set_input_region": pending.input = request.handler(0, as: RegionHandler.self)?.region
    case "set_buffer_transform":
      guard (0...7).contains(request.number(0)) else {
        throw request.resource.error(1, "there is no transform \(request.number(0))")
      }
      pending.transform = request.number(0)
    case "set_buffer_scale":
      guard request.number(0) > 0 else { throw request.resource.error(0, "the scale is 0") }
      pending.scale = request.number(0)
    case "commit": try commit()
    case "destroy" where role != nil:
      throw request.resource.error(4, "the surface is destroyed before its role")
    default: break
    }
  }

  private func damage(_ request: ClientRequest) -> Rect {
    let (x, y, width, height) = request.numbers(from: 0)
    return Rect(x: x, y: y, width: width, height: height)
  }

  func setBlurred(_ region: Region?) { pending.blurred = region }

  func setDestination(_ size: (width: Int, height: Int)?) { pending.destination = size }

  package func end() {
    for callback in pendingCallbacks + callbacks { callback.resource?.destroy() }
    if let role { role.unmap() }
    current.buffer = nil
  }

  // MARK: Commits

  private func commit() throws(ProtocolError) {
    try role?.checkCommit(hasBuffer: isAttached && pending.buffer != nil)
    if let buffer = pending.buffer, isAttached, pending.destination == nil,
      buffer.width % pending.scale != 0 || buffer.height % pending.scale != 0, let resource
    {
      throw resource.error(2, "the buffer is no multiple of its scale")
    }
    let oldRect = role?.rect
    let old = current
    current.transform = pending.transform
    current.scale = pending.scale
    current.destination = pending.destination
    current.input = pending.input
    current.blurred = pending.blurred
    if isAttached {
      current.buffer = pending.buffer
      pending.buffer = nil
      takeBuffer(before: old)
    }
    callbacks += pendingCallbacks
    pendingCallbacks = []
    role?.surfaceWasCommitted(from: oldRect, damage: committedDamage(old))
    (isAttached, surfaceDamage, bufferDamage) = (false, Region(), Region())
  }

  /// The damage of a commit relative to the surface, in pixels of an output at its scale; nil if it is all.
  private func committedDamage(_ old: State) -> Region? {
    guard let buffer = current.buffer, old.buffer != nil, surfaceDamage.isEmpty,
      current.transform == 0, (old.buffer?.bounds).map({ $0 == buffer.bounds }) == true
    else { return current.buffer == nil && old.buffer == nil ? Region() : nil }
    return bufferDamage
  }

  private func takeBuffer(before old: State) {
    if let former = old.buffer, former !== current.buffer, copy == nil {
      compositor.release(former)
    }
    guard let buffer = current.buffer, compositor.behavior.copiesBuffers else { return copy = nil }
    // Only the damaged part of a texture is updated.
    var new = Bitmap(width: buffer.width, height: buffer.height)
    var parts = Region(buffer.bounds)
    if let copy, copy.bounds == buffer.bounds, surfaceDamage.isEmpty {
      new = copy
      parts = bufferDamage.intersection(buffer.bounds)
    }
    let layout = buffer.layout
    buffer.withPixels { pixels in
      for part in parts.rects {
        for y in part.rows {
          for x in part.columns {
            new.pixels[y * new.width + x] = pixels[layout.index(x: x, y: y)]
          }
        }
      }
    }
    copy = new
    compositor.release(buffer)
  }

  // MARK: Frames

  /// Draws a part of an output at the rectangle of the surface there.
  func draw(_ part: Rect, at rect: Rect, onto screen: inout Bitmap) {
    guard let buffer = current.buffer else { return }
    let own = part.intersection(rect)
    if own.isEmpty { return }
    let turned = current.transform % 2 == 1
    let (width, height) =
      turned ? (buffer.height, buffer.width) : (buffer.width, buffer.height)
    let turn = PictureTurn(value: current.transform, width: width, height: height)
    let opaque: UInt32 = buffer.format == 1 ? 0xff00_0000 : 0
    buffer.withPixels { pixels in
      let (layout, all) = (buffer.layout, pixels.span)
      for y in own.rows {
        let row = (y - rect.y) * height / rect.height
        for x in own.columns {
          let place = turn.native(x: (x - rect.x) * width / rect.width, y: row)
          let pixel =
            copy?.pixels[place.y * buffer.width + place.x]
            ?? all[layout.index(x: place.x, y: place.y)]
          let index = y * screen.width + x
          screen.pixels[index] = compositor.behavior.blending.blended(
            pixel | opaque, onto: screen.pixels[index])
        }
      }
    }
  }

  /// The callbacks of all commits so far, which the caller must end.
  func takeCallbacks() -> [CallbackHandler] {
    defer { callbacks = [] }
    return callbacks
  }
}

/// `wl_compositor`.
final class CompositorHandler: RequestHandler {
  weak var resource: Resource?
  private unowned let compositor: FakeCompositor

  init(_ compositor: FakeCompositor) { self.compositor = compositor }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    try request.make(
      0, request.name == "create_region" ? RegionHandler() : FakeSurface(compositor))
  }
}

/// `wl_region`.
final class RegionHandler: RequestHandler {
  weak var resource: Resource?
  private(set) var region = Region()

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name != "destroy" else { return }
    let (x, y, width, height) = request.numbers(from: 0)
    let rect = Rect(x: x, y: y, width: width, height: height)
    if request.name == "add" { region.form(union: rect) } else { region.subtract(rect) }
  }
}

/// `wp_viewporter`.
final class ViewporterHandler: RequestHandler {
  weak var resource: Resource?
  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "get_viewport",
      let surface = request.handler(1, as: FakeSurface.self)
    else { return }
    guard surface.viewport == nil else {
      throw request.resource.error(0, "the surface has a viewport")
    }
    let viewport = ViewportHandler(surface)
    try request.make(0, viewport)
    surface.viewport = viewport
  }
}

/// `wp_viewport`.
final class ViewportHandler: RequestHandler {
  weak var resource: Resource?
  private weak var surface: FakeSurface?

  init(_ surface: FakeSurface) { self.surface = surface }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "set_destination" else { return }
    guard let surface, surface.resource != nil else {
      throw request.resource.error(3, "the surface is gone")
    }
    let size = (width: request.number(0), height: request.number(1))
    if size == (-1, -1) { return surface.setDestination(nil) }
    guard size.width > 0, size.height > 0 else {
      throw request.resource.error(0, "the destination is empty")
    }
    surface.setDestination(size)
  }

  func end() { surface?.setDestination(nil) }
}
