import CXCB
package import Engine
package import Panes
package import Raster

/// The display of an X server.
///
/// It owns the connection and passes each received item to the parts that handle it: the window
/// tracker, the overlays, the capture, the wallpaper and the blending probe. No part changes the
/// state of another one.
package struct X11Display: Display, ~Copyable {
  var x: XConnection
  let atoms: Atoms
  /// The outputs; X11 outputs are not distinguished yet, so this is the whole screen.
  package private(set) var outputs: [Output]
  private var tracker: WindowTracker
  private var overlays: OverlayWindows
  private var locks: LockWatch
  private var capture = BackdropCapture()
  private var probe: BlendingProbe
  private var wallpaper: Wallpaper
  private var memory: PixelMemory
  private let displayName: String
  private let log: @Sendable (Message) -> Void
  private var hasLoggedObstacle = false
  /// The segments that the server refused to attach. Later requests with them fail.
  private var refusedSegments: Set<UInt32> = []
  /// The events that `nextEvents` has not returned yet.
  private var events: [DisplayEvent] = []
  private var lastAnswer: UInt64 = 0
  /// The number of pending replies about the monitors.
  private var pendingMonitorCount = 0
  /// The time of the current loop iteration.
  private var now = Duration.zero
  package private(set) var isCongested = false
  /// The overlays that are hidden and removed when the server reads again.
  private var deferred: [DeferredRequest] = []
  package private(set) var blendsAlpha = false
  /// Whether another daemon has replaced this one.
  package private(set) var isReplaced = false

  /// Becomes the only daemon of a display. Waits for the server, as no other call does but that which connects.
  /// Windows are restacked at most once in `frameInterval`. Throws a `DisplayError`.
  package static func open(
    _ connection: consuming DisplayConnection, replacesOther: Bool, frameInterval: Duration,
    log: @escaping @Sendable (Message) -> Void
  ) throws(DisplayError) -> X11Display {
    let name = connection.display
    var x = connection.x
    let atoms = Atoms(&x)
    let service = try takeService(&x, atoms, replacesOther: replacesOther)
    var display = X11Display(x, atoms, name, service, frameInterval, log)
    // Replies may lead to further requests.
    for _ in 0..<8 {
      try display.x.roundTrip()
      display.events = try display.nextEvents(now: .zero, reads: true)
      if !display.isLearning { break }
    }
    return display
  }

  private init(
    _ connection: consuming XConnection, _ atoms: Atoms, _ name: String, _ service: UInt32,
    _ frameInterval: Duration, _ log: @escaping @Sendable (Message) -> Void
  ) {
    var x = connection
    self.atoms = atoms
    self.log = log
    displayName = name
    memory = PixelMemory(&x, display: name)
    let (width, height) = x.screen.initialSize
    outputs = [Output(name: "screen", bounds: Rect(x: 0, y: 0, width: width, height: height))]
    // The grab ensures that events report only changes after the replies.
    x.grab()
    x.selectEvents(
      x.root,
      XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
        | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
    x.selectSelectionEvents(atoms.compositor)
    let hasCompositor = x.selectionOwner(atoms.compositor) != 0
    x.selectScreenEvents()
    pendingMonitorCount = x.requestMonitors() ? 1 : 0
    tracker = WindowTracker(&x, atoms)
    tracker.setOutputs([outputs[0].bounds])
    locks = LockWatch(&x, unmapped: service)
    tracker.setCompositor(hasCompositor)
    x.requestResources()
    wallpaper = Wallpaper(&x, atoms)
    probe = BlendingProbe(&x, hasCompositor: hasCompositor)
    overlays = OverlayWindows(&x, atoms, frameInterval: frameInterval)
    x.ungrab()
    self.x = x
  }

  package var descriptor: Int32 { x.descriptor }
  package var deadline: Duration? {
    [overlays.deadline, locks.deadline, memory.deadline].compactMap(\.self).min()
  }
  package var lockedRegion: Region { locks.region }
  /// A compositor stores the pixels of each window, also of covered parts. To keep them when a window moves
  /// would cost more than to draw them again.
  package var drawsOnScreen: Bool { !tracker.stack.hasCompositor }
  package var isLearning: Bool {
    tracker.isLearning || probe.isTesting || wallpaper.isSearching || locks.isAsking
      || pendingMonitorCount > 0 || overlays.isRestacking(x)
  }
  private var screen: Rect { outputs[0].bounds }

  package var report: DisplayReport {
    DisplayReport(
      name: displayName, hasCompositor: tracker.stack.hasCompositor,
      usesSharedMemory: memory.isShareable && capture.isShared && overlays.isShared,
      redirectedWindows: tracker.redirectedCount, leftOutWindows: tracker.leftOutCount,
      damageEvents: tracker.damageEventCount,
      bytesRead: capture.bytesRead, bytesWritten: overlays.bytesWritten,
      bufferBytes: capture.bufferBytes + overlays.bufferBytes)
  }

  package mutating func disconnect() { x.disconnect() }

  /// What is not requested while the server does not read.
  private enum DeferredRequest {
    case hide(OverlayID)
    case remove(OverlayID)
  }

  private mutating func performDeferred() {
    isCongested = false
    for request in deferred {
      switch request {
      case .hide(let overlay): hide(overlay)
      case .remove(let overlay): removeOverlay(overlay)
      }
    }
    deferred = []
  }

  package mutating func flush() throws(DisplayError) {
    if isCongested {
      try x.flush()
      if x.isCongested { return }
      performDeferred()
    }
    if memory.hasRecovered, capture.discardPrivateStore(&x) {
      overlays.discardPrivateBuffers(&x)
      memory.hasRecovered = false
    }
    restack()
    try x.flush()
    isCongested = x.isCongested
  }

  package mutating func requestAnswer() -> AnswerID {
    overlays.allowRestack()
    lastAnswer += 1
    let id = AnswerID(number: lastAnswer)
    x.requestMarker(.answer(id))
    return id
  }

  // MARK: Capture

  package mutating func watch(_ regions: [View: Region]) {
    tracker.watch(&x, regions)
    if regions.values.contains(where: { !$0.isEmpty }) { return }
    wallpaper.removeWindows(&x)
    capture.discard(&x)
  }

  package mutating func startCapture(_ regions: [View: Region]) {
    tracker.beginRead(&x)
    let windows = wallpaper.windows(
      &x, for: regions.keys, screen: screen, hasCompositor: tracker.stack.hasCompositor)
    let outcome = capture.start(&x, tracker, regions, &memory) { windows[$0] ?? 0 }
    if let outcome { finish(outcome) }
    logObstacle()
  }

  package func isComposed(_ rect: Rect, of view: View) -> Bool {
    capture.isComposed(rect, of: view)
  }

  package mutating func withCaptured(
    _ rect: Rect, of view: View, _ body: (Span<UInt32>, PixelLayout) -> Void
  ) {
    capture.withPixels(rect, of: view, body)
  }

  private mutating func finish(_ outcome: BackdropCapture.Outcome) {
    for window in outcome.windows {
      tracker.noteFailure(of: window.id, changeCount: window.changeCount)
    }
    events.append(.captured(failed: outcome.failed))
  }

  // MARK: Overlays

  package mutating func makeOverlay(_ name: String) -> OverlayID { overlays.make(name) }

  package mutating func removeOverlay(_ overlay: OverlayID) {
    if isCongested { return deferred.append(.remove(overlay)) }
    hide(overlay)
    overlays.remove(&x, overlay)
  }

  package mutating func setOrder(_ order: [StackedOverlay]) { overlays.setOrder(order) }

  package func regionOfWindows(above lower: StackingLayer, below upper: StackingLayer) -> Region {
    tracker.regionOfWindows(above: lower, below: upper)
  }

  package mutating func hide(_ overlay: OverlayID) {
    if isCongested { return deferred.append(.hide(overlay)) }
    let uncovering = tracker.beginUncovering(&x, overlays.uncovered(byHiding: overlay))
    overlays.hide(&x, overlay)
    tracker.endUncovering(&x, uncovering)
  }

  package mutating func update(
    _ overlay: OverlayID, _ state: OverlayState, _ rects: [Rect],
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> Bool {
    // The overlay may have been hidden before.
    performDeferred()
    if overlays.refuseIfBusy(&x, overlay) { return false }
    let keepsPixels = rects.reduce(0) { $0 + $1.area } < state.rect.area
    let uncovered = overlays.uncovered(
      byPlacing: overlay, at: state.rect, keepsPixels: keepsPixels)
    let uncovering = tracker.beginUncovering(&x, uncovered)
    let new = overlays.show(
      &x, overlay, state, keepsPixels: keepsPixels, in: tracker.stack, now: now)
    tracker.endUncovering(&x, uncovering)
    if let new { tracker.addPane(new.id, at: state.rect, above: new.sibling) }
    overlays.put(&x, overlay, rects, &memory, draw)
    logObstacle()
    return true
  }

  private mutating func restack() {
    describePanes()
    tracker.updatePlanIfOutdated()
    overlays.restack(&x, tracker.plan, now: now)
  }

  /// Gives the tracker the windows of panes and what it cannot know from events about other windows.
  private mutating func describePanes() {
    tracker.setPanes(overlays.paneWindows())
    tracker.setInsisting(overlays.insisting)
  }

  private mutating func logObstacle() {
    guard !hasLoggedObstacle, let obstacle = memory.obstacle else { return }
    hasLoggedObstacle = true
    log(
      Message(
        kind: .warning, text: "\(obstacle); pixels go through the socket, slower"))
  }

  // MARK: Items

  package mutating func nextEvents(
    now: Duration, reads: Bool
  ) throws(DisplayError) -> [DisplayEvent] {
    self.now = now
    overlays.tidy(&x, now: now)
    memory.update(&x, now: now)
    var reads = reads
    var count = 0
    while count < Self.batchLimit, let item = try x.nextItem(reads: &reads) {
      take(item)
      count += 1
    }
    let isDue = deadline.map { $0 <= now } ?? false
    if count > 0 || !events.isEmpty || isDue || tracker.hasChanges { finishBatch() }
    if count == Self.batchLimit { events.append(.more) }
    defer { events = [] }
    return events
  }

  /// The largest number of items per call, so that a flood of events does not delay a frame.
  private static var batchLimit: Int { 4096 }

  private mutating func finishBatch() {
    describePanes()
    let changes = tracker.finishBatch(&x)
    if locks.update(&x, tracker.stack, now: now) { events.append(.lockChanged) }
    events += changes.captured.map { .damaged($0.key, $0.value, isCaptured: true) }
    events += changes.fresh.map { .damaged($0.key, $0.value, isCaptured: false) }
    events += overlays.noteProgress(x)
    restack()
    if probe.blendsAlpha != blendsAlpha {
      blendsAlpha = probe.blendsAlpha
      overlays.setBlended(&x, blendsAlpha)
      events.append(.blendingChanged)
    }
  }

  private mutating func take(_ item: XItem) {
    switch item {
    case .event(let event): take(event)
    case .reply(let reply): take(reply)
    case .failure(let error): take(error)
    }
  }

  private mutating func take(_ event: XEvent) {
    switch event {
    case .destroyed(let window), .unmapped(let window), .reparented(let window, _, _, _, _):
      restoreHelper(window)
    default:
      break
    }
    switch event {
    case .selectionOwner(atoms.compositor, let owner):
      tracker.setCompositor(owner != 0)
      probe.setCompositor(&x, owner != 0)
      announceWallpaper()
    case .visibility(let window, let isFull):
      probe.takeVisibility(&x, of: window, isFull: isFull)
    case .lostSelection(atoms.service):
      isReplaced = true
    case .property(x.root, let atom):
      takeRootProperty(atom)
    case .configured(x.root, let geometry, _):
      requestMonitors()
      resize(width: geometry.width, height: geometry.height)
    case .monitorsChanged:
      requestMonitors()
    case .screenSaver(let isActive):
      locks.take(isSaverActive: isActive)
    default:
      events += overlays.take(event, &x, now: now) { log(Message(kind: .warning, text: $0)) }
      tracker.take(event, &x) { overlays.isOverlay($0) }
    }
  }

  /// Makes a window that shows nothing again, if another client destroyed, unmapped or reparented it.
  private mutating func restoreHelper(_ window: UInt32) {
    var lost = wallpaper.noteLoss(of: window, &x) + probe.noteLoss(of: window, &x)
    if window == locks.unmapped {
      locks.unmapped = makeServiceOwner(&x, atoms)
      lost.append(window)
    }
    overlays.recordDestroyed(lost, x)
  }

  private mutating func takeRootProperty(_ atom: UInt32) {
    if atoms.isWallpaper(atom) { wallpaper.search(&x) }
    if atom == XCB_ATOM_RESOURCE_MANAGER.rawValue { x.requestResources() }
  }

  private mutating func requestMonitors() { if x.requestMonitors() { pendingMonitorCount += 1 } }

  private mutating func resize(width: Int, height: Int) {
    outputs[0].bounds = Rect(x: 0, y: 0, width: width, height: height)
    // Otherwise the reply about the monitors follows. Until then lock screens cover the old ones.
    if x.extensions.randr == nil { tracker.setOutputs([screen]) }
    wallpaper.removeWindows(&x)
    tracker.forgetFailures()
    events.append(.outputsChanged)
  }

  private mutating func announceWallpaper() {
    wallpaper.forgetBackground()
    events.append(.wallpaperAnnounced(Region(screen)))
  }

  private mutating func take(_ reply: XReply) {
    switch reply {
    case .marker(.answer(let id)): events.append(.answered(id))
    case .marker(.redirectTest): probe.takeTestEnd(&x)
    case .marker(.pacing): overlays.notePacing()
    case .marker(.memoryTest): memory.takeTestEnd()
    case .attributes(let window, let attributes): tracker.take(attributes: attributes, of: window)
    case .opacity(let window, let opacity): tracker.take(opacity: opacity, of: window)
    case .hints(let window, let hints): tracker.take(hints: hints, of: window, &x)
    case .monitors(let monitors):
      pendingMonitorCount -= 1
      let visible = monitors.map { $0.intersection(screen) }.filter { !$0.isEmpty }
      tracker.setOutputs(visible.isEmpty ? [screen] : visible)
    case .screenSaver(let isActive): locks.take(isSaverActive: isActive)
    case .grab(let device, let isTaken): locks.take(isTaken: isTaken, device)
    case .image(let id, let image):
      if let outcome = capture.take(image, id) { finish(outcome) }
    case .wallpaperPixmap(_, let pixmap):
      if wallpaper.take(pixmap: pixmap, &x) { announceWallpaper() }
    case .depth(let pixmap, let depth):
      if wallpaper.take(depth: depth, of: pixmap, &x) { announceWallpaper() }
    case .resources(let text):
      let scale = pixelScale(inResources: text)
      if scale == outputs[0].scale { return }
      outputs[0].scale = scale
      events.append(.outputsChanged)
    case .ids(let start, let count): x.takeIDs(start: start, count: count)
    }
  }

  // MARK: Refused requests

  private mutating func take(_ error: XError) {
    if probe.takeFailure(error) { return }
    if error.request == .shmAttach { return takeRefusal(of: error.subject) }
    if isExpected(error) { return }
    if error.isLackOfMemory {
      log(
        Message(kind: .warning, text: "the X server has not enough memory for \(error.requestText)")
      )
    } else {
      log(Message(kind: .error, text: "the X server refused \(error); this is a bug of backdropd"))
    }
  }

  private mutating func takeRefusal(of segment: UInt32) {
    refusedSegments.insert(segment)
    memory.takeRefusal(of: segment)
    capture.takeRefusal(of: segment, &x)
    events += overlays.takeRefusal(of: segment, &x)
    logObstacle()
  }

  /// Whether the failure is expected: another client destroyed the window or pixmap of the request,
  /// or the window is input-only, which is unknown when it is redirected.
  private func isExpected(_ error: XError) -> Bool {
    [error.subject, error.sibling].compactMap(\.self).contains { subject in
      if refusedSegments.contains(subject) || overlays.isDestroyed(subject) { return true }
      if x.identity.isOwn(subject) { return false }
      guard let window = tracker.stack[subject] else { return true }
      return window.attributes?.isInputOnly != false
    }
  }
}
