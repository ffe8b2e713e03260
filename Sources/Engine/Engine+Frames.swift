import Frost
import Panes
import Raster

/// Frames: stale cells are collected, captured in one batch, computed, drawn and committed.
extension Engine where Server: ~Copyable {
  /// The time at which `step` must be called if the display has no events before; nil if there is
  /// none.
  package var deadline: Duration? {
    if isSuspended { return nextEnd }
    if isBehind || isPainting { return .zero }
    let times = [
      schedule.nextFrame(urgency), schedule.nextRecheck, server.deadline, nextEnd,
      nextSchemeChange, obstacleLog.deadline,
    ]
    return times.compactMap(\.self).min()
  }

  /// Handles all events, and computes and shows a frame if it is due. A frame that takes long is continued by the
  /// next calls. Throws `lost`; then `suspend` must follow.
  package mutating func step(now: Duration) throws(DisplayError) {
    endPanes(now: now)
    removeEndedPanes()
    if isSuspended { return }
    try takeEvents(now: now, reads: true)
    noteObstacles(now: now)
    if schedule.takeRecheck(now: now) {
      noteAnnouncedDamage()
      announced = Region()
    }
    // Events that arrived with replies or while requests were sent are in memory. The descriptor
    // does not become readable for them. Requests of clients come before the rest of a flood.
    for _ in 0..<8 {
      advance(now: now)
      try server.flush()
      if isPainting || isBehind { return }
      if try !takeEvents(now: now, reads: false) { return }
    }
    isBehind = true
  }

  /// The urgency of the next frame.
  private var urgency: FrameSchedule.Urgency {
    guard frame.isIdle, !isPainting, !server.isCongested else { return .none }
    // A lost overlay whose pane is not drawn waits for cells, like a new one.
    let isDrawnPaneLost = entries.contains { $0.isLost && $0.drawn != nil }
    if !snapshots.isEmpty || isBlendingOutdated || isDrawnPaneLost { return .immediate }
    if hasWork { return syncs.contains(where: \.isPresenting) ? .immediate : .frame }
    return isFading ? .animation : .none
  }

  /// Whether a frame would have work now, without transitions.
  var hasWork: Bool {
    for entry in entries where hasWork(entry) { return true }
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

  /// Finishes the frame whose capture has ended, and begins the next one if it is due.
  private mutating func advance(now: Duration) {
    updateOutdatedLooks()
    updateWatch()
    paintPictures()
    continuePainting()
    if !isPainting, case .captured(let plan, let failed) = frame {
      frame = .idle
      absorb(plan, failed: failed)
      finishFrame(plan, failed: failed)
      continuePainting()
    }
    placePostponedTargets()
    if let time = schedule.nextFrame(urgency), time <= now {
      beginFrame(now: now)
      continuePainting()
    }
    removeEndedPanes()
    advanceSchemes(now: now)
    advanceSyncs(now: now)
    updateWatch()
  }

  private mutating func beginFrame(now: Duration) {
    budget.beginFrame(now: now, processorTime: processorTime())
    schedule.slowDown(to: budget.distance)
    schedule.beginFrame(now: now)
    newPixelCount = 0
    isDeferring = false
    advanceTransitions(now: now)
    advanceDrawers(now: now)
    // Panes all of whose cells have values, current or stale, are shown before the capture, which corrects them.
    guard entries.contains(where: { $0.drawn == nil && canAppear($0) }) else {
      return startCapture(attempt: 1)
    }
    advanceEntries(isCaptured: false)
    paint(then: .capture(attempt: 1))
  }

  mutating func startCapture(attempt: Int) {
    updateWatch()
    locateSnapshots()
    let hidden = Set(store.grids.keys.map(\.backdrop.view)).reduce(into: [View: Region]()) {
      $0[$1] = server.hiddenRegion(of: $1)
    }
    let targets = store.startCapture { hidden[$0] ?? Region() }
    let plan = CapturePlan(
      targets: targets, snapshots: snapshots.compactMap(\.area), watched: watchedViews,
      attempt: attempt, start: clock())
    if plan.regions.isEmpty {
      present(plan: nil)
    } else {
      statistics.captures += 1
      statistics.capturedPixels += plan.pixelCount
      server.startCapture(plan.regions)
      frame = .capturing(plan)
    }
  }

  private mutating func finishFrame(_ plan: CapturePlan, failed: [View: Region]) {
    let backdrops = backdropSteps(plan, failed: failed)
    // Windows that were destroyed during the capture are known now. Try again without them.
    if !failed.isEmpty, plan.attempt < CapturePlan.attemptLimit {
      begin(backdrops, then: .capture(attempt: plan.attempt + 1))
    } else {
      present(plan: plan, after: backdrops)
    }
  }

  /// Begins to draw all changes, after other steps.
  private mutating func present(plan: CapturePlan?, after steps: [Painting.Step] = []) {
    isBlendingOutdated = false
    advanceEntries(isCaptured: true)
    paint(after: steps, then: .frame(framesBefore: plan == nil ? nil : statistics.frames))
  }

  // MARK: Panes

  /// Brings all panes up to date with their cells, from the lowest to the highest, because a pane may show the panes
  /// below it. Before the capture of a frame, only panes appear that are not drawn.
  private mutating func advanceEntries(isCaptured: Bool) {
    updateWindowsBetween()
    let composed = entries.indices.filter { entries[$0].backdrop.isComposed }
    for index in entries.indices {
      let entry = entries[index]
      composeBackdrop(ofEntry: index)
      if isCaptured { updateScheme(ofCaptured: entry) }
      if isCaptured || entry.drawn == nil, canAppear(entry), takePixels(of: entry) {
        if entry.drawn == nil { decideScheme(of: entry) }
        let place = entry.drawn?.pane
        promote(entry)
        if let place, entry.drawn?.pane != place { updateScheme(of: entry) }
      }
      settle(entry)
      for higher in composed where higher > index {
        damageComposedBackdrop(of: entries[higher], entry.undrawn)
      }
    }
  }

  /// Whether the next appearance of a pane can be drawn: all its cells have values.
  private func canAppear(_ entry: PaneEntry) -> Bool {
    guard case .awaiting(let next, _) = entry.phase, !entry.isAwaitingRelease else { return false }
    return next.needs.allSatisfy { store.isKnown($0.value, of: $0.key) }
  }

  /// Whether a pane waits until wallpaper is known that windows cover now.
  func awaitsWallpaper(_ entry: PaneEntry) -> Bool {
    guard case .awaiting(let next, _) = entry.phase else { return false }
    let views = [next.backdrop.view, .belowPanes(next.layer)]
    let isHidden = views.contains { view in
      let hidden = server.hiddenRegion(of: view)
      if hidden.isEmpty { return false }
      // Also below its shadow.
      return hidden.intersects(next.bounds)
        || next.sourceRegions.contains { $0.key.view == view && hidden.intersects($0.value) }
    }
    return isHidden && !canAppear(entry)
  }

  /// Decides the scheme of a pane after a capture.
  private mutating func updateScheme(ofCaptured entry: PaneEntry) {
    if entry.isFromCache {
      entry.isFromCache = false
      decideScheme(of: entry)
    }
    if entry.drawn?.needsSettling == true { updateScheme(of: entry) }
  }

  // MARK: Cells

  private mutating func absorb(_ plan: CapturePlan, failed: [View: Region]) {
    let answered = clock()
    statistics.capturing += answered - plan.start
    var changes: [GridKey: [Rect]] = [:]
    for target in plan.targets {
      if failed[target.view]?.intersects(target.source) == true {
        store.fail(target)
      } else {
        changes[target.key, default: []] += absorb(target)
      }
    }
    for entry in entries {
      entry.noteChanges(of: changes)
      if entry.isFromCache { entry.drawn?.restartContent() }
      damageComposedBackdrop(of: entry, captured: changes)
    }
    statistics.reducing += clock() - answered
  }

  /// Returns the cells that changed, as disjoint rectangles.
  private mutating func absorb(_ target: CaptureTarget) -> [Rect] {
    let threads = threads(for: target.source.area)
    guard server.isComposed(target.source, of: target.view) else {
      return absorb(target, threads: threads).rects
    }
    let bands = target.bands(ofPixels: composedPixelCount, threads: threads)
    return bands.flatMap { absorb($0, threads: threads).rects }
  }

  /// Computes the cells of a target. Returns those that changed.
  private mutating func absorb(_ target: CaptureTarget, threads: Int) -> Region {
    var changed = Region()
    server.withCaptured(target.source, of: target.view) { pixels, layout in
      changed = store.absorb(target, pixels, layout, threads: threads)
    }
    return changed
  }

  /// Whether the frame may show a pane. One that is new needs new memory, which takes the kernel much longer than to
  /// draw it. So a frame that would show many new pixels leaves some panes to the next frames.
  private mutating func takePixels(of entry: PaneEntry) -> Bool {
    guard case .awaiting(let next, nil) = entry.phase else { return true }
    if newPixelCount > 0, newPixelCount + next.bounds.area > newPixelLimit {
      isDeferring = true
      return false
    }
    newPixelCount += next.bounds.area
    return true
  }

  /// Makes the next appearance of a pane the drawn one. Its cells must have values.
  private mutating func promote(_ entry: PaneEntry) {
    guard case .awaiting(let next, let shown) = entry.phase else { return }
    var kept = Region()
    if let shown {
      next.reuseCells(of: shown)
      uncover(entry)
      kept = keptRegion(of: entry, from: shown, to: next)
    } else {
      entry.isFromCache = store.mayMissCells(of: entry.owner)
    }
    entry.undrawn = Region(next.bounds).subtracting(kept)
    setPhase(of: entry, .drawable(next))
  }

  /// The pixels that stay right on the screen when a pane changes its appearance, usually when it moves.
  private func keptRegion(
    of entry: PaneEntry, from shown: Appearance, to next: Appearance
  ) -> Region {
    guard server.drawsOnScreen, let state = entry.shownState, !state.hasAlpha,
      !next.layout.state.hasAlpha
    else { return Region() }
    return next.regionDrawn(like: shown).subtracting(entry.undrawn)
  }

  /// Updates the glass of a pane, if it is drawn.
  private mutating func settle(_ entry: PaneEntry) {
    guard let drawn = entry.drawn, drawn.needsSettling else { return }
    let start = clock()
    let threads = threads(for: drawn.pane.area)
    entry.undrawn.form(union: drawn.settle(from: store, threads: threads))
    statistics.blurring += clock() - start
  }

  /// The number of threads for a change of `pixelCount` pixels.
  func threads(for pixelCount: Int) -> Int { pixelCount > largePixelCount ? threads : 1 }
}

/// The largest number of pixels of new panes in one frame, if there are several: half of a screen of 3840x2160.
private let newPixelLimit = 1 << 22

/// The number of pixels that are composed at once, 256 KiB, so that they stay in a cache and need little memory.
private let composedPixelCount = 1 << 16
