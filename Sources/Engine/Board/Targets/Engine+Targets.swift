import Panes
import Raster

/// Panes behind windows. Such a pane has an entry for each window that it matches and that no other pane has, or one
/// without a window.
extension Engine where Server: ~Copyable {
  /// Follows a change of the windows or of the panes: panes get and lose entries, and go where their windows are.
  mutating func followTargets() {
    let behind = panes.filter { $0.placement.behind != nil }
    let interest = TargetInterest(
      isActive: behind.contains(where: \.isShown) || syncs.contains(where: \.reportsWindows),
      announcesBlur: behind.contains {
        $0.isShown && $0.placement.behind?.match.asksForBlur == true
      })
    server.reportTargets(isSuspended ? .none : interest)
    board.targets = TargetDivision(of: server.targets, among: behind)
    server.inspect(inspectedWindows(of: behind))
    if behind.isEmpty { return obstacleLog.update([]) }
    let former = board.order
    for pane in behind where board.entries(of: pane.name).map(\.site) != sites(of: pane) {
      replace(by: pane, fade: .none)
    }
    placeBehindTargets()
    // An entry that goes to another window keeps its overlay.
    if board.order != former { server.setOrder(board.order) }
    obstacleLog.update(lastingObstacles)
  }

  /// The windows of panes that are shown beneath or over them according to what is visible through them.
  private func inspectedWindows(of panes: [Pane]) -> Set<WindowID> {
    var windows: Set<WindowID> = []
    for pane in panes where pane.isShown {
      if case .color = pane.keying?.background { continue }
      windows.formUnion(board.targets.windows[pane.name] ?? [])
    }
    return windows
  }

  /// Ends what other clients can see of the daemon besides its overlays. Call this before the end of the process.
  package mutating func end() {
    if isSuspended { return }
    server.reportTargets(.none)
    try? server.flush()
  }

  /// The windows that may have glass behind them, the lowest first. A window is repeated for each pane for which a search in the
  /// title of the window gave up.
  var targetStates: [TargetState] {
    let panes = board.panes
    return server.targets.flatMap { target in
      let entry = board.entries.first { $0.site.window == target.id }
      let undecided = panes.filter {
        $0.isShown && board.targets.undecided[$0.name]?.contains(target.id) == true
      }
      let own = TargetState(
        target, pane: entry?.pane.name, obstacle: obstacle(of: entry),
        isOver: entry?.isOver == true, background: entry?.backgrounds.seen)
      return [own]
        + undecided.map { TargetState(target, pane: $0.name, obstacle: .costlyTitle) }
    }
  }

  /// Why a pane behind a window is not shown; nil if it is.
  func obstacle(of entry: PaneEntry?) -> TargetState.Obstacle? {
    guard let entry, let target = entry.target else { return nil }
    if !entry.pane.isShown { return .hidden }
    if entry.isOver {
      if target.client?.isFullscreen == true { return .fullscreen }
      if entry.backgrounds.isRefused { return .uneven }
    } else {
      if !server.blendsAlpha { return .noCompositor }
      if !target.isTranslucent { return .opaque }
    }
    if entry.shownState != nil { return nil }
    if let rect = entry.rect, isLocked(rect) { return .locked }
    if case .hidden = entry.phase { return .outside }
    return .pending
  }

  /// The first window of each pane for each reason why glass behind windows is not shown although the pane is shown.
  package var obstructedTargets: [TargetState] {
    var found: Set<PaneObstacle> = []
    return targetStates.filter { state in
      guard let obstacle = state.lastingObstacle else { return false }
      return found.insert(obstacle).inserted
    }
  }

  /// The obstacles that the user must remove before glass behind windows is shown, once for each pane.
  var lastingObstacles: Set<PaneObstacle> {
    if !server.reportsWindows {
      return Set(
        panes.filter { $0.isShown && $0.placement.behind != nil }
          .map { PaneObstacle(pane: $0.name, reason: .noWindows) })
    }
    return Set(obstructedTargets.compactMap(\.lastingObstacle))
  }

  /// Reports the obstacles that have lasted for long enough.
  mutating func advanceObstacles(now: Duration) {
    for obstacle in obstacleLog.advance(to: now) { report(.obstructed(obstacle)) }
  }

  /// Moves the panes that waited for the end of a capture.
  mutating func placePostponedTargets() {
    guard frame.isIdle, !isPainting, board.entries.contains(where: \.hasPostponedPlace)
    else { return }
    placeBehindTargets()
  }

  /// Whether a pane stays where its window was until a capture has ended that completes its cells there. A window that grows
  /// needs new cells at each of its sizes; if these came faster than captures, the pane would never be shown.
  private func isPostponed(_ entry: PaneEntry, at target: TargetWindow) -> Bool {
    guard frame.isCapturing, case .awaiting(_, .some) = entry.phase, let old = entry.target else {
      return false
    }
    return old.id == target.id && old.isTranslucent == target.isTranslucent
  }

  /// Moves panes to their windows as these are now.
  private mutating func placeBehindTargets() {
    let targets = Dictionary(server.targets.map { ($0.id, $0) }) { $1 }
    for entry in board.entries where entry.pane.placement.behind != nil {
      let target = entry.site.window.flatMap { targets[$0] }?.declared(entry.pane.translucency)
      let isInPlace = entry.target == target && (entry.output == nil) == (target == nil)
      if isInPlace {
        entry.hasPostponedPlace = false
        continue
      }
      entry.hasPostponedPlace = target.map { isPostponed(entry, at: $0) } ?? false
      if entry.hasPostponedPlace { continue }
      if let target, let old = entry.target, target.mayShowOther(than: old) {
        entry.backgrounds.recordChangeOfWindow()
      }
      locate(entry)
      updateAppearance(of: entry)
    }
  }
}

extension TargetWindow {
  /// Whether it has another title or size than before.
  fileprivate func mayShowOther(than old: TargetWindow) -> Bool {
    properties.title != old.properties.title || frame.width != old.frame.width
      || frame.height != old.frame.height
  }
}
