import Engine
import Raster

/// The view that is watched and captured.
let conformanceView = View.belowPanes(.normal)

/// A caller of a display that does what the protocol demands, as the engine does: it draws overlays again that have lost
/// pixels, and captures again what was damaged. It has models of the backdrop and of the overlays.
final class DisplayCaller<Server: Display & ~Copyable> {
  let stage: DisplayStage<Server>
  /// What is below the overlays.
  private(set) var backdrop: Bitmap
  /// The pixels that the captures have shown.
  private(set) var known: Bitmap
  /// Where the captured pixels may be old, as far as the display has told.
  private(set) var stale: Region
  private(set) var overlays: [Overlay] = []
  /// The regions of the captures that ended, and what they could not read.
  private(set) var captures: [(region: Region, failed: Region)] = []
  private var capturing: Region?
  /// The region of the capture in progress, or of the last one.
  private var lastCaptured = Region()
  private var answers: Set<AnswerID> = []

  struct Overlay {
    let id: OverlayID
    var state: OverlayState?
    var picture = Bitmap(width: 0, height: 0)
    var undrawn = Region()
    /// What it covers, and the way from where it was drawn to where it will be.
    var covered = Region()
    /// Whether the display shows it.
    var isShown = false
    /// Whether an update was refused and `released` has not followed.
    var isRefused = false
    /// The number of times that it was lost.
    var losses = 0
  }

  /// The region whose changes the display reports.
  private var watched = Region()

  /// Watches all of the screen.
  init(_ stage: DisplayStage<Server>) throws {
    self.stage = stage
    let bounds = stage.bounds
    backdrop = Bitmap(width: bounds.width, height: bounds.height)
    known = backdrop
    stale = Region(bounds)
    try paint(bounds, 0x30_60_90)
    watch(Region(bounds))
    try settle()
  }

  /// Sets the region whose changes are reported, and which may be captured. What overlays cover is watched in any case: a
  /// server may lose pixels below them.
  func watch(_ region: Region) {
    watched = overlays.reduce(region) { $0.union($1.covered) }
    stage.display.watch([conformanceView: watched])
    stale.form(union: Region(stage.bounds).subtracting(watched))
  }

  // MARK: Backdrop

  func paint(_ rect: Rect, _ color: UInt32) throws {
    fill(rect, of: &backdrop, at: stage.bounds, color)
    try stage.server.paint(rect, color)
  }

  /// Starts a capture of the watched part of a region, and sends it. None may be in progress.
  func startCapture(_ region: Region) throws {
    let region = region.intersection(watched)
    if region.isEmpty { return }
    (capturing, lastCaptured) = (region, region)
    stale.subtract(region)
    stage.display.startCapture([conformanceView: region])
    try stage.display.flush()
  }

  var isCapturing: Bool { capturing != nil }

  func endCapture() throws {
    try run("the end of a capture") { !self.isCapturing }
  }

  private func takeCapture(_ failed: Region) {
    guard let region = capturing else { return captures.append((Region(), failed)) }
    capturing = nil
    captures.append((region, failed))
    stale.form(union: failed)
    let bounds = stage.bounds
    for rect in region.subtracting(failed).rects {
      stage.display.withCaptured(rect, of: conformanceView) { pixels, layout in
        for y in rect.rows {
          for x in rect.columns {
            known[x - bounds.x, y - bounds.y] = pixels[layout.index(x: x, y: y)] & 0xff_ffff
          }
        }
      }
    }
  }

  // MARK: Overlays

  func addOverlay() -> Int {
    let id = stage.display.makeOverlay("overlay \(overlays.count)")
    overlays.append(Overlay(id: id))
    setOrder()
    return overlays.count - 1
  }

  /// Gives the display the order of the overlays, the lowest first.
  func setOrder() {
    let order = overlays.map { StackedOverlay($0.id, .normal) }
    stage.display.setOrder(order)
  }

  func swapOverlays(_ one: Int, _ other: Int) {
    overlays.swapAt(one, other)
    setOrder()
  }

  /// Shows an overlay at a rectangle, in one colour. It is visible only in `shape`, a part of the rectangle.
  func show(_ index: Int, at rect: Rect, _ color: UInt32, shape: Region? = nil) {
    overlays[index].state = OverlayState(
      rect: rect, shape: shape, hasAlpha: false, opaque: shape ?? Region(rect),
      inputRegion: Region())
    overlays[index].picture = Bitmap(
      width: rect.width, height: rect.height, filledWith: color | 0xff00_0000)
    overlays[index].undrawn = Region(rect)
    let covered = overlays[index].covered.bounds
    overlays[index].covered = Region(covered.isEmpty ? rect : covered.hull(rect))
    if !overlays[index].covered.subtracting(watched).isEmpty { watch(watched) }
  }

  /// Changes a part of a shown overlay.
  func recolor(_ index: Int, _ part: Rect, _ color: UInt32) {
    guard let rect = overlays[index].state?.rect else { return }
    fill(part, of: &overlays[index].picture, at: rect, color | 0xff00_0000)
    overlays[index].undrawn.form(union: part.intersection(rect))
  }

  func hide(_ index: Int) {
    let overlay = overlays[index]
    overlays[index].state = nil
    (overlays[index].undrawn, overlays[index].covered) = (Region(), Region())
    (overlays[index].isShown, overlays[index].isRefused) = (false, false)
    if overlay.isShown { stage.display.hide(overlay.id) }
  }

  func remove(_ index: Int) {
    let id = overlays.remove(at: index).id
    stage.display.removeOverlay(id)
    setOrder()
  }

  /// Begins an update. Returns false if the display refuses it now.
  func beginUpdate(_ index: Int) -> Bool {
    let overlay = overlays[index]
    guard let state = overlay.state else { return false }
    return stage.display.beginUpdate(overlay.id, state, overlay.undrawn.rects)
  }

  /// Draws a part of the update in progress. Returns whether it has ended.
  func continueUpdate(_ index: Int, _ pixelCount: Int) -> Bool {
    let overlay = overlays[index]
    let rect = overlay.state?.rect ?? .zero
    return stage.display.continueUpdate(overlay.id, pixelCount) { part, pixels, layout in
      for y in part.rows {
        for x in part.columns {
          pixels[layout.index(x: x, y: y)] = overlay.picture[x - rect.x, y - rect.y]
        }
      }
    }
  }

  /// Begins an update of an overlay, draws some of it and ends it before its end. Nothing of it may be seen.
  func cancelUpdate(_ index: Int, after pixelCount: Int) throws {
    if overlays[index].undrawn.isEmpty || overlays[index].isRefused { return }
    guard beginUpdate(index) else { return overlays[index].isRefused = true }
    if continueUpdate(index, pixelCount) {
      markDrawn(index)
    } else {
      stage.display.cancelUpdate(overlays[index].id)
    }
  }

  /// Draws all that is not drawn, as far as the display allows.
  func draw() throws {
    for index in overlays.indices
    where !overlays[index].undrawn.isEmpty && !overlays[index].isRefused {
      guard beginUpdate(index) else {
        overlays[index].isRefused = true
        continue
      }
      var calls = 0
      while !continueUpdate(index, 300) {
        calls += 1
        if calls > 100_000 { throw BrokenPromise("an update does not end") }
      }
      markDrawn(index)
    }
  }

  private func markDrawn(_ index: Int) {
    overlays[index].undrawn = Region()
    overlays[index].isShown = true
    overlays[index].covered = overlays[index].state.map { Region($0.rect) } ?? Region()
  }

  // MARK: Events

  /// Lets the display work, and handles its events.
  func step() throws { for event in try stage.server.step(&stage.display) { handle(event) } }

  private func handle(_ event: DisplayEvent) {
    switch event {
    case .damaged(conformanceView, let region, let isCaptured):
      stale.form(union: isCaptured ? region.subtracting(lastCaptured) : region)
    case .captured(let failed): takeCapture(failed[conformanceView] ?? Region())
    case .answered(let id): answers.insert(id)
    case .exposed(let id, let rect):
      change(id) { overlay in
        if let state = overlay.state {
          overlay.undrawn.form(union: rect.intersection(state.rect))
        }
      }
    case .released(let id): change(id) { $0.isRefused = false }
    case .lost(let id):
      change(id) { overlay in
        overlay.losses += 1
        (overlay.isShown, overlay.isRefused) = (false, false)
        overlay.undrawn = overlay.state.map { Region($0.rect) } ?? Region()
      }
    default: break
    }
  }

  private func change(_ id: OverlayID, _ body: (inout Overlay) -> Void) {
    guard let index = overlays.firstIndex(where: { $0.id == id }) else { return }
    body(&overlays[index])
  }

  /// Steps until a condition holds.
  func run(_ what: String, until isDone: () throws -> Bool) throws {
    for _ in 0..<4000 {
      if try isDone() { return }
      try step()
    }
    throw BrokenPromise("does not come: \(what)")
  }

  /// Waits for the answer to a request, which comes after all events that were caused before.
  func awaitAnswer() throws {
    let id = stage.display.requestAnswer()
    try run("an answer") { self.answers.contains(id) }
  }

  /// Draws all overlays, and steps until the display tells nothing more.
  func settle() throws {
    for _ in 0..<100 {
      try run("the release of a buffer") {
        try self.draw()
        return self.overlays.allSatisfy { $0.undrawn.isEmpty }
      }
      try awaitAnswer()
      if stage.display.isLearning { continue }
      if overlays.allSatisfy({ $0.undrawn.isEmpty }) { return }
    }
    throw BrokenPromise("overlays lose pixels without end")
  }

  // MARK: Models

  /// What the user should see.
  var picture: Bitmap {
    var picture = backdrop
    let bounds = stage.bounds
    for overlay in overlays {
      guard let state = overlay.state else { continue }
      for part in state.opaque.rects {
        for y in part.rows {
          for x in part.columns {
            picture[x - bounds.x, y - bounds.y] =
              overlay.picture[x - state.rect.x, y - state.rect.y]
          }
        }
      }
    }
    return picture
  }

  /// Throws if the user sees something else.
  func checkScreen(_ when: String) throws {
    let shown = try stage.server.screenshot(&stage.display)
    try check(
      shown, picture, in: Region(stage.bounds), "the screen \(when)", stage.tolerance.shown)
  }

  /// Throws if a pixel was captured that was never right, or has changed without a report.
  func checkKnown(_ when: String) throws {
    let fresh = Region(stage.bounds).subtracting(stale)
    try check(
      known, backdrop, in: fresh, "a captured pixel \(when)", stage.tolerance.captured)
  }

  private func check(
    _ one: Bitmap, _ other: Bitmap, in region: Region, _ what: String, _ tolerance: Int
  ) throws {
    let bounds = stage.bounds
    for rect in region.rects {
      for y in rect.rows {
        for x in rect.columns {
          let (a, b) = (one[x - bounds.x, y - bounds.y], other[x - bounds.x, y - bounds.y])
          if levels(a, b) <= tolerance { continue }
          let (seen, wanted) = (String(a, radix: 16), String(b, radix: 16))
          throw BrokenPromise("\(what): \(seen), not \(wanted), at \(x),\(y)")
        }
      }
    }
  }
}

/// The largest difference of the colours of two pixels.
func levels(_ one: UInt32, _ other: UInt32) -> Int {
  [0, 8, 16].map { abs(Int(one >> $0 & 255) - Int(other >> $0 & 255)) }.max() ?? 0
}

/// Fills a part of a picture at a place.
private func fill(_ part: Rect, of picture: inout Bitmap, at place: Rect, _ color: UInt32) {
  let part = part.intersection(place)
  for y in part.rows { for x in part.columns { picture[x - place.x, y - place.y] = color } }
}
