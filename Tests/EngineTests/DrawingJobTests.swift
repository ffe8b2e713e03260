import Engine
import Panes
import Raster
import TestDice
import Testing

/// Content that must be drawn for another scale or size.
@Suite struct DrawingJobTests {
  private let scene: Scene
  private var dice = Dice(seed: 90)
  private static let left = Rect(x: 0, y: 0, width: 100, height: 90)
  private static let right = Rect(x: 100, y: 0, width: 100, height: 90)

  init() {
    scene = Scene(dice.picture(width: 200, height: 90))
    setScales(1, 1)
  }

  private func setScales(_ left: Double, _ right: Double) {
    scene.display.setOutputs([
      Output(name: "left", bounds: Self.left, scale: left, isPrimary: true),
      Output(name: "right", bounds: Self.right, scale: right),
    ])
  }

  private func content(_ color: UInt32, _ scope: DrawingScope?) -> PaneContent {
    PaneContent(
      source: .image(path: "/picture"), place: .center, vibrancy: nil,
      drawing: ContentDrawing(Bitmap(width: 9, height: 9, filledWith: color), scope: scope))
  }

  private func add(_ contents: [PaneContent], on output: OutputChoice) throws {
    var settings = PaneSettings()
    settings.style = .plain
    settings.size = try PaneSize(parsing: "50%x40")
    settings.output = output
    settings.contents = contents
    try scene.add(Pane("pane", settings))
    try scene.sync()
    #expect(scene.fault() == nil)
  }

  private func jobs() -> [DrawingJob] { scene.engine.drawingJobs(includesDrawn: false) }

  private func color(on output: String) throws -> UInt32 {
    let picture = try scene.picture(of: "pane", on: output)
    return picture[picture.width / 2, picture.height / 2]
  }

  @Test func contentIsDrawnForEachScale() throws {
    try add([content(0xff00_0001, DrawingScope(scale: 1))], on: .all)
    #expect(jobs().isEmpty && scene.engine.drawingJobs(includesDrawn: true).count == 1)
    setScales(1, 2)
    try scene.sync()
    let target = ContentTarget(scale: 2, width: 50, height: 40)
    #expect(jobs().map(\.target) == [target])
    try scene.setDrawings(of: "pane", [content(0xff00_0002, DrawingScope(scale: 2))])
    try scene.sync()
    #expect(jobs().isEmpty && scene.fault() == nil)
    #expect(try color(on: "left") == 0xff00_0001 && color(on: "right") == 0xff00_0002)
    // Both are kept, so nothing is drawn again when the scales are exchanged.
    setScales(2, 1)
    try scene.sync()
    #expect(jobs().isEmpty && scene.fault() == nil)
    #expect(try color(on: "left") == 0xff00_0002 && color(on: "right") == 0xff00_0001)
    // Both outputs need the same one, so the other one is no longer kept.
    setScales(1.25, 1.25)
    try scene.sync()
    try scene.setDrawings(of: "pane", [content(0xff00_0003, DrawingScope(scale: 1.25))])
    try scene.sync()
    #expect(scene.engine.panes.first?.contents.first?.drawings.count == 1)
    #expect(try color(on: "left") == 0xff00_0003 && color(on: "right") == 0xff00_0003)
  }

  @Test func fittedTextIsDrawnAgainForAnotherSize() throws {
    let room = ContentPlace.center.room(on: ContentTarget(scale: 1, width: 50, height: 40))
    let fitted = DrawingScope(scale: 1, sizes: .exactly(width: room.width, height: room.height))
    try add([content(0xff00_0001, fitted)], on: .primary)
    #expect(jobs().isEmpty && scene.takeContentChange())
    #expect(!scene.takeContentChange())
    try scene.change("pane") { $0.size = try? PaneSize(parsing: "60%x40") }
    #expect(jobs().count == 1 && scene.takeContentChange())
    try scene.change("pane") { $0.size = try? PaneSize(parsing: "50%x40") }
    #expect(jobs().isEmpty)
  }

  /// The size of a pane that follows its content is estimated until the content is drawn for the scale.
  @Test func sizeFollowsTheContentOnEachOutput() throws {
    func sized(_ width: Int, _ scope: DrawingScope) -> PaneContent {
      PaneContent(
        source: .image(path: "/picture"), place: ContentPlace(x: .fromStart(5), y: .center),
        vibrancy: nil,
        drawing: ContentDrawing(
          Bitmap(width: width, height: 9, filledWith: 0xff00_0001), scope: scope))
    }
    func sizes() -> [String] {
      scene.engine.states(of: "pane").compactMap(\.frame).map { "\($0.width)x\($0.height)" }
    }
    var settings = PaneSettings()
    settings.size = .auto
    settings.output = .all
    settings.contents = [sized(20, DrawingScope(scale: 1))]
    try scene.add(Pane("pane", settings))
    try scene.sync()
    #expect(sizes() == ["30x33", "30x33"] && jobs().isEmpty && scene.fault() == nil)
    setScales(1, 1.5)
    try scene.sync()
    #expect(sizes() == ["30x33", "40x50"] && scene.fault() == nil)
    #expect(jobs().map(\.target) == [ContentTarget(scale: 1.5, width: 100, height: 90)])
    try scene.setDrawings(of: "pane", [sized(33, DrawingScope(scale: 1.5))])
    try scene.sync()
    #expect(sizes() == ["30x33", "43x45"] && jobs().isEmpty && scene.fault() == nil)
    // Content that is larger than the output is cut.
    settings.contents = [sized(300, DrawingScope(scale: 1))]
    setScales(1, 1)
    try scene.put(Pane("pane", settings))
    try scene.sync()
    #expect(sizes() == ["100x33", "100x33"] && jobs().isEmpty && scene.fault() == nil)
    #expect(throws: EngineError.pane(.needless(setting: "size auto", without: "content"))) {
      try scene.change("pane") { $0.contents = [] }
    }
    #expect(sizes() == ["100x33", "100x33"])
  }

  /// Drawings of content that was replaced meanwhile change nothing.
  @Test func drawingsOfOtherContentAreRefused() throws {
    try add([content(0xff00_0001, nil)], on: .primary)
    let before = scene.engine.panes
    var other = content(0xff00_0002, nil)
    other.vibrancy = .label
    for contents in [[], [other], [before[0].contents[0], other]] {
      #expect(throws: EngineError.pane(.otherContent("pane"))) {
        try scene.setDrawings(of: "pane", contents)
      }
    }
    #expect(throws: EngineError.self) { try scene.setDrawings(of: "none", []) }
    #expect(scene.engine.panes == before)
  }

  /// A client that declares the same panes again knows only one of the drawings.
  @Test func applyKeepsAllDrawings() throws {
    let first = content(0xff00_0001, DrawingScope(scale: 1))
    try add([first], on: .all)
    let declared = scene.engine.panes
    setScales(1, 2)
    try scene.sync()
    try scene.setDrawings(of: "pane", [content(0xff00_0002, DrawingScope(scale: 2))])
    let actions = try scene.apply(declared)
    #expect(actions.map(\.kind) == [.keep])
    #expect(scene.engine.panes[0].contents[0].drawings.count == 2)
  }
}
