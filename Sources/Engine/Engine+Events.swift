import Panes
import Raster

/// Handling of the events of the display.
extension Engine where Server: ~Copyable {
  /// Handles all events; if `reads` is false only those in memory. Returns their number, and whether there are more in memory.
  mutating func handleEvents(
    now: Duration, reads: Bool
  ) throws(DisplayError) -> (count: Int, hasMore: Bool) {
    let events = try server.nextEvents(now: now, reads: reads)
    for event in events { handle(event, now: now) }
    return (events.count, events.contains(.more))
  }

  private mutating func handle(_ event: DisplayEvent, now: Duration) {
    switch event {
    case .damaged(let view, let region, let isCaptured):
      store.damage(region, of: .captured(view), isCaptured: isCaptured)
    case .wallpaperAnnounced(let region):
      announcements.add(region, now: now)
      damageAllViews(in: announcements.region)
    case .captured(let failed):
      if case .capturing(let plan) = frame { frame = .captured(plan, failed: failed) }
    case .answered(let id):
      for i in syncs.indices { syncs[i].recordAnswer(id) }
    case .exposed(let overlay, let rect):
      guard let entry = board.entry(of: overlay), let drawn = entry.drawn else { return }
      entry.undrawn.form(union: rect.intersection(drawn.bounds))
    case .released(let overlay):
      guard let entry = board.entry(of: overlay),
        case .awaitingRelease(let state) = entry.overlayPhase
      else { return }
      entry.overlayPhase = .mapped(state)
    case .lost(let overlay):
      guard let entry = board.entry(of: overlay), entry.shownState != nil else { return }
      cancelPainting()
      loseContacts(of: entry)
      entry.overlayPhase = .lost
      watch.invalidate()
      entry.undrawn = entry.drawn.map { Region($0.bounds) } ?? Region()
    case .screenChanged:
      cancelPainting()
      store.invalidateAll()
      updateOutputs()
    case .outputsChanged:
      updateOutputs()
    case .pointerFound(let x, let y):
      placePointerPanes(x: x, y: y)
    case .targetsChanged:
      followTargets()
    case .lockChanged:
      updateLocks()
    case .contact(let overlay, let contact):
      if let entry = board.entry(of: overlay) { handle(contact, on: entry) }
    case .escapePressed(let overlay):
      if let entry = board.entry(of: overlay) { closeDrawer(of: entry) }
    case .blendingChanged:
      cancelPainting()
      for entry in board.entries { loseContacts(of: entry) }
      for entry in board.entries { updateGlassPlace(of: entry) }
      for entry in board.entries { updateAppearance(of: entry) }
      obstacleLog.update(lastingObstacles)
    case .colorSchemeChanged:
      updateSchemes()
    case .more:
      break
    }
  }

  /// Hides all panes while the user's session is locked, for this reason, whatever the display reports.
  package mutating func setSessionLock(_ reason: LockReason?) {
    if reason == sessionLock { return }
    sessionLock = reason
    updateLocks()
  }

  private mutating func updateLocks() {
    for entry in board.entries { updateAppearance(of: entry) }
  }

  /// Why panes are hidden on a part of the screen; nil if they are not.
  package var lockReason: LockReason? { sessionLock ?? server.lockReason }

  /// Captures what is behind all shown panes again.
  package mutating func refresh() {
    if isSuspended { return }
    for (view, region) in watch.views { store.damage(region, of: .captured(view)) }
    server.refresh()
  }

  /// Marks a region as damaged in every view.
  mutating func damageAllViews(in region: Region) {
    for view in watch.views.keys { store.damage(region, of: .captured(view)) }
  }
}
