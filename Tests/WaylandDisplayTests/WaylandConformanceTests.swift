import DisplayConformance
import Engine
import FakeCompositor
import Frost
import Raster
import TestDice
import TestSupport
import Testing

@testable import WaylandDisplay

/// The display of a Wayland compositor keeps the promises of `Display`, within the precision of what leaks through overlays.
@Suite struct WaylandConformanceTests {
  @Test(arguments: Promise.allCases)
  func promiseIsKept(_ promise: Promise) throws { try promise.check(on: makeStage()) }

  @Test(arguments: 0..<10)
  func randomCallsKeepAllPromises(seed: Int) throws {
    var dice = Dice(seed: seed)
    try checkRandomCalls(on: makeStage(), using: &dice, steps: 120)
  }

  @Test(arguments: 0..<10)
  func stoppedCompositorIsNotAwaited(seed: Int) throws {
    var dice = Dice(seed: seed)
    let compositor = try FakeCompositor()
    var isStopped = false
    let stage = try makeStage(compositor) { isStopped }
    try checkStops(on: stage, using: &dice) {
      isStopped = true
    } goOn: {
      isStopped = false
    }
  }

  /// `isStopped` says whether the compositor reads and sends nothing.
  private func makeStage(
    _ compositor: FakeCompositor? = nil, isStopped: @escaping () -> Bool = { false }
  ) throws -> DisplayStage<WaylandDisplay> {
    let compositor = try compositor ?? FakeCompositor()
    let bounds = Rect(x: 0, y: 0, width: 160, height: 120)
    let output = compositor.addOutput(
      FakeOutput.State(name: "one", width: bounds.width, height: bounds.height),
      Bitmap(width: bounds.width, height: bounds.height))
    let path = compositor.socketPath
    let display = try compositor.serve { () throws(DisplayError) in try WaylandDisplay.open(path) }
    var now = Duration.zero
    // Overlays let up to the largest share of what is below them through, and it is known as well as the smallest one tells.
    let tolerance = DisplayStage<WaylandDisplay>.Tolerance(
      shown: Int(LeakShare.range.upperBound) + 2,
      captured: 255 / Int(LeakShare.range.lowerBound) + 2)
    return DisplayStage(
      display, bounds: bounds, tolerance: tolerance,
      DisplayStage.ServerControls { display in
        try display.flush()
        if isStopped() { return try display.nextEvents(now: now, reads: true) }
        compositor.step()
        let events = try display.nextEvents(now: now, reads: true)
        try display.flush()
        if compositor.step() || !events.isEmpty { return events }
        now += .milliseconds(4)
        compositor.advance(to: now)
        return events
      } paint: { rect, color in
        output.draw(rect) { _, _ in color | 0xff00_0000 }
      } screenshot: { _ in
        output.shown
      } destroy: { display, overlay in
        guard let surface = display.overlays[overlay]?.surface else { return }
        compositor.layerSurfaces.first { $0.rect == surface.place.rect }?.close()
      })
  }
}
