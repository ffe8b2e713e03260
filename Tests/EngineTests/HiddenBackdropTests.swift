import Engine
import HeadlessDisplay
import Panes
import Raster
import TestDice
import Testing

/// Panes whose backdrop cannot be known for some time, because windows cover the wallpaper.
@Suite struct HiddenBackdropTests {
  private let pane = Rect(x: 20, y: 20, width: 60, height: 40)
  private let view = View.belowPanes(.normal)

  private func shown(_ scene: Scene, _ name: String) -> Bool {
    scene.display.overlay(named: name)?.isShown == true
  }

  private func awaits(_ scene: Scene) -> [Bool] {
    scene.engine.states(of: "pane").map(\.awaitsWallpaper)
  }

  /// The pane appears when the last hidden pixel of its backdrop is known. Until then nothing is captured again and again, and
  /// other panes follow.
  @Test(arguments: 0..<20)
  func paneWaitsForItsBackdrop(seed: Int) throws {
    var dice = Dice(seed: seed)
    let scene = Scene(dice.picture(width: 240, height: 160))
    let hidden = dice.rect(in: Rect(x: 10, y: 10, width: 80, height: 60))
    let other = Rect(x: 150, y: 90, width: 60, height: 50)
    scene.display.hidden[view] = Region(hidden)
    try scene.add("other", other)
    try scene.add("pane", pane)
    #expect(try scene.settle())
    let waits = hidden.intersects(pane.grown(by: 8))
    if waits {
      #expect(!shown(scene, "pane") && awaits(scene) == [true])
      #expect(scene.deadline == nil)
    }
    #expect(shown(scene, "other"))
    let captures = scene.display.calls.captures
    for round in 0..<10 {
      scene.display.draw(dice.rect(in: other)) { _, _ in UInt32(round * 0x10_2030) }
      scene.wait(Scene.interval)
      #expect(try scene.settle())
    }
    #expect(scene.display.calls.captures <= captures + 10)
    // A part of it is known.
    let rest = Rect(hidden.columns, hidden.y + hidden.height / 2..<hidden.maxY)
    let parts = [hidden.subtracting(rest).reduce(.zero) { $0.hull($1) }, rest]
    for part in parts {
      scene.display.hidden[view] = part == rest ? nil : Region(rest)
      if !part.isEmpty { scene.display.damage(part, of: view) }
      scene.wait(Scene.interval)
      #expect(try scene.settle())
    }
    #expect(shown(scene, "pane") && awaits(scene) == [false])
    #expect(scene.fault() == nil, "\(dice)")
  }

  /// A pane that was shown before appears with the cells of the cache, although windows cover its backdrop now.
  @Test func paneReturnsWithKnownCells() throws {
    let scene = Scene(width: 200, height: 140)
    try scene.add("pane", pane)
    #expect(try scene.settle())
    try scene.setShown("pane", false)
    #expect(try scene.settle())
    scene.display.hidden[view] = Region(Rect(x: 0, y: 0, width: 50, height: 140))
    try scene.setShown("pane", true)
    scene.wait(Scene.interval)
    #expect(try scene.settle())
    #expect(shown(scene, "pane") && awaits(scene) == [false] && scene.deadline == nil)
    scene.display.hidden = [:]
    scene.display.draw(pane) { _, _ in 0x33_6699 }
    scene.wait(Scene.interval)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func syncDoesNotWait() throws {
    let scene = Scene(width: 200, height: 140)
    scene.display.hidden[view] = Region(pane)
    try scene.add("pane", pane)
    try scene.sync()
    try scene.remove("pane")
    #expect(try scene.settle())
    #expect(scene.deadline == nil)
  }
}
