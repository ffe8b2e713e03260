import Control
import Engine
import Panes
import Raster

/// The result of a request.
enum Outcome {
  /// The reply is complete.
  case reply(Reply)
  /// The reply follows with the completion that has this ticket.
  case later(Ticket)
  /// The reply follows when a sync is complete, which begins with this ticket.
  case sync(Ticket)
  /// Events of these kinds follow; of all if there are none.
  case events([EventKind])
}

extension Engine where Server: ~Copyable {
  /// Performs a request without blocking. Throws an `EngineError`.
  mutating func perform(_ request: Request, now: Duration) throws(EngineError) -> Outcome {
    switch request {
    case .add(let name, let change, let fade, let replacesOther, let lifetime, let isEphemeral):
      var pane = try makePane(name, change)
      pane.end = lifetime.map { .at(now + $0.duration, fade) }
      if isEphemeral { pane = pane.ephemeral(replacing: panes.first { $0.name == name }) }
      if replacesOther { try put(pane, fade: fade) } else { try add(pane, fade: fade) }
    case .set(let name, let change, let fade, let isEphemeral):
      try self.change(name, change, isEphemeral: isEphemeral, fade: fade)
    case .remove(let name):
      try remove(name)
    case .show(let name, let fade):
      try setShown(name, true, fade: fade)
    case .hide(let name, let fade):
      try setShown(name, false, fade: fade)
    case .toggle(let name, let fade):
      try setShown(name, !isShown(name), fade: fade)
    case .drawer(let name, let action):
      try moveDrawer(name, action)
    case .apply(let panes, let isRehearsal):
      return .reply(.actions(try apply(panes, isRehearsal: isRehearsal)))
    case .drawings(let name, let isAll):
      if let name { _ = try isShown(name) }
      return .reply(
        .drawings(
          drawingJobs(of: name, includesDrawn: isAll).map {
            DrawingReport(name: $0.name, target: $0.target, contents: $0.contents)
          }))
    case .redraw(let name, let contents):
      try setDrawings(of: name, contents)
    case .list:
      return .reply(.panes(panes.map { pane in report(on: pane, now: now) }))
    case .outputs:
      return .reply(.outputs(outputReports))
    case .windows:
      return .later(try requestWindows())
    case .cache:
      return .reply(.cache(storeEntries.map { CacheEntryReport($0) }))
    case .clearCache:
      shrinkCache()
    case .refresh:
      refresh()
    case .sync:
      return .sync(try requestSync())
    case .snapshot(let name, let output, let isBackdrop):
      return .later(
        try isBackdrop
          ? requestBackdrop(of: name, on: output) : requestPicture(of: name, on: output))
    case .quit, .configure, .declared, .status, .subscribe, .wallpaper, .paintWallpaper:
      // The daemon performs them.
      break
    }
    return .reply(.done)
  }

  /// The panes that a request would add, change or show; none if it is wrong.
  func panes(after request: Request) -> [Pane] {
    switch request {
    case .add(let name, let change, _, _, _, _):
      (try? Pane(name, change.settings)).map { [$0] } ?? []
    case .set(let name, let change, _, _):
      panes.filter { $0.name == name }.compactMap { try? $0.changed(by: change) }
    case .show(let name, _), .toggle(let name, _):
      panes.filter { $0.name == name }.map { pane in
        var pane = pane
        pane.isShown = true
        return pane
      }
    case .apply(let panes, isRehearsal: false), .configure(_, _, let panes, _): panes
    default: []
    }
  }

  private func makePane(_ name: String, _ change: PaneChange) throws(EngineError) -> Pane {
    do { return try Pane(name, change.settings) } catch { throw .pane(error) }
  }

  private func isShown(_ name: String) throws(EngineError) -> Bool {
    guard let pane = panes.first(where: { $0.name == name }) else {
      throw .pane(.unknownName(name, known: panes.map(\.name)))
    }
    return pane.isShown
  }

  /// The state that the events of `subscribe` report.
  func observedState(_ configuration: borrowing ConfigurationLoader) -> ObservedState {
    let obstacles = obstructedTargets.compactMap { state in
      state.obstacle.map { "\(EngineError.obstructed(state.pane ?? "", $0))" }
    }
    return ObservedState(
      panes: panes.map { report(on: $0, now: .zero) }, outputs: outputReports,
      isConnected: !isSuspended, isLocked: lockReason != nil, configuration: configuration.file,
      reloads: configuration.readCount, errors: configuration.errors + obstacles)
  }

  /// The counters of the rates of `subscribe`.
  var frameCounters: FrameCounters {
    let work = statistics
    return FrameCounters(
      frames: work.frames, captures: work.captures, pixels: work.capturedPixels,
      panes: Dictionary(
        panes.map { pane in (pane.name, states(of: pane.name).reduce(0) { $0 + $1.frames }) }
      ) { $1 })
  }

  private func report(on pane: Pane, now: Duration) -> PaneReport {
    let states = states(of: pane.name)
    let places = states.compactMap { state in
      state.frame.map { frame in
        PlaceReport(
          output: state.output, frame: "\(frame)", rect: "\(state.rect ?? .zero)",
          drawer: state.drawer?.rawValue, awaitsWallpaper: state.awaitsWallpaper,
          isOffOutputs: state.isOffOutputs)
      }
    }
    let frame = states.lazy.compactMap(\.frame).first
    return PaneReport(
      pane, in: states.first?.scheme ?? .dark,
      size: frame.map { ($0.width, $0.height) } ?? pane.placement.fixedSize ?? (1, 1),
      places: places, frames: states.reduce(0) { $0 + $1.frames },
      remaining: pane.end?.remaining(at: now))
  }

  /// The panes that wait for wallpaper; nil if none.
  var awaitingWallpaper: [String]? {
    let names = panes.map(\.name).filter { states(of: $0).contains(where: \.awaitsWallpaper) }
    return names.isEmpty ? nil : names
  }

  private var outputReports: [OutputReport] {
    server.outputs.map { OutputReport($0) }
      + server.inactiveOutputs.map { OutputReport(name: $0, active: false, primary: false) }
  }

  /// `started` is the start time of the daemon.
  func status(now: Duration, started: Duration) -> StatusReport {
    let display = server.report
    let output = server.screen
    let work = statistics
    return StatusReport(
      display: display.name, connected: !isSuspended,
      screen: "\(output.bounds.width)x\(output.bounds.height)",
      scale: output.scale, compositor: display.hasCompositor,
      glass: server.way.rawValue, glassReason: display.reason, locked: lockReason != nil,
      lockReason: lockReason.map { "\($0)" },
      sharedMemory: display.usesSharedMemory, rate: 1 / (frameInterval / .seconds(1)),
      allowedRate: 1 / (allowedInterval / .seconds(1)), cpuBudget: processorShare.map { 100 * $0 },
      panes: panes.count, frames: work.frames,
      unchangedFrames: work.unchangedFrames, damageEvents: display.damageEvents,
      captures: work.captures, capturedPixels: work.capturedPixels, bytesRead: display.bytesRead,
      bytesWritten: display.bytesWritten,
      milliseconds: StageMilliseconds(
        capture: work.capturing.milliseconds, reduce: work.reducing.milliseconds,
        blur: work.blurring.milliseconds, draw: work.drawing.milliseconds,
        present: work.presenting.milliseconds),
      cache: CacheReport(storeReport), redirectedWindows: display.redirectedWindows,
      leftOutWindows: display.leftOutWindows,
      obstructed: obstructedTargets.map { WindowReport($0) },
      residentBytes: residentBytes(), bufferBytes: display.bufferBytes,
      version: ProgramVersion.text, build: ProgramBuild.current.rawValue, pid: processID(),
      uptimeSeconds: (now - started).milliseconds / 1000)
  }
}

extension Reply {
  /// The reply to a request that has applied panes.
  static func actions(_ actions: [PaneAction]) -> Reply {
    .actions(actions.map { ActionReport(name: $0.name, action: $0.kind.rawValue) })
  }
}

extension WindowReport {
  init(_ state: TargetState) {
    self.init(
      state.target.properties, rect: "\(state.target.frame)", pane: state.pane,
      obstacle: state.obstacle?.rawValue)
    if state.isOver { markOver(color: state.background?.color, share: state.background?.near) }
  }
}

extension CacheEntryReport {
  fileprivate init(_ entry: StoreEntry) {
    let (view, below): (String, String?) =
      switch entry.content {
      case .windows(let layer): ("windows", layer.rawValue)
      case .panes(let layer): ("panes", layer.rawValue)
      case .window(let number): ("window", WindowNumber(number).text)
      case .client(let number): ("client", WindowNumber(number).text)
      case .wallpaper: ("wallpaper", nil)
      }
    self.init(
      view: view, below: below, output: entry.output, region: "\(entry.region)",
      rotation: 90 * entry.orientation.quarterTurns, reflected: entry.orientation.isReflected,
      cell: entry.cell, tiles: entry.tileCount, pinnedTiles: entry.pinnedTileCount,
      bytes: entry.byteCount, ageSeconds: entry.age.milliseconds / 1000, hits: entry.hits,
      misses: entry.misses)
  }
}

extension CacheReport {
  fileprivate init(_ report: StoreReport) {
    let work = report.statistics
    self.init(
      bytes: report.byteCount, byteLimit: report.limits.byteCount, tiles: report.tileCount,
      tileLimit: report.limits.tileCount, pinnedTiles: report.pinnedTileCount, hits: work.hits,
      misses: work.misses, evictions: work.evictions)
  }
}

extension Reply {
  init(_ error: EngineError) {
    switch error {
    case .pane, .paneNamed: self = .failure(.usage, "\(error)")
    case .locked, .unreadable, .away, .noWindows, .obstructed:
      self = .failure(.unavailable, "\(error)")
    }
  }
}

extension Duration {
  fileprivate var milliseconds: Double { self / .milliseconds(1) }
}
