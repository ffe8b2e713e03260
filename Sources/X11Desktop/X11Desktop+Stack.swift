import Raster

/// Keeping the window stack in step with the server's events.
extension X11Desktop {
  /// Applies an event about a window. Returns where the backdrop may look different now.
  mutating func applyToStack(_ event: XEvent) -> Region {
    switch event {
    case .created(let id, let geometry):
      if !x.isOwn(id) { add(id, geometry) }
      return Region()
    case .destroyed(let id):
      return change(id) { $0[id] = nil }
    case .mapped(let id):
      forgetRaises(above: id)
      learn(id)
      return change(id) { $0[id]?.isMapped = true }
    case .unmapped(let id):
      return change(id) { $0[id]?.isMapped = false }
    case .configured(let id, let geometry, let sibling):
      return change(id) { stack in
        stack[id]?.geometry = geometry
        stack.restack(id, above: sibling)
      }
    case .circulated(let id, let isOnTop):
      return change(id) { stack in
        if isOnTop { stack.moveToTop(id) } else { stack.restack(id, above: 0) }
      }
    case .reparented(let id, x.root, _, _):
      // It comes unmapped, on top; its place comes with the facts.
      add(id, WindowGeometry(x: 0, y: 0, width: 1, height: 1, border: 0))
      if let facts = x.facts(of: [id], opacityName: names.opacity)[0] {
        stack[id]?.geometry = facts.geometry
      }
      updateWatch()
      return Region()
    case .reparented(let id, _, _, _):
      return change(id) { $0[id] = nil }
    case .shaped(let id), .property(let id, names.opacity):
      return change(id) { _ in } then: { $0.learn(id) }
    default:
      return Region()
    }
  }

  private mutating func add(_ id: UInt32, _ geometry: WindowGeometry) {
    stack.append(WindowStack.Window(id, geometry))
    // One that will be seen behind a pane must be redirected before it is drawn there.
    if watcher.region.intersects(geometry.outer) {
      learn(id)
      updateWatch()
    }
  }

  /// Changes a window, and returns what it covered before and what it covers after.
  private mutating func change(
    _ id: UInt32, _ body: (inout WindowStack) -> Void,
    then finish: (inout X11Desktop) -> Void = { _ in }
  ) -> Region {
    guard let before = stack[id] else { return Region() }
    let lowest = stack.lowestOverlay
    body(&stack)
    finish(&self)
    stack[id]?.isReadable = true
    let after = stack[id]
    updateWatch()
    if before.isOwn {
      // Our overlay has moved in the stack: what lies between is below it now, or above.
      return lowest == stack.lowestOverlay ? Region() : watcher.region
    }
    raiseOverlays()
    var region = Region()
    if before.isMapped { region.form(union: before.region) }
    if let after, after.isMapped { region.form(union: after.region) }
    return region
  }
}

extension WindowStack.Window {
  /// A window that has just been created.
  fileprivate init(_ id: UInt32, _ geometry: WindowGeometry) {
    self.id = id
    self.geometry = geometry
    isMapped = false
    isOwn = false
  }
}

extension WindowStack {
  /// Below how many windows the lowest of our overlays lies.
  fileprivate var lowestOverlay: Int? { windows.firstIndex { $0.isOwn && $0.isMapped } }
}
