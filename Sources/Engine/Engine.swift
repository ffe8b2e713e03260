package import Frost
package import Panes
import Raster

/// Shows panes and updates them when their backdrop changes.
///
/// The caller must call `step` with the time when the display has events and at `deadline`. A frame
/// collects all stale cells that panes need, captures them in one batch, and after the reply draws
/// and commits all panes that changed. A call draws for a few milliseconds at most, so that the caller
/// can serve others before a large frame is complete. While nothing changes there is no deadline.
package struct Engine<Server: Display & ~Copyable>: ~Copyable {
  /// The display.
  package internal(set) var server: Server
  /// The statistics since the start.
  package internal(set) var statistics = Statistics()
  /// The number of threads that a large frame may use, 1 to 16.
  package private(set) var threads: Int
  /// The length of the cross-fade of panes after a change of their output.
  package var rotationFade: Fade
  /// The wanted panes and their windows.
  var board = Board()
  /// Decorations for the next requests, which were made elsewhere.
  package var preparedDecorations: [Decoration] = []
  var store: BackdropStore
  var schedule: FrameSchedule
  var budget = FrameBudget()
  var frame = FrameState.idle
  /// Pictures for clients that are drawn; nil if none are, or a frame draws.
  var pictures: Painting?
  /// Whether the last painting was cancelled, so that the next one is not interrupted.
  var wasPaintingCancelled = false
  var announcements = Announcements()
  var watch = Watch()
  /// The region of windows between two layers of panes, when soft parts were last drawn.
  var windowsBetween: [LayerPair: Region] = [:]
  var obstacleLog = ObstacleLog()
  /// The screen and its outputs when the panes were placed.
  var outputKeys: [OutputKey] = []
  /// Whether the connection to the display broke, until `resume`.
  package internal(set) var isSuspended = false
  /// Whether the user's session is locked.
  var sessionLock: LockReason?
  /// Whether the display blended overlays when all panes were last drawn.
  var drawnBlending: Bool
  /// The new panes of the last frame.
  var newPixels = NewPixels()
  var syncs: [SyncRequest] = []
  var snapshots: [SnapshotRequest] = []
  private var nextTicket: UInt64 = 0
  /// The events for the next `takeEvents`.
  private var events: [EngineEvent] = []
  /// Whether the display may have more events in memory than the last step has handled.
  private var isBehind = false
  let clock: () -> Duration
  /// The processor time of the process.
  let processorTime: () -> Duration

  /// The largest number of panes.
  package static var paneLimit: Int { 256 }

  /// `clock` is used only to measure the stages of a frame, `processorTime` for the budget. Traps if `threads` is not from 1 to 16.
  package init(
    _ server: consuming Server, framesPerSecond: Double, threads: Int = 1,
    cache: StoreLimits = StoreLimits(), rotationFade: Fade = .none,
    processorTime: @escaping () -> Duration = { .zero }, clock: @escaping () -> Duration
  ) {
    precondition((1...16).contains(threads))
    self.rotationFade = rotationFade
    drawnBlending = server.blendsAlpha
    self.server = server
    self.threads = threads
    self.clock = clock
    self.processorTime = processorTime
    store = BackdropStore(limits: cache)
    schedule = FrameSchedule(interval: .seconds(1 / framesPerSecond))
    outputKeys = currentOutputKeys
  }

  /// Changes the limits that `init` has set. Traps if `threads` is not from 1 to 16.
  package mutating func limitWork(framesPerSecond: Double, threads: Int, cache: StoreLimits) {
    precondition((1...16).contains(threads))
    self.threads = threads
    schedule.limit(to: .seconds(1 / framesPerSecond))
    store.limits = cache
    server.limitWork(frameInterval: schedule.shortestInterval, threads: threads)
  }

  /// Gives scales to outputs, in place of those that the display tells, if it can.
  package mutating func setOutputScales(_ scales: OutputScales) { server.setOutputScales(scales) }

  /// The outputs for which pictures of the wallpaper are needed.
  package var wallpaperTargets: [WallpaperTarget] { isSuspended ? [] : server.wallpaperTargets }

  /// Sets where the wallpaper comes from.
  package mutating func setWallpaper(_ source: WallpaperSource) { server.setWallpaper(source) }

  /// The shortest time between the starts of two frames.
  package var frameInterval: Duration { schedule.shortestInterval }

  /// The time between the starts of two frames that the budget allows.
  package var allowedInterval: Duration { schedule.interval }

  /// The largest share of one processor that the process uses; nil without a limit.
  package var processorShare: Double? {
    get { budget.share }
    set {
      budget.share = newValue
      schedule.slowDown(to: budget.distance)
    }
  }
  /// The panes in stacking order, the lowest first.
  package var panes: [Pane] { board.panes }
  /// The contents and the statistics of the store.
  package var storeReport: StoreReport {
    StoreReport(
      byteCount: store.byteCount, tileCount: store.tileCount, limits: store.limits,
      pinnedTileCount: store.pinnedTileCount, statistics: store.statistics)
  }

  /// The contents of the store, those of shown panes and the most recently needed ones first.
  package var storeEntries: [StoreEntry] { store.entries(now: clock()) }

  /// Evicts all cached tiles that no shown pane needs.
  package mutating func shrinkCache() { store.shrink() }

  // MARK: Steps

  /// Handles all events, and computes and shows a frame if it is due. A frame that takes long is continued by the
  /// next calls. Throws `lost`; then `suspend` must follow.
  package mutating func step(now: Duration) throws(DisplayError) {
    endPanes(now: now)
    removeEndedPanes()
    if isSuspended { return }
    isBehind = try handleEvents(now: now, reads: true).hasMore
    if let announced = announcements.takeDue(now: now) { damageAllViews(in: announced) }
    // Events that arrived with replies or while requests were sent are in memory. The descriptor
    // does not become readable for them. Requests of clients come before the rest of a flood.
    for _ in 0..<8 {
      advance(now: now)
      try server.flush()
      if isPainting || isBehind { return }
      let events = try handleEvents(now: now, reads: false)
      isBehind = events.hasMore
      if events.count == 0 { return }
    }
    isBehind = true
  }

  /// The time at which `step` must be called if the display has no events before; nil if there is
  /// none.
  package var deadline: Duration? {
    if isSuspended { return nextEnd }
    if isBehind || isPainting { return .zero }
    let times = [
      schedule.nextFrame(urgency), announcements.checkTime, server.deadline, nextEnd,
      nextSchemeChange, nextLook, obstacleLog.deadline,
    ]
    return times.compactMap(\.self).min()
  }

  /// Finishes the frame whose capture has ended, and begins the next one if it is due.
  private mutating func advance(now: Duration) {
    updateOutdatedLooks()
    updateWatch()
    paintPictures()
    continuePainting()
    if !isPainting, case .captured(let plan, let failed) = frame {
      frame = .idle
      reduce(plan, failed: failed)
      finishCapture(plan, failed: failed)
      continuePainting()
    }
    placePostponedTargets()
    if let time = schedule.nextFrame(urgency), time <= now {
      beginFrame(now: now)
      continuePainting()
    }
    removeEndedPanes()
    advanceSchemes(now: now)
    advanceBackgrounds(now: now)
    advanceObstacles(now: now)
    advanceSyncs(now: now)
    updateWatch()
  }

  // MARK: Events for the caller

  /// Whether `takeEvents` returns any.
  package var hasEvents: Bool { !events.isEmpty }

  /// Returns what has happened since the last call. A change of content comes before completions, some of which wait for its
  /// drawings.
  package mutating func takeEvents() -> [EngineEvent] {
    defer { events = [] }
    return events
  }

  mutating func report(_ event: EngineEvent) {
    guard case .contentChanged = event else { return events.append(event) }
    if case .contentChanged = events.first { return }
    events.insert(event, at: 0)
  }

  /// A new ticket for a request that is completed later.
  mutating func makeTicket() -> Ticket {
    nextTicket += 1
    return Ticket(number: nextTicket)
  }
}
