package import Engine
import Raster
package import TestDice

/// Paints, captures, and shows, draws, cancels, hides, removes and restacks overlays in any order, and checks what is seen and known.
package func checkRandomCalls<Server: Display & ~Copyable>(
  on stage: DisplayStage<Server>, using dice: inout Dice, steps: Int
) throws {
  let caller = try DisplayCaller(stage)
  for _ in 0..<3 { _ = caller.addOverlay() }
  for step in 0..<steps {
    try caller.act(&dice)
    if step % 12 == 11 {
      if caller.isCapturing { try caller.endCapture() }
      try caller.settle()
      try caller.checkScreen("in step \(step)")
      try caller.checkKnown("in step \(step)")
    }
  }
}

extension DisplayCaller where Server: ~Copyable {
  fileprivate func act(_ dice: inout Dice) throws {
    let bounds = stage.bounds
    let color = UInt32(dice.roll(0...0xff_ffff))
    let index = dice.roll(0...overlays.count - 1)
    switch dice.roll(0...11) {
    case 0, 1: try paint(dice.rect(in: bounds), color)
    case 2, 3: show(index, at: dice.rect(in: bounds), color)
    case 4: recolor(index, dice.rect(in: bounds), color)
    case 5: hide(index)
    case 6: swapOverlays(index, dice.roll(0...overlays.count - 1))
    case 7: if !isCapturing { try startCapture(Region(dice.rect(in: bounds))) }
    case 8: try cancelUpdate(index, after: dice.roll(1...2000))
    case 9:
      remove(index)
      _ = addOverlay()
    case 10: try step()
    default:
      try settle()
      if overlays[index].isShown, dice.roll(0...2) == 0 {
        try stage.server.destroy(stage.display, overlays[index].id)
      }
    }
  }
}
