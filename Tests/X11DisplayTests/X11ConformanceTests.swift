import DisplayConformance
import Engine
import Glibc
import Raster
import TestDice
import TestSupport
import Testing

@testable import X11Display

/// The display of a real X server keeps the promises of `Display`.
@Suite(.serialized) struct X11ConformanceTests {
  @Test(arguments: Promise.allCases)
  func promiseIsKept(_ promise: Promise) throws { try promise.check(on: makeStage()) }

  /// Every second one without shared memory.
  @Test(arguments: 0..<6)
  func randomCallsKeepAllPromises(seed: Int) throws {
    var dice = Dice(seed: seed)
    let stage = try makeStage(lacking: seed % 2 == 0 ? [] : ["MIT-SHM"])
    try checkRandomCalls(on: stage, using: &dice, steps: 120)
  }

  /// Xvfb with a window of another client.
  private func makeStage(lacking extensions: [String] = []) throws -> DisplayStage<X11Display> {
    let bounds = Rect(x: 0, y: 0, width: 160, height: 120)
    let server = try XServer(width: bounds.width, height: bounds.height, lacking: extensions)
    let client = try TestClient(server)
    let window = try client.makeWindow(bounds, color: 0)
    try window.waitUntilMapped()
    let display = try X11Display.open(
      DisplayConnection(to: server.display), replacesOther: false, frameInterval: .zero
    ) { _ in }
    let start = ContinuousClock.now
    return DisplayStage(
      display, bounds: bounds,
      DisplayStage.ServerControls { display in
        try display.flush()
        var polled = pollfd(fd: display.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&polled, 1, 2)
        return try display.nextEvents(now: ContinuousClock.now - start, reads: true)
      } paint: { rect, color in
        let picture = Bitmap(
          width: rect.width, height: rect.height, filledWith: color | 0xff00_0000)
        window.draw(picture, x: rect.x, y: rect.y)
        try client.sync()
      } screenshot: { display in
        try display.flush()
        return try client.screenshot()
      } destroy: { display, overlay in
        for id in display.overlays.windows(of: overlay) { client.foreignWindow(id).destroy() }
        try client.sync()
        // The server must live as long as its display.
        withExtendedLifetime(server) {}
      })
  }
}
