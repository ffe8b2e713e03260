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

  /// The scale that the user gives to an output, then that of the desktop, then that of the monitor.
  @Test func scaleOfTheUserCountsMost() throws {
    var sources = OutputSources(bounds: Self.screen)
    sources.monitors = [
      Monitor(name: "one", bounds: Self.left, isPrimary: true, orientation: .normal, scale: 1.5),
      Monitor(name: "two", bounds: Self.right, isPrimary: false, orientation: .normal),
    ]
    #expect(sources.outputs.map(\.scale) == [1.5, 1])
    sources.ownScales = try OutputScales(parsing: "two=3,three=4")
    #expect(sources.outputs.map(\.scale) == [1.5, 3])
    sources.scale = 2
    #expect(sources.outputs.map(\.scale) == [2, 3] && sources.screen.scale == 2)
    sources.ownScales = try OutputScales(parsing: "one=0.5,screen=8")
    #expect(sources.outputs.map(\.scale) == [0.5, 2] && sources.screen.scale == 8)
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

  /// The desktop's scale counts on all monitors; without one, each has that of its transform.
  @Test func scaleIsThatOfTheDesktopOrOfTheMonitor() {
    var sources = OutputSources(bounds: Rect(x: 0, y: 0, width: 800, height: 600))
    sources.monitors = [
      Monitor(
        name: "one", bounds: Rect(x: 0, y: 0, width: 400, height: 600), isPrimary: true,
        orientation: .normal, scale: 1.5),
      Monitor(
        name: "two", bounds: Rect(x: 400, y: 0, width: 400, height: 600), isPrimary: false,
        orientation: .normal),
    ]
    #expect(sources.outputs.map(\.scale) == [1.5, 1] && sources.screen.scale == 1)
    sources.scale = 2
    #expect(sources.outputs.map(\.scale) == [2, 2] && sources.screen.scale == 2)
    (sources.scale, sources.monitors) = (nil, [sources.monitors[0]])
    #expect(sources.screen.scale == 1.5)
    #expect(DesktopScale().value == nil)
    #expect(DesktopScale(resources: 1, environment: 2, settings: nil).value == 2)
    #expect(DesktopScale(resources: 2, environment: nil, settings: 1).value == 2)
  }

  @Test func transformsHaveScales() {
    func scale(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
      transformScale(
        Int32(a * 65536), Int32(b * 65536), Int32(c * 65536), Int32(d * 65536))
    }
    #expect(scale(1, 0, 0, 1) == 1)
    #expect(scale(1.5, 0, 0, 1.5) == 1.5)
    #expect(scale(0, -2, 2, 0) == 2)
    #expect(scale(0, 0, 0, 0) == 0.5, "a transform that shows nothing")
    #expect(scale(100, 0, 0, 100) == 8)
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

  /// A pane on all outputs appears once at each place.
  @Test(arguments: [
    (
      [Rect(x: 0, y: 0, width: 800, height: 600), Rect(x: 0, y: 0, width: 800, height: 600)],
      [false, true]
    ),
    (
      [Rect(x: 0, y: 0, width: 640, height: 480), Rect(x: 0, y: 0, width: 800, height: 600)],
      [true, false]
    ),
    (
      [Rect(x: 0, y: 0, width: 800, height: 600), Rect(x: 400, y: 0, width: 800, height: 600)],
      [false, false]
    ),
  ])
  func outputInsideAnotherIsAMirror(bounds: [Rect], mirrors: [Bool]) {
    var sources = OutputSources(bounds: Rect(x: 0, y: 0, width: 1600, height: 600))
    sources.monitors = bounds.enumerated().map { index, bounds in
      Monitor(name: "\(index)", bounds: bounds, isPrimary: false, orientation: .normal)
    }
    #expect(sources.outputs.map(\.isMirror) == mirrors)
  }
}
