package import Engine
package import Panes
package import Raster

/// A display without a server, for tests of the engine. Pixels are in memory, tests cause events
/// (see `HeadlessDisplay+Script.swift`), and a call that violates the contract of `Display` traps.
///
/// Pixels that must not be used have the value `garbage`, which no backdrop and no glass has.
package final class HeadlessDisplay: Display {
  package private(set) var screen: Output
  package private(set) var outputs: [Output]
  package var inactiveOutputs: [String] = []
  /// The pixels behind all overlays.
  package internal(set) var backdrop: Bitmap
  /// The colour of the wallpaper.
  package var wallpaper: UInt32 = 0xff20_4060
  /// The screen, its outputs, or none if it is the only one, and the backdrop of a change that has not been reported yet.
  var nextOutput: (output: Output, parts: [Output], backdrop: Bitmap)?
  var events: [DisplayEvent] = []
  package private(set) var watched: [View: Region] = [:]
  var windows: [OverlayID: Overlay] = [:]
  package private(set) var order: [StackedOverlay] = []
  /// The region of the backdrop that belongs to windows directly above the panes of a layer.
  package internal(set) var windowsAbove: [StackingLayer: Region] = [:]
  package internal(set) var lockedRegion = Region()
  package var lockReason: LockReason? { lockedRegion.isEmpty ? nil : .window(number: 1, name: "") }
  private var nextNumber: UInt32 = 1
  private var nextAnswer: UInt64 = 1
  private var lastTime = Duration.zero
  var capture: Capture?
  var isAnswered = false
  /// The number of rectangles that the next captures fail to read.
  package var unreadableCount = 0
  /// The regions that cannot be captured at present.
  package var hidden: [View: Region] = [:]
  /// The number of calls of `nextEvents` that return only `more`.
  package var heldBackCount = 0
  /// Whether buffers are released by the next answer; else by `releaseBuffers`.
  package var releasesAtOnce = true
  /// Whether the next call of `nextEvents` answers captures and requests for answers; else `answer`
  /// does.
  package var answersAtOnce = true
  /// A call of `continueUpdate` ends when it has drawn so many pixels.
  package var pixelsPerCall = Int.max
  /// Whether a capture contains the backdrop at its start, or that at its answer.
  package var capturesAtStart = false
  /// The error that `flush` and `nextEvents` throw; nil if there is none.
  package var error: DisplayError?
  package internal(set) var blendsAlpha = false
  package internal(set) var colorScheme: ColorScheme?
  /// Whether a display without blending stores the pixels of overlays on the screen only.
  package internal(set) var hasDirectOverlays = true
  package var drawsOnScreen: Bool { hasDirectOverlays && !blendsAlpha }
  package var isLearning = false
  package var reportsWindows = true
  /// The windows that are reported while the engine wants them.
  var allTargets: [TargetWindow] = []
  package private(set) var interest = TargetInterest.none
  /// The windows of the last `inspect`.
  package private(set) var inspected: Set<WindowID> = []
  package var targets: [TargetWindow] { interest.isActive ? allTargets : [] }
  /// The pixels of the clients in windows, in their own coordinates.
  package internal(set) var clients: [WindowID: Bitmap] = [:]
  /// The position of the pointer.
  package var pointer = (x: 0, y: 0)
  var isPointerRequested = false
  /// The overlay with the keyboard.
  package private(set) var focused: OverlayID?
  package var isCongested = false
  package internal(set) var calls = Calls()
  var waitingAnswers: [AnswerID] = []
  private var update: Update?
  /// Overlays that another client destroyed, not reported yet.
  var lost: Set<OverlayID> = []

  /// The numbers of calls of the engine, and of their pixels.
  package struct Calls: Equatable, Sendable {
    package var watch = 0
    package var captures = 0
    package var capturedPixels = 0
    package var presents = 0
    package var presentedPixels = 0
    /// Updates that were refused because both buffers were in use.
    package var refusals = 0

    package init() {}
  }

  /// A capture in progress, or answered and not yet replaced.
  struct Capture {
    var regions: [View: Region]
    var failed: [View: Region] = [:]
    /// The output, and the pixels of all of it, at the time of the capture.
    let screen: Rect
    var pixels: [View: Bitmap]
  }

  /// The window of an overlay; `state` is nil if it is hidden.
  package struct Overlay: Equatable, Sendable {
    package let name: String
    package internal(set) var state: OverlayState?
    /// Its pixels. Those outside `visible` are garbage.
    package internal(set) var picture = Bitmap(width: 0, height: 0)
    /// The part that has pixels: the whole rectangle, or the part that no other overlay covers.
    package internal(set) var visible = Region()
    /// The part of its rectangle that was watched when it was placed; empty if it may have shown the wallpaper.
    var watched = Region()
    var busyBuffers = 0
    var isLost = false

    package var isShown: Bool { state != nil && !isLost }
    var isOpaque: Bool { isShown && state?.hasAlpha == false }
    package var rect: Rect { state?.rect ?? .zero }
  }

  /// The value of pixels that must not be used.
  package static let garbage: UInt32 = 0x0bad_0bad

  /// A display with a screen at (x, y) of the size of the backdrop, with one output. Traps if it is empty.
  package init(_ backdrop: Bitmap, x: Int = 0, y: Int = 0) {
    require(!backdrop.bounds.isEmpty, "an empty backdrop")
    self.backdrop = backdrop
    screen = Output(name: "screen", bounds: backdrop.bounds.translated(x: x, y: y))
    outputs = [screen]
  }

  /// The bounds of the screen.
  package var bounds: Rect { screen.bounds }
  package var descriptor: Int32 { -1 }
  package var deadline: Duration? { nil }

  package func inspect(_ windows: Set<WindowID>) { inspected = windows }

  package func reportTargets(_ interest: TargetInterest) {
    let isNew = interest.isActive != self.interest.isActive
    self.interest = interest
    if isNew, !allTargets.isEmpty { events.append(.targetsChanged) }
  }

  package var report: DisplayReport {
    DisplayReport(
      name: "headless", reason: "a test", hasCompositor: false, usesSharedMemory: false,
      redirectedWindows: 0,
      leftOutWindows: 0,
      damageEvents: 0, bytesRead: 4 * calls.capturedPixels, bytesWritten: 4 * calls.presentedPixels,
      bufferBytes: 0)
  }

  // MARK: Events

  package func nextEvents(now: Duration, reads: Bool) throws(DisplayError) -> [DisplayEvent] {
    try flush()
    require(now >= lastTime, "time runs backwards, from \(lastTime) to \(now)")
    lastTime = now
    if heldBackCount > 0 {
      heldBackCount -= 1
      return [.more]
    }
    if let next = nextOutput {
      backdrop = next.backdrop
      screen = next.output
      outputs = next.parts.isEmpty ? [screen] : next.parts
      nextOutput = nil
    }
    if isPointerRequested { events.append(.pointerFound(x: pointer.x, y: pointer.y)) }
    isPointerRequested = false
    if answersAtOnce { answer() }
    reportLost()
    defer { events = [] }
    return events
  }

  private func reportLost() {
    for id in lost where windows[id]?.isShown == true {
      windows[id]?.isLost = true
      windows[id]?.busyBuffers = 0
      events.append(.lost(id))
    }
    lost = []
    updateVisibleParts()
  }

  package func disconnect() { error = error ?? .lost("disconnected") }

  package func limitWork(frameInterval: Duration, threads: Int) {}

  package func flush() throws(DisplayError) {
    if let error { throw error }
  }

  package func requestAnswer() -> AnswerID {
    defer { nextAnswer += 1 }
    let id = AnswerID(number: nextAnswer)
    waitingAnswers.append(id)
    return id
  }

  package func requestFocus(of overlay: OverlayID, time: UInt32) { focused = overlay }

  package func releaseFocus(of overlay: OverlayID) { if focused == overlay { focused = nil } }

  package func requestPointer() { isPointerRequested = true }

  package func watch(_ regions: [View: Region]) {
    calls.watch += 1
    watched = regions.reduce(into: [:]) { watched, one in
      watched[one.key] = one.value.intersection(captureBounds(of: one.key))
    }
    // A display frees captured pixels when nothing is watched.
    if isAnswered, watched.values.allSatisfy(\.isEmpty) { capture = nil }
    if !blendsAlpha { return }
    // Nothing is lost below overlays that a compositor blends.
    let below = watchedBelowPanes
    for id in windows.keys { change(id) { $0.watched = $0.watched.intersection(below) } }
  }

  /// The watched region of all views below panes.
  private var watchedBelowPanes: Region {
    StackingLayer.allCases.compactMap { watched[.belowPanes($0)] }
      .reduce(Region()) { $0.union($1) }
  }

  package func regionOfWindows(above lower: StackingLayer, below upper: StackingLayer) -> Region {
    windowsAbove.filter { lower <= $0.key && $0.key < upper }.values
      .reduce(Region()) { $0.union($1) }
  }

  // MARK: Capture

  package func startCapture(_ regions: [View: Region]) {
    require(capture == nil || isAnswered, "a capture is in progress")
    require(regions.values.contains { !$0.isEmpty }, "a capture of nothing")
    for (view, region) in regions {
      let unwatched = region.subtracting(watched[view] ?? Region())
      require(unwatched.isEmpty, "a capture of \(region): \(unwatched) is not watched")
      let all = captureBounds(of: view)
      require(region.rects.allSatisfy { all.contains($0) }, "a capture outside \(all)")
      require(
        Region(region.rects).area == region.rects.reduce(0) { $0 + $1.area },
        "\(region.rects) overlap")
    }
    calls.captures += 1
    capture = Capture(
      regions: regions, screen: bounds, pixels: capturesAtStart ? pixels(of: regions) : [:])
    isAnswered = false
  }

  private func pixels(of regions: [View: Region]) -> [View: Bitmap] {
    Dictionary(
      uniqueKeysWithValues: regions.keys.map { view in
        switch view {
        case .belowPanes(let layer): (view, backdrop(below: layer))
        case .belowWindow: (view, backdrop)
        case .client(let id): (view, clients[id] ?? Bitmap(width: 0, height: 0))
        case .wallpaper:
          (view, Bitmap(width: bounds.width, height: bounds.height, filledWith: wallpaper))
        }
      })
  }

  /// The area of a view that has pixels.
  private func captureBounds(of view: View) -> Rect {
    if case .client(let id) = view { clients[id]?.bounds ?? .zero } else { bounds }
  }

  /// The pixels below the panes of a layer. Windows above the desktop's panes have inverted colours, so that
  /// other layers have another backdrop.
  package func backdrop(below layer: StackingLayer) -> Bitmap {
    var picture = backdrop
    let windows = regionOfWindows(above: .desktop, below: layer).intersection(bounds)
    for rect in windows.rects {
      for y in rect.rows {
        for x in rect.columns { picture[x - bounds.x, y - bounds.y] ^= 0xffffff }
      }
    }
    return picture
  }

  /// Answers a capture and requests for answers.
  package func answer() {
    if var capture, !isAnswered {
      isAnswered = true
      // The output has changed since the start.
      let isGone = capture.screen != bounds
      if capture.pixels.isEmpty, !isGone { capture.pixels = pixels(of: capture.regions) }
      for (view, region) in capture.regions {
        for rect in region.rects {
          if hiddenRegion(of: view).intersects(rect) {
            capture.failed[view, default: Region()].form(union: rect)
          } else if unreadableCount > 0 || isGone {
            unreadableCount = max(0, unreadableCount - 1)
            capture.failed[view, default: Region()].form(union: rect)
          } else {
            calls.capturedPixels += rect.area
          }
        }
      }
      self.capture = capture
      events.append(.captured(failed: capture.failed))
    }
    events += waitingAnswers.map { .answered($0) }
    waitingAnswers = []
    if releasesAtOnce { releaseBuffers() }
  }

  package func hiddenRegion(of view: View) -> Region {
    guard case .client = view else { return hidden[view] ?? Region() }
    let all = Region(Rect(x: 0, y: 0, width: 1 << 15, height: 1 << 15))
    return all.subtracting(Region(captureBounds(of: view))).union(hidden[view] ?? Region())
  }

  package func isComposed(_ rect: Rect, of view: View) -> Bool { calls.captures % 2 == 0 }

  package func withCaptured(
    _ rect: Rect, of view: View, _ body: (Span<UInt32>, PixelLayout) -> Void
  ) {
    guard let capture, isAnswered, let pixels = capture.pixels[view] else {
      fatalError("nothing was captured of \(view)")
    }
    let read = (capture.regions[view] ?? Region()).subtracting(capture.failed[view] ?? Region())
    require(read.contains(rect), "\(rect) was not captured")
    var origin = (x: capture.screen.x, y: capture.screen.y)
    var hasAlpha = false
    if case .client(let id) = view {
      origin = (0, 0)
      hasAlpha = allTargets.first { $0.id == id }?.client?.hasAlpha == true
    }
    let layout = PixelLayout(rect, stride: rect.width + calls.captures % 3)
    var values = [UInt32](repeating: Self.garbage, count: layout.pixelCount)
    for y in rect.rows {
      for x in rect.columns {
        let pixel = pixels[x - origin.x, y - origin.y]
        // The fourth byte of a pixel of the screen has no meaning.
        values[layout.index(x: x, y: y)] = hasAlpha ? pixel : pixel & 0x00ff_ffff | 0x5a00_0000
      }
    }
    body(values.span, layout)
  }

  // MARK: Overlays

  package func makeOverlay(_ name: String) -> OverlayID {
    let id = OverlayID(number: nextNumber)
    nextNumber += 1
    windows[id] = Overlay(name: name)
    return id
  }

  package func removeOverlay(_ overlay: OverlayID) {
    require(update?.overlay != overlay, "overlay \(overlay.number) is being updated")
    require(windows.removeValue(forKey: overlay) != nil, "there is no overlay \(overlay)")
    order.removeAll { $0.id == overlay }
    updateVisibleParts()
  }

  package func setOrder(_ overlays: [StackedOverlay]) {
    require(
      Set(overlays.map(\.id)) == Set(windows.keys) && overlays.count == windows.count,
      "an order of other overlays")
    require(
      zip(overlays, overlays.dropFirst()).allSatisfy { $0.layer <= $1.layer },
      "an order against the layers")
    order = overlays
    updateVisibleParts()
  }

  package func hide(_ overlay: OverlayID) {
    require(update?.overlay != overlay, "overlay \(overlay.number) is being updated")
    change(overlay) { window in
      require(window.state != nil, "\(window.name) is hidden already")
      window.state = nil
      window.isLost = false
      window.busyBuffers = 0
    }
    updateVisibleParts()
  }

  private func change(_ overlay: OverlayID, _ body: (inout Overlay) -> Void) {
    guard var window = windows[overlay] else {
      fatalError("there is no overlay \(overlay.number)")
    }
    body(&window)
    windows[overlay] = window
  }

  package func beginUpdate(
    _ overlay: OverlayID, _ state: OverlayState, _ rects: [Rect]
  ) -> Bool {
    check(state)
    require(update == nil, "two updates at once")
    guard let window = windows[overlay] else { fatalError("there is no overlay \(overlay.number)") }
    if window.busyBuffers == 2 {
      calls.refusals += 1
      return false
    }
    update = Update(overlay, state, rects, inBands: calls.presents % 2 == 0)
    return true
  }

  package func continueUpdate(
    _ overlay: OverlayID, _ pixelCount: Int,
    _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
  ) -> Bool {
    guard var update, update.overlay == overlay else {
      fatalError("overlay \(overlay.number) is not being updated")
    }
    update.draw(min(pixelCount, pixelsPerCall), draw)
    self.update = update
    if !update.isDrawn { return false }
    finish(update)
    self.update = nil
    return true
  }

  package func cancelUpdate(_ overlay: OverlayID) {
    require(update?.overlay == overlay, "overlay \(overlay.number) is not being updated")
    update = nil
  }

  private func finish(_ update: Update) {
    let (state, rects) = (update.state, update.rects)
    guard let window = windows[update.overlay] else {
      fatalError("there is no overlay \(update.overlay.number)")
    }
    let kept = keptPart(of: window, in: state)
    checkWatch(below: window, in: state, kept)
    let below = watchedBelowPanes
    change(update.overlay) { window in
      window.moveContents(to: state.rect, keeping: kept)
      (window.state, window.isLost) = (state, false)
      window.watched = watched[.wallpaper] == nil ? below.intersection(state.rect) : Region()
    }
    updateVisibleParts(redrawing: update.overlay, rects)
    change(update.overlay) { window in
      require(
        window.visible.subtracting(Region(rects)).subtracting(Region(kept)).isEmpty,
        "\(window.name) is drawn in part")
      if rects.isEmpty { return }
      window.busyBuffers += 1
      calls.presents += 1
      calls.presentedPixels += rects.reduce(0) { $0 + $1.area }
      window.put(update)
    }
  }

  /// A server may lose pixels of unwatched windows that an overlay covers. So what is watched below an overlay
  /// must be watched until it has moved, and if it keeps pixels, so must what it covers in between. Not checked
  /// while a pane shows the wallpaper: it may have shown the windows before, and no longer needs their watch.
  private func checkWatch(
    below window: Overlay, in state: OverlayState, _ kept: Rect
  ) {
    guard drawsOnScreen, window.isShown, window.rect != state.rect, watched[.wallpaper] == nil,
      state.cover == nil
    else { return }
    let below = watchedBelowPanes
    require(
      window.watched.intersection(bounds).subtracting(below).isEmpty,
      "the watch below \(window.name) at \(window.rect) ended before it moved")
    let hull = window.rect.hull(state.rect)
    let isWatched = below.contains(window.rect) && below.contains(state.rect)
    require(
      kept.isEmpty || !isWatched || below.contains(hull), "\(window.name) covers unwatched windows")
  }

  /// The part of an overlay that keeps its pixels in another state.
  private func keptPart(of window: Overlay, in state: OverlayState) -> Rect {
    guard window.isShown, let old = window.state, old.hasAlpha == state.hasAlpha else {
      return .zero
    }
    if old.rect == state.rect { return state.rect }
    if state.cover != nil { return .zero }
    return drawsOnScreen && !state.hasAlpha ? old.rect.intersection(state.rect) : .zero
  }

  /// Updates the visible part of each overlay, like an X server. Pixels that are covered are lost. Parts that
  /// become visible are reported, except for those of `overlay` that are drawn next.
  func updateVisibleParts(redrawing overlay: OverlayID? = nil, _ rects: [Rect] = []) {
    for (place, id) in order.map(\.id).enumerated() {
      let higher = order[(place + 1)...].filter { !$0.isOver }.compactMap { windows[$0.id] }
        .filter(\.isOpaque)
      let isOver = order[place].isOver
      change(id) { window in
        var visible = window.isShown ? Region(window.rect) : Region()
        if drawsOnScreen, window.isOpaque, !isOver { visible.subtract(Region(higher.map(\.rect))) }
        let exposed = visible.subtracting(window.visible)
        for lost in window.visible.subtracting(visible).rects + exposed.rects {
          window.lose(lost)
        }
        window.visible = visible
        let reported = id == overlay ? exposed.subtracting(Region(rects)) : exposed
        events += reported.rects.map { .exposed(id, $0) }
      }
    }
  }

  private func check(_ state: OverlayState) {
    let rect = state.rect
    require(!rect.isEmpty && bounds.contains(rect), "an overlay at \(rect) of \(bounds)")
    require(state.cover?.rect.contains(rect) != false, "an overlay at \(rect) beside its client")
    require(
      (state.inputRegion.rects + state.opaque.rects).allSatisfy { rect.contains($0) },
      "an overlay at \(rect) extends beyond itself")
  }
}

extension HeadlessDisplay.Overlay {
  /// Gives the overlay another rectangle. All pixels but those of `kept` are garbage then.
  fileprivate mutating func moveContents(to new: Rect, keeping kept: Rect) {
    visible = visible.intersection(kept)
    if kept == new, rect == new { return }
    var moved = Bitmap(width: new.width, height: new.height, filledWith: HeadlessDisplay.garbage)
    for y in kept.rows {
      for x in kept.columns { moved[x - new.x, y - new.y] = picture[x - rect.x, y - rect.y] }
    }
    picture = moved
  }

  /// Replaces the pixels of a part by garbage.
  mutating func lose(_ part: Rect) {
    let part = part.intersection(rect)
    for y in part.rows {
      for x in part.columns { picture[x - rect.x, y - rect.y] = HeadlessDisplay.garbage }
    }
  }

  /// Copies the pixels of an update. Traps if others were drawn.
  fileprivate mutating func put(_ update: HeadlessDisplay.Update) {
    var buffer = update.buffer
    let garbage = HeadlessDisplay.garbage
    for part in update.rects {
      for y in part.rows {
        for x in part.columns {
          let index = update.layout.index(x: x, y: y)
          picture[x - rect.x, y - rect.y] = buffer[index]
          buffer[index] = garbage
        }
      }
    }
    require(buffer.allSatisfy { $0 == garbage }, "\(name) is drawn outside \(update.rects)")
    for hidden in Region(update.rects).subtracting(visible).rects { lose(hidden) }
  }
}

extension HeadlessDisplay {
  /// An update in progress, and its buffer with the size of the overlay.
  struct Update {
    let overlay: OverlayID
    let state: OverlayState
    let rects: [Rect]
    /// The remaining rectangles to draw, the last one first.
    private var rest: [Rect]
    let layout: PixelLayout
    private(set) var buffer: [UInt32]

    var isDrawn: Bool { rest.isEmpty }

    init(_ overlay: OverlayID, _ state: OverlayState, _ rects: [Rect], inBands: Bool) {
      require(
        rects.allSatisfy { !$0.isEmpty && state.rect.contains($0) },
        "\(overlay), at \(state.rect), at \(rects)")
      require(Region(rects).area == rects.reduce(0) { $0 + $1.area }, "\(rects) overlap")
      self.overlay = overlay
      self.state = state
      self.rects = rects
      rest = (inBands ? rects.flatMap(halves) : rects).reversed()
      layout = PixelLayout(state.rect, stride: state.rect.width + rects.count % 2)
      buffer = [UInt32](repeating: HeadlessDisplay.garbage, count: layout.pixelCount)
    }

    /// Calls `draw` for some of the rectangles, or for halves of them.
    mutating func draw(
      _ pixelCount: Int, _ draw: (Rect, inout MutableSpan<UInt32>, PixelLayout) -> Void
    ) {
      let layout = layout
      var count = 0
      while count < pixelCount, let part = rest.popLast() {
        var pixels = buffer.mutableSpan
        draw(part, &pixels, layout)
        count += part.area
      }
    }
  }
}

/// A precondition whose message is also printed in release mode.
private func require(
  _ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line
) {
  if !condition { fatalError(message(), line: line) }
}

/// The upper and the lower half of a rectangle, without empty ones.
private func halves(of rect: Rect) -> [Rect] {
  let middle = rect.y + rect.height / 2
  return [Rect(rect.columns, rect.y..<middle), Rect(rect.columns, middle..<rect.maxY)]
    .filter { !$0.isEmpty }
}
