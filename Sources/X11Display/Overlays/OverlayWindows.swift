import Engine
import Raster

/// The windows of all panes: their pixels, and their stacking order.
struct OverlayWindows {
  private var overlays: [OverlayID: OverlayWindow] = [:]
  /// The overlays in stacking order, the lowest first.
  private var order: [StackedOverlay] = []
  private var lastNumber: UInt32 = 0
  private var canvases: CanvasFactory
  /// The overlays whose last update was refused because their buffers were busy.
  private var refused: Set<OverlayID> = []
  /// Whether a marker is pending, whose reply shows that the server has read packed pixels.
  private var isPacing = false
  /// The windows that other clients destroyed, each with the last request that may still refer to
  /// it.
  private var destroyed: [UInt32: RequestSequence] = [:]
  /// The time at which the loss of an overlay was last logged.
  private var lossTimes: [OverlayID: Duration] = [:]
  /// The last request that changed the stacking order. The known order is outdated until the server
  /// has processed it.
  private var lastRestack: RequestSequence?
  /// The time of the last restack because of a changed order.
  private var lastRestackTime: Duration?
  /// The time at which `restack` must be called again; nil if the order is right.
  private var restackDeadline: Duration?
  /// Whether a compositor may know another order than the server.
  ///
  /// xfwm4 adds a window to its order when it handles the creation event, if the window still exists. It ignores later placements
  /// directly above a window that it did not add. While xfwm4 starts, it handles events with a delay. So the order is established
  /// again after replaced windows are destroyed.
  private var isOrderDoubtful = false
  /// The windows of hidden overlays that show nothing any more, and when they are destroyed.
  private var cleared: [(window: UInt32, until: Duration)] = []
  private var races = Races()
  /// The shortest time between two restacks.
  var interval: Duration
  private(set) var bytesWritten = 0

  init(_ x: inout XConnection, _ atoms: Atoms, frameInterval: Duration) {
    canvases = CanvasFactory(&x, atoms)
    interval = frameInterval
  }

  var deadline: Duration? {
    (overlays.values.map(\.deadline) + cleared.map(\.until) + [restackDeadline])
      .compactMap(\.self).min()
  }
  /// The windows that raise themselves each time that a pane is raised above them.
  var insisting: Set<UInt32> { races.lost }
  var isShared: Bool { overlays.values.allSatisfy(\.isShared) }
  var bufferBytes: Int { overlays.values.reduce(0) { $0 + $1.bufferBytes } }

  /// The shown overlays with their rectangles.
  var shownRects: [(OverlayID, Rect)] {
    overlays.compactMap { id, overlay in overlay.shown.map { (id, $0.state.rect) } }
  }

  /// The window whose client an overlay covers; nil if it does not belong over one.
  func coveredWindow(of id: OverlayID) -> WindowID? {
    order.first { $0.id == id && $0.isOver }?.target
  }

  /// The window behind which an overlay is; nil if it is in a layer.
  func target(of id: OverlayID) -> UInt32? { order.first { $0.id == id }?.target?.number }

  func isOverlay(_ window: UInt32) -> Bool { id(of: window) != nil }

  /// The windows that the user has named for glass beneath them, also if it is not shown.
  var namedTargets: Set<UInt32> {
    Set(order.filter(\.isTargetNamed).compactMap(\.target?.number))
  }

  /// Whether another client destroyed this window of the daemon.
  func isDestroyed(_ window: UInt32) -> Bool { destroyed[window] != nil }

  /// Records that windows of the daemon do not exist any more, because of another client. Requests about them
  /// that were made so far may fail.
  mutating func recordDestroyed(_ windows: [UInt32], _ x: borrowing XConnection) {
    for window in windows { destroyed[window] = x.lastRequest }
  }

  /// The windows of an overlay, the lowest first.
  func windows(of id: OverlayID) -> [UInt32] { overlays[id]?.windows ?? [] }

  /// The overlay to which a window belongs; nil if it is none of them.
  func id(of window: UInt32) -> OverlayID? {
    overlays.first { $0.value.windows.contains(window) }?.key
  }

  // MARK: Requests of the engine

  mutating func make(_ name: String) -> OverlayID {
    lastNumber += 1
    let id = OverlayID(number: lastNumber)
    overlays[id] = OverlayWindow(name: name)
    return id
  }

  mutating func remove(_ x: inout XConnection, _ id: OverlayID) {
    hide(&x, id)
    overlays[id] = nil
    lossTimes[id] = nil
    order.removeAll { $0.id == id }
  }

  mutating func setOrder(_ order: [StackedOverlay]) { self.order = order }

  /// The windows among the top-level windows in the order that they should have, with one more for an overlay that has none yet. In
  /// the same place those over a window come first, and those beneath one last.
  func paneWindows(
    adding new: (overlay: OverlayID, window: UInt32)? = nil
  ) -> [WindowStack.PaneWindow] {
    (order.filter(\.isOver) + order.filter { !$0.isOver }).flatMap { overlay in
      let windows = overlays[overlay.id].map { $0.isInFrame ? [] : $0.windows } ?? []
      return (windows + (new?.overlay == overlay.id ? [new?.window] : []).compactMap(\.self))
        .map {
          WindowStack.PaneWindow(
            window: $0, layer: overlay.layer, target: overlay.target?.number,
            isOver: overlay.isOver)
        }
    }
  }

  /// Sets the opacity of each overlay behind a window, so that it fades with the window.
  func setOpacities(_ x: inout XConnection, now: Duration, of opacity: (UInt32) -> UInt32) {
    for overlay in order {
      guard let target = overlay.target, !overlay.isOver else { continue }
      overlays[overlay.id]?.setOpacity(
        ofTarget: opacity(target.number), &x, canvases, now: now)
    }
  }

  /// Hides an overlay so that no compositor fades it out: its windows show nothing at once, and are destroyed later. picom
  /// fades a window as it was in the last frame, so it must paint a frame in between.
  mutating func clear(_ x: inout XConnection, _ id: OverlayID, now: Duration) {
    let windows = overlays[id]?.clear(&x) ?? []
    cleared += windows.map { ($0, now + OverlayWindow.leftoverDuration) }
    refused.remove(id)
  }

  mutating func hide(_ x: inout XConnection, _ id: OverlayID) {
    if let overlay = overlays[id], overlay.window != nil {
      overlay.hide(&x, canvases)
      // Until the server has processed this request, the known order contains the destroyed windows.
      lastRestack = x.lastRequest
    }
    refused.remove(id)
  }

  /// Whether all buffers of an overlay are busy. Then `recordProgress` returns `released` later.
  mutating func refuseIfBusy(_ x: inout XConnection, _ id: OverlayID) -> Bool {
    guard let overlay = overlays[id], overlay.isBusy else { return false }
    refused.insert(id)
    if !overlay.isShared { pace(&x) }
    return true
  }

  /// The part of the screen that becomes visible when an overlay is hidden.
  func uncovered(byHiding id: OverlayID) -> Region {
    guard let shown = overlays[id]?.shown, shown.state.cover == nil else { return Region() }
    return Region(shown.state.rect)
  }

  /// The part of the screen that becomes visible when an overlay is placed at `rect`.
  func uncovered(byPlacing id: OverlayID, at rect: Rect, keepsPixels: Bool) -> Region {
    guard let shown = overlays[id]?.shown else { return Region() }
    let steps = shown.steps(to: rect, keepsPixels: keepsPixels)
    return Region([shown.state.rect] + steps).subtracting(Region(rect))
  }

  /// Shows an overlay in a state. If `keepsPixels`, pixels that are already on the screen stay there. Returns
  /// its new window, if there is one.
  mutating func show(
    _ x: inout XConnection, _ id: OverlayID, _ state: OverlayState, keepsPixels: Bool,
    in stack: WindowStack, now: Duration
  ) -> OverlayWindow.NewWindow? {
    guard let overlay = overlays[id] else { return nil }
    let new = overlay.show(&x, canvases, state, keepsPixels: keepsPixels, now: now) { window in
      let panes = paneWindows(adding: (id, window))
      return stack.sibling(ofNew: window, at: state.rect, panes: panes)
    }
    // Until the server has processed this request, its events report other positions of the new window.
    if new != nil { lastRestack = x.lastRequest }
    return new
  }

  /// Shows an overlay over a client. Returns its new window, if there is one among the top-level windows.
  mutating func show(
    _ x: inout XConnection, _ update: OverlayUpdate, over client: ShownClient
  ) -> OverlayWindow.NewWindow? {
    guard let overlay = overlays[update.overlay],
      overlay.show(&x, &canvases, update.state, over: client), client.parent == x.root,
      let window = overlay.window
    else { return nil }
    lastRestack = x.lastRequest
    return OverlayWindow.NewWindow(id: window, sibling: client.id)
  }

  /// Moves the overlay over a client with it. `sibling` is the window directly below the client.
  mutating func follow(
    _ x: inout XConnection, _ client: ShownClient, above sibling: UInt32, now: Duration
  ) {
    let mayRaise = !races.lost.contains(client.id)
    for overlay in overlays.values {
      if overlay.follow(client, above: sibling, mayRaise: mayRaise, &x) {
        races.recordRaise(above: [client.id], now: now)
      }
    }
  }

  /// Begins an update. Must not be called while all buffers are busy.
  func makeUpdate(
    _ id: OverlayID, _ state: OverlayState, over client: ShownClient?, _ parts: [Rect]
  ) -> OverlayUpdate? {
    overlays[id]?.makeUpdate(id, state, over: client, parts)
  }

  /// Draws bands of an update. See `OverlayWindow.draw`.
  func draw(
    _ update: inout OverlayUpdate, _ x: inout XConnection, _ memory: inout PixelMemory,
    pixelCount: Int, _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> OverlayUpdate.Image? {
    overlays[update.overlay]?.draw(&update, &x, &memory, pixelCount: pixelCount, draw)
  }

  /// Records that all pixels of an update follow. Must be called before they are sent.
  mutating func recordUpdate(_ update: OverlayUpdate, _ x: borrowing XConnection) {
    guard let overlay = overlays[update.overlay] else { return }
    overlay.recordUpdate(update, x)
    let format = overlay.shown?.canvas.format ?? .bgrx8
    bytesWritten += update.parts.reduce(0) {
      $0 + format.byteCount(width: $1.width, height: $1.height)
    }
  }

  /// Sends images of an update to its window, which has the new state.
  func send(
    _ images: [OverlayUpdate.Image], of update: OverlayUpdate, _ x: inout XConnection
  ) {
    for (number, image) in images.enumerated() {
      let isLast = update.isDrawn && number == images.count - 1
      overlays[update.overlay]?.send(image, of: update, isLast: isLast, &x)
    }
  }

  /// Discards what was drawn for an overlay that is not shown.
  mutating func cancelUpdate(_ x: inout XConnection, _ id: OverlayID) {
    guard let overlay = overlays[id] else { return }
    if overlay.window == nil { overlay.discardBuffers(&x) }
    // The images of the update that were sent announce no completion.
    if overlay.isBusy { pace(&x) }
  }

  private mutating func pace(_ x: inout XConnection) {
    if isPacing { return }
    isPacing = true
    x.requestMarker(.pacing)
  }

  mutating func endPacing() { isPacing = false }

  /// Allows the next restack at once: a client waits for it.
  mutating func allowRestack() { lastRestackTime = nil }

  // MARK: Time and progress

  /// Destroys cleared and replaced windows whose time has passed.
  mutating func tidy(_ x: inout XConnection, now: Duration) {
    let ended = cleared.filter { $0.until <= now }
    cleared.removeAll { $0.until <= now }
    for window in ended { x.destroyWindow(window.window) }
    // Until the server has processed this request, the known order contains the destroyed windows.
    if !ended.isEmpty { lastRestack = x.lastRequest }
    for overlay in overlays.values where overlay.tidy(&x, canvases, now: now) {
      isOrderDoubtful = true
      lastRestack = x.lastRequest
    }
  }

  /// Records that the server has processed requests. Returns `released` events for overlays that
  /// were refused and can be updated now.
  mutating func recordProgress(_ x: inout XConnection) -> [DisplayEvent] {
    for overlay in overlays.values { overlay.recordProgress(x) }
    for (window, last) in destroyed where x.hasFinished(last) { destroyed[window] = nil }
    let released = refused.filter { overlays[$0]?.isBusy != true }
    refused.subtract(released)
    // The last marker may have been requested before their pixels were sent.
    if refused.contains(where: { overlays[$0]?.isShared == false }) { pace(&x) }
    return released.map { .released($0) }
  }

  func setBlended(_ x: inout XConnection, _ isBlended: Bool) {
    for overlay in overlays.values { overlay.setBlended(&x, isBlended) }
  }

  /// Sets whether new windows are mapped before they are placed, see `CanvasFactory.mapsFirst`. If they are from now on, marks
  /// the existing windows as outdated, and returns `exposed` events for them.
  mutating func setMapsFirst(_ isOn: Bool) -> [DisplayEvent] {
    if canvases.mapsFirst == isOn { return [] }
    canvases.mapsFirst = isOn
    return isOn ? markOutdated() : []
  }

  /// Marks all windows as outdated: the next update of an overlay makes a new window. This is needed because xfwm4 does not paint
  /// unmanaged windows that existed before it started. Returns `exposed` events for all overlays.
  func markOutdated() -> [DisplayEvent] {
    for overlay in overlays.values { overlay.markOutdated() }
    return shownRects.map { .exposed($0, $1) }
  }

  /// Discards buffers that are not shared. The next update makes new ones.
  mutating func discardPrivateBuffers(_ x: inout XConnection) {
    for overlay in overlays.values where !overlay.isShared { overlay.discardBuffers(&x) }
  }

  /// Handles a segment that the server refused. Returns `exposed` events for the overlays whose
  /// pixels were in it.
  mutating func handleRefusal(of segment: UInt32, _ x: inout XConnection) -> [DisplayEvent] {
    var events: [DisplayEvent] = []
    for (id, overlay) in overlays where overlay.uses(segment: segment) {
      overlay.discardBuffers(&x)
      if let rect = overlay.shown?.state.rect { events.append(.exposed(id, rect)) }
    }
    return events
  }

  // MARK: Events

  /// Applies an event. Calls `log` with a line if another client removed an overlay.
  mutating func handle(
    _ event: XEvent, _ x: inout XConnection, now: Duration, log: (String) -> Void
  ) -> [DisplayEvent] {
    switch event {
    case .exposed(let window, let rect):
      guard let id = id(of: window), let shown = overlays[id]?.shown else { return [] }
      return shown.placements.lostParts(rect, processed: x.processed).map { .exposed(id, $0) }
    case .completed:
      // The event has the number of its request.
      for overlay in overlays.values { overlay.recordCompletion(of: x.processed) }
      return []
    case .destroyed(let window):
      return handleDestruction(window, &x, now: now, log)
    case .unmapped(let window), .reparented(let window, _, _, _, _):
      races.end(against: window)
      // The server unmaps a window before it destroys or reparents it.
      return discard(window, "unmapped or destroyed", &x, now: now, log)
    case .configured(let window, let geometry, _):
      races.recordMove(of: window, now: now)
      return handleConfiguration(window, geometry, &x, now: now, log)
    case .circulated(let window, _):
      races.recordMove(of: window, now: now)
      return []
    case .mapped(let window, _):
      races.end(against: window)
      return []
    default:
      return []
    }
  }

  private mutating func handleDestruction(
    _ window: UInt32, _ x: inout XConnection, now: Duration, _ log: (String) -> Void
  ) -> [DisplayEvent] {
    races.end(against: window)
    if cleared.contains(where: { $0.window == window }) {
      cleared.removeAll { $0.window == window }
      destroyed[window] = x.lastRequest
    }
    guard let id = id(of: window) else {
      // Another client destroyed it while it was being hidden, by requests that fail.
      if x.isDestroying(window) { destroyed[window] = x.lastRequest }
      return []
    }
    // An overlay over a client ends with the frame around both.
    let isOver = overlays[id]?.shown?.over != nil
    let isGone = overlays[id]?.handleDestruction(window, &x, canvases) == true
    destroyed[window] = x.lastRequest
    if !isGone { return [] }
    if isOver { return [.lost(id)] }
    logLoss(of: id, "unmapped or destroyed", now: now, log)
    return [.lost(id)]
  }

  /// Records that the window of an overlay over a client could not be made, because the client has left its frame. Returns the
  /// event for it; nil if it is no such window.
  mutating func handleFailedCreation(
    of window: UInt32, _ x: inout XConnection
  ) -> DisplayEvent? {
    guard let id = id(of: window), overlays[id]?.shown?.over != nil else { return nil }
    overlays[id]?.hide(&x, canvases)
    destroyed[window] = x.lastRequest
    return .lost(id)
  }

  /// Destroys an overlay that another client unmapped, reparented, moved or resized: it will be made again.
  /// The other client may have destroyed it already, so requests about it may fail.
  private mutating func discard(
    _ window: UInt32, _ what: String, _ x: inout XConnection, now: Duration,
    _ log: (String) -> Void
  ) -> [DisplayEvent] {
    guard let id = id(of: window), let overlay = overlays[id] else { return [] }
    if overlay.window != window { return [] }
    overlay.hide(&x, canvases)
    destroyed[window] = x.lastRequest
    logLoss(of: id, what, now: now, log)
    return [.lost(id)]
  }

  private mutating func handleConfiguration(
    _ window: UInt32, _ geometry: WindowGeometry, _ x: inout XConnection, now: Duration,
    _ log: (String) -> Void
  ) -> [DisplayEvent] {
    guard let id = id(of: window), let shown = overlays[id]?.shown, shown.canvas.window == window,
      shown.over == nil, shown.placements.isCurrent(processed: x.processed),
      geometry.outer != shown.state.rect
    else { return [] }
    let what = geometry.outer.hasSize(of: shown.state.rect) ? "moved" : "resized"
    return discard(window, what, &x, now: now, log)
  }

  /// Logs at most once a minute for each overlay.
  private mutating func logLoss(
    of id: OverlayID, _ what: String, now: Duration, _ log: (String) -> Void
  ) {
    if let last = lossTimes[id], now - last < .seconds(60) { return }
    lossTimes[id] = now
    let name = overlays[id]?.name ?? ""
    log("another client \(what) the window of pane '\(name)'; it is made again")
  }

  // MARK: Stacking order

  /// Whether overlays in wrong positions wait for the next frame interval, or the server may still send exposure events about
  /// moved overlays.
  func isRestacking(_ x: borrowing XConnection) -> Bool {
    restackDeadline != nil || lastRestack.map { !x.hasFinished($0) } ?? false
  }

  /// Moves overlays to their positions, at most once in a frame interval.
  ///
  /// Places each overlay directly above another window, never simply on top: a lock screen that the daemon does not
  /// know yet must stay above. Returns the parts of windows that overlays no longer cover.
  mutating func restack(
    _ x: inout XConnection, _ plan: StackPlan, now: Duration
  ) -> [StackPlan.UncoveredPart] {
    restackDeadline = nil
    // The known order may be older than the last request.
    if let lastRestack, !x.hasReached(lastRestack) { return [] }
    let moves = isOrderDoubtful ? plan.renewingMoves : plan.moves
    if moves.isEmpty {
      isOrderDoubtful = false
      return []
    }
    if let last = lastRestackTime, now - last < interval {
      restackDeadline = last + interval
      return []
    }
    races.recordRaise(above: Set(moves.flatMap(\.covering)), now: now)
    for move in moves {
      if let sibling = move.sibling {
        x.raise(move.window, above: sibling)
      } else {
        x.lower(move.window)
      }
    }
    lastRestack = x.lastRequest
    lastRestackTime = now
    isOrderDoubtful = false
    return moves.flatMap(\.uncovered)
  }
}
