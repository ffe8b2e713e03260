import Desktop
import Panes
import Raster
import Testing

/// A server that reads slowly holds up its own pane, and nothing else; and only while it reads.
@Suite struct BufferTests {
  private let scene = Scene()
  private let corner = Rect(x: 4, y: 4, width: 20, height: 16)

  init() throws {
    scene.desktop.releasesAtOnce = false
    try scene.add("slow", corner)
    // Two frames fill both buffers; the third is refused.
    for color: UInt32 in [0xff11_1111, 0xff22_2222, 0xff33_3333] {
      scene.desktop.draw(corner) { _, _ in color }
      try scene.step()
      scene.wait(Scene.interval)
    }
    #expect(scene.desktop.calls.presents == 2)
    #expect(scene.desktop.calls.refusals == 1)
    #expect(scene.deadline == nil)
  }

  @Test func aRefusedFrameIsShownAsSoonAsABufferIsFree() throws {
    scene.desktop.releaseBuffers()
    try scene.step()
    #expect(scene.desktop.calls.presents == 3)
    #expect(scene.fault() == nil)
  }

  @Test func whatChangesMeanwhileIsNotAskedForAgainAndAgain() throws {
    let before = scene.desktop.calls
    for i in 0..<10 {
      scene.desktop.draw(Rect(x: 5 + i, y: 5, width: 1, height: 1)) { _, _ in 0xff00_00ff }
      try scene.step()
      #expect(scene.deadline == nil)
      scene.wait(Scene.interval)
    }
    #expect(scene.desktop.calls == before)
    scene.desktop.releaseBuffers()
    try scene.step()
    #expect(scene.fault() == nil)
  }

  @Test func anotherPaneGoesOn() throws {
    try scene.add("other", Rect(x: 60, y: 40, width: 20, height: 16))
    try scene.step()
    #expect(try scene.state(of: "other").frames == 1)
  }

  @Test func aPaneThatIsHiddenMeanwhileComesBack() throws {
    try scene.setShown("slow", false)
    try scene.step()
    try scene.setShown("slow", true)
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }

  @Test func aPaneThatIsResizedMeanwhileIsShown() throws {
    var change = PaneChange()
    change.geometry = Geometry(width: 30, height: 30, x: .fromStart(9), y: .fromEnd(9))
    try scene.change("slow", change)
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }

  @Test func aPaneThatIsMovedMeanwhileIsShownWhenABufferIsFree() throws {
    var change = PaneChange()
    change.geometry = Geometry(width: 20, height: 16, x: .fromStart(9), y: .fromStart(9))
    try scene.change("slow", change)
    try scene.step()
    #expect(scene.deadline == nil)
    scene.desktop.releaseBuffers()
    scene.wait(Scene.interval)
    try scene.step()
    #expect(scene.fault() == nil)
  }

  @Test func aPaneThatIsRemovedMeanwhileIsForgotten() throws {
    scene.desktop.releaseBuffers()
    try scene.remove("slow")
    try scene.add("slow", corner)
    let isSettled = try scene.settle()
    #expect(isSettled)
    #expect(scene.fault() == nil)
  }
}
