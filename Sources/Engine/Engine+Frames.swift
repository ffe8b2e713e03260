import Frost
import Panes
import Raster

/// Frames: stale cells are collected, captured in one batch, computed, drawn and committed.
extension Engine where Server: ~Copyable {
  /// The time at which `step` must be called if the display has no events before; nil if there is
  /// none.
  package var deadline: Duration? {
    if isSuspended { return nil }
    if isBehind { return .zero }
    let times = [schedule.nextFrame(urgency), schedule.nextRecheck, server.deadline]
    return times.compactMap(\.self).min()
  }

  /// Handles all events, and computes and shows a frame if it is due. Throws `lost`; then `suspend` must follow.
  package mutating func step(now: Duration) throws(DisplayError) {
    if isSuspended { return }
    try takeEvents(now: now, reads: true)
    if schedule.takeRecheck(now: now) {
      noteAnnouncedDamage()
      announced = Region()
    }
    // Events that arrived with replies or while requests were sent are in memory. The descriptor
    // does not become readable for them.
    for _ in 0..<8 {
      advance(now: now)
      try server.flush()
      if try !takeEvents(now: now, reads: false) { return }
    }
    isBehind = true
  }

  /// The urgency of the next frame.
  private var urgency: FrameSchedule.Urgency {
    guard capture.isIdle, !server.isCongested else { return .none }
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
    switch entry.phase {
    case .hidden: return false
    case .awaiting: return true
    case .drawable(let appearance):
      return entry.hasUndrawnPixels || appearance.renderer.needsSettling
        || store.mayMissCells(of: entry.owner)
    }
  }

  /// Finishes the frame whose capture has ended, and begins the next one if it is due.
  private mutating func advance(now: Duration) {
    updateWatch()
    if case .answered(let plan, let failed) = capture {
      capture = .idle
      absorb(plan, failed: failed)
      finishFrame(plan, failed: failed, now: now)
    }
    if let time = schedule.nextFrame(urgency), time <= now { beginFrame(now: now) }
    advanceSyncs(now: now)
    updateWatch()
  }

  private mutating func beginFrame(now: Duration) {
    schedule.beginFrame(now: now)
    newPixelCount = 0
    isDeferring = false
    advanceTransitions(now: now)
    presentFromCache()
    startCapture(attempt: 1, now: now)
  }

  /// Shows panes that are not drawn and all of whose cells have values, current or stale. The
  /// capture of this frame corrects them.
  private mutating func presentFromCache() {
    let ready = entries.filter { entry in
      guard case .awaiting(let next, nil) = entry.phase else { return false }
      return isKnown(next)
    }
    if ready.isEmpty { return }
    for entry in ready where takePixels(of: entry) { promote(entry) }
    settle()
    paint()
  }

  private mutating func startCapture(attempt: Int, now: Duration) {
    updateWatch()
    locateSnapshots()
    let targets = store.startCapture()
    let plan = CapturePlan(
      targets: targets, snapshots: snapshots.compactMap(\.area), watched: watched,
      attempt: attempt, start: clock())
    if plan.regions.isEmpty {
      present(plan: nil, now: now)
    } else {
      statistics.captures += 1
      statistics.capturedPixels += plan.pixelCount
      server.startCapture(plan.regions)
      capture = .awaiting(plan)
    }
  }

  private mutating func finishFrame(
    _ plan: CapturePlan, failed: [View: Region], now: Duration
  ) {
    answerSnapshots(plan, failed: failed)
    // Windows that were destroyed during the capture are known now. Try again without them.
    if !failed.isEmpty, plan.attempt < CapturePlan.attemptLimit {
      startCapture(attempt: plan.attempt + 1, now: now)
    } else {
      present(plan: plan, now: now)
    }
  }

  /// Draws and sends all changes.
  private mutating func present(plan: CapturePlan?, now: Duration) {
    isBlendingOutdated = false
    let before = statistics.frames
    for entry in entries {
      entry.isFromCache = false
      if case .awaiting(let next, _) = entry.phase, !entry.isAwaitingRelease, isKnown(next),
        takePixels(of: entry)
      {
        promote(entry)
      }
    }
    settle()
    paint()
    answerPictures()
    if plan != nil, statistics.frames == before { statistics.unchangedFrames += 1 }
  }

  // MARK: Cells

  private mutating func absorb(_ plan: CapturePlan, failed: [View: Region]) {
    let answered = clock()
    statistics.capturing += answered - plan.start
    var changes: [GridKey: [Rect]] = [:]
    for target in plan.targets {
      if failed[target.key.view]?.intersects(target.source) == true {
        store.fail(target)
      } else {
        changes[target.key, default: []] += absorb(target)
      }
    }
    for entry in entries {
      entry.noteChanges(of: changes)
      if entry.isFromCache { entry.drawn?.renderer.restartContent() }
    }
    statistics.reducing += clock() - answered
  }

  /// Returns the cells that changed, as disjoint rectangles.
  private mutating func absorb(_ target: CaptureTarget) -> [Rect] {
    let threads = threads(for: target.source.area)
    guard server.isComposed(target.source, of: target.key.view) else {
      return absorb(target, threads: threads).rects
    }
    let bands = target.bands(ofPixels: composedPixelCount, threads: threads)
    return bands.flatMap { absorb($0, threads: threads).rects }
  }

  /// Computes the cells of a target. Returns those that changed.
  private mutating func absorb(_ target: CaptureTarget, threads: Int) -> Region {
    var changed = Region()
    server.withCaptured(target.source, of: target.key.view) { pixels, layout in
      changed = store.absorb(target, pixels, layout, threads: threads)
    }
    return changed
  }

  /// Whether all cells of an appearance have values.
  private func isKnown(_ appearance: Appearance) -> Bool {
    appearance.needs.allSatisfy { store.isKnown($0.value, of: $0.key) }
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
      if shown.renderer !== next.renderer, shown.glassKey == next.glassKey {
        next.renderer.reuseCells(of: shown.renderer)
      }
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
      !next.layout.state.hasAlpha, shown.glassKey == next.glassKey
    else { return Region() }
    return next.renderer.regionDrawn(like: shown.renderer).subtracting(entry.undrawn)
  }

  /// Updates the glass of all drawn panes.
  private mutating func settle() {
    let start = clock()
    for entry in entries {
      guard let drawn = entry.drawn, drawn.renderer.needsSettling,
        let grid = store.cellGrid(drawn.glassKey)
      else { continue }
      let threads = threads(for: drawn.renderer.pane.area)
      entry.undrawn.form(union: drawn.renderer.settle(from: grid, threads: threads))
    }
    statistics.blurring += clock() - start
  }

  /// The number of threads for a change of `pixelCount` pixels.
  func threads(for pixelCount: Int) -> Int { pixelCount > largePixelCount ? threads : 1 }
}

/// The largest number of pixels of new panes in one frame, if there are several: half of a screen of 3840x2160.
private let newPixelLimit = 1 << 22

/// The number of pixels that are composed at once, 256 KiB, so that they stay in a cache and need little memory.
private let composedPixelCount = 1 << 16

/// The state of the capture.
enum CapturePhase {
  case idle
  case awaiting(CapturePlan)
  case answered(CapturePlan, failed: [View: Region])

  var isIdle: Bool { if case .idle = self { true } else { false } }
}

/// The regions and the purpose of one capture.
struct CapturePlan {
  let targets: [CaptureTarget]
  /// The captured region of each view.
  let regions: [View: Region]
  let attempt: Int
  /// The time at which it was sent.
  let start: Duration

  /// The number of attempts after which a frame is presented without the unreadable regions.
  static let attemptLimit = 4

  /// A capture of the sources of cells and of the areas of snapshots, all of which must be watched.
  init(
    targets: [CaptureTarget], snapshots: [(view: View, rect: Rect)], watched: [View: Region],
    attempt: Int, start: Duration
  ) {
    self.targets = targets
    self.attempt = attempt
    self.start = start
    var sources: [View: [Rect]] = [:]
    for target in targets { sources[target.key.view, default: []].append(target.source) }
    for (view, rect) in snapshots { sources[view, default: []].append(rect) }
    regions = sources.reduce(into: [:]) { regions, source in
      regions[source.key] =
        Region(covering: source.value).intersection(watched[source.key] ?? Region())
    }
  }

  var pixelCount: Int { regions.values.reduce(0) { $0 + $1.area } }
}
