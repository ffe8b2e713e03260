import Raster

/// `wl_subcompositor`.
final class SubcompositorHandler: RequestHandler {
  weak var resource: Resource?

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    guard request.name == "get_subsurface",
      let surface = request.handler(1, as: FakeSurface.self),
      let parent = request.handler(2, as: FakeSurface.self)
    else { return }
    guard surface.role == nil, surface.subsurface == nil, surface !== parent else {
      throw request.resource.error(0, "the surface has a role")
    }
    let subsurface = SubsurfaceHandler(surface, of: parent)
    try request.make(0, subsurface)
    surface.subsurface = subsurface
    parent.children.append(subsurface)
  }
}

/// `wl_subsurface`, always synchronous. The order of siblings cannot be changed.
final class SubsurfaceHandler: RequestHandler {
  weak var resource: Resource?
  private(set) weak var surface: FakeSurface?
  private weak var parent: FakeSurface?
  private var pending = (x: 0, y: 0)
  private var current = (x: 0, y: 0)

  init(_ surface: FakeSurface, of parent: FakeSurface) {
    (self.surface, self.parent) = (surface, parent)
  }

  func handle(_ request: ClientRequest) throws(ProtocolError) {
    if request.name == "set_position" { pending = (request.number(0), request.number(1)) }
  }

  func end() {
    surface?.subsurface = nil
    parent?.children.removeAll { $0 === self }
  }

  /// Applies what was set and committed since the last commit of the parent. Returns whether it has changed anything.
  func parentWasCommitted() -> Bool {
    let hasMoved = current != pending
    current = pending
    return surface?.applyHeldCommit() == true || hasMoved
  }

  /// Its rectangle on an output where the parent has `rect`; nil while it shows nothing.
  func rect(inside rect: Rect, ofSize parent: (width: Int, height: Int)) -> Rect? {
    guard let surface, surface.isMapped, parent.width > 0, parent.height > 0 else { return nil }
    func pixels(_ start: Int, _ length: Int, _ range: Range<Int>, _ size: Int) -> Range<Int> {
      let (low, high) = (start * range.count / size, (start + length) * range.count / size)
      return range.lowerBound + low..<range.lowerBound + high
    }
    return Rect(
      pixels(current.x, surface.size.width, rect.columns, parent.width),
      pixels(current.y, surface.size.height, rect.rows, parent.height))
  }
}
