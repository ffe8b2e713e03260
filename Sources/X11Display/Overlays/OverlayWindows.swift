import Engine
import Raster

/// The windows of all panes: their pixels, and their stacking above all other windows.
struct OverlayWindows {
  private var overlays: [OverlayID: OverlayWindow] = [:]
  /// The overlays in stacking order, the lowest first.
  private var order: [OverlayID] = []
  private var lastNumber: UInt32 = 0
  private let canvases: CanvasFactory
  /// The overlays whose last update was refused because their buffers were busy.
  private var refused: Set<OverlayID> = []
  /// Whether a marker is pending, whose reply shows that the server has read packed pixels.
  private var isPacing = false
  /// The windows that other clients destroyed, each with the last request that may still refer to
  /// it.
  private var destroyed: [UInt32: XConnection.Sequence] = [:]
  /// The time at which the loss of an overlay was last logged.
  private var lossTimes: [OverlayID: Duration] = [:]
  /// The last request that changed the stacking order. The known order is outdated until the server
  /// has processed it.
  private var lastRestack: XConnection.Sequence?
  /// Whether the order must be checked even without an event.
  private(set) var needsRestack = false
  private(set) var bytesWritten = 0

  init(_ x: inout XConnection, _ atoms: Atoms) { canvases = CanvasFactory(&x, atoms) }

  var deadline: Duration? { overlays.values.compactMap(\.deadline).min() }
  var isShared: Bool { overlays.values.allSatisfy(\.isShared) }
  var bufferBytes: Int { overlays.values.reduce(0) { $0 + $1.bufferBytes } }

  func isOverlay(_ window: UInt32) -> Bool { id(of: window) != nil }

  /// Whether another client destroyed this window of the daemon.
  func isDestroyed(_ window: UInt32) -> Bool { destroyed[window] != nil }

  private func id(of window: UInt32) -> OverlayID? {
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
    order.removeAll { $0 == id }
  }

  mutating func setOrder(_ ids: [OverlayID]) {
    order = ids
    needsRestack = true
  }

  mutating func hide(_ x: inout XConnection, _ id: OverlayID) {
    overlays[id]?.hide(&x, canvases)
    refused.remove(id)
  }

  /// Whether all buffers of an overlay are busy. Then `noteProgress` returns `released` later.
  mutating func refuseIfBusy(_ x: inout XConnection, _ id: OverlayID) -> Bool {
    guard let overlay = overlays[id], overlay.isBusy else { return false }
    refused.insert(id)
    if !overlay.isShared { pace(&x) }
    return true
  }

  /// The part of the screen that becomes visible when an overlay is hidden.
  func uncovered(byHiding id: OverlayID) -> Region {
    overlays[id]?.shown.map { Region($0.state.rect) } ?? Region()
  }

  /// The part of the screen that becomes visible when an overlay is placed at `rect`.
  func uncovered(byPlacing id: OverlayID, at rect: Rect, keepsPixels: Bool) -> Region {
    guard let shown = overlays[id]?.shown else { return Region() }
    let steps = shown.steps(to: rect, keepsPixels: keepsPixels)
    return Region([shown.state.rect] + steps).subtracting(Region(rect))
  }

  /// Shows an overlay in a state. If `keepsPixels`, pixels that are already on the screen stay there.
  mutating func show(
    _ x: inout XConnection, _ id: OverlayID, _ state: OverlayState, keepsPixels: Bool,
    locker: UInt32?, now: Duration
  ) {
    guard let overlay = overlays[id] else { return }
    if overlay.show(&x, canvases, state, keepsPixels: keepsPixels, below: locker, now: now) {
      for higher in order.drop(while: { $0 != id }).dropFirst() {
        overlays[higher]?.raise(&x, below: locker)
      }
      lastRestack = x.lastRequest
    }
  }

  /// Draws parts of a shown overlay and sends them. See `Display.update`.
  mutating func put(
    _ x: inout XConnection, _ id: OverlayID, _ rects: [Rect], _ memory: inout PixelMemory,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) {
    overlays[id]?.put(&x, &memory, rects, draw)
    bytesWritten += rects.reduce(0) { $0 + 4 * $1.area }
  }

  private mutating func pace(_ x: inout XConnection) {
    if isPacing { return }
    isPacing = true
    x.requestMarker(.pacing)
  }

  mutating func notePacing() { isPacing = false }

  // MARK: Time and progress

  /// Destroys replaced windows whose time has passed.
  func tidy(_ x: inout XConnection, now: Duration) {
    for overlay in overlays.values { overlay.tidy(&x, canvases, now: now) }
  }

  /// Records that the server has processed requests. Returns `released` events for overlays that
  /// were refused and can be updated now.
  mutating func noteProgress(_ x: borrowing XConnection) -> [DisplayEvent] {
    for overlay in overlays.values { overlay.noteProgress(x) }
    for (window, last) in destroyed where x.hasFinished(last) { destroyed[window] = nil }
    let released = refused.filter { overlays[$0]?.isBusy != true }
    refused.subtract(released)
    return released.map { .released($0) }
  }

  func setBlended(_ x: inout XConnection, _ isBlended: Bool) {
    for overlay in overlays.values { overlay.setBlended(&x, isBlended) }
  }

  /// Handles a segment that the server refused. Returns `exposed` events for the overlays whose
  /// pixels were in it.
  mutating func takeRefusal(of segment: UInt32, _ x: inout XConnection) -> [DisplayEvent] {
    var events: [DisplayEvent] = []
    for (id, overlay) in overlays where overlay.uses(segment: segment) {
      overlay.discardBuffers(&x)
      if let rect = overlay.shown?.state.rect { events.append(.exposed(id, rect)) }
    }
    return events
  }

  // MARK: Events

  /// Applies an event. Calls `log` with a line if another client removed an overlay.
  mutating func take(
    _ event: XEvent, _ x: inout XConnection, now: Duration, log: (String) -> Void
  ) -> [DisplayEvent] {
    switch event {
    case .exposed(let window, let rect):
      guard let id = id(of: window), let shown = overlays[id]?.shown else { return [] }
      return shown.placements.lostParts(rect, processed: x.processed).map { .exposed(id, $0) }
    case .completed(let segment):
      for overlay in overlays.values { overlay.noteCompletion(segment: segment) }
      return []
    case .destroyed(let window):
      return noteDestroyed(window, &x, now: now, log)
    case .unmapped(let window), .reparented(let window, _, _, _, _):
      // The server unmaps a window before it destroys or reparents it.
      return discard(window, "unmapped or destroyed", &x, now: now, log)
    case .configured(let window, let geometry, _):
      for overlay in overlays.values { overlay.races.noteMove(of: window, now: now) }
      return noteConfigured(window, geometry, &x, now: now, log)
    case .mapped(let window, _):
      for overlay in overlays.values { overlay.races.end(against: window) }
      return []
    default:
      return []
    }
  }

  private mutating func noteDestroyed(
    _ window: UInt32, _ x: inout XConnection, now: Duration, _ log: (String) -> Void
  ) -> [DisplayEvent] {
    for overlay in overlays.values { overlay.races.end(against: window) }
    guard let id = id(of: window) else { return [] }
    let isGone = overlays[id]?.noteDestroyed(window, &x, canvases) == true
    destroyed[window] = x.lastRequest
    if !isGone { return [] }
    logLoss(of: id, "unmapped or destroyed", now: now, log)
    return [.lost(id)]
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

  private mutating func noteConfigured(
    _ window: UInt32, _ geometry: WindowGeometry, _ x: inout XConnection, now: Duration,
    _ log: (String) -> Void
  ) -> [DisplayEvent] {
    guard let id = id(of: window), let shown = overlays[id]?.shown, shown.canvas.window == window,
      shown.placements.isCurrent(processed: x.processed), geometry.outer != shown.state.rect
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

  /// Raises overlays above windows that cover them, and restores their order.
  ///
  /// A screen locker stays above, because it must hide everything. A window that raises itself each
  /// time also stays above after some attempts, because the two would raise themselves forever.
  mutating func restack(
    _ x: inout XConnection, _ stack: WindowStack, locker: UInt32?, now: Duration
  ) {
    // The known order may be older than the last request.
    if let lastRestack, !x.hasReached(lastRestack) { return }
    needsRestack = false
    let ceiling = locker.flatMap { stack.index(of: $0) } ?? .max
    var hasRaised = false
    var last = -1
    for id in order {
      guard let overlay = overlays[id], let window = overlay.window,
        let index = stack.index(of: window)
      else { continue }
      let above = stack.windowsAbove(window).filter {
        !overlay.races.isLost(against: $0.id) && stack.index(of: $0.id) ?? .max < ceiling
      }
      let isInOrder = index > last
      last = index
      if above.isEmpty, isInOrder, !hasRaised { continue }
      overlay.races.noteRaise(above: above.map(\.id), now: now)
      overlay.raise(&x, below: locker)
      hasRaised = true
    }
    if hasRaised { lastRestack = x.lastRequest }
  }
}
