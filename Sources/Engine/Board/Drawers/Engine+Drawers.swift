package import Panes
import Raster

/// Drawers: panes that are pulled out of an edge, or moved by a request.
extension Engine where Server: ~Copyable {
  /// Opens, closes or toggles a drawer on all of its outputs. One that waits for its output
  /// is at its end when the output comes. Throws `unknownName` or `noDrawer`.
  package mutating func moveDrawer(
    _ name: String, _ action: DrawerAction
  ) throws(EngineError) {
    let first = try board.find(name)
    if first.pane.drawer == nil { throw .pane(.noDrawer(name)) }
    let isOpen =
      switch action {
      case .open: true
      case .close: false
      case .toggle: first.drawer?.isOpen == false
      }
    for entry in board.entries(of: name) { move(entry, toOpen: isOpen) }
  }

  private mutating func move(_ entry: PaneEntry, toOpen isOpen: Bool) {
    guard let body = entry.fallingBody else { return }
    entry.drawer?.move(toOpen: isOpen, body)
    // A drawer that is not on the screen does not move.
    if !entry.isVisible || entry.output == nil || isSuspended { entry.drawer?.rest() }
    if !isOpen { server.releaseFocus(of: entry.overlay) }
  }

  /// Gives a pane the state of its drawer, or none, after a change of the pane or its output.
  func placeDrawer(of entry: PaneEntry) {
    if entry.pane.drawer == nil { return entry.drawer = nil }
    var drawer = entry.drawer ?? DrawerState()
    if let output = entry.output, let travel = entry.pane.travel(on: output) {
      drawer.setLength(Double(travel.length))
    } else {
      drawer.rest()
    }
    entry.drawer = drawer
  }

  // MARK: Input

  /// Lets the pointer or a finger pull a drawer.
  mutating func pull(_ entry: PaneEntry, by contact: Contact) {
    guard let edge = entry.pane.drawer?.edge, let body = entry.fallingBody else { return }
    let coordinate = edge.coordinate(x: contact.x, y: contact.y) * Double(edge.direction)
    switch contact.phase {
    case .began:
      guard entry.isVisible, entry.handle.contains(contact.pixel) else { return }
      entry.drawer?.pull(contact.id, coordinate: coordinate, time: contact.time)
      server.requestFocus(of: entry.overlay, time: contact.time)
    case .moved:
      entry.drawer?.follow(contact.id, coordinate: coordinate, time: contact.time)
    case .ended:
      entry.drawer?.follow(contact.id, coordinate: coordinate, time: contact.time)
      let slop = Press.slop(scale: entry.output?.scale ?? 1)
      entry.drawer?.letGo(contact.id, time: contact.time, slop: slop, body)
      if entry.drawer?.isOpen == false { server.releaseFocus(of: entry.overlay) }
    }
  }

  /// Closes the drawer that has the keyboard.
  mutating func closeDrawer(of entry: PaneEntry) { move(entry, toOpen: false) }

  // MARK: Frames

  /// Moves all drawers to their positions at a time.
  mutating func advanceDrawers(now: Duration) {
    for entry in board.entries where entry.drawer != nil {
      let wasMoving = entry.drawer?.isMoving
      entry.drawer?.advance(now: now)
      if entry.isAside || entry.drawer?.isMoving != wasMoving { updateAppearance(of: entry) }
    }
  }
}

extension PaneEntry {
  /// Whether a drawer was moved since its appearance was updated.
  var isAside: Bool { isVisible && drawer.map { $0.position != placedPosition } ?? false }

  /// The part of a drawer at which it can be pulled.
  var handle: Region {
    guard let drawer = pane.drawer, let frame else { return Region() }
    return Region(drawer.handle(of: frame, unit: unit))
  }

  /// How the drawer falls; nil if the pane is none.
  var fallingBody: FallingBody? {
    guard let drawer = pane.drawer else { return nil }
    return FallingBody(
      elasticity: drawer.elasticity, gravity: Fall.gravity * (output?.scale ?? 1))
  }
}
