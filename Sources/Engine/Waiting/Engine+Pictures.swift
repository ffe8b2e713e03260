import Raster

// Pictures of panes, and of what is behind them, for clients.
extension Engine where Server: ~Copyable {
  /// Requests the picture of a shown pane and its decoration as last drawn: premultiplied BGRA, not
  /// composed. It is completed after the first frame of the pane; the completion is an error if the
  /// backdrop cannot be read, or if the pane is hidden or removed before. For a pane on several outputs it is the picture on
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
        report(.completed(.failed(snapshots[i].ticket, error)))
        snapshots[i].isDone = true
      }
    }
    snapshots.removeAll(where: \.isDone)
  }

  /// The entry of a shown pane on an output, or the first one that is visible, and its place.
  private func findVisible(
    _ name: String, on output: String?
  ) throws(EngineError) -> (entry: PaneEntry, rect: Rect) {
    let pane = try board.find(name).pane
    try checkConnection()
    guard pane.isShown else { throw .pane(.hidden(name)) }
    let all = board.entries(of: name)
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
    return found.flatMap { found in board.entries.firstIndex { $0 === found.entry } }
  }

  /// Begins to draw the requested pictures of panes that are drawn already, also while the display captures.
  mutating func paintPictures() {
    if isPainting { return }
    let steps = pictureSteps(isFrame: false)
    if !steps.isEmpty { pictures = makePainting(steps) }
  }

  /// The steps that draw the requested pictures of drawn panes. If a pane is not drawn in a frame that started after the
  /// request, the completion is an error.
  mutating func pictureSteps(isFrame: Bool) -> [Painting.Step] {
    var steps: [Painting.Step] = []
    for i in snapshots.indices {
      guard case .picture = snapshots[i].kind else { continue }
      if let drawn = entryIndex(of: snapshots[i]).flatMap({ board.entries[$0].drawn }) {
        steps.append(.picture(PictureDrawing(snapshots[i], .pane(drawn))))
      } else if isFrame, snapshots[i].isInCapture {
        report(.completed(.failed(snapshots[i].ticket, .unreadable(snapshots[i].name))))
      } else {
        continue
      }
      snapshots[i].isDone = true
    }
    snapshots.removeAll(where: \.isDone)
    return steps
  }

  /// The steps that copy the requested backdrops that were captured. If the display failed to read a backdrop several times, the
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
        report(.completed(.failed(snapshots[i].ticket, .unreadable(snapshots[i].name))))
      } else {
        continue
      }
      snapshots[i].isDone = true
    }
    snapshots.removeAll(where: \.isDone)
    return steps
  }
}
