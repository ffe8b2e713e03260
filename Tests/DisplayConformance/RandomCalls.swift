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

/// Shows, draws, cancels, hides, removes and restacks overlays and captures in any order while the server is stopped, several
/// times. No call waits for the server, and all is seen and known when it goes on.
package func checkStops<Server: Display & ~Copyable>(
  on stage: DisplayStage<Server>, using dice: inout Dice, stop: () throws -> Void,
  goOn: () throws -> Void
) throws {
  let caller = try DisplayCaller(stage)
  for _ in 0..<8 { _ = caller.addOverlay() }
  for round in 0..<4 {
    for index in caller.overlays.indices {
      caller.show(index, at: dice.rect(in: stage.bounds), UInt32(dice.roll(0...0xff_ffff)))
    }
    try caller.settle()
    try stop()
    for _ in 0..<80 { try caller.actAlone(&dice) }
    try goOn()
    if caller.isCapturing { try caller.endCapture() }
    try caller.settle()
    try caller.checkScreen("after stop \(round)")
    try caller.checkKnown("after stop \(round)")
  }
}

extension DisplayCaller where Server: ~Copyable {
  /// Does something that needs no other client of the server.
  fileprivate func actAlone(_ dice: inout Dice) throws {
    let bounds = stage.bounds
    let color = UInt32(dice.roll(0...0xff_ffff))
    let index = dice.roll(0...overlays.count - 1)
    switch dice.roll(0...13) {
    case 0, 1, 2: showSomewhere(index, color, &dice)
    case 3: recolor(index, dice.rect(in: bounds), color)
    case 4: hide(index)
    case 5: swapOverlays(index, dice.roll(0...overlays.count - 1))
    case 6: if !isCapturing { try startCapture(Region(dice.rect(in: bounds))) }
    case 7: try cancelUpdate(index, after: dice.roll(1...2000))
    case 8:
      remove(index)
      _ = addOverlay()
    case 9: watch(dice.roll(0...1) == 0 ? Region(bounds) : Region(dice.rect(in: bounds)))
    default:
      try draw()
      try step()
    }
  }

  private func showSomewhere(_ index: Int, _ color: UInt32, _ dice: inout Dice) {
    let rect = dice.rect(in: stage.bounds)
    let hasShape = stage.hasShapes && dice.roll(0...2) == 0
    let parts = (0..<dice.roll(0...4)).map { _ in dice.rect(in: stage.bounds) }
    show(index, at: rect, color, shape: hasShape ? Region(parts).intersection(rect) : nil)
  }

  fileprivate func act(_ dice: inout Dice) throws {
    switch dice.roll(0...11) {
    case 0, 1: try paint(dice.rect(in: stage.bounds), UInt32(dice.roll(0...0xff_ffff)))
    case 2:
      try settle()
      guard let overlay = overlays.randomElement(using: &dice), overlay.isShown else { return }
      if dice.roll(0...2) == 0 { try stage.server.destroy(stage.display, overlay.id) }
    default: try actAlone(&dice)
    }
  }
}
