import Engine
import Frost
import Panes
import Raster
import WaylandClient

/// An output: its state, its captures and the pixels below our overlays.
final class MonitoredOutput {
  let id: OutputID
  let object: WaylandObject
  let xdgObject: WaylandObject?
  /// Whether its version has a request that destroys it.
  let canRelease: Bool
  let threads: LeakThreads
  /// The events so far, and the state at the last `done`.
  var pending, state: OutputState
  /// The place in the space of pixels; nil if it shows nothing.
  var output: Output?
  /// The backdrops of the overlays of each level.
  var levels = ByLevel(repeating: WatchedBackdrop())
  /// The region that is watched on any level: the pixels on which panes depend, and those that overlays cover.
  private(set) var watched = Region()
  /// Where the wallpaper comes from.
  var wallpaper = OutputWallpaper.screen
  /// The search for wallpaper that windows covered.
  var hiddenSearch = HiddenSearch()
  /// Shows the wallpaper below windows as it is, and lets enough of it through to tell where windows cover it.
  var probe: ProbeSurface?
  /// When a probe may be made.
  var probeOpening = SurfaceOpening()
  /// The check for wallpaper below overlays above windows.
  var check = WallpaperCheck()
  /// When what the probe should tell is not awaited any longer; nil if nothing is.
  var probeDeadline: Duration?
  /// Nil if the compositor cannot be captured.
  let capture: (any OutputCapture)?
  /// How glass is shown: what captures are for.
  var way: GlassWay
  /// The check of how the output is blended.
  var blending = BlendingCheck()
  /// The finding of the last capture about the sample that is shown; nil if none.
  private(set) var sampleFinding: BlendingCheck.Finding?
  /// The progress of a refresh of still glass.
  private var refresh = Refresh.none

  private enum Refresh {
    case none
    /// Its overlays become clear.
    case blanking
    /// All that is watched is captured.
    case capturing
  }
  var plan: CaptureArea
  /// The number of the capture in progress, or of the last one.
  private(set) var captureNumber = 0
  /// Whether the next capture must not wait for a change.
  var needsFrame = false
  /// Whether the capture in progress waits for a change.
  private var isWaiting = false
  /// The time of the last request for a frame that must not wait.
  private var requestTime = Duration.zero
  /// Why no capture starts; nil if one may.
  var pause: CapturePause?
  /// Whether the compositor is believed when it says that an overlay is visible again.
  var trustsRevivals = true
  var wasRevived = false
  /// The pauses after captures that fail in a row.
  private var retry = RetryPause()
  /// Overlays that were destroyed; a capture may show them until the compositor has answered.
  private(set) var departed: [(rect: Rect, answer: WaylandObject)] = []
  /// Where overlays were before they moved or disappeared, since the last commit.
  var leftRegion = Region()
  /// Whether an overlay appeared, moved, disappeared or got another layer since the last commit.
  var isStackOutdated = false
  /// The time at which changes of the backdrop are committed that no update of the engine includes; nil if there are none.
  var leakDeadline: Duration?
  /// The number of times that overlays were committed, and that a capture has shown that.
  private(set) var commitCount = 0
  private(set) var confirmedCount = 0

  init(
    _ id: OutputID, _ object: WaylandObject, xdg: WaylandObject?, canRelease: Bool, _ way: GlassWay,
    _ capture: (any OutputCapture)?, _ threads: LeakThreads
  ) {
    self.id = id
    self.object = object
    xdgObject = xdg
    self.canRelease = canRelease
    self.way = way
    pending = OutputState(name: "output-\(id.global)")
    state = pending
    self.capture = capture
    self.threads = threads
    plan = CaptureArea(capturesParts: capture?.capturesParts == true)
  }

  var bounds: Rect { output?.bounds ?? .zero }

  // MARK: Watching

  /// Sets what is watched on each level, in the coordinates of the display.
  func watch(_ regions: ByLevel<Region>, _ connection: borrowing WaylandConnection) {
    for level in BackdropLevel.allCases { levels[level].watch(regions[level], on: bounds) }
    supplyWallpaper()
    watched = levels.wallpaper.watched.union(levels.windows.watched)
    check.keep(levels.wallpaper.watched)
    if watched.isEmpty {
      // An output that shows nothing must not wake this process.
      capture?.discardBuffer(connection)
      // No capture will show the last commit of an overlay that was hidden.
      confirmCommits()
    }
    if let pause, !pause.isTimed {
      if case .failed = pause { needsFrame = true }
      self.pause = nil
    }
  }

  /// Forgets the backdrop, because the output has changed.
  func forget(_ connection: borrowing WaylandConnection) {
    levels = ByLevel(repeating: WatchedBackdrop())
    probeOpening.allow()
    check = WallpaperCheck()
    blending.forget()
    hiddenSearch = HiddenSearch()
    (watched, leftRegion) = (Region(), Region())
    plan = CaptureArea(capturesParts: capture?.capturesParts == true)
    refresh = .none
    pause = nil
    retry = RetryPause()
    capture?.cancel(connection)
  }

  /// Notes that an overlay was destroyed.
  func noteDeparture(_ rect: Rect, _ connection: borrowing WaylandConnection) {
    departed.append((rect, connection.requestSync()))
    leftRegion.form(union: rect)
    isStackOutdated = true
    needsFrame = true
  }

  /// Whether an object is the answer to a departure.
  func takeAnswer(_ object: WaylandObject, _ connection: borrowing WaylandConnection) -> Bool {
    guard let index = departed.firstIndex(where: { $0.answer == object }) else { return false }
    connection.release(object)
    departed.remove(at: index)
    if departed.isEmpty, blending.noteRemoval(beforeCapture: captureNumber + 1) {
      needsFrame = true
    }
    return true
  }

  /// Ends all requests in progress.
  func close(_ connection: borrowing WaylandConnection) {
    capture?.discardBuffer(connection)
    for one in departed { connection.release(one.answer) }
    departed = []
  }

  // MARK: Captures

  private var isCapturing: Bool { capture?.isIdle == false }

  /// Whether a capture may be made now.
  var canCapture: Bool { !watched.isEmpty && pause == nil && way != .handedOver }

  /// The time at which captures continue without an event; nil if there is none.
  var captureDeadline: Duration? {
    if watched.isEmpty { return nil }
    return pause == nil ? answerDeadline : pause?.end
  }

  /// The time after which the frame in progress is not awaited any more; nil if it waits for a change.
  private var answerDeadline: Duration? {
    isCapturing && !isWaiting ? requestTime + CapturePause.answerTime : nil
  }

  /// Notes the time. If the frame in progress should have ended, nothing waits for it any more.
  func noteTime(_ now: Duration) {
    if pause == nil, let answerDeadline, answerDeadline <= now { pause = .unanswered }
  }

  /// Notes that a frame has ended.
  func noteEnd() { if pause == .unanswered { pause = nil } }

  /// Starts the next capture, if something is watched.
  func continueCapture(_ connection: borrowing WaylandConnection, now: Duration) {
    guard let capture, !watched.isEmpty, way != .handedOver else { return }
    noteTime(now)
    if let pause {
      let isOver = pause.end.map { $0 <= now } == true
      // New panes may be beside what covers the others.
      guard isOver || pause.isCovered && hasUnvalued else { return }
      if !pause.isCovered { needsFrame = true }
      self.pause = nil
    }
    let unseen = isWallpaperGiven ? Region() : levels.wallpaper.unseen
    let unknown = levels.windows.unknown.union(unseen)
    let waits = !needsFrame && unknown.isEmpty
    // Still pictures follow no change.
    if waits, way == .still || !needsChanges { return }
    // A change may never come, so it must not be awaited for pixels that are needed now.
    if isWaiting, !waits { cancelWaiting(connection) }
    guard capture.isIdle else { return }
    let needed = needsFrame ? watched.bounds : unknown.bounds.hull(levels.windows.deferred.bounds)
    plan.choose(needed: needed, watched: watched.bounds, waits: waits, on: state, bounds)
    capture.start(connection, part: plan.logical, waitsForDamage: waits)
    isWaiting = waits
    requestTime = now
    needsFrame = false
    captureNumber += 1
  }

  /// Whether changes of the screen matter. A given wallpaper needs none, once captures have shown all commits.
  private var needsChanges: Bool {
    !isWallpaperGiven || !levels.windows.watched.isEmpty || confirmedCount < commitCount
  }

  /// Whether pixels are needed that were never known, and can be.
  var hasUnvalued: Bool { BackdropLevel.allCases.contains { !unvalued($0).isEmpty } }

  /// The region that was never known, and can be.
  func unvalued(_ level: BackdropLevel) -> Region {
    level == .windows
      ? levels.windows.unvalued : levels.wallpaper.unvalued.subtracting(hiddenWallpaper)
  }

  /// The region that is not known, and can be.
  func unknown(_ level: BackdropLevel) -> Region {
    level == .windows
      ? levels.windows.unknown : levels.wallpaper.unknown.subtracting(hiddenWallpaper)
  }

  /// Requests a capture of all that is watched and that does not wait for a change. Returns its number; nil if none can
  /// be made now.
  func requestFrame(_ connection: borrowing WaylandConnection, now: Duration) -> Int? {
    if !canCapture || way == .still { return nil }
    capture?.cancel(connection)
    needsFrame = true
    continueCapture(connection, now: now)
    return captureNumber
  }

  /// Ends a capture that waits for a change, if there is one.
  func stopWaiting(_ connection: borrowing WaylandConnection) {
    if isWaiting { capture?.cancel(connection) }
  }

  /// Ends a capture, before another one. If it has already been made, what it says to have changed is lost.
  private func cancelWaiting(_ connection: borrowing WaylandConnection) {
    if !isCapturing { return }
    capture?.cancel(connection)
    needsFrame = true
  }

  /// Notes that no capture can be made for some time. `isToldEnd` is whether the compositor tells when it shows an overlay
  /// again.
  func noteFailure(now: Duration, isToldEnd: Bool = false) {
    let next = retry.next()
    pause = .failed(since: now, until: isToldEnd && retry.isFutile ? nil : now + next)
  }

  /// Notes that the compositor shows our overlays again.
  func resume(now: Duration) {
    switch pause {
    case nil: return
    // It was said too early.
    case .covered(.some): return
    // The frame in progress ends when the output shows something.
    case .unanswered: return
    case .covered(nil): wasRevived = true
    case .failed(let since, let end):
      // If captures still fail, this must not be repeated at each frame.
      let early = since + CapturePause.shortTime
      if early > now { return pause = .failed(since: since, until: min(early, end ?? early)) }
      wasRevived = false
    }
    pause = nil
    needsFrame = true
  }

  /// Notes that overlays were committed, which changes a region.
  func noteCommit(of region: Region, _ connection: borrowing WaylandConnection) {
    // The next capture must not miss the change.
    if !needsChanges { needsFrame = true }
    commitCount += 1
    plan.note(region.bounds)
    // A capture that does not show the change could not confirm it.
    if isCapturing, !plan.part.contains(region.intersection(bounds).bounds) {
      cancelWaiting(connection)
    }
  }

  /// Notes that a capture has shown all commits.
  func confirmCommits() { confirmedCount = commitCount }

  /// Calls `body` with what is below overlays of a level.
  func withBackdrop<Result, Failure: Error>(
    _ level: BackdropLevel, _ body: (borrowing OutputBackdrop) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(levels[level].backdrop)
  }

  // MARK: Refreshing

  var isRefreshing: Bool { if case .none = refresh { false } else { true } }

  /// Begins to capture all that is watched again. Its overlays must be clear until `endRefreshing`.
  func beginRefreshing() { refresh = watched.isEmpty ? .none : .blanking }

  /// Ends a refresh in progress.
  func cancelRefresh() { refresh = .none }

  /// Forgets what is watched, because its overlays are clear on the screen.
  func forgetBackdrop() {
    guard case .blanking = refresh else { return }
    refresh = .capturing
    for level in BackdropLevel.allCases { levels[level].outdate(watched) }
    supplyWallpaper()
  }

  /// Notes that all is captured again, if so. Returns whether it is.
  func endRefreshing() -> Bool {
    guard case .capturing = refresh,
      BackdropLevel.allCases.allSatisfy({ levels[$0].unknown.isEmpty })
    else {
      return false
    }
    refresh = .none
    return true
  }

  // MARK: Absorbing

  /// Updates the backdrop from a capture. `damage` is what has changed on the screen, in pixels of the captured picture;
  /// empty if the capture did not wait. Returns where the backdrops changed.
  func absorb(
    damage: [Rect], below surfaces: [OverlaySurface], now: Duration
  ) -> ByLevel<Region> {
    let none = ByLevel(repeating: Region())
    guard let capture, let buffer = capture.buffer, let output else { return none }
    let state = self.state.turned(as: capture.transform)
    let captured = CapturedPart(
      transform: state.turn, native: plan.native(of: state), stride: buffer.layout.stride,
      isInverted: capture.isInverted)
    let size = (buffer.layout.bounds.width, buffer.layout.bounds.height)
    guard size == (captured.native.width, captured.native.height) else {
      if plan.logical == nil {
        noteFailure(now: now)
      } else {
        // Some compositors round the edges of a partial capture differently.
        plan.capturesParts = false
        needsFrame = true
      }
      return none
    }
    retry = RetryPause()
    sampleFinding = nil
    let changed = Region(damage.map { plan.place(ofNative: $0, of: state, output.bounds) })
      .intersection(watched)
    plan.note(changed.bounds)
    let areas = ByLevel.each { level in
      if level == .wallpaper, isWallpaperGiven { return Region() }
      levels[level].outdate(changed.subtracting(Region(plan.part)))
      return way == .still
        ? levels[level].unknown
        : damage.isEmpty ? levels[level].watched : levels[level].due(after: changed)
    }
    let changes = buffer.withSpan { pixels in
      if captured.isSeenAsCaptured {
        let layout = captured.layout(at: output.bounds)
        judgeSample(pixels, layout)
        return absorb(areas, pixels, layout, below: surfaces, now: now)
      }
      let part = lookedAt(with: surfaces).intersection(plan.part)
      var seen = Array(repeating: UInt32(0), count: part.area)
      var span = seen.mutableSpan
      let own = part.translated(x: -output.bounds.x, y: -output.bounds.y)
      captured.copy(own, from: pixels, to: &span, PixelLayout(own))
      judgeSample(seen.span, PixelLayout(part))
      return absorb(areas, seen.span, PixelLayout(part), below: surfaces, now: now)
    }
    blending.noteCapture(captureNumber)
    return changes
  }

  private func judgeSample(_ screen: Span<UInt32>, _ layout: PixelLayout) {
    guard let sample = blending.surfaces?.sample else { return }
    sampleFinding = BlendingCheck.Finding(of: sample, onScreen: screen, layout)
    // It may appear in the next frame, without another change.
    if sampleFinding == nil { needsFrame = true }
  }

  /// The area in which a capture is examined: the watched pixels, and the places of overlays.
  private func lookedAt(with surfaces: [OverlaySurface]) -> Rect {
    surfaces.reduce(watched.bounds.hull(blending.surfaces?.place.rect ?? .zero)) {
      $0.hull($1.place.rect).hull($1.displayed?.rect ?? .zero).hull($1.committed?.rect ?? .zero)
    }
  }
}
