package import Engine
import Frost
package import Panes
package import Raster

/// The display of a Wayland compositor with layer-shell and screencopy.
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
  package internal(set) var outputs = [Output(name: "screen", bounds: .zero)]
  package internal(set) var screen = Output(name: "screen", bounds: .zero)
  var watchedViews: [View: Region] = [:]
  /// The capture of the engine in progress.
  var requested: [View: Region]?
  var answers: [PendingAnswer] = []
  /// The events that `nextEvents` has not returned yet.
  var events: [DisplayEvent] = []
  /// The update in progress.
  var update: SurfaceUpdate?
  private var nextOverlay: UInt32 = 1
  private var lastAnswer: UInt64 = 0
  /// The time at which changes of the backdrop are committed that no update of the engine includes; nil if there are none.
  var leakDeadline: Duration?
  var now = Duration.zero
  var bytesRead = 0
  var bytesWritten = 0
  var damageCount = 0

  /// Connects to the compositor with a name, as WAYLAND_DISPLAY. Waits for it, as no other call does. Throws `unreachable`, or
  /// `unsupported` if it lacks a protocol.
  package static func open(_ name: String) throws(DisplayError) -> WaylandDisplay {
    let connection = try WaylandConnection(name)
    try connection.roundTrip()
    var globals = Globals()
    var added: [(Int, Globals.Global)] = []
    for event in try connection.takeEvents(reads: false) where event.object == connection.registry {
      if case .added(let id, let global) = globals.take(event) { added.append((id, global)) }
    }
    let objects = try DisplayObjects(connection, globals)
    var display = WaylandDisplay(connection, globals, objects)
    for (id, global) in added where global.interface == InterfaceTable.output.name {
      display.addOutput(id, global)
    }
    // The events of the outputs, and then those of their objects for positions.
    for _ in 0..<2 {
      try display.connection.roundTrip()
      for event in try display.connection.takeEvents(reads: false) { try display.take(event) }
    }
    display.events = []
    return display
  }

  private init(
    _ connection: consuming WaylandConnection, _ globals: Globals, _ objects: DisplayObjects
  ) {
    self.connection = connection
    self.globals = globals
    self.objects = objects
  }

  package var inactiveOutputs: [String] {
    monitors.filter { $0.output == nil }.map(\.state.name)
  }
  package var descriptor: Int32 { connection.descriptor }
  package var deadline: Duration? {
    let retries = monitors.filter { !$0.watched.isEmpty }.map(\.retryTime)
    return ([leakDeadline] + retries).compactMap(\.self).min()
  }
  package var blendsAlpha: Bool { true }
  package var drawsOnScreen: Bool { false }
  package var colorScheme: ColorScheme? { nil }
  package var lockedRegion: Region { Region() }
  package var isCongested: Bool { false }
  package var isLearning: Bool { false }
  package var isReplaced: Bool { false }

  package var report: DisplayReport {
    DisplayReport(
      name: connection.name, hasCompositor: true, usesSharedMemory: true, redirectedWindows: 0,
      leftOutWindows: 0, damageEvents: damageCount, bytesRead: bytesRead,
      bytesWritten: bytesWritten,
      bufferBytes: overlays.values.reduce(0) { $0 + ($1.surface?.byteCount ?? 0) })
  }

  /// The connection ends with this value.
  package mutating func disconnect() {}

  package mutating func flush() throws(DisplayError) { try connection.flush() }

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

  package func regionOfWindows(above lower: StackingLayer, below upper: StackingLayer) -> Region {
    Region()
  }

  // MARK: Capture

  package mutating func watch(_ regions: [View: Region]) {
    watchedViews = regions
    let all = regions.values.reduce(Region()) { $0.union($1) }
    for monitor in monitors {
      monitor.watch(all)
      monitor.continueCapture(connection, now: now)
    }
  }

  package mutating func startCapture(_ regions: [View: Region]) {
    requested = regions
    finishCapture()
    // What is not known is captured without waiting for a change.
    if requested == nil { return }
    for monitor in monitors where !monitor.watched.subtracting(monitor.known).isEmpty {
      if !monitor.isUnreadable { _ = monitor.requestFrame(connection, now: now) }
    }
  }

  /// Ends the capture of the engine if all of its pixels are known, or cannot be.
  mutating func finishCapture() {
    guard let requested else { return }
    let needed = requested.values.reduce(Region()) { $0.union($1) }
    let known = monitors.reduce(Region()) { $0.union($1.known) }
    let unreadable = Region(
      monitors.filter(\.isUnreadable).compactMap { $0.output?.bounds })
    let missing = needed.intersection(Region(outputs.map(\.bounds))).subtracting(known)
    if !missing.subtracting(unreadable).isEmpty { return }
    self.requested = nil
    let failed = requested.mapValues { $0.intersection(unreadable) }.filter { !$0.value.isEmpty }
    events.append(.captured(failed: failed))
  }

  package func isComposed(_ rect: Rect, of view: View) -> Bool { false }

  package mutating func withCaptured(
    _ rect: Rect, of view: View, _ body: (Span<UInt32>, PixelLayout) -> Void
  ) {
    guard let monitor = monitors.first(where: { $0.layout.bounds.contains(rect) }) else {
      preconditionFailure("\(rect) is on no output")
    }
    monitor.withBackdrop { body($0, $1) }
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
    for one in order where overlays[one.id]?.layer != one.layer {
      overlays[one.id]?.layer = one.layer
      if let surface = overlays[one.id]?.surface {
        connection.send(
          LayerSurfaceRequest.setLayer, to: surface.layerSurface, [.uint(one.layer.waylandLayer)])
      }
    }
  }

  package mutating func hide(_ overlay: OverlayID) {
    guard let surface = overlays[overlay]?.surface else { return }
    surface.destroy(connection)
    overlays[overlay]?.surface = nil
    overlays[overlay]?.isAwaited = false
    // What it covered is seen again.
    for monitor in monitors where monitor.id == surface.output {
      monitor.needsFrame = true
    }
  }

  package mutating func beginUpdate(
    _ overlay: OverlayID, _ state: OverlayState, _ rects: [Rect]
  ) -> Bool {
    precondition(update == nil)
    guard let monitor = monitor(for: state.rect), let output = monitor.output else {
      // It is drawn when its output is there again.
      overlays[overlay]?.isAwaited = true
      return false
    }
    if let surface = overlays[overlay]?.surface, surface.output != monitor.id { hide(overlay) }
    let scale = max(1, Int(output.scale.rounded()))
    let rect = state.rect.rounded(outToMultiplesOf: scale, from: output.bounds)
    guard let surface = overlays[overlay]?.surface else {
      let surface = OverlaySurface(
        objects, connection, on: monitor.id, monitor.object,
        layer: overlays[overlay]?.layer ?? .normal, at: rect)
      surface.place(rect.logical(on: output.bounds, scale: scale), scale: scale, connection)
      surface.announce(connection)
      overlays[overlay]?.surface = surface
      overlays[overlay]?.isAwaited = true
      return false
    }
    guard surface.canCommit else {
      overlays[overlay]?.isAwaited = true
      return false
    }
    if surface.rect != rect {
      surface.move(to: rect, connection)
      surface.place(rect.logical(on: output.bounds, scale: scale), scale: scale, connection)
    }
    update = SurfaceUpdate(overlay: overlay, state: state, rects: rects)
    return true
  }

  package mutating func continueUpdate(
    _ overlay: OverlayID, _ pixelCount: Int,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> Bool {
    guard var update, update.overlay == overlay, let surface = overlays[overlay]?.surface else {
      preconditionFailure("the overlay is not being updated")
    }
    for part in update.next(pixelCount) {
      surface.draw(part, isOpaque: !update.state.hasAlpha) { draw(part, &$0, $1) }
    }
    self.update = update
    if !update.isDrawn { return false }
    self.update = nil
    commit(surface, Region(update.rects), input: update.state.inputRegion)
    overlays[overlay]?.input = update.state.inputRegion
    return true
  }

  package mutating func cancelUpdate(_ overlay: OverlayID) { update = nil }

  /// Commits changed pixels of an overlay. Its output must be there.
  mutating func commit(_ surface: OverlaySurface, _ changed: Region, input: Region) {
    guard let monitor = monitors.first(where: { $0.id == surface.output }) else { return }
    bytesWritten += 4 * changed.area
    monitor.withBackdrop { backdrop, layout in
      // Without memory the overlay stays as it is.
      try? surface.commit(
        changed, over: backdrop, layout, input: input, objects, connection)
    }
    // The commit must be seen before the next one.
    monitor.continueCapture(connection, now: now)
  }

  /// The output on which an overlay is shown: the one with most of it.
  private func monitor(for rect: Rect) -> MonitoredOutput? {
    monitors.filter { $0.output?.bounds.intersects(rect) == true }.max {
      $0.layout.bounds.intersection(rect).area < $1.layout.bounds.intersection(rect).area
    }
  }

  package mutating func requestFocus(of overlay: OverlayID, time: UInt32) {}

  package mutating func releaseFocus(of overlay: OverlayID) {}
}

/// An overlay of the engine.
struct WaylandOverlay {
  var layer: StackingLayer
  /// Nil while it is hidden.
  var surface: OverlaySurface?
  /// Whether an update was refused, so that `.released` must follow.
  var isAwaited = false
  var input = Region()
}

/// A request for `.answered`: first the compositor answers, then a capture shows what it had done.
struct PendingAnswer {
  let id: AnswerID
  var callback: WaylandObject?
  /// The captures that must end, by output.
  var captures: [OutputID: Int] = [:]
}

/// An update of an overlay that is being drawn.
struct SurfaceUpdate {
  let overlay: OverlayID
  let state: OverlayState
  let rects: [Rect]
  private var rest: [Rect]

  init(overlay: OverlayID, state: OverlayState, rects: [Rect]) {
    self.overlay = overlay
    self.state = state
    self.rects = rects
    rest = rects
  }

  var isDrawn: Bool { rest.isEmpty }

  /// The next parts, of about `pixelCount` pixels together.
  mutating func next(_ pixelCount: Int) -> [Rect] {
    var parts: [Rect] = []
    var count = 0
    while count < pixelCount, let rect = rest.popLast() {
      let height = min(rect.height, max(1, (pixelCount - count) / max(1, rect.width)))
      parts.append(Rect(rect.columns, rect.y..<rect.y + height))
      count += rect.width * height
      if height < rect.height { rest.append(Rect(rect.columns, rect.y + height..<rect.maxY)) }
    }
    return parts
  }
}

extension Rect {
  /// The smallest rectangle around this one whose edges are at multiples of `step` from the corner of an output.
  fileprivate func rounded(outToMultiplesOf step: Int, from output: Rect) -> Rect {
    func down(_ value: Int, _ origin: Int) -> Int {
      let offset = value - origin
      return origin + (offset - (offset % step + step) % step)
    }
    func up(_ value: Int, _ origin: Int) -> Int { down(value + step - 1, origin) }
    return Rect(
      down(x, output.x)..<up(maxX, output.x), down(y, output.y)..<up(maxY, output.y))
  }

  /// The rectangle in logical pixels from the corner of an output. Its edges must be at whole ones.
  fileprivate func logical(on output: Rect, scale: Int) -> Rect {
    Rect(
      x: (x - output.x) / scale, y: (y - output.y) / scale, width: width / scale,
      height: height / scale)
  }
}
