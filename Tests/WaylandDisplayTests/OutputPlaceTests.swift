import Raster
import Testing

@testable import WaylandDisplay

/// The places on outputs of rectangles in the logical space of a compositor.
@Suite struct OutputPlaceTests {
  private static func state(
    _ name: String, _ mode: (Int, Int), transform: Int = 0, logical: Rect
  ) -> OutputState {
    var state = OutputState(name: name)
    state.mode = (mode.0, mode.1)
    state.transform = transform
    state.logical = logical
    return state
  }

  /// Outputs at scales 2, 1 (turned by 90 degrees) and 1.5; the last one is on the left of the others.
  private static let states = [
    state("high", (1600, 1200), logical: Rect(x: 0, y: 0, width: 800, height: 600)),
    state("turned", (800, 600), transform: 1, logical: Rect(x: 800, y: 0, width: 600, height: 800)),
    state("left", (1200, 900), logical: Rect(x: -800, y: -20, width: 800, height: 600)),
  ]

  @Test(arguments: [
    ("100,50 200x150", "high", Rect(x: 200, y: 100, width: 400, height: 300)),
    ("900,100 200x150", "turned", Rect(x: 100, y: 100, width: 200, height: 150)),
    ("-700,-10 101x33", "left", Rect(x: 150, y: 15, width: 152, height: 50)),
    // Parts on other outputs are left out.
    ("-10,0 200x100", "high", Rect(x: 0, y: 0, width: 380, height: 200)),
    ("-100,560 110x500", "left", Rect(x: 1050, y: 870, width: 150, height: 30)),
    ("1399,799 1x1", "turned", Rect(x: 599, y: 799, width: 1, height: 1)),
  ])
  func placeIsInPixelsOfTheOutput(_ text: String, _ output: String, _ rect: Rect) throws {
    let logical = try #require(Rect(logical: text))
    let place = try #require(OutputPlace(ofLogical: logical, on: Self.states))
    #expect(place.output == output && place.rect == rect, "\(place)")
  }

  @Test func placeOutsideOfAllOutputsIsNone() throws {
    let logical = try #require(Rect(logical: "5000,5000 10x10"))
    #expect(OutputPlace(ofLogical: logical, on: Self.states) == nil)
  }

  @Test(arguments: [
    "", "1,2", "1,2 3x", "a,2 3x4", "1,2 0x4", "1,2 3x-4", "1,2 3x4 5", "99999999999,2 3x4",
    "1,,2 3",
  ])
  func otherTextIsNoRectangle(_ text: String) { #expect(Rect(logical: text) == nil) }
}
