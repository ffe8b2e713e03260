import Engine
import HeadlessDisplay
import Panes
import Raster
import Testing

/// A request that is not allowed throws an error with the reason and changes nothing.
@Suite struct RefusalTests {
  private let scene = Scene()
  private let corner = Rect(x: 4, y: 4, width: 20, height: 16)

  init() throws {
    try scene.add("one", corner)
    try scene.add("two", corner)
    try scene.step()
  }

  /// Makes a request that must fail with `error`, and checks that nothing changed.
  private func expectRefusal(
    _ error: PaneError, _ body: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectRefusal(of: .pane(error), body, sourceLocation: sourceLocation)
  }

  private func expectRefusal(
    of error: EngineError, _ body: () throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let panes = scene.panes
    let calls = scene.display.calls
    #expect(throws: error, sourceLocation: sourceLocation) { try body() }
    #expect(scene.panes == panes, sourceLocation: sourceLocation)
    #expect(scene.display.calls == calls, sourceLocation: sourceLocation)
    #expect(scene.display.overlayCount == panes.count, sourceLocation: sourceLocation)
    #expect(scene.deadline == nil, sourceLocation: sourceLocation)
    #expect(scene.fault() == nil, sourceLocation: sourceLocation)
  }

  @Test func duplicateNameIsRefused() {
    expectRefusal(.duplicateName("two")) {
      try scene.add("two", Rect(x: 50, y: 50, width: 10, height: 10))
    }
    expectRefusal(.duplicateName("two")) {
      try scene.apply([makePane("two", corner), makePane("two", corner)])
    }
  }

  @Test func unknownNameIsRefused() {
    let error = PaneError.unknownName("three", known: ["one", "two"])
    expectRefusal(error) { try scene.change("three") { _ in } }
    expectRefusal(error) { try scene.setShown("three", false) }
    expectRefusal(error) { try scene.remove("three") }
    expectRefusal(error) { _ = try scene.picture(of: "three") }
    expectRefusal(error) { _ = try scene.backdrop(of: "three") }
    #expect(throws: error) { try scene.state(of: "three") }
  }

  @Test func panesAboveTheLimitAreRefused() throws {
    // Beside each other, because the model computes each pane with those below it.
    for i in 2..<256 {
      try scene.add("pane\(i)", Rect(x: 6 * (i % 16), y: 5 * (i / 16), width: 2, height: 2))
    }
    #expect(try scene.settle())
    expectRefusal(.tooMany(limit: 256)) { try scene.add("last", corner) }
    let many = try (0..<257).map { try makePane("pane\($0)", corner) }
    expectRefusal(.tooMany(limit: 256)) { try scene.apply(many) }
    try scene.remove("one")
    try scene.add("last", corner)
    #expect(scene.panes.count == 256)
  }

  @Test func positionOutsideTheScreenIsRefused() throws {
    let outside = Rect(x: 120, y: 0, width: 9, height: 9)
    let error = PaneError.offScreen(place: "9x9+120+0", size: "120x90")
    expectRefusal(error) { try scene.add("three", outside) }
    expectRefusal(of: .paneNamed("three", error)) {
      try scene.apply([makePane("one", corner), makePane("three", outside)])
    }
    expectRefusal(.offScreen(place: "9x9+0+-9", size: "120x90")) {
      try scene.change("one") {
        $0.geometry = Geometry(width: 9, height: 9, x: .fromStart(0), y: .fromStart(-9))
        $0.sigma = 30
      }
    }
  }

  @Test(arguments: [Double.nan, -1, 201, .infinity, 1e9])
  func changeWithOneWrongValueIsRefused(sigma: Double) {
    let error = PaneError.outOfRange(
      setting: "sigma", text: "\(sigma)", expected: "0.0 to 200.0")
    expectRefusal(error) {
      try scene.change("one") {
        $0.geometry = Geometry(width: 9, height: 9, x: .fromStart(0), y: .fromStart(0))
        $0.sigma = sigma
        $0.saturation = 2
      }
    }
  }
}
