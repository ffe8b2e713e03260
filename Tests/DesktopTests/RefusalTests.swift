import Desktop
import Panes
import Raster
import Testing

/// What cannot be done is named, and changes nothing.
@Suite struct RefusalTests {
  private let scene = Scene()
  private let corner = Rect(x: 4, y: 4, width: 20, height: 16)

  init() throws {
    try scene.add("one", corner)
    try scene.add("two", corner)
    try scene.step()
  }

  /// Asks for something that is refused with `error`, and finds all as it was.
  private func refuses(
    _ error: PaneError, _ body: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let panes = scene.panes
    let calls = scene.desktop.calls
    #expect(throws: EngineError.pane(error), sourceLocation: sourceLocation) { try body() }
    #expect(scene.panes == panes, sourceLocation: sourceLocation)
    #expect(scene.desktop.calls == calls, sourceLocation: sourceLocation)
    #expect(scene.desktop.overlayCount == panes.count, sourceLocation: sourceLocation)
    #expect(scene.deadline == nil, sourceLocation: sourceLocation)
    #expect(scene.fault() == nil, sourceLocation: sourceLocation)
  }

  @Test func aNameThatIsTaken() {
    refuses(.duplicateName("two")) {
      try scene.add("two", Rect(x: 50, y: 50, width: 10, height: 10))
    }
  }

  @Test func aNameThatNobodyHas() {
    let error = PaneError.unknownName("three", known: ["one", "two"])
    refuses(error) { try scene.change("three", PaneChange()) }
    refuses(error) { try scene.setShown("three", false) }
    refuses(error) { try scene.remove("three") }
    refuses(error) { _ = try scene.picture(of: "three") }
    refuses(error) { _ = try scene.backdrop(of: "three") }
    #expect(throws: error) { try scene.state(of: "three") }
  }

  @Test func onePaneTooMany() throws {
    for i in 2..<256 { try scene.add("pane\(i)", corner) }
    let isSettled = try scene.settle()
    #expect(isSettled)
    refuses(.tooMany(limit: 256)) { try scene.add("last", corner) }
    try scene.remove("one")
    try scene.add("last", corner)
    #expect(scene.panes.count == 256)
  }

  @Test func aPlaceOffTheScreen() throws {
    let outside = Rect(x: 120, y: 0, width: 9, height: 9)
    refuses(.offScreen(geometry: "9x9+120+0", screen: "120x90")) {
      try scene.add("three", outside)
    }
    var change = PaneChange()
    change.geometry = Geometry(width: 9, height: 9, x: .fromStart(0), y: .fromStart(-9))
    change.sigma = 30
    refuses(.offScreen(geometry: "9x9+0+-9", screen: "120x90")) {
      try scene.change("one", change)
    }
  }

  @Test(arguments: [Double.nan, -1, 201, .infinity, 1e9])
  func oneWrongValueAmongRightOnes(sigma: Double) {
    var change = PaneChange()
    change.geometry = Geometry(width: 9, height: 9, x: .fromStart(0), y: .fromStart(0))
    change.sigma = sigma
    change.saturation = 2
    let text = "\(sigma)"
    refuses(.outOfRange(setting: "sigma", text: text, expected: "0.0 to 200.0")) {
      try scene.change("one", change)
    }
  }
}
