import DisplayConformance
import Engine
import Glibc
import Raster
import Synchronization
import TestDice
import TestSupport
import Testing

@testable import X11Display

/// The display of a real X server keeps the promises of `Display`.
@Suite struct X11ConformanceTests {
  @Test(arguments: Promise.allCases)
  func promiseIsKept(_ promise: Promise) throws { try promise.check(on: makeStage(makeServer())) }

  /// Each call of the display reads few events, replies and errors of the server.
  @Test(arguments: Promise.allCases, 0..<4)
  func promiseIsKeptIfFewItemsArriveAtOnce(_ promise: Promise, seed: Int) throws {
    let server = try makeServer(lacking: ["MIT-SHM"])
    let proxy = try GroupingProxy(to: server, Dice(seed: seed))
    try promise.check(on: makeStage(server, display: proxy.display))
  }

  @Test(arguments: 0..<10)
  func randomCallsKeepAllPromisesIfFewItemsArriveAtOnce(seed: Int) throws {
    var dice = Dice(seed: seed)
    let server = try makeServer(lacking: ["MIT-SHM"])
    let proxy = try GroupingProxy(to: server, Dice(seed: ~seed))
    try checkRandomCalls(
      on: makeStage(server, display: proxy.display), using: &dice, steps: 120)
  }

  /// Every second server lacks MIT-SHM.
  @Test(arguments: 0..<6)
  func randomCallsKeepAllPromises(seed: Int) throws {
    var dice = Dice(seed: seed)
    let server = try makeServer(lacking: seed % 2 == 0 ? [] : ["MIT-SHM"])
    try checkRandomCalls(on: makeStage(server), using: &dice, steps: 120)
  }

  @Test(arguments: [[], ["MIT-SHM"]])
  func busyOverlaysAreReleased(lacking extensions: [String]) throws {
    let server = try makeServer(lacking: extensions)
    try checkReleases(on: makeStage(server)) {
      try server.freeze()
    } goOn: {
      server.thaw()
    }
  }

  /// Without MIT-SHM there are more pixels than the socket has room for.
  @Test(.timeLimit(.minutes(2)), arguments: 0..<3, [[], ["MIT-SHM"]])
  func stoppedServerIsNotAwaited(seed: Int, lacking extensions: [String]) throws {
    var dice = Dice(seed: seed)
    let server = try XServer(width: 400, height: 300, lacking: extensions)
    try checkStops(on: makeStage(server), using: &dice) {
      try server.freeze()
    } goOn: {
      server.thaw()
    }
  }

  private func makeServer(lacking extensions: [String] = []) throws -> XServer {
    try XServer(width: 160, height: 120, lacking: extensions)
  }

  /// A server with a window of another client.
  private func makeStage(
    _ server: XServer, display name: String? = nil
  ) throws -> DisplayStage<X11Display> {
    let bounds = Rect(x: 0, y: 0, width: server.width, height: server.height)
    let client = try TestClient(server)
    let window = try client.makeWindow(bounds, color: 0)
    try window.waitUntilMapped()
    let errors = Mutex<[String]>([])
    let display = try X11Display.open(
      DisplayConnection(to: name ?? server.display), replacesOther: false, frameInterval: .zero
    ) { message in
      if message.kind == .error { errors.withLock { $0.append(message.text) } }
    }
    let start = ContinuousClock.now
    return DisplayStage(
      display, bounds: bounds, hasShapes: true,
      DisplayStage.ServerControls { display in
        try display.flush()
        var polled = pollfd(fd: display.descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&polled, 1, 2)
        if let error = errors.withLock({ $0.first }) { throw TestFailure(error) }
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
