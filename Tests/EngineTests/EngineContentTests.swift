import Engine
import Frost
import Panes
import Raster
import TestDice
import Testing

/// Content of a pane that is updated with its glass.
@Suite struct EngineContentTests {
  /// A grey backdrop, on which content is dark.
  private let scene = Scene(Bitmap(width: 120, height: 90, filledWith: 0xff98_9898))
  private let rect = Rect(x: 10, y: 10, width: 100, height: 70)

  private func add(_ vibrancies: [Vibrancy?], fade: Fade = .none) throws {
    var settings = PaneSettings()
    settings.style = .plain
    settings.geometry = geometry(rect)
    settings.sigma = 2
    settings.contents = vibrancies.enumerated().map { i, vibrancy in
      PaneContent(
        source: .image(path: "/bar"), place: ContentPlace(x: .center, y: .fromStart(10 + 20 * i)),
        vibrancy: vibrancy, picture: Bitmap(width: 80, height: 8, filledWith: 0xffff_ffff))
    }
    try scene.add(Pane("panel", settings), fade: fade)
    try scene.sync()
    if fade == .none { #expect(scene.fault() == nil) }
  }

  private func pixel(x: Int, y: Int) -> UInt32? {
    scene.display.overlay(named: "panel")?.picture[x - rect.x, y - rect.y]
  }

  /// Also the part behind which nothing changed is redrawn.
  @Test(arguments: Vibrancy.allCases)
  func contentIsRedrawnWholeWhenItsPolarityChanges(vibrancy: Vibrancy) throws {
    try add([vibrancy])
    let far = (x: 98, y: 24)
    let before = try #require(pixel(x: far.x, y: far.y))
    scene.display.draw(Rect(x: 10, y: 10, width: 70, height: 70)) { _, _ in 0xff00_0000 }
    try scene.sync()
    #expect(scene.fault() == nil)
    let after = try #require(pixel(x: far.x, y: far.y))
    #expect(after & 255 > before & 255, "it is lighter than before, over the same glass")
    scene.display.draw(Rect(x: 10, y: 10, width: 70, height: 70)) { _, _ in 0xffff_ffff }
    try scene.sync()
    #expect(scene.fault() == nil)
    #expect(pixel(x: far.x, y: far.y) == before)
  }

  /// A pane that is shown again has the old backdrop of the cache for one frame, which must not matter later.
  @Test(arguments: [false, true])
  func polarityOfAPaneShownAgainIsThatOfANewPane(duringCapture: Bool) throws {
    scene.display.draw(scene.screen) { _, _ in 0xff00_0000 }
    try scene.add(makePane("other", Rect(x: 0, y: 0, width: 9, height: 9)))
    try scene.setShown("other", false)
    try add([.label])
    try scene.setShown("panel", false)
    try scene.sync()
    // White and black contrast with it nearly equally.
    scene.display.draw(scene.screen) { _, _ in 0xff78_7878 }
    if duringCapture {
      try scene.setShown("other", true)
      try scene.step()
    }
    try scene.setShown("panel", true)
    try scene.sync()
    let again = scene.display.overlay(named: "panel")?.picture
    try scene.remove("panel")
    try add([.label])
    #expect(scene.display.overlay(named: "panel")?.picture == again)
  }

  @Test func onlyDamagedContentIsDrawn() throws {
    try add([.label, nil])
    scene.display.draw(Rect(x: 12, y: 70, width: 3, height: 3)) { _, _ in 0xffff_0000 }
    let before = scene.display.calls.presentedPixels
    try scene.sync()
    #expect(scene.fault() == nil)
    let drawn = scene.display.calls.presentedPixels - before
    #expect(drawn > 0 && drawn < 700, "\(drawn) pixels")
  }

  @Test func contentCanBeRemovedReplacedAndMoved() throws {
    try add([.label])
    let plain = try #require(scene.display.overlay(named: "panel")?.picture)
    try scene.change("panel") { $0.contents = [] }
    try scene.sync()
    #expect(scene.fault() == nil)
    #expect(scene.display.overlay(named: "panel")?.picture != plain)
    try scene.change("panel") {
      $0.contents = [
        PaneContent(
          source: .label(text: "a", font: "Sans"), place: .center, vibrancy: nil,
          picture: Bitmap(width: 30, height: 30, filledWith: 0xff00_ff00))
      ]
    }
    try scene.change("panel") {
      $0.geometry = Geometry(width: 60, height: 40, x: .fromStart(-20), y: .fromEnd(-10))
    }
    try scene.sync()
    #expect(scene.fault() == nil)
  }

  @Test func contentFadesWithItsPane() throws {
    try add([nil], fade: Fade(milliseconds: 100))
    var seen: [UInt32] = []
    for _ in 0..<12 {
      seen.append(try #require(pixel(x: 60, y: 24)) & 255)
      scene.wait(Scene.interval)
      try scene.step()
    }
    #expect(seen.first == 0x98 && seen.last == 0xff)
    #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 <= $1 && $1 - $0 < 30 }, "\(seen)")
    #expect(scene.fault() == nil)
  }
}
