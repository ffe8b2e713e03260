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
  /// The panes in stacking order, the lowest first. A pane on all outputs has an entry for each.
  var entries: [PaneEntry] = []
  /// Decorations for the next requests, which were made elsewhere.
  package var preparedDecorations: [Decoration] = []
  var store: BackdropStore
  var schedule: FrameSchedule
  var budget = FrameBudget()
  var frame = FramePhase.idle
  /// The drawing in progress: the panes at the end of a frame or before its capture, or only pictures for clients.
  var painting: Painting?
  /// Whether the last painting was cancelled, so that the next one is not interrupted.
  var wasPaintingCancelled = false
  /// The announced region that will be captured again.
  var announced = Region()
  /// The region of each backdrop whose changes are known.
  var watched: [Backdrop: Region] = [:]
  /// The region of windows between two layers of panes, when soft parts were last drawn.
  var windowsBetween: [LayerPair: Region] = [:]
  /// The windows of each pane behind windows, by its name.
  var targetsOfPanes: [String: [WindowID]] = [:]
  /// The windows that a pane may have, but a search in their titles gave up.
  var undecidedTargets: [String: [WindowID]] = [:]
  /// Whether panes behind windows are not where their windows are, until a capture ends.
  var hasPostponedPlaces = false
  var obstacleLog = ObstacleLog()
  /// Whether what hinders glass behind windows may have changed.
  var areObstaclesOutdated = false
  /// Whether panes depend on other pixels than when `watched` was set.
  var isWatchOutdated = false
  /// The screen and its outputs when the panes were placed.
  var outputKeys: [OutputKey] = []
  /// Whether the connection to the display broke, until `resume`.
  package internal(set) var isSuspended = false
  /// Whether the user's session is locked.
  var sessionLock: LockReason?
  /// Whether shown overlays were drawn for the other blending of the display.
  var isBlendingOutdated = false
  /// The pixels of panes that the frame shows and that were not shown before.
  var newPixelCount = 0
  /// Whether panes that could be shown wait for the next frame.
  var isDeferring = false
  /// Whether `drawingJobs` may return others than at the last `takeContentChange`.
  package internal(set) var hasContentChange = false
  /// The clicks since the last `takeClicks`, the first one first.
  var clicks: [PaneClick] = []
  /// Whether panes were removed by themselves since the last `takeRemoval`.
  var hasRemoval = false
  var syncs: [SyncRequest] = []
  var snapshots: [SnapshotRequest] = []
  var completions: [Completion] = []
  private var nextTicket: UInt64 = 0
  /// Whether the display has more events in memory.
  var isBehind = false
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
  package var panes: [Pane] {
    var names: Set<String> = []
    return entries.map(\.pane).filter { names.insert($0.name).inserted }
  }
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

  // MARK: Panes

  /// The state of a pane on each of its outputs. Empty if no pane has this name.
  package func states(of name: String) -> [PaneState] {
    entries(of: name).map {
      PaneState($0, awaitsWallpaper: awaitsWallpaper($0), outputs: server.outputs)
    }
  }

  /// Adds a pane on top of the others of its layer. One whose output is not there waits for it. With a fade its glass starts clear. Throws `tooMany`,
  /// `duplicateName`, `offScreen`, `contentOutside` or `outOfRange`; then nothing has changed.
  package mutating func add(_ pane: Pane, fade: Fade = .none) throws(EngineError) {
    guard panes.count < Self.paneLimit else { throw .pane(.tooMany(limit: Self.paneLimit)) }
    guard !entries.contains(where: { $0.pane.name == pane.name }) else {
      throw .pane(.duplicateName(pane.name))
    }
    try checkPlace(of: pane)
    try checkContent(of: panes + [pane])
    insert(pane, fade: fade)
    followTargets()
  }

  /// Adds a pane, or replaces the one with the same name by it. That one keeps its position among the panes of its layer,
  /// and the state of its drawer. So the same pane again changes nothing but its end. Throws like `add`, but not
  /// `duplicateName`.
  package mutating func put(_ pane: Pane, fade: Fade = .none) throws(EngineError) {
    guard let old = entry(of: pane.name)?.pane else { return try add(pane, fade: fade) }
    let pane = pane.keepingDrawings(of: old)
    try checkPlace(of: pane, replacing: old)
    try checkContent(of: panes.map { $0.name == pane.name ? pane : $0 })
    replace(by: pane, fade: fade)
    followTargets()
  }

  /// Changes the settings of a pane. Throws `unknownName` or an error of the changed pane; then
  /// nothing has changed. The next daemon does not get an ephemeral change.
  package mutating func change(
    _ name: String, _ change: PaneChange, isEphemeral: Bool = false, fade: Fade = .none
  ) throws(EngineError) {
    let entry = try find(name)
    let pane: Pane
    do { pane = try entry.pane.changed(by: change, isEphemeral: isEphemeral) } catch {
      throw .pane(error)
    }
    try checkPlace(of: pane, replacing: entry.pane)
    try checkContent(of: panes.map { $0.name == name ? pane : $0 })
    replace(by: pane, fade: fade)
    followTargets()
  }

  /// Shows or hides a pane. Throws `unknownName`.
  package mutating func setShown(
    _ name: String, _ isShown: Bool, fade: Fade = .none
  ) throws(EngineError) {
    let entry = try find(name)
    var pane = entry.pane
    pane.isShown = isShown
    // Shown again while it fades at its end, it stays.
    if isShown, pane.end == .fading { pane.end = nil }
    replace(by: pane, fade: fade)
    followTargets()
  }

  /// Removes a pane. Throws `unknownName`.
  package mutating func remove(_ name: String) throws(EngineError) {
    _ = try find(name)
    for entry in entries(of: name) { discard(entry) }
    followTargets()
  }

  // MARK: Apply

  /// Replaces all panes by those of a list, the lowest first: adds, changes and removes panes.
  /// Everything is checked first, so an error changes nothing. Returns the action for each pane. A
  /// rehearsal changes nothing.
  package mutating func apply(
    _ wanted: [Pane], isRehearsal: Bool = false
  ) throws(EngineError) -> [PaneAction] {
    let old = panes
    let wanted = wanted.map { pane in
      old.first { $0.name == pane.name }.map { pane.keepingDrawings(of: $0) } ?? pane
    }
    try check(wanted)
    let removed = old.filter { pane in !wanted.contains { $0.name == pane.name } }
    let actions =
      removed.map { PaneAction(.remove, $0.name) }
      + wanted.map { pane in
        guard let known = old.first(where: { $0.name == pane.name }) else {
          return PaneAction(.add, pane.name)
        }
        return PaneAction(known == pane ? .keep : .change, pane.name)
      }
    if isRehearsal { return actions }
    for pane in removed { for entry in entries(of: pane.name) { discard(entry) } }
    for pane in wanted {
      if let entry = entry(of: pane.name) {
        if entry.pane != pane { replace(by: pane, fade: .none) }
      } else {
        insert(pane, fade: .none)
      }
    }
    reorder(wanted.map(\.name))
    followTargets()
    return actions
  }

  /// Adds the panes of an earlier daemon, the lowest first, at most `paneLimit`. Those outside their output wait for a
  /// larger one.
  package mutating func restore(_ panes: [Pane]) {
    for pane in panes where entry(of: pane.name) == nil && self.panes.count < Self.paneLimit {
      insert(pane, fade: .none)
    }
    followTargets()
  }

  private func check(_ wanted: [Pane]) throws(EngineError) {
    guard wanted.count <= Self.paneLimit else { throw .pane(.tooMany(limit: Self.paneLimit)) }
    var names: Set<String> = []
    for pane in wanted {
      guard names.insert(pane.name).inserted else { throw .pane(.duplicateName(pane.name)) }
      let old = entry(of: pane.name)?.pane
      do throws(EngineError) {
        // A list may be for several displays, of which some report no windows.
        try checkPlaceOnOutputs(of: pane, replacing: old)
      } catch .pane(let error) {
        throw .paneNamed(pane.name, error)
      }
    }
    try checkContent(of: wanted)
  }

  private mutating func reorder(_ names: [String]) {
    let ordered = names.flatMap { entries(of: $0) }
    let old = entries
    entries = ordered
    sortEntries()
    if old.elementsEqual(entries, by: ===) { return }
    cancelPainting()
    // Another pane may be visible through the soft parts now.
    noteChanges(entries.compactMap { $0.drawn?.bounds }, belowEntriesFrom: 0)
  }

  // MARK: Checks

  /// Throws `noWindows` if the display does not report windows.
  func checkWindows() throws(EngineError) {
    if !server.reportsWindows { throw .noWindows(server.report.name) }
  }

  /// Throws `noWindows` if a pane belongs behind windows that the display does not report, and otherwise like
  /// `checkPlaceOnOutputs`.
  private func checkPlace(of pane: Pane, replacing old: Pane? = nil) throws(EngineError) {
    if pane.placement.behind != nil, pane.placement != old?.placement { try checkWindows() }
    try checkPlaceOnOutputs(of: pane, replacing: old)
  }

  /// Throws `offScreen` if a pane with a new place is outside all of its outputs; `outOfRange` or `contentOutside` if its size
  /// depends on the output and a new corner or new content does not fit there. Outputs that are not there may have any size. A pane
  /// that a smaller output left outside can still be changed in other ways.
  private func checkPlaceOnOutputs(of pane: Pane, replacing old: Pane?) throws(EngineError) {
    guard let first = possibleOutputs(of: pane).first else { return }
    let visible = possibleOutputs(of: pane).first { !pane.placement.rect(on: $0).isEmpty }
    if visible == nil, pane.placement != old?.placement {
      let isScreen = pane.placement.output == .screen
      throw .pane(.offScreen(pane, on: first, isScreen: isScreen))
    }
    let isSame =
      pane.placement == old?.placement && pane.settings.corner == old?.settings.corner
      && pane.contents == old?.contents
    // A pane with a fixed size was checked when it was made.
    if isSame || pane.placement.fixedSize != nil { return }
    let frame = pane.placement.frame(on: visible ?? first)
    let unit = pane.placement.unit.pixels(on: visible ?? first)
    do { try pane.check(on: (frame.width, frame.height), unit: unit) } catch { throw .pane(error) }
  }

  /// Throws `outOfRange` if the pictures of all panes have too many pixels.
  func checkContent(of panes: [Pane]) throws(EngineError) {
    let count = panes.reduce(0) { sum, pane in
      pane.contents.reduce(sum) { $0 + $1.pixelCount }
    }
    do { try PaneContent.check(totalPixels: count) } catch { throw .pane(error) }
  }

  /// The first entry of a pane; nil if no pane has this name.
  func entry(of name: String) -> PaneEntry? { entries.first { $0.pane.name == name } }

  func entries(of name: String) -> [PaneEntry] { entries.filter { $0.pane.name == name } }

  /// The first entry of a pane. Throws `unknownName`.
  func find(_ name: String) throws(EngineError) -> PaneEntry {
    guard let entry = entry(of: name) else {
      throw .pane(.unknownName(name, known: panes.map(\.name)))
    }
    return entry
  }

  /// A new ticket for a request that is completed later.
  mutating func makeTicket() -> Ticket {
    nextTicket += 1
    return Ticket(number: nextTicket)
  }
}
