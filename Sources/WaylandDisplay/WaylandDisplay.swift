package import Engine
import Frost
package import Panes
package import Raster
package import WaylandClient

/// The display of a Wayland compositor with layer-shell and captures of outputs.
///
/// A capture shows the overlays too, so they let some of their backdrop through, and it is computed from that
/// (`drawLeakyOverlay`, `recoverBackdrop`). While something is watched, each output has a capture in progress that waits for
/// a change. Its pixels update the backdrop, whose changes are the damage that the engine sees; so a capture of the engine
/// needs no request to the compositor.
package struct WaylandDisplay: Display, ~Copyable {
  let connection: WaylandConnection
  var globals = Globals()
  let objects: DisplayObjects
  var monitors: [MonitoredOutput] = []
  var overlays: [OverlayID: WaylandOverlay] = [:]
  /// All overlays, the lowest first.
  private var order: [OverlayID] = []
  package internal(set) var outputs = [Output(name: "screen", bounds: .zero)]
  package internal(set) var screen = Output(name: "screen", bounds: .zero)
  var watchedViews: [View: Region] = [:]
  /// Where the wallpaper comes from.
  var wallpaper = WallpaperSource.screen
  /// The capture of the engine in progress.
  var requested: [View: Region]?
  var answers: [PendingAnswer] = []
  /// The events that `nextEvents` has not returned yet.
  var events: [DisplayEvent] = []
  /// The update in progress.
  var update: SurfaceUpdate?
  var seats: [InputSeat] = []
  /// How glass is shown.
  var glass: GlassChoice
  let threads: LeakThreads
  var contacts = ContactTracker<Int, WaylandObject>()
  private var nextOverlay: UInt32 = 1
  private var lastAnswer: UInt64 = 0
  var now = Duration.zero
  var bytesRead = 0
  var bytesWritten = 0
  var damageCount = 0

  /// Connects to the compositor whose name is `name`, in the form of WAYLAND_DISPLAY. Only this call waits for the compositor.
  /// Throws `unreachable`, or `unsupported` if it lacks a protocol. `way` is the demanded way of glass, or nil for the best way
  /// that the compositor allows. If `capture` is given, outputs are captured by this protocol only. Large pictures are recovered
  /// and drawn by up to `threads` threads, at least 1.
  package static func open(
    _ name: String, way: GlassWay? = nil, threads: Int = 1,
    capturingBy capture: CaptureProtocol? = nil
  ) throws(DisplayError) -> WaylandDisplay {
    let connection = try withDisplayErrors { () throws(WaylandError) in
      try WaylandConnection(name)
    }
    let events = try withDisplayErrors { () throws(WaylandError) in
      try connection.roundTrip()
      return try connection.takeEvents(reads: false)
    }
    var globals = Globals()
    var added: [(Int, Globals.Global)] = []
    for event in events where event.object == connection.registry {
      switch globals.handle(event) {
      case .added(let id, let global): added.append((id, global))
      case .removed(let id, _): added.removeAll { $0.0 == id }
      case nil: break
      }
    }
    var objects = try DisplayObjects(connection, globals, capture)
    // Other events that arrive meanwhile.
    var later: [WaylandEvent] = []
    let compositorBlurs = try canBlur(objects.backgroundEffects, connection, &later)
    let glass = try GlassChoice(
      way, missingCaptures: objects.captures == nil ? CaptureManager.missing(in: globals) : nil,
      compositorBlurs: compositorBlurs, display: name)
    if glass.way != .handedOver { objects.backgroundEffects = nil }
    var display = WaylandDisplay(
      connection, globals, objects, glass, LeakThreads(limit: threads))
    for (id, global) in added { display.add(id, global) }
    try withDisplayErrors { () throws(WaylandError) in
      for event in later { try display.handle(event) }
    }
    // The events of the outputs, and then those of their objects for positions.
    for _ in 0..<2 {
      try withDisplayErrors { () throws(WaylandError) in
        try display.connection.roundTrip()
        for event in try display.connection.takeEvents(reads: false) { try display.handle(event) }
      }
    }
    display.events = []
    return display
  }

  /// Whether a compositor blurs behind surfaces that ask for it. Appends the events of other objects to `others`.
  private static func canBlur(
    _ manager: WaylandObject?, _ connection: borrowing WaylandConnection,
    _ others: inout [WaylandEvent]
  ) throws(DisplayError) -> Bool {
    guard let manager else { return false }
    let events = try withDisplayErrors { () throws(WaylandError) in
      try connection.roundTrip()
      return try connection.takeEvents(reads: false)
    }
    others += events.filter { $0.object != manager }
    let flags = events.last { $0.object == manager }?.number(0)
    return (flags ?? 0) & 1 == 1
  }

  private init(
    _ connection: consuming WaylandConnection, _ globals: Globals, _ objects: DisplayObjects,
    _ glass: GlassChoice, _ threads: LeakThreads
  ) {
    self.connection = connection
    self.globals = globals
    self.objects = objects
    self.glass = glass
    self.threads = threads
  }

  package var inactiveOutputs: [String] {
    monitors.filter { $0.output == nil }.map(\.state.name)
  }
  package var descriptor: Int32 { connection.descriptor }
  package var deadline: Duration? {
    let pauses = monitors.map(\.captureDeadline)
    // Late surfaces wait for an event that allows their commit.
    let waiting =
      monitors.flatMap {
        [$0.commits.leakDeadline, $0.search.check.deadline, $0.blending.deadline]
      }
      + allSurfaces.map(\.memoryPause.end)
    let late = waiting.filter { $0.map { $0 > now } == true }
    let others =
      overlays.values.map(\.opening.pauseEnd) + answers.map(\.deadline)
      + monitors.flatMap { [$0.search.probeDeadline, $0.search.opening.pauseEnd] }
      + monitors.map(\.searchDeadline)
      + allSurfaces.map(\.spareDeadline)
    return (late + pauses + others).compactMap(\.self).min()
  }
  package var way: GlassWay { glass.way }
  package var blendsAlpha: Bool { true }

  package var report: DisplayReport {
    DisplayReport(
      name: connection.name, reason: glass.reason, hasCompositor: true, usesSharedMemory: true,
      redirectedWindows: 0,
      leftOutWindows: 0, damageEvents: damageCount, bytesRead: bytesRead,
      bytesWritten: bytesWritten,
      bufferBytes: overlays.values.reduce(0) { $0 + ($1.surface?.byteCount ?? 0) })
  }

  /// The connection ends with this value.
  package mutating func disconnect() {}

  package mutating func limitWork(frameInterval: Duration, threads: Int) {
    self.threads.limit = threads
  }

  package mutating func flush() throws(DisplayError) {
    commitOverlays()
    updateSeats()
    try withDisplayErrors { () throws(WaylandError) in try connection.flush() }
  }

  package mutating func requestAnswer() -> AnswerID {
    lastAnswer += 1
    let id = AnswerID(number: lastAnswer)
    answers.append(PendingAnswer(id: id, callback: connection.requestSync()))
    return id
  }

  /// Nothing tells where the pointer is, so it counts as on the first output.
  package mutating func requestPointer() {
    let bounds = outputs.first?.bounds ?? .zero
    events.append(.pointerFound(x: bounds.x, y: bounds.y))
  }

  // MARK: Capture

  package mutating func watch(_ regions: [View: Region]) {
    watchedViews = regions
    updateWatch()
  }

  /// Watches what panes depend on, and what overlays cover.
  mutating func updateWatch() {
    let views = ByLevel.each { level in
      watchedViews.reduce(Region()) { BackdropLevel(of: $1.key) == level ? $0.union($1.value) : $0 }
    }
    for monitor in monitors {
      // Only leaks need what is below shadows.
      let covered = way == .live ? paneSurfaces(on: monitor) : []
      let regions = ByLevel.each { level in
        views[level].union(Region(covered.filter { $0.level == level }.map(\.covered)))
      }
      monitor.watch(regions, connection)
      monitor.continueCapture(connection, now: now)
    }
  }

  package mutating func startCapture(_ regions: [View: Region]) {
    requested = regions
    finishCapture()
  }

  /// Ends the capture of the engine if all of its pixels are known, or cannot be.
  mutating func finishCapture() {
    guard let requested else { return }
    if monitors.contains(where: { isAwaiting(requested, on: $0) }) { return }
    self.requested = nil
    var failed: [View: Region] = [:]
    for (view, region) in requested {
      // A region that is no longer watched, because an output changed, cannot be read. Between outputs all is black.
      let level = BackdropLevel(of: view)
      let unreadable = region.intersection(Region(outputs.map(\.bounds)))
      failed[view] = monitors.reduce(unreadable) {
        $0.subtracting($1.readable(level))
      }
    }
    events.append(.captured(failed: failed.filter { !$0.value.isEmpty }))
  }

  /// Whether pixels of an output are needed that are not known yet.
  private func isAwaiting(_ regions: [View: Region], on monitor: MonitoredOutput) -> Bool {
    // The pixels of an output that is off keep their values; covered pixels too, if they were ever known.
    switch monitor.captures.pause {
    case .failed, .unanswered: return false
    case .covered:
      return regions.contains { view, region in
        region.intersects(monitor.unvalued(BackdropLevel(of: view)))
      }
    case nil: break
    }
    return regions.contains { view, region in
      region.intersects(monitor.unknown(BackdropLevel(of: view)))
    }
  }

  package func hiddenRegion(of view: View) -> Region {
    guard BackdropLevel(of: view) == .wallpaper else { return Region() }
    return monitors.reduce(Region()) { $0.union($1.hiddenWallpaper) }
  }

  package mutating func withCaptured(
    _ rect: Rect, of view: View, _ body: (Span<UInt32>, PixelLayout) -> Void
  ) {
    let level = BackdropLevel(of: view)
    for monitor in monitors
    where monitor.withBackdrop(level, { $0.layout.bounds.contains(rect) }) {
      return monitor.withBackdrop(level) { body($0.pixels.span, $0.layout) }
    }
    // The rectangle is on several outputs.
    var pixels = Array(repeating: UInt32(0), count: rect.area)
    var span = pixels.mutableSpan
    for monitor in monitors {
      monitor.withBackdrop(level) {
        copyPixels(
          of: rect.intersection($0.layout.bounds), from: $0.pixels.span, $0.layout, to: &span,
          PixelLayout(rect))
      }
    }
    body(pixels.span, PixelLayout(rect))
  }

  // MARK: Overlays

  package mutating func makeOverlay(_ name: String) -> OverlayID {
    let id = OverlayID(number: nextOverlay)
    nextOverlay += 1
    overlays[id] = WaylandOverlay(layer: .normal)
    return id
  }

  package mutating func removeOverlay(_ overlay: OverlayID) {
    hide(overlay)
    overlays[overlay] = nil
  }

  package mutating func setOrder(_ order: [StackedOverlay]) {
    self.order = order.map(\.id)
    var changed: [OverlayID] = []
    for one in order {
      if let surface = overlays[one.id]?.surface, surface.layer != one.layer {
        if BackdropLevel(of: one.layer) != surface.level { changed.append(one.id) }
        surface.setLayer(one.layer, connection)
      }
      overlays[one.id]?.layer = one.layer
    }
    // Another layer may see other pixels.
    updateWatch()
    for id in changed { dropIfBlind(id) }
    for monitor in monitors {
      monitor.commits.leftRegion.form(union: Region(surfaces(on: monitor).map(\.shown)))
      monitor.commits.isStackOutdated = true
    }
  }

  /// Hides an overlay over wallpaper that was never captured, because it would hide the wallpaper from the probe. The engine
  /// shows it again later.
  private mutating func dropIfBlind(_ overlay: OverlayID) {
    guard let surface = overlays[overlay]?.surface, surface.level == .wallpaper else { return }
    let isBlind = monitors.contains { monitor in
      monitor.id == surface.output && monitor.levels.wallpaper.unvalued.intersects(surface.covered)
    }
    guard isBlind else { return }
    hide(overlay)
    events.append(.lost(overlay))
  }

  package mutating func hide(_ overlay: OverlayID) {
    guard let surface = overlays[overlay]?.surface else { return }
    destroy(surface)
    overlays[overlay]?.surface = nil
    overlays[overlay]?.isAwaited = false
    updateWatch()
  }

  /// Destroys a surface. The region that it covered is seen again.
  mutating func destroy(_ surface: OverlaySurface) {
    surface.destroy(connection)
    for monitor in monitors where monitor.id == surface.output {
      monitor.addDeparture(surface.place.rect, connection)
    }
  }

  package mutating func beginUpdate(
    _ overlay: OverlayID, _ state: OverlayState, _ rects: [Rect]
  ) -> Bool {
    precondition(update == nil)
    guard let surface = preparedSurface(of: overlay, for: state), canDraw(surface) else {
      // It is drawn when its output is there, when the last commit was seen, or when its backdrop is known.
      overlays[overlay]?.isAwaited = true
      return false
    }
    // A pane may extend beyond its output.
    let bounds = state.rect.intersection(monitor(for: state.rect)?.bounds ?? .zero)
    update = SurfaceUpdate(
      overlay: overlay, state: state.clipped(to: bounds),
      rects: rects.map { $0.intersection(bounds) }.filter { !$0.isEmpty })
    return true
  }

  /// Whether a surface can be drawn now. One that shows nothing yet must not appear over a backdrop that was never seen.
  func canDraw(_ surface: OverlaySurface) -> Bool {
    guard surface.canCommit else { return false }
    if way == .handedOver { return true }
    let isHidden =
      surface.level == .wallpaper && hiddenRegion(of: .wallpaper).intersects(surface.covered)
    if isHidden { return false }
    if !surface.shown.isEmpty { return true }
    return monitors.allSatisfy { monitor in
      monitor.id != surface.output
        || !monitor.levels[surface.level].unvalued.intersects(surface.covered)
    }
  }

  /// The surface of an overlay at the place of a state; nil if its output is not there.
  private mutating func preparedSurface(
    of overlay: OverlayID, for state: OverlayState
  ) -> PaneSurface? {
    guard let monitor = monitor(for: state.rect), let output = monitor.output else { return nil }
    if let surface = overlays[overlay]?.surface, surface.output != monitor.id { hide(overlay) }
    let place = SurfacePlace(
      covering: state.travel.intersection(output.bounds), on: output.bounds,
      scale: monitor.state.scale)
    guard let surface = overlays[overlay]?.surface else {
      if overlays[overlay]?.opening.open(now: now) != true { return nil }
      let surface = PaneSurface(
        objects, connection, on: monitor.id, monitor.object,
        layer: overlays[overlay]?.layer ?? .normal, at: place)
      surface.announce(connection)
      surface.covered = state.rect
      overlays[overlay]?.surface = surface
      monitor.blending.requestIfOutdated(now: now)
      updateWatch()
      return surface
    }
    if surface.place != place, surface.canCommit {
      monitor.commits.leftRegion.form(union: surface.shown)
      surface.move(to: place, connection)
    }
    if surface.covered != state.rect {
      surface.covered = state.rect
      updateWatch()
    }
    return surface
  }

  package mutating func continueUpdate(
    _ overlay: OverlayID, _ pixelCount: Int,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> Bool {
    guard var update, update.overlay == overlay, let surface = overlays[overlay]?.surface else {
      preconditionFailure("the overlay is not being updated")
    }
    for part in update.next(pixelCount) {
      surface.draw(part, isOpaque: !update.state.hasAlpha) {
        draw(part, &$0, $1)
      }
    }
    self.update = update
    if !update.isDrawn { return false }
    self.update = nil
    if surface.shown != update.state.rect || surface.opaque != update.state.opaque {
      for monitor in monitors where monitor.id == surface.output {
        monitor.commits.leftRegion.form(union: surface.shown)
        monitor.commits.leftRegion.form(union: update.state.rect)
        monitor.commits.isStackOutdated = true
      }
    }
    surface.finish(update.state, update.rects)
    return true
  }

  /// The drawn part of the update stays uncommitted until the next one has ended.
  package mutating func cancelUpdate(_ overlay: OverlayID) { update = nil }

  /// The output on which an overlay is shown: the one with most of it.
  private func monitor(for rect: Rect) -> MonitoredOutput? {
    monitors.filter { $0.bounds.intersects(rect) }.max {
      $0.bounds.intersection(rect).area < $1.bounds.intersection(rect).area
    }
  }

  /// The probes and the surfaces of panes on all outputs, in no order.
  var allSurfaces: [OverlaySurface] {
    monitors.compactMap(\.search.probe) + overlays.values.compactMap(\.surface)
  }

  /// The surfaces on an output, the lowest first.
  func surfaces(on monitor: MonitoredOutput) -> [OverlaySurface] {
    (monitor.search.probe.map { [$0] } ?? []) + paneSurfaces(on: monitor)
  }

  /// The surfaces of panes on an output, the lowest first.
  func paneSurfaces(on monitor: MonitoredOutput) -> [PaneSurface] {
    order.compactMap { overlays[$0]?.surface }.filter { $0.output == monitor.id }
  }
}
