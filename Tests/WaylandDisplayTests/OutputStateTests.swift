import Panes
import Raster
import Testing

@testable import WaylandDisplay

@Suite struct OutputStateTests {
  private func state(
    _ name: String, _ width: Int, _ height: Int, transform: Int = 0, logical: Rect
  ) -> OutputState {
    var state = OutputState(name: name)
    state.mode = (width, height)
    state.transform = transform
    state.logical = logical
    return state
  }

  @Test func scaleIsThatOfTheLogicalSize() throws {
    let logical = Rect(x: 0, y: 0, width: 1536, height: 864)
    let output = try #require(pixelOutputs([state("a", 1920, 1080, logical: logical)]).first)
    #expect(output.scale == 1.25 && output.bounds == Rect(x: 0, y: 0, width: 1920, height: 1080))
  }

  @Test func rotatedOutputIsHigh() throws {
    let logical = Rect(x: 0, y: 0, width: 1080, height: 1920)
    let output = try #require(
      pixelOutputs([state("a", 1920, 1080, transform: 5, logical: logical)]).first)
    #expect(output.bounds == logical && output.scale == 1)
    #expect(output.orientation == Orientation(quarterTurns: 1, isReflected: true))
  }

  @Test func outputsOfDifferentScalesDoNotOverlap() {
    let outputs = pixelOutputs([
      state("a", 3840, 2160, logical: Rect(x: 0, y: 0, width: 1920, height: 1080)),
      state("b", 1280, 1024, logical: Rect(x: 1920, y: 56, width: 1280, height: 1024)),
      state("off", 0, 0, logical: .zero),
    ])
    #expect(outputs.map(\.name) == ["a", "b"] && outputs.map(\.scale) == [2, 1])
    #expect(outputs[1].bounds == Rect(x: 3840, y: 112, width: 1280, height: 1024))
  }

  @Test func placesCountFromTheCornerOfAllOutputs() {
    let outputs = pixelOutputs([
      state("a", 1600, 1200, logical: Rect(x: 0, y: 300, width: 800, height: 600)),
      state("left", 800, 600, logical: Rect(x: -800, y: -100, width: 800, height: 600)),
    ])
    #expect(outputs[0].bounds == Rect(x: 1600, y: 800, width: 1600, height: 1200))
    #expect(outputs[1].bounds == Rect(x: 0, y: 0, width: 800, height: 600))
  }

  private func pictured(_ states: [(OutputState, isCaptured: Bool)]) -> [Output] {
    picturedOutputs(states.map { ($0.0, $0.isCaptured) })
  }

  /// At any scale; the others keep their places.
  @Test func mirrorHasNoPlaceAmongTheOthers() {
    let (left, right) = (
      Rect(x: 0, y: 0, width: 800, height: 600), Rect(x: 800, y: 0, width: 640, height: 480)
    )
    let outputs = pictured([
      (state("part", 320, 240, logical: Rect(x: 9, y: 9, width: 320, height: 240)), true),
      (state("left", 800, 600, logical: left), true),
      (state("mirror", 800, 600, logical: left), true),
      (state("right", 640, 480, logical: right), true),
    ])
    #expect(outputs.map(\.name) == ["part", "left", "mirror", "right"])
    #expect(outputs.map(\.isMirror) == [true, false, true, false])
    #expect(outputs[1].bounds == left && outputs[3].bounds == right)
    #expect(outputs[0].bounds == Rect(x: 0, y: 0, width: 320, height: 240))
  }

  @Test func capturedOutputIsNoMirrorOfOneThatIsOff() {
    let same = Rect(x: 0, y: 0, width: 640, height: 480)
    for captured in [[true, true], [false, true], [true, false], [false, false]] {
      let outputs = pictured(
        zip(["a", "b"], captured).map { (state($0, 640, 480, logical: same), isCaptured: $1) })
      let isFirstMirror = captured == [false, true]
      #expect(outputs.map(\.isMirror) == [isFirstMirror, !isFirstMirror], "\(captured)")
    }
  }

  @Test func outputsThatOverlapInPartAreNoMirrors() {
    let outputs = pictured(
      [0, 400].map { x in
        (state("at \(x)", 640, 480, logical: Rect(x: x, y: 0, width: 640, height: 480)), true)
      })
    #expect(outputs.allSatisfy { !$0.isMirror } && outputs[1].bounds.x == 640)
  }

  /// 1366 pixels at a scale of 1.25 are 1092.8 logical ones.
  @Test func outputsWithRoundedSizesOrEqualPlacesDoNotOverlap() {
    let outputs = pixelOutputs([
      state("right", 1000, 768, logical: Rect(x: 1092, y: 0, width: 800, height: 614)),
      state("left", 1366, 768, logical: Rect(x: 0, y: 0, width: 1092, height: 614)),
      state("below", 1366, 768, logical: Rect(x: 0, y: 614, width: 1092, height: 614)),
    ])
    #expect(outputs.map(\.name) == ["right", "left", "below"])
    #expect(outputs.map(\.bounds.x) == [1366, 0, 0] && outputs.map(\.bounds.y) == [0, 0, 768])
    let mirrors = pixelOutputs(
      ["a", "b", "c"].map {
        state($0, 640, 480, logical: Rect(x: 9, y: 9, width: 640, height: 480))
      }
    )
    for (index, one) in mirrors.enumerated() {
      for other in mirrors[..<index] { #expect(!one.bounds.intersects(other.bounds)) }
    }
  }
}
