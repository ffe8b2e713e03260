import Frost
import Raster

/// Performs the steps of a painting.
extension Engine where Server: ~Copyable {
  /// Whether something is drawn in part, so that `step` continues it at once.
  package var isPainting: Bool { painting != nil }

  private var painting: Painting? { frame.painting ?? pictures }

  /// A painting that is not interrupted if the last one was cancelled.
  func makePainting(_ steps: [Painting.Step]) -> Painting {
    Painting(
      steps, isInterruptible: !wasPaintingCancelled, drawsOnScreen: server.drawsOnScreen)
  }

  /// Performs steps until nothing is left to draw, but for no longer than some milliseconds.
  mutating func continuePainting() {
    // A compositor has started or stopped. Parts that the steps leave out may be visible now.
    if let painting, painting.drawsOnScreen != server.drawsOnScreen {
      cancelPainting()
    }
    let start = clock()
    while let painting {
      while let step = painting.next {
        if perform(step) { painting.finishStep() }
        let isLate = clock() - start >= paintingTime
        if isLate, painting.isInterruptible, painting.next != nil { return }
      }
      endPainting()
    }
  }

  /// Enters the stage after a painting all of whose steps are finished.
  private mutating func endPainting() {
    wasPaintingCancelled = false
    let ended = frame
    switch ended {
    case .preparing, .drawing: frame = .idle
    case .idle, .capturing, .captured: pictures = nil
    }
    updateOutdatedLooks()
    switch ended {
    case .preparing(_, let attempt): startCapture(attempt: attempt)
    case .drawing(_, let framesBefore):
      if statistics.frames == framesBefore { statistics.unchangedFrames += 1 }
    case .idle, .capturing, .captured: break
    }
  }

  /// Ends a painting before its end, because the pixels that it draws from change. The rest stays undrawn. It is
  /// repeated without an interruption, so that no sequence of changes delays it for ever.
  mutating func cancelPainting() {
    guard let painting else { return }
    if frame.painting == nil { pictures = nil } else { frame = .idle }
    wasPaintingCancelled = true
    for step in painting.rest {
      switch step {
      case .compose: break
      case .update(let drawing):
        if drawing.isBegun { server.cancelUpdate(drawing.entry.overlay) }
        drawing.entry.undrawn.form(union: drawing.undrawn)
      case .picture(let drawing):
        snapshots.append(drawing.request)
      }
    }
  }

  /// Performs a step, or a part of it. Returns whether it is finished.
  private mutating func perform(_ step: Painting.Step) -> Bool {
    switch step {
    case .compose(let pane, let region, let canvas):
      let start = clock()
      canvas.draw(pane, in: region)
      statistics.drawing += clock() - start
      return true
    case .update(let drawing):
      return update(drawing)
    case .picture(let drawing):
      guard let picture = drawing.append(pixels(of: drawing)) else { return false }
      report(.completed(.picture(drawing.request.ticket, picture)))
      return true
    }
  }

  /// The pixels of the next band of a picture.
  private mutating func pixels(of drawing: PictureDrawing) -> [UInt32] {
    let band = drawing.nextBand
    var picture = Bitmap(width: band.width, height: band.height)
    switch drawing.source {
    case .pane(let pane):
      var pixels = picture.pixels.mutableSpan
      pane.draw(band, over: windowPixels(of: pane), into: &pixels, PixelLayout(band))
    case .backdrop(let view, _):
      server.withCaptured(band, of: view) { pixels, layout in
        picture = Bitmap(band, of: pixels, layout)
      }
      if let index = entryIndex(of: drawing.request), board.entries[index].backdrop.isComposed {
        var pixels = picture.pixels.mutableSpan
        drawPanes(belowEntry: index, over: &pixels, PixelLayout(band))
      }
      for i in picture.pixels.indices { picture.pixels[i] |= 0xff00_0000 }
    }
    return picture.pixels
  }

  /// Draws a part of a pane. When all parts are drawn, they are sent. If the server still reads all buffers of the
  /// overlay, they stay undrawn. Returns whether the update has ended.
  private mutating func update(_ drawing: OverlayDrawing) -> Bool {
    let entry = drawing.entry
    let state = drawing.drawn.layout.state
    if drawing.parts.rects.isEmpty, entry.shownState == state { return true }
    if !drawing.isBegun {
      guard server.beginUpdate(entry.overlay, state, drawing.parts.rects) else {
        entry.undrawn.form(union: drawing.undrawn)
        entry.overlayPhase = .awaitingRelease(entry.shownState ?? state)
        return true
      }
      drawing.isBegun = true
    }
    if !draw(drawing) { return false }
    if entry.shownState?.rect != state.rect { watch.invalidate() }
    entry.overlayPhase = .mapped(state)
    entry.frames += 1
    statistics.frames += 1
    return true
  }

  /// Draws a part of a pane. Returns whether all parts are drawn and sent.
  private mutating func draw(_ drawing: OverlayDrawing) -> Bool {
    let start = clock()
    let (drawn, parts, canvas) = (drawing.drawn, drawing.parts, drawing.canvas)
    let threads = threads(for: drawing.undrawn.area)
    let backdrop = drawn.pixelKey.flatMap { store.pixelGrid($0) }
    let windowPixels = windowPixels(of: drawn)
    var time = Duration.zero
    let isDone = server.continueUpdate(drawing.entry.overlay, drawn.bandArea) {
      [clock] rect, pixels, layout in
      let start = clock()
      switch parts.kind(of: rect) {
      case .glass:
        drawn.draw(rect, over: windowPixels, into: &pixels, layout, threads: threads)
      case .soft:
        drawn.draw(rect, into: &pixels, layout)
        backdrop?.compose(rect, of: &pixels, layout)
      case .shared:
        canvas?.copy(rect, into: &pixels, layout)
      }
      time += clock() - start
    }
    statistics.drawing += time
    statistics.presenting += clock() - start - time
    return isDone
  }
}

/// The time for which the steps of a painting may delay the clients. One more step may follow.
private let paintingTime = Duration.milliseconds(4)
