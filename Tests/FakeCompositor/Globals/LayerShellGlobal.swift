package import Raster

/// `zwlr_layer_shell_v1`.
final class LayerShellHandler: RequestHandler {
  weak var resource: Resource?
  private unowned let compositor: FakeCompositor

  init(_ compositor: FakeCompositor) { self.compositor = compositor }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "get_layer_surface",
      let surface = request.handler(1, as: FakeSurface.self)
    else { return }
    guard surface.role == nil, !surface.isMapped else {
      throw request.resource.error(0, "the surface has a role or a buffer")
    }
    guard (0...3).contains(request.number(3)) else {
      throw request.resource.error(1, "there is no layer \(request.number(3))")
    }
    // Without an output, the compositor chooses one.
    let named = request.handler(2, as: OutputHandler.self)
    let output = named == nil ? compositor.outputs.first : named?.output
    let layer = LayerSurfaceHandler(
      surface, output, layer: request.number(3), name: request.text(4), compositor)
    try request.make(0, layer)
    surface.role = layer
    compositor.layerSurfaces.append(layer)
    if output == nil { layer.close() }
  }
}

/// `zwlr_layer_surface_v1`.
package final class LayerSurfaceHandler: RequestHandler {
  package weak var resource: Resource?
  private struct Place {
    var layer: Int
    var width = 0
    var height = 0
    /// Top 1, bottom 2, left 4, right 8.
    var anchor = 0
    var margin = (top: 0, right: 0, bottom: 0, left: 0)
  }

  /// The name that the client gives.
  package let name: String
  package let surface: FakeSurface
  /// Nil if it is gone.
  package private(set) weak var output: FakeOutput?
  private unowned let compositor: FakeCompositor
  private var pending, current: Place
  private(set) var isClosed = false
  /// The serials of events that the client has not answered.
  private var serials: [Int] = []
  private var isConfigured = false
  private var wasCommitted = false
  private var configuredSize: (width: Int, height: Int)?

  init(
    _ surface: FakeSurface, _ output: FakeOutput?, layer: Int, name: String,
    _ compositor: FakeCompositor
  ) {
    self.surface = surface
    self.output = output
    self.name = name
    self.compositor = compositor
    pending = Place(layer: layer)
    current = pending
  }

  /// The layer, 0 to 3.
  package var layer: Int { current.layer }

  /// Its rectangle in the pixels of its output as it is seen; nil while it shows nothing.
  package var rect: Rect? {
    guard let output, !isClosed, surface.isMapped else { return nil }
    let (area, size) = (output.state.logical, surface.size)
    func start(_ low: Bool, _ high: Bool, _ margins: (Int, Int), _ size: Int, _ all: Int) -> Int {
      if low == high { return (all - size) / 2 }
      return low ? margins.0 : all - size - margins.1
    }
    let x = start(
      current.anchor & 4 != 0, current.anchor & 8 != 0,
      (current.margin.left, current.margin.right), size.width, area.width)
    let y = start(
      current.anchor & 1 != 0, current.anchor & 2 != 0,
      (current.margin.top, current.margin.bottom), size.height, area.height)
    func pixels(_ range: Range<Int>) -> Range<Int> {
      let (low, high) = (
        Int((Double(range.lowerBound) * output.state.scale).rounded()),
        Int((Double(range.upperBound) * output.state.scale).rounded())
      )
      return low..<max(low + 1, high)
    }
    return Rect(pixels(x..<x + size.width), pixels(y..<y + size.height))
  }

  // MARK: Requests

  package func handle(_ request: ClientRequest) throws(ProtocolError) {
    switch request.name {
    case "set_size": (pending.width, pending.height) = (request.number(0), request.number(1))
    case "set_anchor":
      guard request.number(0) < 16 else { throw request.resource.error(2, "wrong anchor") }
      pending.anchor = request.number(0)
    case "set_margin":
      let (top, right, bottom, left) = request.numbers(from: 0)
      pending.margin = (top, right, bottom, left)
    case "set_layer":
      guard (0...3).contains(request.number(0)) else {
        throw request.resource.error(0, "wrong layer")
      }
      pending.layer = request.number(0)
    case "ack_configure":
      guard let index = serials.firstIndex(of: request.number(0)) else {
        if isClosed { return }
        throw request.resource.error(0, "there was no configure \(request.number(0))")
      }
      serials.removeFirst(index + 1)
      isConfigured = true
    default: break
    }
  }

  package func end() {
    unmap()
    surface.role = nil
    compositor.layerSurfaces.removeAll { $0 === self }
  }

  /// Throws if a commit has a buffer too early, or no size.
  func checkCommit(hasBuffer: Bool) throws(ProtocolError) {
    guard let resource else { return }
    if hasBuffer, !isConfigured, !isClosed {
      throw resource.error(0, "a buffer was committed before the first configure")
    }
    let (anchor, isWide) = (pending.anchor, pending.width > 0)
    if !isWide && anchor & 12 != 12 || pending.height == 0 && anchor & 3 != 3 {
      throw resource.error(1, "the size is 0")
    }
  }

  func surfaceWasCommitted(from old: Rect?, damage: Region?) {
    let wasInLayer = current.layer
    current = pending
    guard let output, !isClosed else { return }
    if !wasCommitted || configuredSize.map({ $0 != (current.width, current.height) }) == true {
      wasCommitted = true
      compositor.requestConfigure(of: self)
    }
    let new = rect
    if let old, let new, old == new, wasInLayer == current.layer, let damage,
      new.width == surface.size.width || damage.isEmpty || isUnscaled(new)
    {
      output.damage.form(
        union: damage.translated(x: new.x, y: new.y).intersection(new)
          .intersection(output.state.seen))
    } else {
      for one in [old, new] {
        if let one { output.damage.form(union: one.intersection(output.state.seen)) }
      }
    }
    if old == nil, new != nil { sendEnter() }
  }

  /// Whether each pixel of the buffer is one of the output.
  private func isUnscaled(_ rect: Rect) -> Bool {
    surface.bufferBounds.map {
      $0.width == rect.width && $0.height == rect.height
    } ?? false
  }

  private func sendEnter() {
    for handler in output?.handlers ?? [] where handler.resource?.client === resource?.client {
      surface.send("enter", [.object(handler.resource?.id ?? 0)])
    }
  }

  // MARK: Events

  /// Sends a size: that which the client wants, or another one.
  package func configure(width: Int? = nil, height: Int? = nil) {
    if isClosed { return }
    configuredSize = (current.width, current.height)
    let serial = compositor.nextSerial()
    serials.append(serial)
    let area = output?.state.logical ?? .zero
    send(
      "configure",
      [
        .uint(serial), .uint(width ?? (current.width > 0 ? current.width : area.width)),
        .uint(height ?? (current.height > 0 ? current.height : area.height)),
      ])
  }

  /// Whether the client waits for its first size.
  var awaitsConfigure: Bool { wasCommitted && configuredSize == nil && !isClosed }

  /// Ends the surface, as when its output is removed.
  package func close() {
    if isClosed { return }
    unmap()
    isClosed = true
    send("closed")
  }

  /// Records that it shows nothing any more.
  func unmap() {
    if let rect, let output { output.damage.form(union: rect.intersection(output.state.seen)) }
    isClosed = isClosed || resource == nil
  }
}
