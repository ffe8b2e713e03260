package import Engine
import Raster

/// What `Display` promises to its caller.
package enum Promise: String, CaseIterable, Sendable {
  case answerComesAfterEarlierEvents
  case changeIsReported
  case unwatchedChangeIsNotReported
  case captureHasThePixels
  case captureBelowAnOverlayHasThePixels
  case changeDuringACaptureIsNotLost
  case eachCaptureEndsOnce
  case updateIsShown
  case updateOfAPartKeepsTheRest
  case movedOverlayLeavesNothing
  case cancelledUpdateChangesNothing
  case hiddenOverlayShowsTheBackdrop
  case removedOverlayShowsTheBackdrop
  case orderDecidesWhatIsSeen
  case hiddenOverlayUncoversAnother
  case removedOverlayUncoversOneThatHasJustMoved
  case lostOverlayIsReportedOnce
  case overlayMayBeDestroyedWhileItIsHidden

  /// Throws `BrokenPromise`, or an error of the stage.
  package func check<Server: Display & ~Copyable>(on stage: DisplayStage<Server>) throws {
    let caller = try DisplayCaller(stage)
    switch self {
    case .answerComesAfterEarlierEvents: try caller.checkAnswers()
    case .changeIsReported: try caller.checkChanges()
    case .unwatchedChangeIsNotReported: try caller.checkUnwatchedChanges()
    case .captureHasThePixels: try caller.checkCapture()
    case .captureBelowAnOverlayHasThePixels: try caller.checkCaptureBelowAnOverlay()
    case .changeDuringACaptureIsNotLost: try caller.checkChangesDuringCaptures()
    case .eachCaptureEndsOnce: try caller.checkEndsOfCaptures()
    case .updateIsShown: try caller.checkUpdates()
    case .updateOfAPartKeepsTheRest: try caller.checkUpdateOfAPart()
    case .movedOverlayLeavesNothing: try caller.checkMoves()
    case .cancelledUpdateChangesNothing: try caller.checkCancelledUpdates()
    case .hiddenOverlayShowsTheBackdrop: try caller.checkHiding()
    case .removedOverlayShowsTheBackdrop: try caller.checkRemoval()
    case .orderDecidesWhatIsSeen: try caller.checkOrder()
    case .hiddenOverlayUncoversAnother: try caller.checkUncovering()
    case .removedOverlayUncoversOneThatHasJustMoved: try caller.checkUncoveringAfterAMove()
    case .lostOverlayIsReportedOnce: try caller.checkLosses()
    case .overlayMayBeDestroyedWhileItIsHidden: try caller.checkHidingOfADestroyedOverlay()
    }
  }
}

// Two overlapping places, and one that overlaps neither.
extension DisplayCaller where Server: ~Copyable {
  private var left: Rect { cell(1, 1, 3, 3) }
  private var right: Rect { cell(3, 2, 3, 3) }
  private var corner: Rect { cell(6, 6, 2, 2) }

  /// A rectangle in a grid of 8x8 on the screen.
  private func cell(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Rect {
    let bounds = stage.bounds
    let (columns, rows) = (bounds.width / 8, bounds.height / 8)
    return Rect(
      x: bounds.x + x * columns, y: bounds.y + y * rows, width: width * columns,
      height: height * rows)
  }

  private func captureAll() throws {
    try startCapture(Region(stage.bounds))
    try endCapture()
  }

  /// Shows a new overlay. Returns its index.
  private func showOverlay(at rect: Rect, _ color: UInt32) throws -> Int {
    let index = addOverlay()
    show(index, at: rect, color)
    try settle()
    return index
  }

  // MARK: Events and captures

  fileprivate func checkAnswers() throws {
    try captureAll()
    try paint(left, 0xff_0000)
    try awaitAnswer()
    try require(stale.contains(left), "the answer came before the damage")
  }

  fileprivate func checkChanges() throws {
    try captureAll()
    try require(stale.isEmpty, "damage without a change")
    try paint(left, 0x00_ff00)
    try run("damage") { self.stale.contains(self.left) }
    try checkKnown("after a change")
  }

  fileprivate func checkUnwatchedChanges() throws {
    try captureAll()
    stage.display.watch([conformanceView: Region(corner)])
    try awaitAnswer()
    let before = stale
    try paint(left, 0x00_ff00)
    try awaitAnswer()
    try require(stale == before, "damage of what is not watched")
  }

  fileprivate func checkCapture() throws {
    try paint(left, 0x12_3456)
    try awaitAnswer()
    try captureAll()
    try checkKnown("after a capture")
    try require(stale.isEmpty, "\(stale) was not captured")
  }

  fileprivate func checkCaptureBelowAnOverlay() throws {
    _ = try showOverlay(at: left, 0xc0_20a0)
    try paint(right, 0x40_8060)
    try awaitAnswer()
    try captureAll()
    try checkKnown("below an overlay")
    try checkScreen("with an overlay")
  }

  fileprivate func checkChangesDuringCaptures() throws {
    for color in [0x80_0000, 0x00_8000, 0x00_0080] as [UInt32] {
      try awaitAnswer()
      try startCapture(Region(stage.bounds))
      try paint(left, color)
      try endCapture()
      try awaitAnswer()
      try checkKnown("after a change during a capture")
    }
  }

  fileprivate func checkEndsOfCaptures() throws {
    for region in [Region(left), Region([left, corner]), Region(stage.bounds)] {
      try startCapture(region)
      try endCapture()
      try awaitAnswer()
    }
    try require(captures.count == 3, "\(captures.count) ends of 3 captures")
    try require(captures.allSatisfy(\.failed.isEmpty), "a capture has failed")
  }

  // MARK: Overlays

  fileprivate func checkUpdates() throws {
    _ = try showOverlay(at: left, 0xd0_4030)
    try checkScreen("after an update")
  }

  fileprivate func checkUpdateOfAPart() throws {
    let index = try showOverlay(at: left, 0xd0_4030)
    recolor(index, cell(2, 2, 1, 1), 0x20_c0e0)
    try settle()
    try checkScreen("after an update of a part")
  }

  fileprivate func checkMoves() throws {
    let index = try showOverlay(at: left, 0xd0_4030)
    for rect in [right, cell(4, 1, 2, 4)] {
      show(index, at: rect, 0x30_40d0)
      try settle()
      try checkScreen("after a move")
    }
  }

  fileprivate func checkCancelledUpdates() throws {
    let index = try showOverlay(at: left, 0xd0_4030)
    let before = try stage.server.screenshot(&stage.display).cropped(to: left, of: stage.bounds)
    let parts = [cell(1, 1, 1, 1), cell(3, 3, 1, 1)]
    for pixelCount in [1, parts[0].area / 2, parts[0].area] {
      // Several parts, so that one call does not draw all.
      for part in parts { recolor(index, part, 0x10_f010) }
      try cancelUpdate(index, after: pixelCount)
      try require(!overlays[index].undrawn.isEmpty, "\(pixelCount) pixels are the whole update")
      try awaitAnswer()
      let seen = try stage.server.screenshot(&stage.display).cropped(to: left, of: stage.bounds)
      let isSame = zip(seen.pixels, before.pixels).allSatisfy {
        levels($0, $1) <= stage.tolerance.shown
      }
      try require(isSame, "a cancelled update is seen, after \(pixelCount) pixels")
    }
    try settle()
    try checkScreen("after a cancelled update")
  }

  fileprivate func checkHiding() throws {
    let index = try showOverlay(at: left, 0xd0_4030)
    hide(index)
    try settle()
    try checkScreen("after an overlay was hidden")
    show(index, at: right, 0xd0_4030)
    try settle()
    try checkScreen("after it was shown again")
  }

  fileprivate func checkRemoval() throws {
    let index = try showOverlay(at: left, 0xd0_4030)
    remove(index)
    try settle()
    try checkScreen("after an overlay was removed")
  }

  fileprivate func checkOrder() throws {
    _ = try showOverlay(at: left, 0xd0_4030)
    _ = try showOverlay(at: right, 0x30_d040)
    try checkScreen("with two overlays")
    swapOverlays(0, 1)
    try settle()
    try checkScreen("in the other order")
  }

  fileprivate func checkUncovering() throws {
    _ = try showOverlay(at: left, 0xd0_4030)
    let index = try showOverlay(at: right, 0x30_d040)
    hide(index)
    try settle()
    try checkScreen("after the upper overlay was hidden")
  }

  /// The server may not have shown the lower overlay at its new place when the upper one goes.
  fileprivate func checkUncoveringAfterAMove() throws {
    for flushes in [false, true] {
      let lower = try showOverlay(at: corner, 0xd0_4030)
      let upper = try showOverlay(at: right, 0x30_d040)
      show(lower, at: left, 0xd0_4030)
      try draw()
      if flushes { try stage.display.flush() } else { try step() }
      remove(upper)
      try settle()
      try checkScreen("after the upper overlay was removed")
      remove(lower)
    }
  }

  fileprivate func checkLosses() throws {
    let index = try showOverlay(at: left, 0xd0_4030)
    try stage.server.destroy(stage.display, overlays[index].id)
    try run("the loss") { self.overlays[index].losses > 0 }
    try settle()
    try checkScreen("after a loss")
    try require(overlays[index].losses == 1, "a loss was reported twice")
  }

  fileprivate func checkHidingOfADestroyedOverlay() throws {
    let index = try showOverlay(at: left, 0xd0_4030)
    try stage.server.destroy(stage.display, overlays[index].id)
    hide(index)
    try settle()
    try checkScreen("after an overlay was destroyed and hidden")
    show(index, at: right, 0xd0_4030)
    try settle()
    try checkScreen("after it was shown again")
    try require(overlays[index].losses == 0, "the loss of a hidden overlay was reported")
  }
}

/// Draws two overlays again and again while the server is stopped, until each is refused. Each is released when the server goes
/// on, without another request.
package func checkReleases<Server: Display & ~Copyable>(
  on stage: DisplayStage<Server>, stop: () throws -> Void, goOn: () throws -> Void
) throws {
  let caller = try DisplayCaller(stage)
  let place = Rect(x: stage.bounds.x, y: stage.bounds.y, width: 40, height: 30)
  for number in 0..<2 {
    let index = caller.addOverlay()
    caller.show(index, at: place.translated(x: 50 * number, y: 0), 0x80_4020)
  }
  try caller.settle()
  try stop()
  for index in 0..<2 {
    for step in 0..<4 where !caller.overlays[index].isRefused {
      let rect = caller.overlays[index].state?.rect ?? .zero
      caller.recolor(index, rect, UInt32(0x10_2030 + step))
      try caller.draw()
    }
    try stage.display.flush()
    try require(caller.overlays[index].isRefused, "a stopped server has endless buffers")
  }
  try goOn()
  try caller.run("the releases") { caller.overlays.allSatisfy { !$0.isRefused } }
  try caller.settle()
  try caller.checkScreen("after the releases")
}

extension Bitmap {
  /// The part of a picture of `bounds`.
  fileprivate func cropped(to rect: Rect, of bounds: Rect) -> Bitmap {
    Bitmap(
      width: rect.width, height: rect.height,
      pixels: rect.rows.flatMap { y in rect.columns.map { self[$0 - bounds.x, y - bounds.y] } })
  }
}

func require(_ condition: Bool, _ text: @autoclosure () -> String) throws(BrokenPromise) {
  if !condition { throw BrokenPromise(text()) }
}
