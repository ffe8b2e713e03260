import CXCB
package import Engine
package import Panes
package import Raster

/// The display of an X server.
///
/// It owns the connection and passes each received item to the parts that handle it, in `X11Display+Items.swift`: the
/// window tracker, the overlays, the capture, the wallpaper and the blending probe. No part changes the state of
/// another one.
package struct X11Display: Display, ~Copyable {
  var x: XConnection
  let atoms: Atoms
  package internal(set) var screen: Output
  package internal(set) var outputs: [Output]
  package var inactiveOutputs: [String] { monitorSearch.inactiveNames }
  /// The sources of `screen` and `outputs`.
  var outputSources: OutputSources
  /// The bounds of the screen as last reported by the server.
  var newBounds: Rect
  var monitorSearch: MonitorSearch
  var desktopAreas: DesktopAreas
  /// The number of pending replies about the pointer.
  var pendingPointerCount = 0
  /// The scale factor of the desktop.
  var scale: DesktopScale
  /// The scales that the user gives to outputs.
  var outputScales = OutputScales()
  var tracker: WindowTracker
  var overlays: OverlayWindows
  var focus = OverlayFocus()
  var locks: LockWatch
  var capture = BackdropCapture()
  var probe: BlendingProbe
  var compositor: CompositorTraits
  /// Whether all overlays have alpha now, because of the rule.
  private var givesAlpha = false
  var wallpaper: Wallpaper
  var memory: PixelMemory
  /// The windows whose pixels tell whether something is visible through them.
  var alphas = AlphaWatches()
  /// The windows that the caller wants to know this of.
  private var inspected: Set<WindowID> = []
  private let displayName: String
  let log: @Sendable (Message) -> Void
  var settings: DesktopSettings
  private var hasLoggedObstacle = false
  /// The segments that the server refused to attach. Later requests with them fail.
  var refusedSegments: Set<UInt32> = []
  /// The update in progress.
  private var update: OverlayUpdate?
  /// The events that `nextEvents` has not returned yet.
  var events: [DisplayEvent] = []
  private var lastAnswer: UInt64 = 0
  /// The time of the current loop iteration.
  var now = Duration.zero
  package private(set) var isCongested = false
  /// The overlays that are hidden and removed when the server reads again.
  private var deferred: [DeferredRequest] = []
  package internal(set) var blendsAlpha = false
  /// Whether windows may have been made before the compositor.
  var isCompositorNew = false
  package var reportsWindows: Bool { true }
  package internal(set) var targets: [TargetWindow] = []
  var blurAnnouncement: BlurAnnouncement
  package internal(set) var colorScheme: ColorScheme?
  package var lacksMemory: Bool { x.memory.isLacking }
  /// Whether another daemon has replaced this one.
  package internal(set) var isReplaced = false

  /// Becomes the only daemon of a display. Waits for the server; later calls do not.
  /// Windows are restacked at most once in `frameInterval`. `toolkitScale` is the scale of toolkits in the environment;
  /// nil if it says none. `outputScales` take precedence. Throws a `DisplayError`.
  package static func open(
    _ connection: consuming DisplayConnection, replacesOther: Bool, frameInterval: Duration,
    toolkitScale: Double? = nil, outputScales: OutputScales = OutputScales(),
    log: @escaping @Sendable (Message) -> Void
  ) throws(DisplayError) -> X11Display {
    let name = connection.display
    var x = connection.x
    let atoms = Atoms(&x)
    let service = try takeService(&x, atoms, replacesOther: replacesOther)
    let scale = DesktopScale(environment: toolkitScale)
    var display = X11Display(x, atoms, name, service, frameInterval, scale, log)
    display.outputScales = outputScales
    try display.settle()
    return display
  }

  /// Looks at a display that another daemon may serve. It shows nothing. Waits for the server. Throws `lost`.
  static func openUnserved(
    _ connection: consuming DisplayConnection, toolkitScale: Double?
  ) throws(DisplayError) -> X11Display {
    let name = connection.display
    var x = connection.x
    let atoms = Atoms(&x)
    let corner = Rect(x: -1, y: -1, width: 1, height: 1)
    let unmapped = x.createWindow(XConnection.NewWindow(rect: corner))
    let scale = DesktopScale(environment: toolkitScale)
    var display = X11Display(x, atoms, name, unmapped, .zero, scale) { _ in }
    try display.settle()
    return display
  }

  /// Waits for the replies to the requests of the start.
  mutating func settle() throws(DisplayError) {
    // Replies may lead to further requests.
    for _ in 0..<8 {
      try x.roundTrip()
      events = try nextEvents(now: .zero, reads: true)
      if !isLearning { break }
    }
  }

  private init(
    _ connection: consuming XConnection, _ atoms: Atoms, _ name: String, _ service: UInt32,
    _ frameInterval: Duration, _ scale: DesktopScale, _ log: @escaping @Sendable (Message) -> Void
  ) {
    var x = connection
    self.scale = scale
    self.atoms = atoms
    self.log = log
    displayName = name
    memory = PixelMemory(&x, display: name)
    let (width, height) = x.screen.initialSize
    newBounds = Rect(x: 0, y: 0, width: width, height: height)
    outputSources = OutputSources(bounds: newBounds)
    (screen, outputs) = (outputSources.screen, outputSources.outputs)
    // The grab ensures that events report only changes after the replies.
    x.grab()
    x.selectRootEvents()
    x.selectSelectionEvents(atoms.compositor)
    let compositorWindow = x.selectionOwner(atoms.compositor)
    let hasCompositor = compositorWindow != 0
    compositor = CompositorTraits(atoms)
    compositor.setOwner(compositorWindow, &x)
    x.selectScreenEvents()
    monitorSearch = MonitorSearch(isPossible: x.extensions.randr != nil)
    x.send(monitorSearch.start())
    desktopAreas = DesktopAreas(&x, atoms)
    tracker = WindowTracker(&x, atoms)
    tracker.setOutputs([screen.bounds], screen: screen.bounds)
    locks = LockWatch(
      terminalAtom: atoms.hasTerminal, unmapped: service, hasMonitors: x.extensions.hasMonitors)
    x.requestScreenSaver()
    x.requestProperty(atoms.hasTerminal, of: x.root, upTo: 4)
    blurAnnouncement = BlurAnnouncement(atoms.targets.blurRegion, owner: service)
    tracker.setCompositor(hasCompositor)
    x.requestProperty(Self.resourcesAtom, of: x.root, upTo: 1 << 16)
    wallpaper = Wallpaper(x.screen, atoms)
    x.send(wallpaper.search())
    settings = DesktopSettings(&x, atoms)
    probe = BlendingProbe(
      x.createProbeWindows(), canHaveAlpha: x.screen.alphaVisual != nil,
      hasCompositor: hasCompositor)
    overlays = OverlayWindows(&x, atoms, frameInterval: frameInterval)
    x.ungrab()
    self.x = x
  }

  package var descriptor: Int32 { x.descriptor }
  package var deadline: Duration? {
    let outputs: Duration? = outputSources.ownScales == outputScales ? nil : now
    return [overlays.deadline, locks.deadline, memory.deadline, alphas.deadline, outputs]
      .compactMap(\.self).min()
  }
  package var lockedRegion: Region { locks.region }
  package var lockReason: LockReason? { locks.region.isEmpty ? nil : locks.reason }
  /// False with a compositor: it stores the pixels of each window, including covered parts, and keeping them when a window moves
  /// costs more than drawing them again.
  package var drawsOnScreen: Bool { !tracker.stack.hasCompositor }
  package var isLearning: Bool {
    tracker.isLearning || probe.isTesting || compositor.isAsking || wallpaper.isSearching
      || locks.isAsking
      || settings.isAsking || monitorSearch.isSearching || desktopAreas.isAsking
      || pendingPointerCount > 0 || overlays.isRestacking(x) || alphas.isReading
  }

  package var report: DisplayReport {
    DisplayReport(
      name: displayName, reason: "windows and the wallpaper can be read",
      hasCompositor: tracker.stack.hasCompositor,
      usesSharedMemory: memory.isShareable && capture.isShared && overlays.isShared,
      redirectedWindows: tracker.redirectedCount, leftOutWindows: tracker.leftOutCount,
      damageEvents: tracker.damageEventCount,
      bytesRead: capture.bytesRead, bytesWritten: overlays.bytesWritten,
      bufferBytes: capture.bufferBytes + overlays.bufferBytes)
  }

  package mutating func disconnect() { x.disconnect() }

  /// A request that is not sent while the server does not read.
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

  package mutating func limitWork(frameInterval: Duration, threads: Int) {
    overlays.interval = frameInterval
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

  package mutating func requestPointer() {
    pendingPointerCount += 1
    x.requestPointer()
  }

  // MARK: Capture

  package mutating func watch(_ regions: [View: Region]) {
    tracker.watch(&x, regions)
    if regions.values.contains(where: { !$0.isEmpty }) { return }
    wallpaper.removeWindow(&x)
    capture.discard(&x)
  }

  package mutating func reportTargets(_ interest: TargetInterest) {
    blurAnnouncement.set(&x, interest.announcesBlur)
    if tracker.targets.isActive == interest.isActive { return }
    tracker.targets.setActive(interest.isActive)
    updateTargets()
  }

  package mutating func inspect(_ windows: Set<WindowID>) {
    if inspected == windows { return }
    inspected = windows
    tracker.targets.markOutdated()
    updateTargets()
  }

  /// Finds the targets again, if they may have changed.
  mutating func updateTargets() {
    guard var new = tracker.changedTargets(&x) else { return }
    watchAlpha(of: new)
    for index in new.indices {
      let painted = alphas[new[index].properties.id]
      if painted.isOpaque, !tracker.isFaded(new[index].id) { new[index].isTranslucent = false }
      if painted.hasGaps { new[index].client?.backgroundAlpha = painted.background }
    }
    if new == targets { return }
    targets = new
    events.append(.targetsChanged)
  }

  /// Watches the pixels of the inspected windows with an alpha channel. The server has those of all windows only while a compositor
  /// runs.
  private mutating func watchAlpha(of targets: [TargetWindow]) {
    var parts: [UInt32: Rect] = [:]
    for target in targets where blendsAlpha && inspected.contains(target.id) {
      guard let client = tracker.client(in: target.id), client.hasAlpha else { continue }
      let part = target.frame.intersection(client.rect)
      let own = part.translated(x: -client.rect.x, y: -client.rect.y)
      if !own.isEmpty { parts[client.id] = own }
    }
    alphas.set(parts, &x)
  }

  package mutating func startCapture(_ regions: [View: Region]) {
    tracker.beginRead(&x)
    let window = wallpaper.window(
      &x, screen: screen.bounds,
      without: tracker.stack.hasCompositor ? compositor.paintsBlack ? .black : .gray : .root)
    let outcome = capture.start(&x, tracker, regions, &memory, wallpaper: window)
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

  mutating func finish(_ outcome: CaptureBatch.Outcome) {
    for window in outcome.windows {
      tracker.markUnreadable(of: window.id, changeCount: window.changeCount)
    }
    events.append(.captured(failed: outcome.failed))
  }

  /// The pixels of a client that is not shown, and those outside of it.
  package func hiddenRegion(of view: View) -> Region {
    guard case .client(let id) = view else { return Region() }
    let all = Region(Rect(x: 0, y: 0, width: Int(Int16.max), height: Int(Int16.max)))
    guard let client = tracker.client(in: id) else { return all }
    return all.subtracting(Region(client.part(on: tracker.stack.screen)))
  }

  // MARK: Overlays

  package mutating func makeOverlay(_ name: String) -> OverlayID { overlays.make(name) }

  package mutating func removeOverlay(_ overlay: OverlayID) {
    if isCongested { return deferred.append(.remove(overlay)) }
    hide(overlay)
    overlays.remove(&x, overlay)
  }

  package mutating func setOrder(_ order: [StackedOverlay]) {
    overlays.setOrder(order)
    updateOpacities()
  }

  package func regionOfWindows(above lower: StackingLayer, below upper: StackingLayer) -> Region {
    tracker.regionOfWindows(above: lower, below: upper)
  }

  package mutating func hide(_ overlay: OverlayID) {
    if isCongested { return deferred.append(.hide(overlay)) }
    let uncovering = tracker.beginUncovering(&x, overlays.uncovered(byHiding: overlay))
    if hasLostContent(overlay) {
      overlays.clear(&x, overlay, now: now)
    } else {
      overlays.hide(&x, overlay)
    }
    tracker.endUncovering(&x, uncovering)
  }

  /// Whether an overlay is behind a frame whose client has ended or left. Nothing of the client is on the screen any more,
  /// but a compositor that fades windows out would go on to show the glass.
  private func hasLostContent(_ overlay: OverlayID) -> Bool {
    overlays.target(of: overlay).map { tracker.clients.isEmptied($0) } ?? false
  }

  package mutating func beginUpdate(
    _ overlay: OverlayID, _ state: OverlayState, _ rects: [Rect]
  ) -> Bool {
    // The overlay may have been hidden before.
    performDeferred()
    if overlays.refuseIfBusy(&x, overlay) { return false }
    var state = state
    if givesAlpha, state.cover == nil { state.hasAlpha = true }
    update = overlays.makeUpdate(overlay, state, over: client(under: overlay), rects)
    return true
  }

  package mutating func continueUpdate(
    _ overlay: OverlayID, _ pixelCount: Int,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> Bool {
    guard var update, update.overlay == overlay else {
      preconditionFailure("the overlay is not being updated")
    }
    if update.isLarge { show(&update) }
    if !update.isDrawn {
      let image = overlays.draw(&update, &x, &memory, pixelCount: pixelCount, draw)
      if let image {
        overlays.send([image], of: update, &x)
        x.send()
      }
    }
    self.update = update
    if !update.isDrawn { return false }
    show(&update)
    if !update.isLarge { overlays.send(update.images, of: update, &x) }
    self.update = nil
    logObstacle()
    return true
  }

  package mutating func cancelUpdate(_ overlay: OverlayID) {
    update = nil
    overlays.cancelUpdate(&x, overlay)
  }

  /// The client that an overlay covers, if it belongs over one that is shown.
  private func client(under overlay: OverlayID) -> ShownClient? {
    overlays.coveredWindow(of: overlay).flatMap { tracker.client(in: $0) }
  }

  /// Gives the overlay of an update its new state, before its pixels are sent.
  private mutating func show(_ update: inout OverlayUpdate) {
    if update.isShown { return }
    update.isShown = true
    let (overlay, state) = (update.overlay, update.state)
    if state.cover != nil { return showOver(update) }
    let keepsPixels = update.parts.reduce(0) { $0 + $1.area } < state.rect.area
    let uncovered = overlays.uncovered(
      byPlacing: overlay, at: state.rect, keepsPixels: keepsPixels)
    let uncovering = tracker.beginUncovering(&x, uncovered)
    let new = overlays.show(
      &x, overlay, state, keepsPixels: keepsPixels, in: tracker.stack, now: now)
    tracker.endUncovering(&x, uncovering)
    if let new {
      let depth = x.screen.depth(hasAlpha: state.hasAlpha)
      tracker.addPane(new.id, at: state.rect, above: new.sibling, depth: depth)
    }
    overlays.recordUpdate(update, x)
  }

  private mutating func showOver(_ update: OverlayUpdate) {
    guard let client = update.client else { return }
    let new = overlays.show(&x, update, over: client)
    if let new {
      tracker.addPane(new.id, at: client.rect, above: new.sibling, depth: client.depth)
    }
    overlays.recordUpdate(update, x)
  }

  package mutating func requestFocus(of overlay: OverlayID, time: UInt32) {
    if overlays.windows(of: overlay).isEmpty { return }
    x.requestFocus(for: overlay, time: time)
  }

  package mutating func releaseFocus(of overlay: OverlayID) {
    focus.release(overlays.windows(of: overlay), &x)
  }

  mutating func restack() {
    describePanes()
    tracker.updatePlanIfOutdated()
    let uncovered = overlays.restack(&x, tracker.plan, now: now)
    tracker.damage(&x, uncovered)
  }

  /// Has all overlays drawn again with alpha, or as they are declared, if the rule for shadows changes that.
  mutating func applyShadowRule() {
    let isOn = compositor.addsShadows && blendsAlpha
    if isOn == givesAlpha { return }
    givesAlpha = isOn
    events += overlays.shownRects.map { .exposed($0, $1) }
  }

  /// The glass behind a window fades with it.
  mutating func updateOpacities() {
    overlays.setOpacities(&x, now: now) { id in
      tracker.stack[id].map { tracker.targets.opacity(of: $0) } ?? .max
    }
  }

  /// Gives the tracker the windows of panes and what it cannot know from events about other windows.
  mutating func describePanes() {
    tracker.setPanes(overlays.paneWindows())
    tracker.setInsisting(overlays.insisting)
  }

  mutating func logObstacle() {
    guard !hasLoggedObstacle, let obstacle = memory.obstacle else { return }
    hasLoggedObstacle = true
    log(
      Message(
        kind: .warning, text: "\(obstacle); pixels go through the socket, slower"))
  }
}
