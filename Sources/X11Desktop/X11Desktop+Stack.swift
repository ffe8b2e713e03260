import Raster

/// Keeping the window stack in step with the server's events.
extension X11Desktop {
  /// Applies an event about a window. Returns where the backdrop may look different now.
  mutating func applyToStack(_ event: XEvent) -> Region {
    switch event {
    case .created(let id, let geometry):
      if x.isOwn(id) { addOwn(id, geometry) } else { add(id, geometry) }
      return Region()
    case .destroyed(let id):
      return change(id) { $0[id] = nil }
    case .mapped(let id):
      forgetRaises(above: id, isWithdrawn: true)
      learn(id)
      return change(id) { $0[id]?.isMapped = true }
    case .unmapped(let id):
      return change(id) { $0[id]?.isMapped = false }
    case .configured(let id, let geometry, let sibling):
      forgetRaises(above: id)
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
      // Into a window manager's frame, mostly, which is read with all that it holds.
      watcher.release(x, id)
      x.selectShapeEvents(id, false)
      return change(id) { $0[id] = nil }
    case .shaped(let id), .property(let id, names.opacity):
      return change(id) { _ in } then: { $0.learn(id) }
    default:
      return Region()
    }
  }

  private mutating func add(_ id: UInt32, _ geometry: WindowGeometry) {
    stack.append(WindowStack.Window(id, geometry, isOwn: false))
    // One that will be seen behind a pane must be redirected before it is drawn there.
    if watcher.region.intersects(geometry.outer) {
      learn(id)
      updateWatch()
    }
  }

  /// A window of ours takes its place among those that others have created meanwhile.
  private mutating func addOwn(_ id: UInt32, _ geometry: WindowGeometry) {
    if stack.index(of: id) != nil {
      stack.moveToTop(id)
    } else {
      var window = WindowStack.Window(id, geometry, isOwn: true)
      window.isVisible = false
      stack.append(window)
    }
  }

  /// Changes a window. Returns where the backdrop may look different: what it covered before, what it
  /// covers after, and other windows that it has put in front of a pane or behind.
  private mutating func change(
    _ id: UInt32, _ body: (inout WindowStack) -> Void,
    then finish: (inout X11Desktop) -> Void = { _ in }
  ) -> Region {
    guard let before = stack[id] else { return Region() }
    let inFront = stack.windowsInFront
    body(&stack)
    finish(&self)
    stack[id]?.isReadable = true
    updateWatch()
    raiseOverlays()
    var region = regionOfChange(inFront: inFront)
    if before.isOwn { return region }
    if before.isMapped { region.form(union: before.region) }
    if let after = stack[id], after.isMapped { region.form(union: after.region) }
    return region
  }
}
