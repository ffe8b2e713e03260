package import Raster

/// A request that is completed later.
package struct Ticket: Hashable, Sendable {
  /// Unique in the engine.
  package let number: UInt64
}

/// The completion of a request with a ticket.
package enum Completion: Sendable {
  case synced(Ticket)
  case picture(Ticket, Bitmap)
  case windows(Ticket, [TargetState])
  case failed(Ticket, EngineError)

  package var ticket: Ticket {
    switch self {
    case .synced(let ticket), .picture(let ticket, _), .windows(let ticket, _),
      .failed(let ticket, _):
      ticket
    }
  }
}

/// Requests that are completed after frames: syncs and pictures of panes.
extension Engine where Server: ~Copyable {
  /// The requests that were completed since the last call.
  package mutating func takeCompletions() -> [Completion] {
    defer { completions = [] }
    return completions
  }

  // MARK: Sync

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
      completions.append(
        sync.reportsWindows ? .windows(sync.ticket, targetStates) : .synced(sync.ticket))
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
      noteAnnouncedDamage()
      advanceTransitions(now: now)
      sync.present()
    case .presenting:
      guard frame.isIdle, !isPainting else { return false }
      if hasWork, isDeferring || sync.takeRound() { return false }
      sync.phase = .confirming(server.requestAnswer())
    case .confirmed:
      // A frame can cause events of its own, such as an exposure.
      let isUnfinished =
        hasWork || !frame.isIdle || isPainting || entries.contains(where: \.isAwaitingRelease)
      if isUnfinished && (isDeferring || sync.takeRound()) {
        sync.phase = .presenting
      } else if server.isLearning && sync.takeRound() {
        // Such as the order of windows that the frame showed.
        sync.phase = .confirming(server.requestAnswer())
      } else {
        sync.phase = .done
      }
    }
    return true
  }

  // MARK: Pictures

  /// Requests the picture of a shown pane and its decoration as last drawn: premultiplied BGRA, not
  /// composed. It is completed after the first frame of the pane; the completion is an error if the
  /// backdrop cannot be read, or if the pane is hidden or removed before. Of a pane on several outputs it is the one on
  /// `output`, or the first one that is visible. Throws if the pane does not exist, is hidden, is outside its output or
  /// waits for it, or is not on `output`, if the screen is locked, or if the display is lost.
  package mutating func requestPicture(
    of name: String, on output: String? = nil
  ) throws(EngineError) -> Ticket {
    _ = try findVisible(name, on: output)
    let ticket = makeTicket()
    snapshots.append(SnapshotRequest(ticket: ticket, name: name, output: output, kind: .picture))
    return ticket
  }

  /// Requests the whole backdrop of a shown pane, captured again. Throws like `requestPicture`; the
  /// completion is an error if the backdrop cannot be read, or if the pane is hidden or removed
  /// before.
  package mutating func requestBackdrop(
    of name: String, on output: String? = nil
  ) throws(EngineError) -> Ticket {
    let kind = try backdrop(of: name, on: output)
    let ticket = makeTicket()
    snapshots.append(SnapshotRequest(ticket: ticket, name: name, output: output, kind: kind))
    return ticket
  }

  private func backdrop(
    of name: String, on output: String?
  ) throws(EngineError) -> SnapshotRequest.Kind {
    let (entry, rect) = try findVisible(name, on: output)
    return .backdrop(entry.backdrop.view, rect)
  }

  /// Prepares the requests that the next capture completes. Updates the areas of backdrops to the
  /// present places of their panes, because only these are watched. Requests for panes that are no
  /// longer shown are completed with an error.
  mutating func locateSnapshots() {
    for i in snapshots.indices {
      snapshots[i].isInCapture = true
      do throws(EngineError) {
        let backdrop = try backdrop(of: snapshots[i].name, on: snapshots[i].output)
        if case .backdrop = snapshots[i].kind { snapshots[i].kind = backdrop }
      } catch {
        completions.append(.failed(snapshots[i].ticket, error))
        snapshots[i].isDone = true
      }
    }
    snapshots.removeAll(where: \.isDone)
  }

  /// The entry of a shown pane on an output, or the first one that is visible, and its place.
  private func findVisible(
    _ name: String, on output: String?
  ) throws(EngineError) -> (entry: PaneEntry, rect: Rect) {
    let pane = try find(name).pane
    try checkConnection()
    guard pane.isShown else { throw .pane(.hidden(name)) }
    let all = entries(of: name)
    let wanted = all.filter { output == nil || $0.output?.name == output }
    guard let first = wanted.first else {
      throw .pane(.notOnOutput(name, output ?? "", all: all.compactMap(\.output?.name)))
    }
    let placed = wanted.compactMap { entry in entry.rect.map { (entry: entry, rect: $0) } }
      .filter { !$0.rect.isEmpty }
    if placed.isEmpty {
      if first.site == .noWindow { throw .pane(.noWindow(name)) }
      if first.output != nil, first.drawer != nil { throw .pane(.closed(name)) }
      guard let output = first.output else {
        throw .pane(.waiting(name, output: first.site.text))
      }
      throw .pane(.offScreen(pane, on: output, isScreen: first.site == .output(.screen)))
    }
    let visible = placed.first { if case .hidden = $0.entry.phase { false } else { true } }
    if let visible { return visible }
    if let obstacle = obstacle(of: first), obstacle != .pending {
      throw .obstructed(name, obstacle)
    }
    // Nothing else hides a pane that is wanted and on the screen.
    throw .locked(name)
  }

  /// The index of the entry of a request; nil if it is no longer visible.
  func entryIndex(of request: SnapshotRequest) -> Int? {
    let found = try? findVisible(request.name, on: request.output)
    return found.flatMap { found in entries.firstIndex { $0 === found.entry } }
  }

  /// Begins to draw the requested pictures of panes that are drawn already, also while the display captures.
  mutating func paintPictures() {
    if isPainting { return }
    let steps = pictureSteps(isFrame: false)
    if !steps.isEmpty { begin(steps, then: .pictures) }
  }

  /// The steps that draw the requested pictures of drawn panes. If a pane is not drawn in a frame that started after the
  /// request, the completion is an error.
  mutating func pictureSteps(isFrame: Bool) -> [Painting.Step] {
    var steps: [Painting.Step] = []
    for i in snapshots.indices {
      guard case .picture = snapshots[i].kind else { continue }
      if let drawn = entryIndex(of: snapshots[i]).flatMap({ entries[$0].drawn }) {
        steps.append(.picture(PictureDrawing(snapshots[i], .pane(drawn))))
      } else if isFrame, snapshots[i].isInCapture {
        completions.append(.failed(snapshots[i].ticket, .unreadable(snapshots[i].name)))
      } else {
        continue
      }
      snapshots[i].isDone = true
    }
    snapshots.removeAll(where: \.isDone)
    return steps
  }

  /// The steps that copy the requested backdrops that were captured. If one could not be read several times, the
  /// completion is an error.
  mutating func backdropSteps(_ plan: CapturePlan, failed: [View: Region]) -> [Painting.Step] {
    var steps: [Painting.Step] = []
    for i in snapshots.indices {
      guard case .backdrop(let view, let rect) = snapshots[i].kind, snapshots[i].isInCapture,
        plan.regions[view]?.contains(rect) == true
      else { continue }
      snapshots[i].attempts += 1
      if failed[view]?.intersects(rect) != true {
        steps.append(.picture(PictureDrawing(snapshots[i], .backdrop(view, rect))))
      } else if snapshots[i].attempts >= SnapshotRequest.attemptLimit {
        completions.append(.failed(snapshots[i].ticket, .unreadable(snapshots[i].name)))
      } else {
        continue
      }
      snapshots[i].isDone = true
    }
    snapshots.removeAll(where: \.isDone)
    return steps
  }
}

/// A sync that is not completed.
struct SyncRequest {
  let ticket: Ticket
  /// Whether it ends with the windows that may have glass behind them.
  var reportsWindows = false
  var phase: Phase
  private var rounds = 0

  enum Phase {
    /// Waits until all earlier events have arrived.
    case asking(AnswerID)
    case asked
    /// Waits until all changes are presented.
    case presenting
    /// Waits until the server has executed all sent requests.
    case confirming(AnswerID)
    case confirmed
    case done
  }

  /// The number of replies after which the sync does not wait any more until the display has learned all, and of frames and
  /// replies after which it ends even if there are more changes.
  private static let roundLimit = 16

  init(ticket: Ticket, answer: AnswerID) {
    self.ticket = ticket
    phase = .asking(answer)
  }

  /// Waits for the presentation from now on. It has all its rounds, however long the display was learning before.
  mutating func present() {
    phase = .presenting
    rounds = 0
  }

  var isDone: Bool { if case .done = phase { true } else { false } }
  var isPresenting: Bool { if case .presenting = phase { true } else { false } }

  mutating func noteAnswer(_ id: AnswerID) {
    switch phase {
    case .asking(id): phase = .asked
    case .confirming(id): phase = .confirmed
    default: break
    }
  }

  /// Counts a round. Returns whether it is allowed.
  mutating func takeRound() -> Bool {
    rounds += 1
    return rounds <= Self.roundLimit
  }
}

/// A request for a picture that is not completed.
struct SnapshotRequest {
  let ticket: Ticket
  let name: String
  /// The output of a pane on several; nil for any.
  let output: String?
  var kind: Kind
  /// Whether the last capture started after the request. An earlier one has older pixels.
  var isInCapture = false
  var attempts = 0
  var isDone = false

  enum Kind {
    case picture
    case backdrop(View, Rect)
  }

  /// The number of captures after which the backdrop counts as unreadable.
  static let attemptLimit = 16

  /// The area that must be captured for it.
  var area: (view: View, rect: Rect)? {
    if case .backdrop(let view, let rect) = kind { (view, rect) } else { nil }
  }
}
