import CXCB
package import Desktop
package import Panes
package import Raster

/// The X server as a desktop.
package struct X11Desktop: Desktop, ~Copyable {
  let x: XConnection
  let names: Names
  package private(set) var screen: Rect
  var stack = WindowStack()
  var watcher = Watcher()
  var wallpaper = Wallpaper()
  /// The same for panes that see nothing else: the picture that a program says it has set, even where
  /// a window of its own shows it.
  var picture = Wallpaper(prefersPixmap: true)
  /// Tells whether the windows are redirected: it lies beyond the screen, where it is seen only then.
  var probe: (window: UInt32, twin: UInt32, isSeen: Bool)?
  package internal(set) var blendsAlpha = false
  private var reader = BackdropReader()
  var overlays: [OverlayID: Overlay] = [:]
  /// As they were made: the order in which they lie, the oldest lowest.
  var order: [OverlayID] = []
  /// How many there have ever been.
  var overlayCount: UInt32 = 0
  var memory: PixelMemory
  private let displayName: String
  /// Events that were found while something else was awaited.
  var pending: [DesktopEvent] = []
  /// When events were last asked for.
  var turn = Duration.zero
  private let log: (String) -> Void
  private var hasSaidSlow = false
  /// Whether another daemon has taken over.
  package private(set) var isReplaced = false

  /// Connects to a display and takes the part of its one daemon. `log` is given a line for the user now
  /// and then.
  package static func open(
    display: String, replacesOther: Bool, log: @escaping (String) -> Void
  ) throws(DesktopError) -> X11Desktop {
    var desktop = X11Desktop(try XConnection(display: display), display, log)
    try desktop.takeService(replacesOther: replacesOther)
    desktop.start()
    // Whether we start under a compositor is among the first events.
    try desktop.roundTrip()
    desktop.pending = try desktop.nextEvents(now: .zero)
    return desktop
  }

  private init(
    _ connection: consuming XConnection, _ display: String, _ log: @escaping (String) -> Void
  ) {
    names = Names(connection)
    screen = Rect(
      x: 0, y: 0, width: connection.initialSize.width, height: connection.initialSize.height)
    memory = PixelMemory(isShareable: connection.hasSharedMemory, display: display)
    displayName = display
    self.log = log
    x = connection
  }

  private mutating func start() {
    // So that the first event is about what comes after what we have learnt.
    x.grab()
    x.selectEvents(
      x.root,
      XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY.rawValue | XCB_EVENT_MASK_STRUCTURE_NOTIFY.rawValue
        | XCB_EVENT_MASK_PROPERTY_CHANGE.rawValue)
    x.selectSelectionEvents(names.compositor)
    stack.hasCompositor = x.selectionOwner(names.compositor) != 0
    learnWindows()
    probe = (x.createProbe(), x.createProbe(isSeen: false), false)
    x.ungrab()
  }

  package var descriptor: Int32 { x.descriptor }

  package var deadline: Duration? { overlays.values.compactMap(\.deadline).min() }

  package var report: DesktopReport {
    let areShared = reader.isShared && overlays.values.allSatisfy(\.isShared)
    return DesktopReport(
      name: displayName, scale: x.scale, hasCompositor: stack.hasCompositor,
      usesSharedMemory: memory.isShareable && areShared,
      redirectedWindows: watcher.redirectedCount, damageEvents: watcher.damageEvents,
      bytesRead: reader.bytesRead, bytesWritten: bytesWritten,
      bufferBytes: reader.bufferBytes + overlays.values.reduce(0) { $0 + $1.bufferBytes })
  }

  var bytesWritten = 0

  package mutating func flush() throws(DesktopError) { try x.flush() }

  package mutating func roundTrip() throws(DesktopError) {
    try x.roundTrip()
    for overlay in overlays.values { overlay.noteAnswer() }
  }

  // MARK: Windows

  /// All windows as they are now.
  private mutating func learnWindows() {
    let ids = x.topLevelWindows()
    for (id, facts) in zip(ids, x.facts(of: ids, opacityName: names.opacity)) {
      if let facts { stack.append(WindowStack.Window(id, facts, isOwn: x.isOwn(id))) }
    }
    for id in ids where !x.isOwn(id) { x.selectShapeEvents(id, true) }
  }

  /// Asks for what events do not tell of windows, all in a row. What comes and goes within one turn is
  /// never asked for.
  mutating func learn(_ windows: Set<UInt32>, placing unplaced: Set<UInt32>) {
    let ids = windows.filter { stack.index(of: $0) != nil }
    for id in ids { x.selectShapeEvents(id, true) }
    for (id, facts) in zip(ids, x.facts(of: Array(ids), opacityName: names.opacity)) {
      guard let facts, let known = stack[id] else { continue }
      var window = WindowStack.Window(id, facts, isOwn: false)
      // The place and whether it is mapped are the events' business: the answer may be ahead of them.
      if !unplaced.contains(id) { window.geometry = known.geometry }
      window.isMapped = known.isMapped
      stack[id] = window
    }
  }

  private mutating func learnOpacity(_ id: UInt32) {
    let word = x.propertyWord(id, names.opacity, type: XCB_ATOM_CARDINAL.rawValue)
    stack[id]?.opacity = word ?? .max
  }

  // MARK: Watching

  package mutating func watch(_ region: Region) {
    watcher.region = region
    updateWatch()
    if region.isEmpty {
      wallpaper.remove(x)
      picture.remove(x)
      reader.discard(x)
    }
  }

  /// Redirects and watches the windows that can be seen behind panes, and no others.
  mutating func updateWatch() {
    var heard = watcher.update(x, stack)
    while !heard.isEmpty {
      for id in heard { learnOpacity(id) }
      // What they let through is seen, too.
      heard = watcher.update(x, stack)
    }
  }

  // MARK: Capture

  package mutating func capture(
    _ rects: [Rect], seeing sight: Sight, _ body: (Int, Span<UInt32>, PixelLayout) -> Void
  ) throws(DesktopError) {
    var open = Array(rects.indices)
    let oldScreen = screen
    for _ in 0..<Self.attempts where !open.isEmpty && screen == oldScreen {
      watcher.subtractDamage(x)
      let hasCompositor = stack.hasCompositor
      let lowest =
        sight == .windows
        ? wallpaper.window(x, names, screen: screen, hasCompositor: hasCompositor)
        : picture.window(x, names, screen: screen, hasCompositor: hasCompositor)
      let asked = open
      let gaps = try reader.read(
        x, sight == .windows ? stack : nil, wallpaper: lowest, asked.map { rects[$0] }, &memory
      ) { body(asked[$0], $1, $2) }
      for overlay in overlays.values { overlay.noteAnswer() }
      saySlow()
      open = gaps.rects.map { asked[$0] }
      // Such a window has just gone or changed, and the event came before the error. Should there be
      // none, it is as if it were not there.
      for id in gaps.windows { stack[id]?.isReadable = false }
      if !open.isEmpty { pending += try nextEvents(now: turn) }
    }
  }

  /// How often windows may change below a capture before it is put off.
  private static var attempts: Int { 16 }

  mutating func saySlow() {
    guard !hasSaidSlow, let obstacle = memory.obstacle else { return }
    hasSaidSlow = true
    log("\(obstacle); pixels go through the socket, slower")
  }

  // MARK: Events

  package mutating func nextEvents(now: Duration) throws(DesktopError) -> [DesktopEvent] {
    turn = now
    for overlay in overlays.values { overlay.tidy(x, now: now) }
    var damage = Region()
    var events: [DesktopEvent] = []
    swap(&events, &pending)
    var isDone = false
    for _ in 0..<Self.rounds {
      let inFront = stack.windowsInFront
      var news = StackNews()
      while let event = try x.nextEvent() { try take(event, &damage, &news, &events) }
      isDone = !news.isStackChanged
      if isDone { break }
      learn(news.unlearnt, placing: news.unplaced)
      updateWatch()
      raiseOverlays()
      damage.form(union: regionOfChange(inFront: inFront))
    }
    if !damage.isEmpty { events.append(.damaged(damage)) }
    if !isDone { events.append(.more) }
    return events
  }

  /// How often questions about windows, which let further events in, may follow each other before a
  /// frame is let through.
  private static var rounds: Int { 2 }

  private mutating func take(
    _ event: XEvent, _ damage: inout Region, _ news: inout StackNews,
    _ events: inout [DesktopEvent]
  ) throws(DesktopError) {
    switch event {
    case .damaged(let id, let area):
      if let rect = watcher.note(damage: area, of: id, stack) { damage.form(union: rect) }
    case .exposed(let id, let rect):
      if let (overlay, shown) = overlays.first(where: { $0.value.window == id }) {
        let origin = shown.rect
        events.append(.exposed(overlay, rect.translated(x: origin.x, y: origin.y)))
      }
    case .completed(let segment):
      for (id, overlay) in overlays where overlay.noteCompletion(segment: segment) {
        events.append(.released(id))
      }
    case .selectionOwner(names.compositor, let owner):
      stack.hasCompositor = owner != 0
      news.isStackChanged = true
      try askProbe(&events)
      noteWallpaper(&damage, &events)
    case .visibility(let window, let isFull) where window == probe?.window:
      probe?.isSeen = isFull
      try askProbe(&events)
    case .lostSelection(names.service):
      isReplaced = true
    case .property(x.root, let name):
      if names.isWallpaper(name) { noteWallpaper(&damage, &events) }
    case .configured(x.root, let geometry, _):
      screen = Rect(x: 0, y: 0, width: geometry.width, height: geometry.height)
      wallpaper.remove(x)
      picture.remove(x)
      stack.forgetFailures()
      events.append(.resized)
    default:
      damage.form(union: applyToStack(event, &news))
    }
    if damage.rects.count > 64 { damage = damage.simplified(to: 8) }
  }

  /// Some set the property before they change the background.
  private mutating func noteWallpaper(_ damage: inout Region, _ events: inout [DesktopEvent]) {
    wallpaper.forget()
    picture.forget()
    events.append(.wallpaperChanged(Region(screen)))
    damage.form(union: screen)
  }
}

extension WindowStack.Window {
  init(_ id: UInt32, _ facts: XConnection.WindowFacts, isOwn: Bool) {
    self.id = id
    geometry = facts.geometry
    isMapped = facts.isMapped
    isVisible = facts.isVisible
    isOverrideRedirect = facts.isOverrideRedirect
    depth = facts.depth
    shape = facts.shape
    opacity = facts.opacity
    self.isOwn = isOwn
  }

  /// One that has just been created.
  init(_ id: UInt32, _ geometry: WindowGeometry, isOwn: Bool) {
    self.id = id
    self.geometry = geometry
    isMapped = false
    self.isOwn = isOwn
  }
}
