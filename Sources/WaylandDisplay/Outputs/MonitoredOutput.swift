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
  var search = WallpaperSearch()
  var captures: OutputCaptures
  var commits = OutputCommits()
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
    captures = OutputCaptures(capture)
    self.threads = threads
  }

  var bounds: Rect { output?.bounds ?? .zero }

  // MARK: Watching

  /// Sets what is watched on each level, in the coordinates of the display.
  func watch(_ regions: ByLevel<Region>, _ connection: borrowing WaylandConnection) {
    for level in BackdropLevel.allCases { levels[level].watch(regions[level], on: bounds) }
    supplyWallpaper()
    watched = levels.wallpaper.watched.union(levels.windows.watched)
    search.check.keep(levels.wallpaper.watched)
    if watched.isEmpty {
      // An output that shows nothing must not wake this process.
      captures.capture?.discardBuffer(connection)
      // No capture will show the last commit of an overlay that was hidden.
      commits.confirm()
    }
    captures.endOpenPause()
  }

  /// Forgets the backdrop, because the output has changed.
  func forget(_ connection: borrowing WaylandConnection) {
    levels = ByLevel(repeating: WatchedBackdrop())
    search.restart()
    blending.forget()
    (watched, commits.leftRegion) = (Region(), Region())
    refresh = .none
    captures.reset(connection)
  }

  /// Records that an overlay was destroyed.
  func addDeparture(_ rect: Rect, _ connection: borrowing WaylandConnection) {
    commits.addDeparture(rect, connection)
    captures.needsFrame = true
  }

  /// Handles the answer to the destruction of an overlay. Returns whether `object` is one.
  func handleAnswer(_ object: WaylandObject, _ connection: borrowing WaylandConnection) -> Bool {
    if !commits.handleAnswer(object, connection) { return false }
    if commits.departed.isEmpty, blending.recordRemoval(beforeCapture: captures.number + 1) {
      captures.needsFrame = true
    }
    return true
  }

  /// Ends all requests in progress.
  func close(_ connection: borrowing WaylandConnection) {
    captures.capture?.discardBuffer(connection)
    commits.close(connection)
  }

  // MARK: Captures

  /// Whether a capture may be made now.
  var canCapture: Bool { !watched.isEmpty && captures.pause == nil && way != .handedOver }

  /// The time at which captures continue without an event; nil if there is none.
  var captureDeadline: Duration? { watched.isEmpty ? nil : captures.deadline }

  /// Starts the next capture, if something is watched.
  func continueCapture(_ connection: borrowing WaylandConnection, now: Duration) {
    guard captures.capture != nil, !watched.isEmpty, way != .handedOver else { return }
    captures.advance(to: now)
    guard captures.endPause(now: now, hasNewPixels: hasUnvalued) else { return }
    let unseen = isWallpaperGiven ? Region() : levels.wallpaper.unseen
    let unknown = levels.windows.unknown.union(unseen)
    let waits = !captures.needsFrame && unknown.isEmpty
    // Still pictures follow no change.
    if waits, way == .still || !needsChanges { return }
    // A change may never come, so it must not be awaited for pixels that are needed now.
    if !waits { captures.cancelWaiting(connection) }
    guard captures.isIdle else { return }
    let needed =
      captures.needsFrame
      ? watched.bounds : unknown.bounds.hull(levels.windows.deferred.bounds)
    captures.start(
      needed: needed, watched: watched.bounds, waits: waits, on: state, bounds, connection,
      now: now)
  }

  /// Whether changes of the screen matter. A given wallpaper needs none, once captures have shown all commits.
  private var needsChanges: Bool {
    !isWallpaperGiven || !levels.windows.watched.isEmpty || !commits.areConfirmed
  }

  /// Whether pixels are needed that were never known and can be known at present.
  var hasUnvalued: Bool { BackdropLevel.allCases.contains { !unvalued($0).isEmpty } }

  /// The watched region that was never known and can be known at present.
  func unvalued(_ level: BackdropLevel) -> Region {
    level == .windows
      ? levels.windows.unvalued : levels.wallpaper.unvalued.subtracting(hiddenWallpaper)
  }

  /// The watched region that is not known and can be known at present.
  func unknown(_ level: BackdropLevel) -> Region {
    level == .windows
      ? levels.windows.unknown : levels.wallpaper.unknown.subtracting(hiddenWallpaper)
  }

  /// Requests a capture of all that is watched and that does not wait for a change. Returns its number; nil if none can
  /// be made now.
  func requestFrame(_ connection: borrowing WaylandConnection, now: Duration) -> Int? {
    if !canCapture || way == .still { return nil }
    captures.capture?.cancel(connection)
    captures.needsFrame = true
    continueCapture(connection, now: now)
    return captures.number
  }

  /// Records that a commit of overlays changes a region of the screen.
  func addCommit(of region: Region, _ connection: borrowing WaylandConnection) {
    // The next capture must not miss the change.
    if !needsChanges { captures.needsFrame = true }
    commits.add()
    captures.area.record(region.bounds)
    captures.cancel(unlessItContains: region.intersection(bounds), connection)
  }

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

  /// Records that all is captured again, if so. Returns whether it is.
  func endRefreshing() -> Bool {
    guard case .capturing = refresh,
      BackdropLevel.allCases.allSatisfy({ levels[$0].unknown.isEmpty })
    else {
      return false
    }
    refresh = .none
    return true
  }

  // MARK: Backdrops

  /// Updates the backdrop from a capture. `damage` is what has changed on the screen, in pixels of the captured picture;
  /// empty if the capture did not wait. Returns where the backdrops changed.
  func updateBackdrops(
    damage: [Rect], below surfaces: [OverlaySurface], now: Duration
  ) -> ByLevel<Region> {
    let none = ByLevel(repeating: Region())
    guard let capture = captures.capture, let buffer = capture.buffer, let output else {
      return none
    }
    let state = self.state.turned(as: capture.transform)
    let captured = CapturedPart(
      transform: state.turn, native: captures.area.native(of: state), stride: buffer.layout.stride,
      isInverted: capture.isInverted)
    let size = (buffer.layout.bounds.width, buffer.layout.bounds.height)
    guard size == (captured.native.width, captured.native.height) else {
      if captures.area.logical == nil {
        captures.fail(now: now)
      } else {
        // Some compositors round the edges of a partial capture differently.
        captures.area.capturesParts = false
        captures.needsFrame = true
      }
      return none
    }
    captures.succeed()
    sampleFinding = nil
    let changed = Region(damage.map { captures.area.place(ofNative: $0, of: state, output.bounds) })
      .intersection(watched)
    captures.area.record(changed.bounds)
    let areas = ByLevel.each { level in
      if level == .wallpaper, isWallpaperGiven { return Region() }
      levels[level].outdate(changed.subtracting(Region(captures.area.part)))
      return way == .still
        ? levels[level].unknown
        : damage.isEmpty ? levels[level].watched : levels[level].due(after: changed)
    }
    let changes = buffer.withSpan { pixels in
      if captured.isSeenAsCaptured {
        let layout = captured.layout(at: output.bounds)
        judgeSample(pixels, layout)
        return updateBackdrops(areas, pixels, layout, below: surfaces, now: now)
      }
      let part = lookedAt(with: surfaces).intersection(captures.area.part)
      var seen = Array(repeating: UInt32(0), count: part.area)
      var span = seen.mutableSpan
      let own = part.translated(x: -output.bounds.x, y: -output.bounds.y)
      captured.copy(own, from: pixels, to: &span, PixelLayout(own))
      judgeSample(seen.span, PixelLayout(part))
      return updateBackdrops(areas, seen.span, PixelLayout(part), below: surfaces, now: now)
    }
    blending.recordCapture(captures.number)
    return changes
  }

  private func judgeSample(_ screen: Span<UInt32>, _ layout: PixelLayout) {
    guard let sample = blending.surfaces?.sample else { return }
    sampleFinding = BlendingCheck.Finding(of: sample, onScreen: screen, layout)
    // The sample may appear in the next frame, without another change of the screen.
    if sampleFinding == nil { captures.needsFrame = true }
  }

  /// The area in which a capture is examined: the watched pixels, and the places of overlays.
  private func lookedAt(with surfaces: [OverlaySurface]) -> Rect {
    surfaces.reduce(watched.bounds.hull(blending.surfaces?.place.rect ?? .zero)) {
      $0.hull($1.place.rect).hull($1.displayed?.rect ?? .zero).hull($1.committed?.rect ?? .zero)
    }
  }
}
