import Engine
import HeadlessDisplay
import Panes
import Raster
import Testing

/// Requests for pictures and backdrops of panes that change before the requests are completed.
@Suite struct SnapshotRequestTests {
  private let scene = Scene()
  private let rect = Rect(x: 4, y: 4, width: 20, height: 16)

  init() throws {
    // Its source region is always watched.
    try scene.add("other", Rect(x: 60, y: 50, width: 20, height: 16))
    try scene.add("panel", rect)
    #expect(try scene.settle())
  }

  private func expectError(_ error: EngineError, _ ticket: Ticket) {
    #expect(throws: error) { try scene.picture(for: ticket) }
    #expect(scene.deadline == nil)
  }

  private func backdrop(in rect: Rect) -> Bitmap {
    let backdrop = scene.display.backdrop
    return Bitmap(rect, of: backdrop.pixels.span, PixelLayout(scene.screen))
  }

  @Test func backdropOfPaneHiddenMeanwhileIsAnError() throws {
    let ticket = try scene.startBackdrop(of: "panel")
    try scene.setShown("panel", false)
    expectError(.pane(.hidden("panel")), ticket)
    #expect(scene.fault() == nil)
  }

  @Test func backdropOfOnlyPaneHiddenMeanwhileIsAnError() throws {
    try scene.remove("other")
    let ticket = try scene.startBackdrop(of: "panel")
    try scene.setShown("panel", false)
    expectError(.pane(.hidden("panel")), ticket)
    #expect(scene.fault() == nil)
  }

  @Test func backdropOfPaneRemovedMeanwhileIsAnError() throws {
    let ticket = try scene.startBackdrop(of: "panel")
    try scene.remove("panel")
    expectError(.pane(.unknownName("panel", known: ["other"])), ticket)
    #expect(scene.fault() == nil)
  }

  /// A capture that is in progress may have older pixels.
  @Test func backdropIsCapturedAfterItsRequest() throws {
    scene.display.answersAtOnce = false
    scene.display.capturesAtStart = true
    scene.display.draw(rect) { _, _ in 0xffff_0000 }
    scene.wait(Scene.interval)
    try scene.step()
    scene.display.draw(rect) { _, _ in 0xff00_00ff }
    let ticket = try scene.startBackdrop(of: "panel")
    scene.display.answersAtOnce = true
    let picture = try scene.picture(for: ticket)
    #expect(picture == backdrop(in: rect))
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func backdropOfPaneMovedMeanwhileIsThatOfItsNewPosition() throws {
    scene.display.answersAtOnce = false
    scene.display.draw(rect) { _, _ in 0xffff_0000 }
    scene.wait(Scene.interval)
    try scene.step()
    // A capture without the request is in progress.
    let ticket = try scene.startBackdrop(of: "panel")
    let moved = Rect(x: 90, y: 60, width: 20, height: 16)
    try scene.change("panel") { $0.geometry = geometry(moved) }
    scene.display.answersAtOnce = true
    let picture = try scene.picture(for: ticket)
    #expect(picture == backdrop(in: moved))
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func requestDuringCaptureOfMovedPaneIsCompleted() throws {
    scene.display.answersAtOnce = false
    let moved = Rect(x: 90, y: 60, width: 20, height: 16)
    try scene.change("panel") { $0.geometry = geometry(moved) }
    scene.wait(Scene.interval)
    try scene.step()
    let ticket = try scene.startBackdrop(of: "panel")
    try scene.change("panel") { $0.geometry = geometry(rect) }
    scene.display.answersAtOnce = true
    let picture = try scene.picture(for: ticket)
    #expect(picture == backdrop(in: rect))
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  // MARK: Pictures

  /// Adds a pane and requests its picture. It is completed after the first frame of the pane.
  private func addAndRequest() throws -> Ticket {
    try scene.add("new", Rect(x: 30, y: 30, width: 20, height: 16))
    return try scene.startPicture(of: "new")
  }

  private func expectFirstFrame(_ ticket: Ticket) throws {
    let picture = try scene.picture(for: ticket)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
    #expect(picture == scene.display.overlay(named: "new")?.picture)
  }

  @Test func pictureOfPaneAddedDuringCaptureIsItsFirstFrame() throws {
    scene.display.answersAtOnce = false
    scene.display.draw(rect) { _, _ in 0xffff_0000 }
    scene.wait(Scene.interval)
    try scene.step()
    let ticket = try addAndRequest()
    scene.display.answersAtOnce = true
    try expectFirstFrame(ticket)
  }

  @Test func pictureOfOneDrawnPaneDoesNotEndOtherRequests() throws {
    let ticket = try addAndRequest()
    let other = try scene.startPicture(of: "other")
    scene.display.answersAtOnce = false
    try scene.step()
    scene.display.answersAtOnce = true
    let completions = scene.takeCompletions()
    #expect(completions.count == 1)
    #expect(!scene.openTickets.contains(other))
    try expectFirstFrame(ticket)
  }

  /// A server that does not answer delays no picture of a pane that is drawn.
  @Test func pictureDoesNotWaitForACapture() throws {
    scene.display.answersAtOnce = false
    scene.display.draw(rect) { _, _ in 0xffff_0000 }
    scene.wait(Scene.interval)
    try scene.step()
    let shown = scene.display.overlay(named: "panel")?.picture
    try scene.startPicture(of: "panel")
    try scene.step()
    guard case .picture(_, let picture) = scene.takeCompletions().first else {
      Issue.record("no picture")
      return
    }
    #expect(picture == shown)
    scene.display.answersAtOnce = true
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  /// The capture ends while the picture is drawn in steps: the picture is of one frame.
  @Test func pictureDrawnDuringACaptureIsOfOneFrame() throws {
    scene.display.answersAtOnce = false
    scene.display.draw(rect) { x, y in 0xff00_0000 | UInt32(x * 7 + y) }
    scene.wait(Scene.interval)
    try scene.step()
    let shown = scene.display.overlay(named: "panel")?.picture
    let ticket = try scene.startPicture(of: "panel")
    scene.slowness = .milliseconds(5)
    scene.display.answersAtOnce = true
    #expect(try scene.picture(for: ticket) == shown)
    #expect(try scene.settle())
    #expect(scene.fault() == nil)
  }

  @Test func pictureOfNewPaneHiddenMeanwhileIsAnError() throws {
    let ticket = try addAndRequest()
    try scene.setShown("new", false)
    expectError(.pane(.hidden("new")), ticket)
  }
}
