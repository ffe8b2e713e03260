import Engine
import Frost
import Panes
import Raster
import WaylandClient

/// An output: its state, its captures and the pixels below our overlays.
final class MonitoredOutput {
  let id: OutputID
  let object: WaylandObject
  let xdgObject: WaylandObject?
  /// Whether its version has a request that destroys it.
  let canRelease: Bool
  /// The events so far, and the state at the last `done`.
  var pending, state: OutputState
  /// The place in the space of pixels; nil if it shows nothing.
  var output: Output?
  private(set) var backdrop = OutputBackdrop()
  /// What is watched: what panes depend on, and what overlays cover.
  private(set) var watched = Region()
  var capture: OutputCapture
  /// How glass is shown: what captures are for.
  var way: GlassWay
  /// The test of the compositor by the last capture; nil if none is needed any more.
  private(set) var test: LeakTest? = LeakTest()
  /// Whether the last capture showed pixels around overlays, and no change of them.
  private(set) var areSurroundingsStill = false
  /// The progress of a refresh of still glass.
  private var refresh = Refresh.none

  private enum Refresh {
    case none
    /// Its overlays become clear.
    case blanking
    /// All that is watched is captured.
    case capturing
  }
  private var plan = CaptureArea()
  /// The number of the capture in progress, or of the last one.
  private(set) var captureNumber = 0
  /// Whether the next capture must not wait for a change.
  private var needsFrame = false
  /// Whether the capture in progress waits for a change.
  private var isWaiting = false
  /// Why no capture starts; nil if one may.
  private(set) var pause: CapturePause?
  /// Whether the compositor is believed when it says that an overlay is visible again.
  private var trustsRevivals = true
  private var wasRevived = false
  /// The pauses after captures that fail in a row.
  private var retry = RetryPause()
  /// Overlays that were destroyed; a capture may show them until the compositor has answered.
  private var departed: [(rect: Rect, answer: WaylandObject)] = []
  /// Parts of overlays that something covered, so that a change below may have been missed.
  private var deferred = Region()
  /// Where overlays were before they moved or disappeared, since the last commit.
  var leftRegion = Region()
  /// Whether an overlay appeared, moved, disappeared or got another layer since the last commit.
  var isStackOutdated = false
  /// The time at which changes of the backdrop are committed that no update of the engine includes; nil if there are none.
  var leakDeadline: Duration?
  /// The number of times that overlays were committed, and that a capture has shown that.
  private(set) var commitCount = 0
  private(set) var confirmedCount = 0

  init(
    _ id: OutputID, _ object: WaylandObject, xdg: WaylandObject?, canRelease: Bool, _ way: GlassWay,
    _ capture: consuming OutputCapture
  ) {
    self.id = id
    self.object = object
    xdgObject = xdg
    self.canRelease = canRelease
    self.way = way
    pending = OutputState(name: "output-\(id.global)")
    state = pending
    self.capture = capture
  }

  var bounds: Rect { output?.bounds ?? .zero }

  // MARK: Watching

  /// Sets what is watched, in the coordinates of the display.
  func watch(_ region: Region, _ connection: borrowing WaylandConnection) {
    watched = region.intersection(bounds)
    deferred = deferred.intersection(watched)
    backdrop.keep(watched, on: bounds)
    if watched.isEmpty {
      // With nothing to see, nothing wakes this process.
      capture.cancel(connection)
      capture.discardBuffer(connection)
      // No capture will show the last commit of an overlay that was hidden.
      confirmCommits()
    }
    if pause?.isTimed == false { pause = nil }
  }

  /// Forgets the backdrop, because the output has changed.
  func forget(_ connection: borrowing WaylandConnection) {
    backdrop.forget()
    (watched, deferred, leftRegion) = (Region(), Region(), Region())
    plan = CaptureArea()
    refresh = .none
    pause = nil
    retry = RetryPause()
    capture.cancel(connection)
  }

  /// Notes that an overlay was destroyed.
  func noteDeparture(_ rect: Rect, _ connection: borrowing WaylandConnection) {
    departed.append((rect, connection.requestSync()))
    leftRegion.form(union: rect)
    isStackOutdated = true
    needsFrame = true
  }

  /// Whether an object is the answer to a departure.
  func takeAnswer(_ object: WaylandObject, _ connection: borrowing WaylandConnection) -> Bool {
    guard let index = departed.firstIndex(where: { $0.answer == object }) else { return false }
    connection.release(object)
    departed.remove(at: index)
    return true
  }

  /// Ends all requests in progress.
  func close(_ connection: borrowing WaylandConnection) {
    capture.cancel(connection)
    capture.discardBuffer(connection)
    for one in departed { connection.release(one.answer) }
    departed = []
  }

  // MARK: Captures

  /// Whether a capture may be made now.
  var canCapture: Bool { !watched.isEmpty && pause == nil && way != .handedOver }

  /// Starts the next capture, if something is watched.
  func continueCapture(_ connection: borrowing WaylandConnection, now: Duration) {
    guard !watched.isEmpty, way != .handedOver else { return }
    if let pause {
      guard let end = pause.end, end <= now else { return }
      if case .covered = pause {} else { needsFrame = true }
      self.pause = nil
    }
    let unknown = watched.subtracting(backdrop.known)
    let waits = !needsFrame && unknown.isEmpty
    // Still pictures follow no change.
    if waits, way == .still { return }
    // A change may never come, so it must not be awaited for pixels that are needed now.
    if isWaiting, !waits { capture.cancel(connection) }
    guard capture.isIdle else { return }
    let needed = needsFrame ? watched.bounds : unknown.bounds.hull(deferred.bounds)
    plan.choose(needed: needed, watched: watched.bounds, waits: waits, on: state, bounds)
    capture.start(connection, part: plan.logical, waitsForDamage: waits)
    isWaiting = waits
    needsFrame = false
    captureNumber += 1
  }

  /// Requests a capture of all that is watched and that does not wait for a change. Returns its number; nil if none can
  /// be made now.
  func requestFrame(_ connection: borrowing WaylandConnection, now: Duration) -> Int? {
    if !canCapture || way == .still { return nil }
    capture.cancel(connection)
    needsFrame = true
    continueCapture(connection, now: now)
    return captureNumber
  }

  /// Ends a capture that waits for a change.
  func stopWaiting(_ connection: borrowing WaylandConnection) {
    if isWaiting { capture.cancel(connection) }
  }

  /// Notes that no capture can be made for some time.
  func noteFailure(now: Duration) {
    pause = .failed(since: now, until: now + retry.next())
  }

  /// Notes that the compositor shows our overlays again.
  func resume(now: Duration) {
    switch pause {
    case nil: return
    // It was said too early.
    case .covered(.some): return
    case .covered(nil): wasRevived = true
    case .failed(let since, let end):
      // If captures still fail, this must not be repeated at each frame.
      let early = since + CapturePause.shortTime
      if early > now { return pause = .failed(since: since, until: min(early, end)) }
      wasRevived = false
    }
    pause = nil
    needsFrame = true
  }

  /// Notes that overlays were committed, which changes a region.
  func noteCommit(of region: Region, _ connection: borrowing WaylandConnection) {
    commitCount += 1
    plan.note(region.bounds)
    // A capture that does not show the change could not confirm it.
    if !capture.isIdle, !plan.part.contains(region.intersection(bounds).bounds) {
      capture.cancel(connection)
    }
  }

  /// Notes that a capture has shown all commits.
  func confirmCommits() { confirmedCount = commitCount }

  func withBackdrop<Result, Failure: Error>(
    _ body: (borrowing OutputBackdrop) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(backdrop)
  }

  // MARK: Absorbing

  /// Updates the backdrop from a capture. `damage` is what has changed on the screen, in native pixels; empty if the capture
  /// did not wait. Returns where the backdrop changed.
  func absorb(
    damage: [Rect], below surfaces: [OverlaySurface], now: Duration
  ) -> Region {
    guard let buffer = capture.buffer, let output else { return Region() }
    let captured = CapturedPart(
      transform: state.turn, native: plan.native(of: state), stride: buffer.layout.stride,
      isInverted: capture.isInverted)
    let size = (buffer.layout.bounds.width, buffer.layout.bounds.height)
    guard size == (captured.native.width, captured.native.height) else {
      if plan.logical == nil {
        noteFailure(now: now)
      } else {
        // Of a part some compositors round the edges in another way.
        plan.capturesParts = false
        needsFrame = true
      }
      return Region()
    }
    retry = RetryPause()
    let changed = Region(damage.map { plan.place(ofNative: $0, of: state, output.bounds) })
      .intersection(watched)
    plan.note(changed.bounds)
    backdrop.outdate(changed.subtracting(Region(plan.part)))
    let area =
      way == .still
      ? watched.subtracting(backdrop.known)
      : damage.isEmpty
        ? watched
        : changed.union(deferred)
          .union(watched.subtracting(backdrop.known))
    return buffer.withSpan { pixels in
      if captured.isSeenAsCaptured {
        return absorb(
          area, pixels, captured.layout(at: output.bounds), below: surfaces, now: now)
      }
      var seen = Array(repeating: UInt32(0), count: plan.part.area)
      var span = seen.mutableSpan
      let corner = (x: output.bounds.x, y: output.bounds.y)
      let part = plan.part.translated(x: -corner.x, y: -corner.y)
      captured.copy(part, from: pixels, to: &span, PixelLayout(part))
      return absorb(area, seen.span, PixelLayout(plan.part), below: surfaces, now: now)
    }
  }

  /// The same with the pixels of the screen as they are seen.
  private func absorb(
    _ area: Region, _ screen: Span<UInt32>, _ layout: PixelLayout,
    below surfaces: [OverlaySurface], now: Duration
  ) -> Region {
    if way == .still { return absorbStill(area, screen, layout, below: surfaces) }
    var uncertain = Region(departed.map(\.rect))
    var appeared: [Face] = []
    for surface in surfaces {
      if surface.attribute(screen, layout, in: plan.part) {
        if let face = surface.displayed { appeared.append(face) }
        continue
      }
      // Whether it is a part of the picture is not known: it has no marks.
      if let face = surface.committed, face.marks.isEmpty {
        uncertain.form(union: face.rect)
        if let rect = surface.displayed?.rect { uncertain.form(union: rect) }
      }
    }
    if surfaces.allSatisfy({ $0.committed == nil }) { confirmCommits() }
    let covers = surfaces.map { CoveredTiles($0, on: screen, layout, in: plan.part) }
    if !covers.isEmpty, covers.allSatisfy(\.isWhole), covers.contains(where: \.hasMarks) {
      // A lock screen, or a fullscreen window: the pixels are not those of a backdrop.
      if wasRevived { trustsRevivals = false }
      pause = .covered(until: trustsRevivals ? nil : now + CapturePause.shortTime)
      return Region()
    }
    (trustsRevivals, wasRevived) = (true, false)
    let hidden = covers.reduce(Region()) { $0.union($1.region) }
    deferred = deferred.subtracting(Region(plan.part)).union(hidden.intersection(watched))
    let readable = area.intersection(plan.part).subtracting(uncertain)
    backdrop.outdate(uncertain)
    if test != nil {
      let test = compare(appeared, in: readable.subtracting(hidden), screen, layout)
      self.test = test
      // The pixels cannot be recovered.
      if test.verdict == .different { return Region() }
    }
    var changed: [Rect] = []
    let faces = surfaces.compactMap(\.displayed)
    for (index, face) in faces.enumerated() {
      var own = readable.intersection(face.owned).subtracting(hidden)
      // Through two overlays the backdrop cannot be recovered.
      for (other, one) in faces.enumerated() where other != index { own.subtract(one.owned) }
      for part in own.rects { changed += recover(part, face, screen, layout) }
      fillMarks(of: surfaces.first { $0.displayed?.buffer === face.buffer }, in: own)
    }
    let covered = faces.reduce(Region()) { $0.union($1.owned) }
    let around = readable.subtracting(covered).rects
    let changedAround = around.map { backdrop.copy($0, of: screen, layout) }.filter { !$0.isEmpty }
    areSurroundingsStill = !around.isEmpty && changedAround.isEmpty
    changed += changedAround
    backdrop.note(readable)
    return Region(changed)
  }

  /// Compares the screen with what it should be where overlays were committed over the backdrop.
  private func compare(
    _ faces: [Face], in region: Region, _ screen: Span<UInt32>, _ layout: PixelLayout
  ) -> LeakTest {
    var test = LeakTest()
    for face in faces {
      for part in region.intersection(face.owned).rects where test.count < Self.testedCount {
        let part = Rect(part.columns, part.y..<min(part.maxY, part.y + Self.testedRows))
        let backdrop = backdrop
        face.buffer.withSpan { overlay in
          test.compare(
            part, ofScreen: screen, layout, overlay: overlay, face.layout,
            over: backdrop.pixels.span, backdrop.layout)
        }
      }
    }
    return test
  }

  /// Some pixels are enough.
  private static let testedCount = 1 << 15
  private static let testedRows = 64

  /// Ends the test.
  func endTest() { test = nil }

  var isRefreshing: Bool { if case .none = refresh { false } else { true } }

  /// Begins to capture all that is watched again. Its overlays must be clear until `endRefreshing`.
  func beginRefreshing() { refresh = watched.isEmpty ? .none : .blanking }

  /// Forgets what is watched, because its overlays are clear on the screen.
  func forgetBackdrop() {
    guard case .blanking = refresh else { return }
    refresh = .capturing
    backdrop.outdate(watched)
  }

  /// Notes that all is captured again, if so. Returns whether it is.
  func endRefreshing() -> Bool {
    guard case .capturing = refresh, watched.subtracting(backdrop.known).isEmpty else {
      return false
    }
    refresh = .none
    return true
  }

  /// Copies pixels of the screen where no overlay is.
  private func absorbStill(
    _ area: Region, _ screen: Span<UInt32>, _ layout: PixelLayout, below surfaces: [OverlaySurface]
  ) -> Region {
    let faces = surfaces.flatMap { [$0.displayed, $0.committed].compactMap(\.self) }
    let covered = faces.reduce(Region(departed.map(\.rect))) { $0.union($1.owned) }
    let readable = area.intersection(plan.part).subtracting(covered)
    let changed = readable.rects.map { backdrop.copy($0, of: screen, layout) }
    // What an overlay hides stays as it was.
    backdrop.note(area.intersection(plan.part).subtracting(Region(departed.map(\.rect))))
    return Region(changed.filter { !$0.isEmpty })
  }

  private func recover(
    _ part: Rect, _ face: Face, _ screen: Span<UInt32>, _ screenLayout: PixelLayout
  ) -> [Rect] {
    backdrop.withPixels { pixels, layout in
      face.buffer.withSpan { overlay in
        recoverBackdrop(
          part, fromScreen: screen, screenLayout, below: overlay, face.layout, into: &pixels,
          layout
        ).changed
      }
    }
  }

  /// Below marks the backdrop cannot be seen.
  private func fillMarks(of surface: OverlaySurface?, in region: Region) {
    for mark in surface?.marks.values.map(\.self) ?? [] {
      guard region.contains(Rect(x: mark.x, y: mark.y, width: 1, height: 1)) else { continue }
      let right = Rect(x: mark.x + 1, y: mark.y, width: 1, height: 1)
      backdrop.fill(
        x: mark.x, y: mark.y, from: region.contains(right) ? mark.x + 1 : mark.x - 1)
    }
  }
}

/// The tiles of a displayed overlay that something covers, as their marks tell.
private struct CoveredTiles {
  /// The tiles that are captured and whose marks cannot be seen.
  let region: Region
  /// Whether no mark can be seen, and whether one was captured.
  let isWhole, hasMarks: Bool

  init(
    _ surface: OverlaySurface, on screen: Span<UInt32>, _ layout: PixelLayout, in part: Rect
  ) {
    let marks = surface.marks.filter { part.contains(x: $0.value.x, y: $0.value.y) }
    let hidden = marks.filter { !$0.value.isVisible(on: screen, layout) }
    region = Region(hidden.keys.map { surface.rect(ofTile: $0) }).intersection(surface.owned)
    hasMarks = !marks.isEmpty
    isWhole = hidden.count == marks.count
  }
}

/// Why no capture of an output starts.
enum CapturePause: Equatable {
  /// The last one failed: the output may be off.
  case failed(since: Duration, until: Duration)
  /// Something covers all overlays. If no time is given, the compositor tells when one is visible again.
  case covered(until: Duration?)

  /// The least pause of captures that are made in vain, where a compositor says that overlays are visible.
  static let shortTime = Duration.milliseconds(200)

  var end: Duration? {
    switch self {
    case .failed(_, let end): end
    case .covered(let end): end
    }
  }

  var isTimed: Bool { end != nil }
}
