import Panes
import Raster
import Testing

/// A display frees captured pixels when nothing is watched any more.
@Suite struct FreedCaptureTests {
  @Test(arguments: [false, true]) func paneMayGoBetweenACaptureAndItsCells(isAddedAgain: Bool)
    throws
  {
    let scene = Scene(width: 200, height: 150)
    var settings = PaneSettings()
    settings.geometry = Geometry(width: 90, height: 80, x: .fromStart(30), y: .fromStart(20))
    settings.style = .plain
    settings.sigma = 4
    try scene.add(Pane("pane", settings))
    #expect(try scene.settle())
    scene.display.answersAtOnce = false
    scene.display.draw(Rect(x: 0, y: 0, width: 200, height: 150)) { x, y in
      0xff00_0000 | UInt32(x * 3 + y * 700)
    }
    scene.wait(.seconds(1))
    try scene.step()
    // The capture ends, and before its cells are computed the pane goes.
    scene.display.answer()
    try scene.remove("pane")
    try scene.step()
    scene.display.answersAtOnce = true
    if !isAddedAgain { return #expect(try scene.settle()) }
    try scene.add(Pane("pane", settings))
    #expect(try scene.settle())
    let shown = try scene.picture(of: "pane")
    let fresh = Scene(scene.display.backdrop)
    try fresh.add(Pane("pane", settings))
    #expect(try fresh.settle())
    let isSame = try fresh.picture(of: "pane") == shown
    #expect(isSame)
  }
}
