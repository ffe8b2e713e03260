package import Engine
import Frost
import Panes
import Raster

/// Events of the compositor: each goes to the part that handles it.
extension WaylandDisplay {
  package mutating func nextEvents(
    now: Duration, reads: Bool
  ) throws(DisplayError) -> [DisplayEvent] {
    self.now = now
    for event in try connection.takeEvents(reads: reads) { try take(event) }
    finishCapture()
    commitLeaks()
    releaseOverlays()
    advanceAnswers()
    for monitor in monitors { monitor.continueCapture(connection, now: now) }
    // Requests that were made here would wait for the next call otherwise.
    try connection.flush()
    defer { events = [] }
    return events
  }

  mutating func take(_ event: WaylandEvent) throws(DisplayError) {
    if event.object == connection.registry { return takeGlobal(event) }
    for monitor in monitors {
      if event.object == monitor.object {
        if monitor.pending.takeOutputEvent(event) {
          monitor.retryTime = nil
          updateOutputs()
        }
        return
      }
      if event.object == monitor.xdgObject { return monitor.pending.takeXDGEvent(event) }
      if let outcome = try monitor.capture.take(event, connection) {
        takeFrame(outcome, of: monitor)
        return
      }
    }
    if let index = answers.firstIndex(where: { $0.callback == event.object }) {
      answers[index].callback = nil
      connection.release(event.object)
      for monitor in monitors where !monitor.watched.isEmpty {
        answers[index].captures[monitor.id] = monitor.requestFrame(connection, now: now)
      }
      return
    }
    takeOverlayEvent(event)
  }

  private mutating func takeOverlayEvent(_ event: WaylandEvent) {
    for (id, overlay) in overlays {
      guard let surface = overlay.surface else { continue }
      if event.object == surface.layerSurface {
        switch LayerSurfaceEvent(rawValue: event.opcode) {
        case .configure: surface.takeConfigure(serial: event.number(0), connection)
        case .closed:
          surface.destroy(connection)
          overlays[id]?.surface = nil
          events.append(.lost(id))
        case nil: break
        }
        return
      }
      if surface.takeFrameDone(event.object, connection) {
        // The next capture shows the commit. If nothing changes on the screen, none would follow.
        for monitor in monitors where monitor.id == surface.output && surface.committed != nil {
          _ = monitor.requestFrame(connection, now: now)
        }
        return
      }
      if surface.takeRelease(of: event.object) { return }
    }
  }

  // MARK: Outputs

  private mutating func takeGlobal(_ event: WaylandEvent) {
    switch globals.take(event) {
    case .added(let id, let global) where global.interface == InterfaceTable.output.name:
      addOutput(id, global)
    case .removed(let id, let global) where global.interface == InterfaceTable.output.name:
      removeOutput(OutputID(global: id))
    default: break
    }
  }

  mutating func addOutput(_ id: Int, _ global: Globals.Global) {
    let object = connection.bind(.output, id, global)
    let xdg = objects.xdgOutputs.map {
      connection.make(
        .xdgOutput, by: XDGOutputManagerRequest.getXDGOutput, of: $0,
        [.newObject, .object(object)])
    }
    monitors.append(
      MonitoredOutput(
        OutputID(global: id), object, xdg: xdg, canRelease: global.version >= 3,
        OutputCapture(manager: objects.screencopy, of: object, shm: objects.shm)))
  }

  private mutating func removeOutput(_ id: OutputID) {
    guard let index = monitors.firstIndex(where: { $0.id == id }) else { return }
    let monitor = monitors.remove(at: index)
    monitor.capture.cancel(connection)
    if let xdg = monitor.xdgObject {
      connection.send(XDGOutputRequest.destroy, to: xdg, destroys: true)
    }
    if monitor.canRelease {
      connection.send(OutputRequest.release, to: monitor.object, destroys: true)
    }
    for (overlay, one) in overlays where one.surface?.output == id {
      one.surface?.destroy(connection)
      overlays[overlay]?.surface = nil
      events.append(.lost(overlay))
    }
    updateOutputs()
  }

  private mutating func updateOutputs() {
    for monitor in monitors { monitor.state = monitor.pending }
    let all = pixelOutputs(monitors.map(\.state))
    for monitor in monitors {
      let new = all.first { $0.name == monitor.state.name }
      if monitor.output == new { continue }
      monitor.output = new
      monitor.forget()
    }
    // Without an output there is no screen; panes wait on the last one.
    if all == outputs || all.isEmpty { return }
    outputs = all
    let bounds = all.reduce(Rect.zero) { $0.hull($1.bounds) }
    screen = Output(name: "screen", bounds: bounds, scale: all.first?.scale ?? 1)
    events.append(.screenChanged)
  }

  // MARK: Captures

  private mutating func takeFrame(_ outcome: OutputCapture.Outcome, of monitor: MonitoredOutput) {
    guard case .ready(let damage) = outcome else {
      // An event of the output, or the end of the pause, continues.
      monitor.retryTime = now + Self.retryPause
      for i in answers.indices { answers[i].captures[monitor.id] = nil }
      return
    }
    bytesRead += 4 * monitor.layout.pixelCount
    let surfaces = overlays.values.compactMap(\.surface)
    let changed = monitor.absorb(damage: damage, below: surfaces)
    for i in answers.indices {
      if let number = answers[i].captures[monitor.id], number <= monitor.captureNumber {
        answers[i].captures[monitor.id] = nil
      }
    }
    if changed.isEmpty { return }
    damageCount += 1
    for surface in surfaces where surface.output == monitor.id {
      let own = changed.intersection(Region(surface.rect))
      if own.isEmpty { continue }
      surface.outdated.form(union: own)
      leakDeadline = leakDeadline ?? now + Self.leakDelay
    }
    for (view, region) in watchedViews {
      let seen = region.intersection(changed)
      if !seen.isEmpty { events.append(.damaged(view, seen, isCaptured: false)) }
    }
  }

  /// The pause after a capture that failed. An output that is off lets each fail at once.
  private static var retryPause: Duration { .milliseconds(500) }

  /// The time after which a change of the backdrop is committed even if the engine draws nothing.
  private static var leakDelay: Duration { .milliseconds(20) }

  /// Commits overlays whose backdrop has changed and that no update of the engine has drawn since.
  private mutating func commitLeaks() {
    guard let leakDeadline, leakDeadline <= now, update == nil else { return }
    self.leakDeadline = nil
    for overlay in overlays.values {
      guard let surface = overlay.surface, !surface.outdated.isEmpty else { continue }
      if surface.canCommit {
        commit(surface, Region(), input: overlay.input)
      } else {
        self.leakDeadline = now + Self.leakDelay
      }
    }
  }

  private mutating func releaseOverlays() {
    for (id, overlay) in overlays where overlay.isAwaited && overlay.surface?.canCommit == true {
      overlays[id]?.isAwaited = false
      events.append(.released(id))
    }
  }

  private mutating func advanceAnswers() {
    for answer in answers where answer.callback == nil && answer.captures.isEmpty {
      events.append(.answered(answer.id))
    }
    answers.removeAll { $0.callback == nil && $0.captures.isEmpty }
  }
}

extension DisplayObjects {
  /// Binds what is needed. Throws `unsupported` with the name of a missing protocol.
  init(
    _ connection: borrowing WaylandConnection, _ globals: Globals
  ) throws(DisplayError) {
    let needed: [InterfaceTable] = [.compositor, .shm, .layerShell, .screencopyManager]
    for table in needed where globals.version(of: table) == nil {
      throw .unsupported(
        "display \(connection.name) cannot show glass: the compositor has no \(table.name)")
    }
    func bind(_ table: InterfaceTable) throws(DisplayError) -> WaylandObject {
      guard let object = connection.bind(table, in: globals) else {
        throw .unsupported("the compositor has no \(table.name)")
      }
      return object
    }
    self.init(
      compositor: try bind(.compositor), shm: try bind(.shm), layerShell: try bind(.layerShell),
      screencopy: try bind(.screencopyManager),
      xdgOutputs: connection.bind(.xdgOutputManager, in: globals))
  }
}
