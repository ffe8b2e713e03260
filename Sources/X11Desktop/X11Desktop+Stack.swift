import Raster

/// What events have left to be done, once for all of them.
struct StackNews {
  var isStackChanged = false
  /// Windows that must be asked what events do not tell.
  var unlearnt: Set<UInt32> = []
  /// Those of which not even the place is known.
  var unplaced: Set<UInt32> = []
}

/// Keeping the window stack in step with the server's events.
extension X11Desktop {
  /// Applies an event about a window. Returns where the backdrop may look different now; what is not
  /// known of a window yet is taken for more, not less.
  mutating func applyToStack(_ event: XEvent, _ news: inout StackNews) -> Region {
    switch event {
    case .created(let id, let geometry):
      add(id, geometry, &news)
      return Region()
    case .destroyed(let id):
      endRaces(against: id)
      watcher.forget(id)
      return change(id, &news) { $0[id] = nil }
    case .mapped(let id):
      endRaces(against: id)
      if !x.isOwn(id) { news.unlearnt.insert(id) }
      return change(id, &news) { $0[id]?.isMapped = true }
    case .unmapped(let id):
      return change(id, &news) { $0[id]?.isMapped = false }
    case .configured(let id, let geometry, let sibling):
      endOldRaces(against: id)
      return change(id, &news) { stack in
        stack[id]?.geometry = geometry
        stack.restack(id, above: sibling)
      }
    case .circulated(let id, let isOnTop):
      return change(id, &news) { stack in
        if isOnTop { stack.moveToTop(id) } else { stack.restack(id, above: 0) }
      }
    case .reparented(let id, x.root, let left, let top):
      // It comes unmapped, on top.
      add(id, WindowGeometry(x: left, y: top, width: 1, height: 1, border: 0), &news)
      news.unlearnt.insert(id)
      news.unplaced.insert(id)
      return Region()
    case .reparented(let id, _, _, _):
      // Into a window manager's frame, mostly, which is read with all that it holds.
      watcher.release(x, id)
      x.selectShapeEvents(id, false)
      return change(id, &news) { $0[id] = nil }
    case .shaped(let id):
      news.unlearnt.insert(id)
      return change(id, &news) { $0[id]?.shape = nil }
    case .property(let id, names.opacity):
      news.unlearnt.insert(id)
      return change(id, &news) { _ in }
    default:
      return Region()
    }
  }

  private mutating func add(_ id: UInt32, _ geometry: WindowGeometry, _ news: inout StackNews) {
    if x.isServers(id) { return }
    news.isStackChanged = true
    if x.isOwn(id) { return addOwn(id, geometry) }
    stack.append(WindowStack.Window(id, geometry, isOwn: false))
    // One that will be seen behind a pane must be redirected before it is drawn there.
    if watcher.region.intersects(geometry.outer) { news.unlearnt.insert(id) }
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

  /// Changes a window. Returns what it covered before and what it covers after.
  private mutating func change(
    _ id: UInt32, _ news: inout StackNews, _ body: (inout WindowStack) -> Void
  ) -> Region {
    guard let before = stack[id] else { return Region() }
    news.isStackChanged = true
    body(&stack)
    stack[id]?.isReadable = true
    var region = Region()
    if before.isOwn { return region }
    if before.isMapped { region.form(union: before.region) }
    if let after = stack[id], after.isMapped { region.form(union: after.region) }
    return region
  }
}
