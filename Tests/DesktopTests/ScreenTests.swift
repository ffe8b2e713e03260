import Desktop
import Panes
import Raster
import TestDice
import Testing

/// The screen gets another size under the panes.
@Suite struct ScreenTests {
  private let scene = Scene(width: 200, height: 150)
  private var dice = Dice(seed: 5)

  private func pane(_ name: String, _ text: String) throws -> Pane {
    var change = PaneChange()
    change.geometry = try Geometry(parsing: text)
    change.sigma = 4
    return try change.makePane(named: name)
  }

  @Test mutating func panesFollowTheirEdges() throws {
    try scene.add(pane("start", "40x30+5+5"))
    try scene.add(pane("end", "40x30-5-5"))
    try scene.step()
    scene.desktop.resize(to: dice.picture(width: 120, height: 170))
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(try scene.state(of: "end").rect == Rect(x: 75, y: 135, width: 40, height: 30))
    #expect(scene.fault() == nil)
  }

  @Test mutating func aPaneThatWasHiddenMeanwhileComesBackAtItsNewPlace() throws {
    try scene.add(pane("end", "40x30-5-5"))
    try scene.step()
    try scene.setShown("end", false)
    scene.desktop.resize(to: dice.picture(width: 120, height: 100))
    try scene.step()
    try scene.setShown("end", true)
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }

  @Test mutating func aPaneThatIsLeftOutsideCanBeChangedHiddenAndRemoved() throws {
    try scene.add(pane("far", "40x30+150+100"))
    try scene.step()
    scene.desktop.resize(to: dice.picture(width: 100, height: 90))
    let before = scene.desktop.calls.captures
    try scene.step()
    #expect(scene.fault() == nil)
    #expect(scene.desktop.calls.captures == before)
    var change = PaneChange()
    change.sigma = 9
    try scene.change("far", change)
    try scene.setShown("far", false)
    try scene.setShown("far", true)
    #expect(throws: EngineError.self) { try scene.picture(of: "far") }
    scene.desktop.resize(to: dice.picture(width: 200, height: 150))
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.desktop.overlay(named: "far")?.isShown == true)
    #expect(scene.fault() == nil)
    try scene.remove("far")
    #expect(scene.desktop.overlayCount == 0)
  }
}
