import CXCB
package import Engine
import Panes
import Raster

/// Items of the server: each goes to the part that handles it.
extension X11Display {
  package mutating func nextEvents(
    now: Duration, reads: Bool
  ) throws(DisplayError) -> [DisplayEvent] {
    self.now = now
    tracker.beginBatch()
    overlays.tidy(&x, now: now)
    memory.update(&x, now: now)
    var reads = reads
    var count = 0
    var isCut = false
    let end = ContinuousClock.now + Self.batchTime
    while !isCut, let item = try x.nextItem(reads: &reads) {
      handle(item)
      count += 1
      isCut = count % Self.clockStride == 0 && ContinuousClock.now >= end
    }
    let isDue = deadline.map { $0 <= now } ?? false
    if count > 0 || !events.isEmpty || isDue || tracker.hasChanges { finishBatch() }
    if isCut { events.append(.more) }
    defer { events = [] }
    return events
  }

  /// The longest time for the items of one call, so that a flood of events delays neither a frame nor a request. To end a batch
  /// takes about as long as its items.
  private static var batchTime: Duration { .milliseconds(1) }
  /// The number of items after which the clock is read again.
  private static var clockStride: Int { 64 }

  /// The property of the root with the resources of the display.
  static var resourcesAtom: UInt32 { XCB_ATOM_RESOURCE_MANAGER.rawValue }
  /// XK_Escape.
  static var escapeSymbol: UInt32 { 0xff1b }

  private mutating func finishBatch() {
    describePanes()
    updateLocks()
    let changes = tracker.finishBatch(&x)
    events += changes.captured.map { .damaged($0.key, $0.value, isCaptured: true) }
    events += changes.fresh.map { .damaged($0.key, $0.value, isCaptured: false) }
    events += overlays.recordProgress(&x)
    updateOutputs()
    updateTargets()
    alphas.read(&x, now: now)
    updateOpacities()
    restack()
    events += overlays.setMapsFirst(compositor.readsAlphaWhenMapped)
    updateBlending()
    applyShadowRule()
    if settings.colorScheme != colorScheme {
      colorScheme = settings.colorScheme
      events.append(.colorSchemeChanged)
    }
  }

  private mutating func updateBlending() {
    if probe.blendsAlpha != blendsAlpha {
      blendsAlpha = probe.blendsAlpha
      if blendsAlpha { isCompositorNew = true }
      overlays.setBlended(&x, blendsAlpha)
      events.append(.blendingChanged)
      tracker.targets.markOutdated()
      updateTargets()
    }
    if isCompositorNew, blendsAlpha, !probe.isTesting {
      isCompositorNew = false
      events += overlays.markOutdated()
    }
  }

  private mutating func updateLocks() {
    let found = locks.update(tracker.stack, named: overlays.namedTargets, now: now)
    for request in found.requests { x.send(request, locks) }
    tracker.markBackground(found.wallpapers)
    if found.hasNewRegion { events.append(.lockChanged) }
  }

  private mutating func handle(_ item: XItem) {
    switch item {
    case .event(let event): handle(event)
    case .reply(let reply): apply(reply)
    case .failure(let error): handle(error)
    }
  }

  private mutating func handle(_ event: XEvent) {
    switch event {
    case .destroyed(let window), .unmapped(let window), .reparented(let window, _, _, _, _):
      restoreHelper(window)
    default:
      break
    }
    if case .property(let window, let atom) = event {
      settings.propertyChanged(&x, atom, of: window)
    }
    switch event {
    case .selectionOwner(atoms.settingsOwner, let owner):
      settings.setOwner(owner, &x)
      scale.settings = settings.scale
    case .selectionOwner(atoms.compositor, let owner):
      tracker.setCompositor(owner != 0)
      if probe.setCompositor(owner != 0) { x.sendBlendingTest(probe.windows) }
      compositor.setOwner(owner, &x)
      isCompositorNew = owner != 0
      announceWallpaper()
    case .visibility(let window, let isFull):
      if probe.setVisibility(of: window, isFull: isFull) { x.sendBlendingTest(probe.windows) }
    case .lostSelection(atoms.service):
      isReplaced = true
    case .property(x.root, let atom):
      rootPropertyChanged(atom)
    case .configured(x.root, let geometry, _):
      resize(width: geometry.width, height: geometry.height)
      x.send(monitorSearch.start())
    case .monitorsChanged:
      x.send(monitorSearch.start())
    case .screenSaver(let state):
      locks.apply(state)
    case .keyboardGrab:
      locks.grabChanged()
    case .contact(let window, let contact, let device):
      handle(contact, window, device)
    case .keyPressed(let window, let key, _):
      x.requestKeySymbol(key, in: window)
    case .focus(let window, let isOn):
      if overlays.isOverlay(window) { focus.record(window, hasFocus: isOn) }
    case .damaged(let window, _, let damage) where alphas.recordDamage(damage, of: window):
      break
    default:
      if case .destroyed(let window) = event { alphas.forget(window) }
      events += overlays.handle(event, &x, now: now) { log(Message(kind: .warning, text: $0)) }
      tracker.handle(event, &x) { overlays.isOverlay($0) }
      if case .configured(let window, _, let sibling) = event { followClient(window, sibling) }
    }
  }

  /// Moves the overlay over a client that was moved, resized or restacked.
  private mutating func followClient(_ window: UInt32, _ sibling: UInt32) {
    guard let top = tracker.top(ofClient: window),
      let client = tracker.client(in: WindowID(number: top)), client.id == window
    else { return }
    overlays.follow(&x, client, above: sibling, now: now)
  }

  private mutating func handle(_ contact: Contact, _ window: UInt32, _ device: UInt16) {
    if case .finger(let number) = contact.id, contact.phase == .began {
      x.acceptTouch(XTouch(window: window, device: device, number: number))
    }
    if let overlay = overlays.id(of: window) { events.append(.contact(overlay, contact)) }
  }

  /// Makes a window that shows nothing again, if another client destroyed, unmapped or reparented it.
  private mutating func restoreHelper(_ window: UInt32) {
    var lost = wallpaper.handleLoss(of: window, &x)
    if probe.windows.all.contains(window) {
      lost += probe.windows.all
      for window in probe.windows.all { x.destroyWindow(window) }
      probe.restart(with: x.createProbeWindows())
    }
    if window == locks.unmapped {
      locks.unmapped = makeServiceOwner(&x, atoms)
      lost.append(window)
    }
    overlays.recordDestroyed(lost, x)
  }

  private mutating func rootPropertyChanged(_ atom: UInt32) {
    if atoms.isWallpaper(atom) { x.send(wallpaper.search()) }
    if atom == Self.resourcesAtom { x.requestProperty(atom, of: x.root, upTo: 1 << 16) }
    desktopAreas.propertyChanged(&x, atom)
    locks.propertyChanged(&x, atom)
    blurAnnouncement.propertyChanged(&x, atom)
  }

  private mutating func resize(width: Int, height: Int) {
    newBounds = Rect(x: 0, y: 0, width: width, height: height)
    // With RandR, replies about the monitors follow. Until they arrive, the lock rule uses the old monitors.
    if x.extensions.randr == nil { adoptMonitors() }
  }

  /// Sends the next requests of the search for the wallpaper. Announces the wallpaper if the search has ended.
  private mutating func follow(_ progress: WallpaperPixmap.Progress) {
    x.send(progress.requests)
    if progress.hasEnded { announceWallpaper() }
  }

  private mutating func announceWallpaper() {
    wallpaper.forgetBackground()
    events.append(.wallpaperAnnounced(Region(screen.bounds)))
  }

  private mutating func apply(_ reply: XReply) {
    switch reply {
    case .marker(.answer(let id)): events.append(.answered(id))
    case .marker(.redirectTest):
      if probe.endTest() { x.sendBlendingTest(probe.windows) }
    case .marker(.pacing): overlays.endPacing()
    case .marker(.memoryTest): memory.endTest()
    case .attributes(let window, let attributes): tracker.apply(attributes: attributes, of: window)
    case .opacity(let window, let opacity): tracker.apply(opacity: opacity, of: window)
    case .hints(let window, let hints): tracker.apply(hints: hints, of: window, &x)
    case .randr(let reply):
      let (hasEnded, requests) = monitorSearch.apply(reply)
      x.send(requests)
      if hasEnded { adoptMonitors() }
    case .screenSaver(let state): locks.apply(state)
    case .pointer(let x, let y):
      pendingPointerCount -= 1
      events.append(.pointerFound(x: x, y: y))
    case .keyboardGrab(let isTaken): locks.apply(isKeyboardHeld: isTaken)
    case .image(let id, let image):
      if let outcome = capture.store(image, id) { finish(outcome) }
    case .alphaCounts(let id, let counts):
      if alphas.apply(counts, id) { tracker.targets.markOutdated() }
    case .depth(let pixmap, let depth):
      follow(wallpaper.apply(depth: depth, of: pixmap))
    case .property(let window, let atom, let value): apply(value, atom, of: window)
    case .place(let window, let place):
      tracker.apply(place: place, of: window, &x)
    case .ids(let start, let count): x.addIDs(start: start, count: count)
    case .contactGrab: break
    case .focus(let overlay, let time, let current):
      if let window = overlays.windows(of: overlay).last {
        focus.set(window, from: current, time: time, &x)
      }
    case .keySymbol(let window, let symbol):
      guard symbol == Self.escapeSymbol, let overlay = overlays.id(of: window) else { return }
      events.append(.escapePressed(overlay))
    }
  }

  /// Applies the value of a property; nil if the window has none or does not exist.
  private mutating func apply(_ value: PropertyValue?, _ atom: UInt32, of window: UInt32) {
    if window == x.root { applyRootProperty(value, atom) }
    if atom == atoms.settings {
      settings.apply(value, of: window)
      scale.settings = settings.scale
    }
    if compositor.apply(value, atom, of: window, &x) { announceWallpaper() }
    locks.apply(value, atom, of: window)
    tracker.targets.apply(value, atom, of: window, &x)
  }

  private mutating func applyRootProperty(_ value: PropertyValue?, _ atom: UInt32) {
    if atom == Self.resourcesAtom {
      scale.resources = pixelScale(inResources: value?.wholeLines ?? [])
    }
    if atoms.wallpaperPixmaps.contains(atom) { follow(wallpaper.apply(value)) }
    desktopAreas.apply(value, atom)
    blurAnnouncement.apply(value, atom, &x)
  }

  // MARK: Refused requests

  private mutating func handle(_ error: XError) {
    if error.request == .shmAttach { return handleRefusal(of: error.subject) }
    // A lack of memory does not mean that the object of the request is missing or unsuitable.
    if error.isLackOfMemory { return handleLackOfMemory(for: error) }
    if probe.recordFailure(error) { return }
    if error.request == .createWindow,
      let lost = overlays.handleFailedCreation(of: error.subject, &x)
    {
      return events.append(lost)
    }
    if wallpaper.handleFailure(error) { return announceWallpaper() }
    if isExpected(error) { return }
    log(Message(kind: .error, text: "the X server refused \(error); this is a bug of backdropd"))
  }

  private mutating func handleLackOfMemory(for error: XError) {
    if x.memory.isLacking { return }
    x.memory.isLacking = true
    log(
      Message(kind: .warning, text: "the X server has not enough memory for \(error.requestText)"))
  }

  private mutating func handleRefusal(of segment: UInt32) {
    refusedSegments.insert(segment)
    memory.handleRefusal(of: segment)
    capture.handleRefusal(of: segment, &x)
    events += overlays.handleRefusal(of: segment, &x)
    logObstacle()
  }

  /// Whether the failure is expected: another client destroyed the window or pixmap of the request,
  /// or the window is input-only, which is unknown when it is redirected.
  private func isExpected(_ error: XError) -> Bool {
    // After a lack of memory, requests about resources that were not made fail too.
    if x.memory.isLacking { return true }
    // The window that had the keyboard before may be hidden now; one of ours may be gone, or not mapped yet.
    if error.request == .setInputFocus { return true }
    return [error.subject, error.sibling].compactMap(\.self).contains { subject in
      if refusedSegments.contains(subject) || overlays.isDestroyed(subject) { return true }
      if x.identity.isOwn(subject) { return false }
      guard let window = tracker.stack[subject] else { return true }
      return window.attributes?.isInputOnly != false
    }
  }
}
