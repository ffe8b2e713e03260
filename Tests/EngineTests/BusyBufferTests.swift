import Engine
import Panes
import Raster
import Testing

/// A server that releases buffers slowly delays only the pane of these buffers.
@Suite struct BusyBufferTests {
  private let scene = Scene()
  private let corner = Rect(x: 4, y: 4, width: 20, height: 16)

  init() throws {
    scene.display.releasesAtOnce = false
    try scene.add("slow", corner)
    // Two frames fill both buffers; the third is refused.
    for color: UInt32 in [0xff11_1111, 0xff22_2222, 0xff33_3333] {
      scene.display.draw(corner) { _, _ in color }
      try scene.step()
      scene.wait(Scene.interval)
    }
    #expect(scene.display.calls.presents == 2)
    #expect(scene.display.calls.refusals == 1)
    #expect(scene.deadline == nil)
  }

  @Test func refusedFrameIsShownWhenBufferIsReleased() throws {
    scene.display.releaseBuffers()
    try scene.step()
    #expect(scene.display.calls.presents == 3)
    #expect(scene.fault() == nil)
  }

  @Test func changesOfWaitingPaneAreNotCaptured() throws {
    let before = scene.display.calls
    for i in 0..<10 {
      scene.display.draw(Rect(x: 5 + i, y: 5, width: 1, height: 1)) { _, _ in 0xff00_00ff }
      try scene.step()
      #expect(scene.deadline == nil)
      scene.wait(Scene.interval)
    }
    #expect(scene.display.calls == before)
    scene.display.releaseBuffers()
    try scene.step()
    #expect(scene.fault() == nil)
  }

  @Test func otherPaneIsNotDelayed() throws {
    try scene.add("other", Rect(x: 60, y: 40, width: 20, height: 16))
    try scene.step()
    #expect(try scene.state(of: "other").frames == 1)
  }

  @Test func waitingPaneCanBeHiddenAndShown() throws {
    try scene.setShown("slow", false)
    try scene.step()
    try scene.setShown("slow", true)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func waitingPaneIsResizedWhenBufferIsReleased() throws {
    try scene.change("slow") {
      $0.geometry = Geometry(width: 30, height: 30, x: .fromStart(9), y: .fromEnd(9))
    }
    try scene.step()
    scene.display.releaseBuffers()
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func waitingPaneIsMovedWhenBufferIsReleased() throws {
    try scene.change("slow") { $0.geometry = geometry(corner.translated(x: 5, y: 5)) }
    try scene.step()
    #expect(scene.deadline == nil)
    scene.display.releaseBuffers()
    scene.wait(Scene.interval)
    try scene.step()
    #expect(scene.fault() == nil)
  }

  @Test func waitingPaneCanBeRemovedAndAddedAgain() throws {
    scene.display.releaseBuffers()
    try scene.remove("slow")
    try scene.add("slow", corner)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }
}
