// Syncs: requests that are completed when all earlier changes are on the screen.
extension Engine where Server: ~Copyable {
  /// Starts a sync. It is completed when the effects of all earlier requests to the engine and to
  /// the display server are on the screen. Continuous drawing by a client does not delay it
  /// forever. Throws `away`; the completion is this error if the display is lost before.
  package mutating func requestSync() throws(EngineError) -> Ticket {
    try checkConnection()
    let ticket = makeTicket()
    syncs.append(SyncRequest(ticket: ticket, answer: server.requestAnswer()))
    return ticket
  }

  /// Requests the windows that may have glass behind them. Completed like a sync. Throws `away` or `noWindows`.
  package mutating func requestWindows() throws(EngineError) -> Ticket {
    try checkConnection()
    try checkWindows()
    let ticket = makeTicket()
    var request = SyncRequest(ticket: ticket, answer: server.requestAnswer())
    request.reportsWindows = true
    syncs.append(request)
    followTargets()
    return ticket
  }

  mutating func advanceSyncs(now: Duration) {
    for i in syncs.indices {
      var sync = syncs[i]
      while advance(&sync, now: now) {}
      syncs[i] = sync
    }
    let done = syncs.filter(\.isDone)
    if done.isEmpty { return }
    for sync in done {
      report(
        .completed(
          sync.reportsWindows ? .windows(sync.ticket, targetStates) : .synced(sync.ticket)))
    }
    syncs.removeAll(where: \.isDone)
    if done.contains(where: \.reportsWindows) { followTargets() }
  }

  /// Returns whether the sync has entered another phase.
  private mutating func advance(_ sync: inout SyncRequest, now: Duration) -> Bool {
    switch sync.phase {
    case .asking, .confirming, .done:
      return false
    case .asked where server.isLearning && sync.takeRound():
      sync.phase = .asking(server.requestAnswer())
    case .asked:
      // Changes that were announced before the request have been drawn by now.
      damageAllViews(in: announcements.region)
      advanceTransitions(now: now)
      sync.present()
    case .presenting:
      guard frame.isIdle, !isPainting else { return false }
      if hasWork, newPixels.isDeferring || sync.takeRound() { return false }
      sync.phase = .confirming(server.requestAnswer())
    case .confirmed:
      // A frame can cause events of its own, such as an exposure.
      let isUnfinished =
        hasWork || !frame.isIdle || isPainting || board.entries.contains(where: \.isAwaitingRelease)
      if isUnfinished && (newPixels.isDeferring || sync.takeRound()) {
        sync.phase = .presenting
      } else if server.isLearning && sync.takeRound() {
        // A reply may be pending, for example about the order of the windows that the frame showed.
        sync.phase = .confirming(server.requestAnswer())
      } else {
        sync.phase = .done
      }
    }
    return true
  }
}
