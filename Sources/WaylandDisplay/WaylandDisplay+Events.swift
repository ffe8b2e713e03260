package import Engine
import Frost
import Panes
import Raster
import WaylandClient

/// Events of the compositor: each goes to the part that handles it.
extension WaylandDisplay {
  package mutating func nextEvents(
    now: Duration, reads: Bool
  ) throws(DisplayError) -> [DisplayEvent] {
    self.now = now
    try withDisplayErrors { () throws(WaylandError) in
      for event in try connection.takeEvents(reads: reads) { try handle(event) }
      for monitor in monitors {
        monitor.captures.advance(to: now)
        monitor.updateProbeDeadline(now: now)
        monitor.searchHidden(now: now)
      }
      for surface in allSurfaces { surface.freeSpareBuffers(now: now, connection) }
      finishCapture()
      releaseOverlays()
      advanceAnswers()
      for monitor in monitors { monitor.continueCapture(connection, now: now) }
      // Requests that were made here would wait for the next call otherwise.
      try connection.flush()
    }
    defer { events = [] }
    return events
  }

  mutating func handle(_ event: WaylandEvent) throws(WaylandError) {
    if event.object == connection.registry { return handleGlobal(event) }
    if handleInput(event) { return }
    for monitor in monitors {
      if event.object == monitor.object {
        if monitor.pending.handleOutputEvent(event) {
          monitor.captures.resume(now: now)
          updateOutputs()
        }
        return
      }
      if monitor.handleAnswer(event.object, connection) { return }
      if event.object == monitor.xdgObject { return monitor.pending.handleXDGEvent(event) }
      if let outcome = try monitor.captures.capture?.handle(event, connection) {
        handleFrame(outcome, of: monitor)
        return
      }
    }
    if let index = answers.firstIndex(where: { $0.callback == event.object }) {
      answers[index].callback = nil
      connection.release(event.object)
      if way != .live { answers[index].deadline = now + PendingAnswer.timeLimit }
      for monitor in monitors {
        answers[index].captures[monitor.id] = monitor.requestFrame(connection, now: now)
        // An overlay may have to show what one above it covered.
        shareStack(of: monitor)
        let isChanged = surfaces(on: monitor).contains(where: \.isChanged)
        answers[index].commits[monitor.id] = monitor.commits.count + (isChanged ? 1 : 0)
      }
      return
    }
    handleOverlayEvent(event)
  }

  private mutating func handleOverlayEvent(_ event: WaylandEvent) {
    for (id, overlay) in overlays {
      guard let surface = overlay.surface else { continue }
      if event.object == surface.role.object {
        switch LayerSurfaceEvent(rawValue: event.opcode) {
        case .configure: surface.handleConfigure(serial: event.number(0), connection)
        case .closed:
          destroy(surface)
          overlays[id]?.recordClosure(now: now)
          events.append(.lost(id))
          updateWatch()
        case nil: break
        }
        return
      }
      if handleSurfaceEvent(event, of: surface) { return }
    }
    if !handleSampleEvent(event) { _ = handleProbeEvent(event) }
  }

  /// Handles an event of a surface that says what the compositor has done. Returns whether it was one.
  mutating func handleSurfaceEvent(_ event: WaylandEvent, of surface: OverlaySurface) -> Bool {
    if surface.handleFrameDone(event.object, connection) {
      for monitor in monitors where monitor.id == surface.output {
        if way != .live { confirmByCallbacks(on: monitor) }
        monitor.captures.resume(now: now)
        // The next capture shows the commit. If nothing changes on the screen, none would follow.
        if surface.committed != nil { _ = monitor.requestFrame(connection, now: now) }
      }
      return true
    }
    return surface.handleRelease(of: event.object, connection)
  }

  // MARK: Outputs

  private mutating func handleGlobal(_ event: WaylandEvent) {
    switch globals.handle(event) {
    case .added(let id, let global): add(id, global)
    case .removed(let id, let global) where global.interface == InterfaceTable.output.name:
      removeOutput(OutputID(global: id))
    case .removed(let id, let global) where global.interface == InterfaceTable.seat.name:
      removeSeat(id)
    case .removed, nil: break
    }
  }

  /// Uses a global of which there may be several.
  mutating func add(_ id: Int, _ global: Globals.Global) {
    switch global.interface {
    case InterfaceTable.output.name: addOutput(id, global)
    case InterfaceTable.seat.name: addSeat(id, global)
    default: break
    }
  }

  private mutating func addOutput(_ id: Int, _ global: Globals.Global) {
    let object = connection.bind(.output, id, global)
    let xdg = objects.xdgOutputs.map {
      connection.make(
        .xdgOutput, by: XDGOutputManagerRequest.getXDGOutput, of: $0,
        [.newObject, .object(object)])
    }
    monitors.append(
      MonitoredOutput(
        OutputID(global: id), object, xdg: xdg, canRelease: global.version >= 3,
        glass.way, objects.captures?.capture(of: object, shm: objects.shm), threads))
  }

  private mutating func removeOutput(_ id: OutputID) {
    guard let index = monitors.firstIndex(where: { $0.id == id }) else { return }
    removeProbe(of: monitors[index])
    endCheck(of: monitors[index], nil)
    let monitor = monitors.remove(at: index)
    monitor.close(connection)
    if let xdg = monitor.xdgObject {
      connection.send(XDGOutputRequest.destroy, to: xdg, destroys: true)
    }
    if monitor.canRelease {
      connection.send(OutputRequest.release, to: monitor.object, destroys: true)
    }
    loseOverlays(on: id)
    updateOutputs()
  }

  /// Destroys the overlays on an output that has changed or is gone. The engine draws them again at their new places.
  mutating func loseOverlays(on id: OutputID) {
    for monitor in monitors where monitor.id == id {
      removeProbe(of: monitor)
      endCheck(of: monitor, nil)
    }
    for (overlay, one) in overlays where one.surface?.output == id {
      if let surface = one.surface { destroy(surface) }
      overlays[overlay]?.surface = nil
      overlays[overlay]?.isAwaited = false
      events.append(.lost(overlay))
    }
  }

  private mutating func updateOutputs() {
    for monitor in monitors { monitor.state = monitor.pending }
    let all = pixelOutputs(monitors.map(\.state))
    for monitor in monitors {
      let new = all.first { $0.name == monitor.state.name }
      if monitor.output == new { continue }
      // The places of the overlays on the changed output are unknown, so their backdrop could not be recovered.
      loseOverlays(on: monitor.id)
      monitor.output = new
      monitor.wallpaper = OutputWallpaper(wallpaper, of: monitor.state.name, monitor.bounds)
      monitor.forget(connection)
    }
    // The engine need not watch other regions, and captures of a new output begin without a request.
    updateWatch()
    // Without an output there is no screen; panes wait on the last one.
    if all.isEmpty { return }
    for (id, overlay) in overlays where overlay.isAwaited && overlay.surface == nil {
      overlays[id]?.isAwaited = false
      events.append(.released(id))
    }
    if all == outputs { return }
    outputs = all
    for id in overlays.keys { overlays[id]?.opening.allow() }
    let bounds = all.reduce(Rect.zero) { $0.hull($1.bounds) }
    screen = Output(name: "screen", bounds: bounds, scale: all.first?.scale ?? 1)
    events.append(.screenChanged)
  }

  // MARK: Captures

  private mutating func handleFrame(_ outcome: CaptureOutcome, of monitor: MonitoredOutput) {
    let surfaces = surfaces(on: monitor)
    monitor.captures.endFrame()
    switch outcome {
    case .failed:
      for surface in surfaces where surface.displayed != nil {
        surface.requestFrameDone(connection)
      }
      monitor.captures.fail(now: now, isToldEnd: surfaces.contains(where: \.role.awaitsFrameDone))
    case .ready(let damage):
      bytesRead += 4 * (monitor.captures.capture?.buffer?.layout.pixelCount ?? 0)
      let changed = monitor.updateBackdrops(damage: damage, below: surfaces, now: now)
      handleChange(of: changed, on: monitor, below: surfaces)
      monitor.updateProbeDeadline(now: now)
      applySampleFinding(of: monitor)
      if monitor.isRefreshing { endRefreshing(monitor) }
    }
    if monitor.captures.pause != nil {
      // When an overlay is seen again, captures continue.
      for surface in surfaces where surface.displayed != nil {
        surface.requestFrameDone(connection)
      }
    }
    for i in answers.indices {
      if let number = answers[i].captures[monitor.id],
        monitor.captures.pause != nil || number <= monitor.captures.number
      {
        answers[i].captures[monitor.id] = nil
      }
    }
  }

  /// Shows what was captured last, because the compositor blends overlays in another way than live glass needs.
  mutating func showStillGlass() {
    for monitor in monitors {
      removeProbe(of: monitor)
      monitor.levels.wallpaper.acceptAll()
      monitor.captures.stopWaiting(connection)
      for surface in surfaces(on: monitor) { surface.redraw() }
      // Captures were expected to confirm the pending commits. From now on the compositor confirms commits.
      confirmByCallbacks(on: monitor)
    }
    for i in answers.indices where answers[i].callback == nil {
      answers[i].captures = [:]
      answers[i].deadline = now + PendingAnswer.timeLimit
    }
    updateWatch()
    // The pixels that were recovered from the leaks are wrong.
    captureAgain()
  }

  /// Shows live glass instead of still glass.
  mutating func showLiveGlass() {
    for monitor in monitors {
      monitor.cancelRefresh()
      monitor.captures.needsFrame = true
      for pane in paneSurfaces(on: monitor) { pane.setBlank(false) }
      for surface in surfaces(on: monitor) { surface.redraw() }
    }
    updateWatch()
  }

  /// Confirms commits by the frame callbacks of the compositor, for glass whose commits captures do not confirm.
  private mutating func confirmByCallbacks(on monitor: MonitoredOutput) {
    let surfaces = surfaces(on: monitor)
    for surface in surfaces { surface.confirmByCallback() }
    guard surfaces.allSatisfy({ $0.committed == nil }) else { return }
    monitor.commits.confirm()
    let areBlank = paneSurfaces(on: monitor).allSatisfy { $0.isBlank && !$0.isChanged }
    if monitor.isRefreshing, areBlank { monitor.forgetBackdrop() }
  }

  package mutating func refresh() {
    if way != .still { return }
    for monitor in monitors where glass.isTested { monitor.blending.request() }
    captureAgain()
  }

  /// Makes still glass clear, and captures the pixels below it again.
  private mutating func captureAgain() {
    for monitor in monitors {
      monitor.beginRefreshing()
      if !monitor.isRefreshing { continue }
      for surface in paneSurfaces(on: monitor) { surface.setBlank(true) }
    }
  }

  private mutating func endRefreshing(_ monitor: MonitoredOutput) {
    if !monitor.endRefreshing() { return }
    for surface in paneSurfaces(on: monitor) { surface.setBlank(false) }
  }

  mutating func handleChange(
    of changed: ByLevel<Region>, on monitor: MonitoredOutput, below surfaces: [OverlaySurface]
  ) {
    if changed.wallpaper.isEmpty, changed.windows.isEmpty { return }
    damageCount += 1
    for surface in surfaces where way == .live {
      let own = changed[surface.level].intersection(surface.covered)
      if own.isEmpty { continue }
      surface.outdated.form(union: own)
      monitor.commits.leakDeadline = monitor.commits.leakDeadline ?? now + Self.leakDelay
    }
    for (view, region) in watchedViews {
      let seen = region.intersection(changed[BackdropLevel(of: view)])
      if !seen.isEmpty { events.append(.damaged(view, seen, isCaptured: false)) }
    }
  }

  /// The time after which a change of the backdrop is committed even if the engine draws nothing.
  private static var leakDelay: Duration { .milliseconds(20) }

  /// Commits all overlays of an output that have changed, together. A change below an overlay is committed with the
  /// glass that follows, or after a while without.
  mutating func commitOverlays() {
    if update != nil { return }
    for monitor in monitors {
      updateProbe(of: monitor)
      updateCheck(of: monitor)
      let isLate = monitor.commits.leakDeadline.map { $0 <= now } == true
      let surfaces = surfaces(on: monitor)
      let isChanged = monitor.commits.isStackOutdated || surfaces.contains(where: \.isChanged)
      // One that was never drawn has nothing to commit.
      let drawn = surfaces.filter { !$0.shown.isEmpty }
      let isOutdated = drawn.contains { !$0.outdated.isEmpty }
      if isChanged || isLate && isOutdated, drawn.allSatisfy(\.isReady) {
        commit(drawn, on: monitor)
      }
      if drawn.allSatisfy(\.outdated.isEmpty) { monitor.commits.leakDeadline = nil }
    }
  }

  /// Gives each overlay of an output its part, if one has appeared, moved or disappeared.
  private func shareStack(of monitor: MonitoredOutput) {
    guard monitor.commits.isStackOutdated else { return }
    let drawn = surfaces(on: monitor).filter { !$0.shown.isEmpty }
    OverlayStack(surfaces: drawn, way: way, threads: threads)
      .share(changed: monitor.commits.leftRegion)
    (monitor.commits.isStackOutdated, monitor.commits.leftRegion) = (false, Region())
  }

  private mutating func commit(_ surfaces: [OverlaySurface], on monitor: MonitoredOutput) {
    shareStack(of: monitor)
    let stack = OverlayStack(surfaces: surfaces, way: way, threads: threads)
    stack.spreadChanges()
    var changed = Region()
    for surface in surfaces where surface.isChanged || !surface.outdated.isEmpty {
      if surface.memoryPause.isPausing(now: now) { continue }
      let region = try? monitor.withBackdrop(surface.level) { (backdrop) throws(WaylandError) in
        try surface.commit(objects, connection, hasMarks: way == .live, now: now) {
          stack.draw($0, of: surface, over: backdrop, on: monitor.bounds, into: &$1, $2)
        }
      }
      guard let region else {
        surface.memoryPause.recordFailure(now: now)
        continue
      }
      surface.memoryPause = MemoryPause()
      changed.form(union: region)
      surface.setCaptureAtCommit(monitor.captures.number)
    }
    bytesWritten += 4 * changed.area
    if changed.isEmpty { return }
    monitor.addCommit(of: changed, connection)
    monitor.continueCapture(connection, now: now)
  }

  private mutating func releaseOverlays() {
    for (id, overlay) in overlays where overlay.isAwaited {
      guard let surface = overlay.surface, canDraw(surface) else { continue }
      overlays[id]?.isAwaited = false
      events.append(.released(id))
    }
    for id in overlays.keys {
      guard overlays[id]?.opening.endsPause(now: now) == true, overlays[id]?.isAwaited == true
      else { continue }
      overlays[id]?.isAwaited = false
      events.append(.released(id))
    }
    for monitor in monitors { _ = monitor.search.opening.endsPause(now: now) }
  }

  private mutating func advanceAnswers() {
    // Answers do not wait for captures of outputs that cannot be captured now.
    let capturable = Set(monitors.filter(\.canCapture).map(\.id))
    for i in answers.indices {
      answers[i].captures = answers[i].captures.filter { capturable.contains($0.key) }
    }
    let isDone = answers.map { answer in
      answer.callback == nil && answer.captures.isEmpty
        && monitors.allSatisfy { isConfirmed(answer, on: $0) }
    }
    for (answer, isDone) in zip(answers, isDone) where isDone {
      events.append(.answered(answer.id))
    }
    answers = zip(answers, isDone).filter { !$0.1 }.map(\.0)
  }

  /// Whether an output shows what was sent before an answer was requested.
  private func isConfirmed(_ answer: PendingAnswer, on monitor: MonitoredOutput) -> Bool {
    if way == .live {
      if !monitor.canCapture { return true }
      return monitor.commits.confirmedCount >= answer.commits[monitor.id] ?? 0
        && !isChecking(monitor)
    }
    return answer.deadline.map { $0 <= now } == true
      || !monitor.isRefreshing && !isChecking(monitor)
        && surfaces(on: monitor).allSatisfy(\.isSettled)
  }
}
