package import Engine
import Raster
package import TestDice

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
  case lostOverlayIsReportedOnce

  /// Throws `BrokenPromise`, or an error of the stage.
  package func check<Server: Display & ~Copyable>(on stage: DisplayStage<Server>) throws {
    let caller = try DisplayCaller(stage)
    let bounds = stage.bounds
    /// A rectangle in a grid of 8x8 on the screen.
    func cell(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Rect {
      let (columns, rows) = (bounds.width / 8, bounds.height / 8)
      return Rect(
        x: bounds.x + x * columns, y: bounds.y + y * rows, width: width * columns,
        height: height * rows)
    }
    let (left, right) = (cell(1, 1, 3, 3), cell(3, 2, 3, 3))
    func captureAll() throws {
      caller.startCapture(Region(bounds))
      try caller.endCapture()
    }
    func show(_ rect: Rect, _ color: UInt32) throws -> Int {
      let index = caller.addOverlay()
      caller.show(index, at: rect, color)
      try caller.settle()
      return index
    }
    switch self {
    case .answerComesAfterEarlierEvents:
      try captureAll()
      try caller.paint(left, 0xff_0000)
      try caller.awaitAnswer()
      try require(caller.stale.contains(left), "the answer came before the damage")
    case .changeIsReported:
      try captureAll()
      try require(caller.stale.isEmpty, "damage without a change")
      try caller.paint(left, 0x00_ff00)
      try caller.run("damage") { caller.stale.contains(left) }
      try caller.checkKnown("after a change")
    case .unwatchedChangeIsNotReported:
      try captureAll()
      stage.display.watch([conformanceView: Region(cell(6, 6, 2, 2))])
      try caller.awaitAnswer()
      let before = caller.stale
      try caller.paint(left, 0x00_ff00)
      try caller.awaitAnswer()
      try require(caller.stale == before, "damage of what is not watched")
    case .captureHasThePixels:
      try caller.paint(left, 0x12_3456)
      try caller.awaitAnswer()
      try captureAll()
      try caller.checkKnown("after a capture")
      try require(caller.stale.isEmpty, "\(caller.stale) was not captured")
    case .captureBelowAnOverlayHasThePixels:
      _ = try show(left, 0xc0_20a0)
      try caller.paint(cell(2, 2, 3, 3), 0x40_8060)
      try caller.awaitAnswer()
      try captureAll()
      try caller.checkKnown("below an overlay")
      try caller.checkScreen("with an overlay")
    case .changeDuringACaptureIsNotLost:
      for color in [0x80_0000, 0x00_8000, 0x00_0080] as [UInt32] {
        try caller.awaitAnswer()
        caller.startCapture(Region(bounds))
        try caller.paint(left, color)
        try caller.endCapture()
        try caller.awaitAnswer()
        try caller.checkKnown("after a change during a capture")
      }
    case .eachCaptureEndsOnce:
      for region in [Region(left), Region([left, cell(5, 5, 1, 1)]), Region(bounds)] {
        caller.startCapture(region)
        try caller.endCapture()
        try caller.awaitAnswer()
      }
      try require(caller.captures.count == 3, "\(caller.captures.count) ends of 3 captures")
      try require(caller.captures.allSatisfy(\.failed.isEmpty), "a capture has failed")
    case .updateIsShown:
      _ = try show(left, 0xd0_4030)
      try caller.checkScreen("after an update")
    case .updateOfAPartKeepsTheRest:
      let index = try show(left, 0xd0_4030)
      caller.recolor(index, cell(2, 2, 1, 1), 0x20_c0e0)
      try caller.settle()
      try caller.checkScreen("after an update of a part")
    case .movedOverlayLeavesNothing:
      let index = try show(left, 0xd0_4030)
      for rect in [right, cell(4, 1, 2, 4)] {
        caller.show(index, at: rect, 0x30_40d0)
        try caller.settle()
        try caller.checkScreen("after a move")
      }
    case .cancelledUpdateChangesNothing:
      let index = try show(left, 0xd0_4030)
      let shown = caller.overlays[index].picture
      // Several parts, so that one call does not draw all.
      for part in [cell(1, 1, 1, 1), cell(3, 3, 1, 1)] { caller.recolor(index, part, 0x10_f010) }
      try caller.run("a free buffer") { caller.beginUpdate(index) }
      let isDrawn = caller.continueUpdate(index, 1)
      try require(!isDrawn, "one pixel is the whole update")
      caller.cancelUpdate(index)
      try caller.awaitAnswer()
      let seen = try stage.server.screenshot(&stage.display)
      let pixels = [seen[left.x - bounds.x, left.y - bounds.y], shown[0, 0]]
      try require(
        levels(pixels[0], pixels[1]) <= stage.tolerance.shown, "a cancelled update is seen")
      try caller.settle()
      try caller.checkScreen("after a cancelled update")
    case .hiddenOverlayShowsTheBackdrop:
      let index = try show(left, 0xd0_4030)
      caller.hide(index)
      try caller.settle()
      try caller.checkScreen("after an overlay was hidden")
      caller.show(index, at: right, 0xd0_4030)
      try caller.settle()
      try caller.checkScreen("after it was shown again")
    case .removedOverlayShowsTheBackdrop:
      let index = try show(left, 0xd0_4030)
      caller.remove(index)
      try caller.settle()
      try caller.checkScreen("after an overlay was removed")
    case .orderDecidesWhatIsSeen:
      _ = try show(left, 0xd0_4030)
      _ = try show(right, 0x30_d040)
      try caller.checkScreen("with two overlays")
      caller.swapOverlays(0, 1)
      try caller.settle()
      try caller.checkScreen("in the other order")
    case .hiddenOverlayUncoversAnother:
      _ = try show(left, 0xd0_4030)
      let index = try show(right, 0x30_d040)
      caller.hide(index)
      try caller.settle()
      try caller.checkScreen("after the upper overlay was hidden")
    case .lostOverlayIsReportedOnce:
      let index = try show(left, 0xd0_4030)
      try stage.server.destroy(stage.display, caller.overlays[index].id)
      try caller.run("the loss") { caller.overlays[index].losses > 0 }
      try caller.settle()
      try caller.checkScreen("after a loss")
      try require(caller.overlays[index].losses == 1, "a loss was reported twice")
    }
  }
}

func require(_ condition: Bool, _ text: @autoclosure () -> String) throws(BrokenPromise) {
  if !condition { throw BrokenPromise(text()) }
}

/// Does anything that the protocol allows, in any order, and checks what is seen and known.
package func checkRandomCalls<Server: Display & ~Copyable>(
  on stage: DisplayStage<Server>, using dice: inout Dice, steps: Int
) throws {
  let caller = try DisplayCaller(stage)
  for _ in 0..<3 { _ = caller.addOverlay() }
  for step in 0..<steps {
    try act(caller, &dice)
    if step % 12 == 11 {
      if caller.isCapturing { try caller.endCapture() }
      try caller.settle()
      try caller.checkScreen("in step \(step)")
      try caller.checkKnown("in step \(step)")
    }
  }
}

private func act<Server: Display & ~Copyable>(
  _ caller: DisplayCaller<Server>, _ dice: inout Dice
) throws {
  let bounds = caller.stage.bounds
  let color = UInt32(dice.roll(0...0xff_ffff))
  let index = dice.roll(0...caller.overlays.count - 1)
  let isShown = caller.overlays[index].state != nil
  switch dice.roll(0...9) {
  case 0, 1: try caller.paint(dice.rect(in: bounds), color)
  case 2, 3: caller.show(index, at: dice.rect(in: bounds), color)
  case 4: if isShown { caller.recolor(index, dice.rect(in: bounds), color) }
  case 5: caller.hide(index)
  case 6: caller.swapOverlays(index, dice.roll(0...caller.overlays.count - 1))
  case 7: if !caller.isCapturing { caller.startCapture(Region(dice.rect(in: bounds))) }
  case 8: try caller.step()
  default:
    try caller.settle()
    if caller.overlays[index].isShown, dice.roll(0...2) == 0 {
      try caller.stage.server.destroy(caller.stage.display, caller.overlays[index].id)
    }
  }
}
