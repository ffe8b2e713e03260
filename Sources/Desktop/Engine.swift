package import Panes
package import Raster

/// Keeps panes in step with what lies behind them.
///
/// It is driven: `step` is called when the desktop has events or `deadline` has come, with the time.
/// A change is shown at once when nothing was shown within the last frame interval, else when that
/// interval is over. While nothing changes there is no deadline.
package struct Engine<Server: Desktop & ~Copyable>: ~Copyable {
  package internal(set) var server: Server
  /// The shortest time from one frame to the next.
  package var frameInterval: Duration
  package internal(set) var statistics = Statistics()
  /// In the order in which they were added, the oldest lowest.
  private(set) var shown: [ShownPane] = []
  private var lastFrame: Duration?
  /// Damage that is to be noted again at a time: what was announced before it was done.
  private var unsettled: (region: Region, at: Duration)?
  /// Whether events are left to be taken in at once.
  private var isBehind = false
  /// Whether what is shown is wrong, and not just late: the next frame comes at once.
  private var isUrgent = false
  let clock: () -> Duration

  /// How many panes there may be at most.
  package static var paneLimit: Int { 256 }
  private static var settlingTime: Duration { .milliseconds(100) }

  /// `clock` is read only to measure the stages of a frame.
  package init(
    _ server: consuming Server, framesPerSecond: Double, clock: @escaping () -> Duration
  ) {
    self.server = server
    frameInterval = .seconds(1 / framesPerSecond)
    self.clock = clock
  }

  // MARK: Panes

  package var panes: [Pane] { shown.map(\.pane) }

  var stage: Stage { Stage(screen: server.screen, blendsAlpha: server.blendsAlpha) }

  private func layout(of pane: Pane) -> PaneLayout {
    PaneLayout(pane, on: stage, sharing: shown.map(\.layout.outline))
  }

  /// Where a pane is on the screen, cut at its edges; and how many frames it has presented.
  package func state(of name: String) throws(PaneError) -> (rect: Rect, frames: Int) {
    let entry = try entry(named: name)
    return (entry.pane.placement.rect(on: server.screen), entry.frames)
  }

  /// With a fade, its glass comes from clear to what it is, over that time.
  package mutating func add(_ pane: Pane, fade: Fade = .none) throws(EngineError) {
    guard shown.count < Self.paneLimit else {
      throw .pane(.tooMany(limit: Self.paneLimit))
    }
    guard !shown.contains(where: { $0.pane.name == pane.name }) else {
      throw .pane(.duplicateName(pane.name))
    }
    _ = try rectOnScreen(of: pane)
    let layout = layout(of: pane)
    let overlay = try attempt { server throws(DesktopError) in
      try server.makeOverlay(pane.name, layout.shape)
    }
    let entry = ShownPane(pane, layout, overlay: overlay)
    shown.append(entry)
    remake(entry, fade: fade)
  }

  package mutating func change(
    _ name: String, _ change: PaneChange, fade: Fade = .none
  ) throws(EngineError) {
    let entry = try find(name)
    let pane: Pane
    do { pane = try change.applied(to: entry.pane) } catch { throw .pane(error) }
    try replace(entry, by: pane, fade: fade)
  }

  package mutating func setShown(
    _ name: String, _ isShown: Bool, fade: Fade = .none
  ) throws(EngineError) {
    let entry = try find(name)
    var pane = entry.pane
    pane.isShown = isShown
    try replace(entry, by: pane, fade: fade)
  }

  package mutating func remove(_ name: String) throws(EngineError) {
    let entry = try find(name)
    if entry.isMapped { redrawPanes(above: entry, Region(entry.layout.bounds)) }
    shown.removeAll { $0 === entry }
    server.remove(entry.overlay)
    watch()
  }

  private mutating func replace(
    _ entry: ShownPane, by pane: Pane, fade: Fade
  ) throws(EngineError) {
    let old = entry.pane
    if pane == old { return }
    // One that a smaller screen has left outside can still be hidden, coloured and removed.
    if pane.placement != old.placement { _ = try rectOnScreen(of: pane) }
    let layout = layout(of: pane)
    let isSameView = pane.sees == old.sees && layout.isSame(as: entry.layout) && entry.glass != nil
    do { try fit(entry, layout) } catch { throw .desktop(error) }
    entry.pane = pane
    if pane.contents != old.contents || pane.placement.size != old.placement.size {
      entry.takeContent()
    }
    if isSameView, pane.isShown || fade != .none {
      // A pane on its way off turns round where it is.
      self.fade(entry, from: entry.look, over: fade)
    } else {
      remake(entry, fade: pane.isShown && !old.isShown ? fade : .none)
    }
  }

  /// Puts a pane where its layout says, and its overlay if that is on the screen.
  private mutating func fit(_ entry: ShownPane, _ layout: PaneLayout) throws(DesktopError) {
    let old = entry.layout.bounds
    if layout.shape != entry.shape, !layout.rect.isEmpty {
      try server.place(entry.overlay, layout.shape)
      // A buffer of another size may be gone, and with it the notice of its release.
      if layout.shape.rect != entry.shape.rect { entry.isWaiting = false }
      entry.shape = layout.shape
    }
    entry.layout = layout
    if entry.isMapped, layout.bounds != old { redrawPanes(above: entry, Region(old)) }
  }

  mutating func hide(_ entry: ShownPane) {
    if entry.isMapped {
      server.hide(entry.overlay)
      redrawPanes(above: entry, Region(entry.layout.bounds))
    }
    entry.isMapped = false
    entry.isWaiting = false
  }

  /// The rectangle of a pane, which must not lie off the screen altogether.
  func rectOnScreen(of pane: Pane) throws(EngineError) -> Rect {
    let rect = pane.placement.rect(on: server.screen)
    guard !rect.isEmpty else {
      let screen = server.screen
      throw .pane(
        .offScreen(
          geometry: pane.placement.text, screen: "\(screen.width)x\(screen.height)"))
    }
    return rect
  }

  private func entry(named name: String) throws(PaneError) -> ShownPane {
    guard let entry = shown.first(where: { $0.pane.name == name }) else {
      throw .unknownName(name, known: shown.map(\.pane.name))
    }
    return entry
  }

  func find(_ name: String) throws(EngineError) -> ShownPane {
    do { return try entry(named: name) } catch { throw .pane(error) }
  }

  mutating func attempt<Result>(
    _ body: (inout Server) throws(DesktopError) -> Result
  ) throws(EngineError) -> Result {
    do { return try body(&server) } catch { throw .desktop(error) }
  }

  mutating func watch() {
    var region = Region()
    for entry in shown {
      region.form(union: entry.sightOfWindows)
      // Hundreds of panes across each other would cut it into tens of thousands of pieces.
      if region.rects.count > 64 { region = region.simplified(to: 16) }
    }
    server.watch(region)
  }

  // MARK: Frames

  /// When `step` is to be called next, if nothing happens before; nil when there is nothing to wait
  /// for.
  package var deadline: Duration? {
    if isBehind || isUrgent { return .zero }
    var times: [Duration] = []
    if let unsettled { times.append(unsettled.at) }
    if let time = server.deadline { times.append(time) }
    if shown.contains(where: { $0.isDue || $0.fade != nil }) {
      times.append(lastFrame.map { $0 + frameInterval } ?? .zero)
    }
    return times.min()
  }

  /// Takes in what has happened, and shows it if its time has come.
  package mutating func step(now: Duration) throws(DesktopError) {
    try takeEvents(now: now)
    if let waiting = unsettled, waiting.at <= now {
      unsettled = nil
      note(damage: waiting.region)
    }
    let isTime = isUrgent || lastFrame.map { now - $0 >= frameInterval } ?? true
    isUrgent = false
    if isTime, shown.contains(where: { $0.isDue || $0.fade != nil }) {
      lastFrame = now
      advanceFades(now: now)
      try showFrame()
    }
    // Events that came along with answers, or while a request was being sent, are in memory: nothing
    // would wake us for them.
    for _ in 0..<4 {
      try server.flush()
      // Who makes events without a pause holds up no frame: the next one will wake us.
      if try !takeEvents(now: now) || shown.contains(where: \.isDue) { return }
    }
    isBehind = true
  }

  /// Shows everything that has changed up to now, and waits until it is on the screen.
  package mutating func sync(now: Duration) throws(DesktopError) {
    try server.roundTrip()
    try takeEvents(now: now)
    for _ in 0..<8 where isBehind { try takeEvents(now: now) }
    // What was announced before it was done has been done, if it was asked for before.
    if let unsettled { note(damage: unsettled.region) }
    advanceFades(now: now)
    // What a frame itself brings about (an exposure, a released buffer) is shown too; a client that
    // draws without a pause must not hold us up for ever.
    for _ in 0..<8 where shown.contains(where: { $0.isDue || $0.isWaiting }) {
      lastFrame = now
      try showFrame()
      try server.roundTrip()
      try takeEvents(now: now)
    }
    // What the events had the desktop ask for is to be done too.
    try server.roundTrip()
  }

  /// Returns whether there was any.
  @discardableResult
  private mutating func takeEvents(now: Duration) throws(DesktopError) -> Bool {
    isBehind = false
    let events = try server.nextEvents(now: now)
    for event in events {
      switch event {
      case .damaged(let region):
        note(damage: region, seenBy: [.windows])
      case .wallpaperChanged(let region):
        note(damage: region)
        var all = unsettled?.region ?? Region()
        all.form(union: region)
        unsettled = (all.simplified(to: 8), now + Self.settlingTime)
      case .exposed(let overlay, let rect):
        if let entry = shown.first(where: { $0.overlay == overlay && $0.isMapped }) {
          entry.undrawn.form(union: rect.intersection(entry.layout.bounds))
        }
      case .released(let overlay):
        shown.first { $0.overlay == overlay }?.isWaiting = false
      case .resized:
        try resize()
      case .blendingChanged:
        try blendAnew()
      case .more:
        isBehind = true
      }
    }
    return !events.isEmpty
  }

  private func note(damage: Region, seenBy sights: [Sight] = Sight.allCases) {
    for entry in shown { entry.note(damage: damage, seenBy: sights) }
  }

  private mutating func resize() throws(DesktopError) {
    for entry in shown {
      try fit(entry, layout(of: entry.pane))
      entry.prepare(for: stage)
      if entry.glass == nil { hide(entry) }
    }
    watch()
  }

  /// A compositor has come or gone: outlines are drawn in another way.
  private mutating func blendAnew() throws(DesktopError) {
    for entry in shown {
      let layout = layout(of: entry.pane)
      if layout.isSame(as: entry.layout) { continue }
      try fit(entry, layout)
      if entry.glass != nil { entry.frameGlass(on: stage) }
      isUrgent = true
    }
    watch()
  }
}
