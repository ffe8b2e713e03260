import Panes
import Raster
import Testing

@testable import X11Display

/// The space that panels reserve, and the orientations of RandR.
@Suite struct WorkAreaTests {
  private static let screen = Rect(x: 0, y: 0, width: 3000, height: 1100)
  private static let left = Rect(x: 0, y: 0, width: 1000, height: 1100)
  private static let right = Rect(x: 1000, y: 100, width: 2000, height: 1000)

  /// `_NET_WM_STRUT_PARTIAL`: the widths at the left, right, top and bottom, and the range along each.
  private func areas(_ values: [UInt32]) -> [Rect] {
    let struts = [Strut(values)].compactMap(\.self)
    return [Self.left, Self.right].map { $0.workArea(on: Self.screen, struts) }
  }

  @Test func panelAtTheTopOfOneOutputReservesNothingOfTheOther() {
    let areas = areas([0, 0, 30, 0, 0, 0, 0, 0, 0, 999, 0, 0])
    #expect(areas == [Rect(x: 0, y: 30, width: 1000, height: 1070), Self.right])
  }

  /// The width counts from the edge of the screen, where this output has nothing.
  @Test func panelAtTheTopOfALowerOutput() {
    let areas = areas([0, 0, 140, 0, 0, 0, 0, 0, 1000, 2999, 0, 0])
    #expect(areas == [Self.left, Rect(x: 1000, y: 140, width: 2000, height: 960)])
  }

  @Test func panelAtAnInnerEdgeReservesOnlyItsOwnOutput() {
    let areas = areas([1050, 0, 0, 0, 0, 1099, 0, 0, 0, 0, 0, 0])
    #expect(areas == [Self.left, Rect(x: 1050, y: 100, width: 1950, height: 1000)])
    let other = self.areas([0, 2060, 0, 0, 0, 0, 0, 1099, 0, 0, 0, 0])
    #expect(other == [Rect(x: 0, y: 0, width: 940, height: 1100), Self.right])
  }

  @Test func oldPropertyReservesTheWholeEdge() {
    let areas = areas([0, 0, 0, 48])
    #expect(
      areas == [
        Rect(x: 0, y: 0, width: 1000, height: 1052),
        Rect(x: 1000, y: 100, width: 2000, height: 952),
      ])
  }

  @Test func strutsAddUpAndLeaveSomething() {
    let struts = [[40, 0, 0, 0], [20, 0, 0, 0], [0, 50, 0, 0]].compactMap { Strut($0) }
    #expect(
      Self.screen.workArea(on: Self.screen, struts)
        == Rect(x: 40, y: 0, width: 2910, height: 1100))
    let all = [[2000, 0, 0, 0], [0, 2000, 0, 0]].compactMap { Strut($0) }
    #expect(Self.screen.workArea(on: Self.screen, all) == Self.screen)
  }

  @Test(arguments: [
    [], [1, 2, 3], [0, 0, 0, 0], Array(repeating: 0, count: 12), Array(repeating: 1, count: 11),
  ])
  func otherValuesReserveNothing(values: [UInt32]) {
    #expect(Strut(values) == nil)
  }

  /// Programs set any numbers.
  @Test func hugeValuesAreHandled() throws {
    let strut = try #require(Strut(Array(repeating: .max, count: 12)))
    #expect(Self.left.workArea(on: Self.screen, [strut]) == Self.left)
  }

  @Test func outputsAreThePartsOfMonitorsOnTheScreen() {
    var sources = OutputSources(bounds: Rect(x: 0, y: 0, width: 800, height: 600))
    func monitor(_ name: String, _ rect: Rect, turns: Int = 0) -> Monitor {
      Monitor(
        name: name, bounds: rect, isPrimary: false, orientation: Orientation(quarterTurns: turns))
    }
    #expect(sources.outputs.map(\.name) == ["screen"] && sources.outputs[0].isPrimary)
    sources.desktopArea = Rect(x: 0, y: 20, width: 800, height: 580)
    sources.monitors = [
      monitor("one", Rect(x: 0, y: 0, width: 1000, height: 600), turns: 1),
      monitor("two", Rect(x: 800, y: 0, width: 200, height: 600)),
    ]
    #expect(
      sources.outputs.map(\.bounds) == [sources.bounds], "the second one is not on the screen")
    #expect(sources.outputs[0].workArea == sources.desktopArea)
    #expect(sources.screen.workArea == sources.desktopArea)
    #expect(sources.screen.orientation == Orientation(quarterTurns: 1))
    sources.bounds = Rect(x: 0, y: 0, width: 1000, height: 600)
    sources.monitors[0].bounds = Rect(x: 0, y: 0, width: 800, height: 600)
    #expect(sources.outputs.map(\.workArea) == sources.monitors.map(\.bounds))
    #expect(sources.screen.orientation == .normal)
  }

  @Test func orientationsOfRandRDiffer() {
    #expect(Orientation(randR: 1) == .normal)
    #expect(Orientation(randR: 2) == Orientation(quarterTurns: 1))
    #expect(Orientation(randR: 8) == Orientation(quarterTurns: 3))
    #expect(Orientation(randR: 1 | 16) == Orientation(quarterTurns: 0, isReflected: true))
    #expect(Orientation(randR: 1 | 32) == Orientation(quarterTurns: 2, isReflected: true))
    #expect(Orientation(randR: 1 | 16 | 32) == Orientation(quarterTurns: 2))
    #expect(Orientation(randR: 4 | 16 | 32) == .normal)
  }
}
