import Panes
import Raster

// The time and the stage at which a frame begins.
extension Engine where Server: ~Copyable {
  /// The urgency of the next frame.
  var urgency: FrameSchedule.Urgency {
    guard frame.isIdle, pictures == nil, !server.isCongested else { return .none }
    // A lost overlay whose pane is not drawn waits for cells, like a new one.
    let isDrawnPaneLost = board.entries.contains { $0.isLost && $0.drawn != nil }
    let isBlendingOutdated = server.blendsAlpha != drawnBlending
    if !snapshots.isEmpty || isBlendingOutdated || isDrawnPaneLost { return .immediate }
    if hasWork { return syncs.contains(where: \.isPresenting) ? .immediate : .frame }
    return isFading ? .animation : .none
  }

  /// Whether a frame would have work now, without transitions.
  var hasWork: Bool {
    for entry in board.entries where hasWork(entry) { return true }
    return false
  }

  /// Whether a frame would have work for a pane now.
  func hasWork(_ entry: PaneEntry) -> Bool {
    if entry.isAwaitingRelease { return false }
    if entry.isAside { return true }
    switch entry.phase {
    case .hidden: return false
    case .awaiting: return !awaitsWallpaper(entry)
    case .drawable(let appearance):
      return entry.hasUndrawnPixels || appearance.needsSettling
        || store.mayMissCells(of: entry.owner)
    }
  }

  /// Begins a frame: with the panes that can appear at once, or with the capture.
  mutating func beginFrame(now: Duration) {
    budget.beginFrame(now: now, processorTime: processorTime())
    schedule.slowDown(to: budget.distance)
    schedule.beginFrame(now: now)
    newPixels = NewPixels()
    advanceTransitions(now: now)
    advanceDrawers(now: now)
    // Panes all of whose cells have values, current or stale, are shown before the capture, which corrects them.
    guard board.entries.contains(where: { canAppearEarly($0) }) else {
      return startCapture(attempt: 1)
    }
    advanceEntries(isCaptured: false)
    frame = .preparing(makePainting(plannedSteps()), attempt: 1)
  }
}
