import CXCB
import Engine
import Panes
import Raster

/// Tracks the top-level windows of the screen and the layers of each view.
///
/// Events change the stack at once. After each batch of events, `finishBatch` requests attributes
/// that events do not contain, computes the layers of the views, and reports where they have
/// changed.
struct WindowTracker {
  var stack = WindowStack()
  /// The positions of panes in the stack, at the end of the last batch.
  private(set) var plan = StackPlan(WindowStack())
  /// The windows in front of the panes of each layer whose view is watched.
  private var fronts: [StackingLayer: Set<UInt32>] = [:]
  private var watcher = WindowWatcher()
  /// The region of each view whose changes are reported, and the layers in it.
  private var regions: [View: Region] = [:]
  private var layers: [View: [WindowLayer]] = [:]
  private var changes = ViewChanges()
  private var damage = DamageLog()
  var isStackChanged = false
  /// The space that shown windows reserve, at the end of the last batch.
  private(set) var struts: [Strut] = []
  /// Whether panes were moved or restacked since the plan was made.
  private var isPlanOutdated = false
  var clients: ClientSearch
  var targets: TargetTracker
  var requests: AttributeRequests
  /// The windows that existed at the start. Only the reply says whether they are mapped.
  var initial: Set<UInt32> = []
  private let identity: Identity
  let root: UInt32

  /// An uncovering that has begun.
  struct OpenUncovering {
    fileprivate let windows: [UInt32]
    fileprivate let region: Region
    /// The request that grabbed the server.
    fileprivate let grab: RequestSequence
  }

  /// Starts to track all windows. The server must be grabbed until the requests are sent.
  init(_ x: inout XConnection, _ atoms: Atoms) {
    requests = AttributeRequests(opacityAtom: atoms.opacity)
    clients = ClientSearch(atoms.hints)
    targets = TargetTracker(atoms.targets, opacity: atoms.opacity, x.screen)
    identity = x.identity
    root = x.root
    for id in x.topLevelWindows() {
      let role = WindowStack.Role(of: id, identity)
      let geometry = WindowGeometry(x: 0, y: 0, width: 1, height: 1, border: 0)
      // The server makes its windows to show them.
      stack.append(
        WindowStack.Window(
          id: id, role: role, geometry: geometry, isPlaced: false, isMapped: role == .server))
      if role == .client { initial.insert(id) }
    }
    for id in initial { requestAttributes(&x, id) }
  }

  var redirectedCount: Int { watcher.redirectedCount }
  /// The number of windows behind panes that are in no view, because they cannot be captured.
  var leftOutCount: Int {
    regions.values.reduce(into: Set<UInt32>()) { $0.formUnion(stack.leftOut(in: $1)) }.count
  }
  var damageEventCount: Int { watcher.damageEventCount }
  /// Whether clients in frames are redirected.
  var redirectsClients: Bool {
    regions.keys.contains(where: \.isClient)
  }
  /// Whether a reply is pending that may change a view.
  var isLearning: Bool { requests.isBusy || clients.isSearching || targets.isAsking }

  /// The layers of a region of a view that is watched.
  func layers(in region: Region, of view: View) -> [WindowLayer] {
    if case .client(let id) = view {
      return [client(in: id)?.layer(in: region, on: stack.screen)].compactMap(\.self)
    }
    return stack.layers(in: region, of: view, inFront: front(of: view))
  }

  /// The client in a window, if it is shown.
  func client(in id: WindowID) -> ShownClient? {
    stack[id.number].flatMap { targets.client(in: $0, stack) }
  }

  /// Whether an opacity makes all of a window translucent.
  func isFaded(_ id: WindowID) -> Bool { stack[id.number].map { targets.isFaded($0) } ?? false }

  /// The top-level window that is a client, or that has it as its client.
  func top(ofClient id: UInt32) -> UInt32? { stack[id] == nil ? clients.frame(of: id) : id }

  /// The change count of a window or of a client in a frame.
  func changeCount(of id: UInt32) -> Int {
    stack[id]?.changeCount ?? targets.changeCount(of: id)
  }

  private func front(of view: View) -> Set<UInt32> {
    if case .belowPanes(let layer) = view { fronts[layer] ?? [] } else { [] }
  }

  /// The region of windows that are above the panes of one layer and below those of a higher one.
  func regionOfWindows(above lower: StackingLayer, below upper: StackingLayer) -> Region {
    stack.region(
      of: plan.windowsInFront(of: lower).subtracting(plan.windowsInFront(of: upper)))
  }

  // MARK: Watching

  /// Sets the region of each view whose changes are reported.
  mutating func watch(_ x: inout XConnection, _ regions: [View: Region]) {
    applyStackChanges(&x)
    self.regions = regions
    updatePlan()
    updateLayers(&x)
  }

  /// Sets the windows of panes in the order that they should have, the lowest first.
  mutating func setPanes(_ panes: [WindowStack.PaneWindow]) {
    if stack.panes == panes { return }
    if stack.panes.filter(\.isOver) != panes.filter(\.isOver) { isStackChanged = true }
    stack.panes = panes
    isPlanOutdated = true
  }

  /// Adds a new window of a pane, which was placed directly above `sibling` or at the bottom, before the server
  /// reports it. So the next new window is placed above it.
  mutating func addPane(_ window: UInt32, at rect: Rect, above sibling: UInt32?, depth: UInt8) {
    let geometry = WindowGeometry(
      x: rect.x, y: rect.y, width: rect.width, height: rect.height, border: 0)
    var new = WindowStack.Window(id: window, role: .overlay, geometry: geometry)
    new.attributes = WindowAttributes(depth: depth)
    stack.insertAtBottom(new)
    stack.restack(window, above: sibling ?? 0)
    isPlanOutdated = true
  }

  /// Sets the windows that panes no longer try to be above.
  mutating func setInsisting(_ windows: Set<UInt32>) {
    if stack.insisting == windows { return }
    stack.insisting = windows
    isPlanOutdated = true
  }

  /// Records that windows are the wallpaper.
  mutating func markBackground(_ windows: [UInt32]) {
    for id in windows { change(id) { $0.isBackground = true } }
  }

  mutating func setOutputs(_ outputs: [Rect], screen: Rect) {
    stack.outputs = outputs
    stack.screen = screen
    isStackChanged = true
  }

  mutating func setCompositor(_ hasCompositor: Bool) {
    if stack.hasCompositor == hasCompositor { return }
    stack.hasCompositor = hasCompositor
    isStackChanged = true
  }

  /// Whether `finishBatch` must be called even without an event.
  var hasChanges: Bool { isStackChanged || isPlanOutdated || !changes.isEmpty }

  /// Begins a batch of events. Forgets destroyed frames whose client had left: the requests that depend on them were made after
  /// the last batch.
  mutating func beginBatch() { clients.forgetEmptied { stack[$0] != nil } }

  /// Ends a batch of events. Returns what changed since the last batch.
  mutating func finishBatch(_ x: inout XConnection) -> ViewChanges {
    for id in requests.takeOutdated() where stack[id] != nil { requestAttributes(&x, id) }
    damage.move(to: &changes, layers: layers)
    applyStackChanges(&x)
    defer { changes = ViewChanges() }
    return changes
  }

  /// The windows behind which panes may be, the lowest first; nil if they have not changed since the last call. Requests their
  /// unknown properties.
  mutating func changedTargets(_ x: inout XConnection) -> [TargetWindow]? {
    targets.takeChange(&x, stack) { clients.client(in: $0) }
  }

  private mutating func applyStackChanges(_ x: inout XConnection) {
    if isStackChanged {
      targets.markOutdated()
      stack.recordCovering()
      struts = stack.struts
    }
    if isStackChanged || isPlanOutdated { updatePlan() }
    if !isStackChanged { return }
    let before = layers
    updateLayers(&x)
    changes.add(from: before, to: layers)
  }

  /// Makes a new plan if panes were moved or restacked since the last one.
  mutating func updatePlanIfOutdated() { if isPlanOutdated { updatePlan() } }

  /// Makes a new plan. If other windows are in front of panes now, the layers must be computed again.
  private mutating func updatePlan() {
    isPlanOutdated = false
    plan = StackPlan(stack)
    var fronts: [StackingLayer: Set<UInt32>] = [:]
    for case .belowPanes(let layer) in regions.keys {
      fronts[layer] = plan.windowsInFront(of: layer)
    }
    if fronts == self.fronts { return }
    self.fronts = fronts
    isStackChanged = true
  }

  private mutating func updateLayers(_ x: inout XConnection) {
    isStackChanged = false
    layers = [:]
    var shown: Set<UInt32> = []
    var awaited: Set<UInt32> = []
    for (view, region) in regions {
      let own = layers(in: region, of: view)
      layers[view] = own
      for layer in own { if case .window(let id) = layer.source { shown.insert(id) } }
      if view.isClient { continue }
      if view != .wallpaper { awaited.formUnion(stack.windowsAwaited(in: region)) }
    }
    watcher.update(&x, shown: shown, awaited: awaited)
  }

  // MARK: Reading

  /// Prepares a capture. Its requests must follow directly.
  mutating func beginRead(_ x: inout XConnection) {
    let lastRequest = x.lastRequest
    let subtracted = watcher.subtractDamage(&x)
    damage.recordRead(after: lastRequest, subtracted: subtracted)
  }

  /// Records that a window could not be read when its change count was `changeCount`. If there was
  /// no event about it since, it is left out of all views until the next event.
  mutating func markUnreadable(of id: UInt32, changeCount: Int) {
    guard changeCount == self.changeCount(of: id) else { return }
    if stack[id] == nil { targets.markUnreadable(of: id) } else { stack[id]?.isReadable = false }
    isStackChanged = true
  }

  /// Marks all windows as readable after a change of the screen size, because they may have been
  /// outside the screen.
  mutating func forgetFailures() {
    stack.forgetFailures()
    isStackChanged = true
  }

  // MARK: Uncovering

  /// Prepares requests that make windows visible in a region: they move or hide an overlay. They and
  /// `endUncovering` must follow directly. Returns nil if no watched window is concerned.
  ///
  /// The damage that the server reports because of them is ignored. The server is grabbed meanwhile, so that it is
  /// not the damage of other clients.
  mutating func beginUncovering(_ x: inout XConnection, _ region: Region) -> OpenUncovering? {
    if region.isEmpty || stack.hasCompositor { return nil }
    let windows = stack.windows.filter { region.intersects($0.geometry.outer) }
    return beginUncovering(&x, region, of: windows.map(\.id))
  }

  private func beginUncovering(
    _ x: inout XConnection, _ region: Region, of windows: [UInt32]
  ) -> OpenUncovering? {
    let watched = windows.filter { watcher.watches($0) }
    if watched.isEmpty { return nil }
    return OpenUncovering(windows: watched, region: region, grab: x.grab())
  }

  mutating func endUncovering(_ x: inout XConnection, _ open: OpenUncovering?) {
    guard let open else { return }
    // Otherwise the server would not report the same pixels when they change.
    watcher.clearDamage(of: open.windows, &x)
    damage.append(
      Uncoverings.Uncovering(
        windows: open.windows, region: open.region, first: open.grab, last: x.lastRequest),
      processed: x.processed)
    x.ungrab()
  }

  /// Makes a compositor paint what overlays do not cover any more, because they were moved below other windows.
  ///
  /// xfwm4 paints what a moved window covers, but not where an opaque window is in front of it now. The damage is ignored
  /// here: no pixel of the windows has changed.
  mutating func damage(_ x: inout XConnection, _ parts: [StackPlan.UncoveredPart]) {
    if parts.isEmpty || !stack.hasCompositor { return }
    let region = Region(parts.map(\.rect))
    let uncovering = beginUncovering(&x, region, of: parts.map(\.window))
    for part in parts {
      guard let origin = stack[part.window]?.geometry.origin else { continue }
      x.addDamage(part.rect.translated(x: -origin.x, y: -origin.y), of: part.window)
    }
    endUncovering(&x, uncovering)
  }

  // MARK: Events

  /// Applies an event about a window. `isOverlay` returns whether a window of the daemon shows a
  /// pane.
  mutating func handle(_ event: XEvent, _ x: inout XConnection, isOverlay: (UInt32) -> Bool) {
    handleClientEvent(event)
    switch event {
    case .created(let id, let geometry, let isOverrideRedirect):
      add(&x, id, geometry, isOverrideRedirect, isOverlay: isOverlay(id))
    case .destroyed(let id):
      watcher.forget(id)
      clients.forget(id)
      leaveFrame(&x, id)
      remove(id)
    case .mapped(let id, let isOverrideRedirect):
      change(id) { window in
        window.isMapped = true
        window.mapCount += 1
        window.isOverrideRedirect = isOverrideRedirect
      }
      handleMapping(&x, id)
    case .unmapped(let id):
      change(id) { window in
        window.isMapped = false
        window.coveringGeometry = nil
      }
    case .configured(let id, let geometry, let sibling) where stack[id]?.role == .overlay:
      moveOverlay(id, geometry, above: sibling)
    case .configured(let id, let geometry, let sibling):
      change(id) { window in
        window.geometry = geometry
        window.isPlaced = true
      }
      stack.restack(id, above: sibling)
    case .circulated(let id, let isOnTop):
      change(id) { _ in }
      if isOnTop { stack.moveToTop(id) } else { stack.restack(id, above: 0) }
    case .reparented(let id, let parent, let left, let top, let isOverrideRedirect):
      reparent(&x, id, parent, x: left, y: top, isOverrideRedirect)
    case .shaped(let id):
      change(id) { _ in }
      requests.markOutdated(id)
    case .property(let id, requests.opacityAtom):
      if stack[id] != nil { requests.requestOpacity(&x, id) }
      targets.propertyChanged(&x, requests.opacityAtom, of: id)
    case .property(let id, let atom):
      targets.propertyChanged(&x, atom, of: id)
      let isManaged = stack[id]?.isOverrideRedirect == false
      x.send(clients.propertyChanged(atom, of: id, isManaged: isManaged), clients.atoms)
    case .damaged(let id, let area, _):
      handleDamage(of: id, area, at: x.processed)
    default:
      break
    }
  }

  /// Applies an event about a client in a frame.
  private mutating func handleClientEvent(_ event: XEvent) {
    switch event {
    case .mapped(let id, _), .unmapped(let id), .configured(let id, _, _):
      if targets.handle(event, of: id) { isStackChanged = true }
    default: break
    }
  }

  /// An overlay is in no view, if it is not over a window: it changes one only by what it makes a window in front of a pane.
  private mutating func moveOverlay(
    _ id: UInt32, _ geometry: WindowGeometry, above sibling: UInt32
  ) {
    stack[id]?.geometry = geometry
    stack.restack(id, above: sibling)
    isPlanOutdated = true
    if stack.isCover(id) { isStackChanged = true }
  }

  private mutating func add(
    _ x: inout XConnection, _ id: UInt32, _ geometry: WindowGeometry, _ isOverrideRedirect: Bool,
    isOverlay: Bool
  ) {
    let role = isOverlay ? .overlay : WindowStack.Role(of: id, identity)
    var window = WindowStack.Window(
      id: id, role: role, geometry: geometry, isOverrideRedirect: isOverrideRedirect)
    window.attributes = isOverlay ? stack[id]?.attributes : nil
    stack.append(window)
    isStackChanged = true
    // The attributes of a window that may be behind a pane are requested before it is mapped.
    let isNear = regions.values.contains { $0.intersects(geometry.outer) }
    if role == .client, isNear { requests.markOutdated(id) }
  }

  /// A window manager may have placed the client in its frame since the frame was searched.
  private mutating func handleMapping(_ x: inout XConnection, _ id: UInt32) {
    guard let window = stack[id], window.role == .client else { return }
    if window.attributes == nil, !requests.isPending(id) { requests.markOutdated(id) }
    if window.isFollowed, !window.isOverrideRedirect, clients.mayLackClient(id) {
      x.send(clients.search(id, isManaged: true), clients.atoms)
    }
  }

  private mutating func remove(_ id: UInt32) {
    if stack[id] == nil { return }
    stack[id] = nil
    isStackChanged = true
  }

  /// A window that is reparented to the root is unmapped and on top. A window that is reparented to
  /// the frame of a window manager is read with the frame, and so is one that goes from frame to frame.
  private mutating func reparent(
    _ x: inout XConnection, _ id: UInt32, _ parent: UInt32, x left: Int, y top: Int,
    _ isOverrideRedirect: Bool
  ) {
    guard parent == root else {
      if let window = stack[id] {
        if window.role != .client { return remove(id) }
        watcher.release(&x, id)
        x.selectShapeEvents(id, false)
      }
      leaveFrame(&x, id)
      clients.forget(id)
      if stack[parent] != nil { x.send(clients.addChild(id, of: parent), clients.atoms) }
      return remove(id)
    }
    leaveFrame(&x, id)
    let role = WindowStack.Role(of: id, identity)
    let geometry = WindowGeometry(x: left, y: top, width: 1, height: 1, border: 0)
    stack.append(
      WindowStack.Window(
        id: id, role: role, geometry: geometry, isPlaced: false,
        isOverrideRedirect: isOverrideRedirect))
    isStackChanged = true
    if role == .client { requests.markOutdated(id) }
  }

  private mutating func change(_ id: UInt32, _ body: (inout WindowStack.Window) -> Void) {
    guard var window = stack[id] else { return }
    body(&window)
    window.changeCount += 1
    window.isReadable = true
    stack[id] = window
    isStackChanged = true
  }

  private mutating func handleDamage(
    of id: UInt32, _ area: Rect, at sequence: RequestSequence
  ) {
    // A client in a frame is read in its own coordinates.
    let origin = stack[id]?.geometry.origin ?? (0, 0)
    if damage.append(area, of: id, at: origin, sequence) { watcher.recordDamage(of: id) }
  }
}
