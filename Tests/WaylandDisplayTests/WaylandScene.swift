import Engine
import Glibc
import Panes
import Raster
import TestSupport
import WaylandClient

@testable import WaylandDisplay

/// Panes on a real compositor, by an engine without a daemon.
final class WaylandScene {
  let server: WaylandServer
  private(set) var engine: Engine<WaylandDisplay>

  init(
    _ compositor: Compositor = .sway, capturingBy capture: CaptureProtocol? = nil,
    wallpaper: Bitmap
  ) throws {
    server = try WaylandServer(compositor, wallpaper: wallpaper)
    let display = try WaylandDisplay.open(server.socket, capturingBy: capture)
    engine = Engine(display, framesPerSecond: 60, clock: time)
  }

  convenience init(_ captured: CapturedCompositor, wallpaper: Bitmap) throws {
    try self.init(captured.compositor, capturingBy: captured.capture, wallpaper: wallpaper)
  }

  func add(_ name: String, _ settings: PaneSettings) throws {
    try declare(name, settings)
    try sync()
  }

  /// Adds a pane that is not shown yet.
  func declare(_ name: String, _ settings: PaneSettings) throws {
    try engine.add(Pane(name, settings))
  }

  func remove(_ name: String) throws {
    try engine.remove(name)
    try sync()
  }

  func setShown(_ name: String, _ isShown: Bool) throws {
    try engine.setShown(name, isShown)
    try sync()
  }

  /// Returns when all changes are on the screen, and a capture has shown all marks.
  func sync() throws {
    let ticket = try engine.requestSync()
    let deadline = time() + .seconds(30)
    var isSynced = false
    while time() < deadline {
      try step(timeout: .milliseconds(100))
      if engine.takeEvents().compactMap(\.completion).contains(where: { $0.ticket == ticket }) {
        isSynced = true
      }
      let surfaces = engine.server.overlays.values.compactMap(\.surface)
      if isSynced, surfaces.allSatisfy({ $0.committed == nil }) { return }
    }
    throw TestFailure("a sync did not end within 30 seconds; \(server.process.err)")
  }

  /// Waits until the display has one output of this size.
  func waitForOutput(width: Int, height: Int) throws {
    let deadline = time() + .seconds(10)
    while engine.server.outputs.map(\.bounds) != [Rect(x: 0, y: 0, width: width, height: height)] {
      guard time() < deadline else {
        throw TestFailure("the outputs are \(engine.server.outputs)")
      }
      try step(timeout: .milliseconds(10))
    }
  }

  /// The places of the marks of all overlays in a rectangle, relative to it.
  func marks(in rect: Rect) -> [(x: Int, y: Int)] {
    let surfaces = engine.server.overlays.values.compactMap(\.surface)
    return surfaces.flatMap(\.faces.marks.values).map { ($0.x - rect.x, $0.y - rect.y) }
  }

  /// The number of captures that were requested of all outputs.
  var captureCount: Int {
    engine.server.monitors.reduce(0) { $0 + $1.captures.number }
  }

  var hasWholeScale: Bool { engine.server.outputs.allSatisfy { $0.scale == $0.scale.rounded() } }

  /// The pixels of the only output as they are seen. Unlike a screenshot by grim they are exact at any scale.
  func screenPixels() throws -> Bitmap {
    let client = try CompositorClient(server)
    let capture = ScreencopyCapture(
      manager: try client.bind(.screencopyManager), of: try client.bind(.output),
      shm: try client.bind(.shm))
    capture.start(client.connection, waitsForDamage: false)
    let outcome = try client.wait { try capture.handle($0, client.connection) }
    guard case .ready = outcome, let buffer = capture.buffer,
      let monitor = engine.server.monitors.first
    else { throw TestFailure("the capture failed") }
    return buffer.seenPicture(monitor.state.turn, isInverted: capture.isInverted)
  }

  /// The screen when it does not change any more: programs follow changes of the output some time later.
  func settledScreenshot() throws -> Bitmap {
    let deadline = time() + .seconds(10)
    var last = try screenPixels()
    var same = 0
    while same < 3, time() < deadline {
      _ = try run(for: .milliseconds(100))
      try sync()
      let next = try screenPixels()
      same = next.difference(from: last) == nil ? same + 1 : 0
      last = next
    }
    return last
  }

  /// The time from when the screen shows all of a picture but a rectangle until it shows all of it, after a program or an
  /// output has changed; at most ten seconds. A mark may differ by 4 levels from an earlier one, and glass by one.
  func delay(of rect: Rect, in picture: Bitmap) throws -> Duration {
    let deadline = time() + .seconds(10)
    let around = picture.bounds.subtracting(rect)
    var start: Duration?
    var last: String?
    // The engine cannot act while a picture is taken.
    var spent = Duration.zero
    while time() < deadline {
      let before = time()
      _ = try run(for: .milliseconds(20))
      spent += time() - before
      // Without an output there is no picture.
      guard let shown = try? server.screenshot(), shown.bounds == picture.bounds else { continue }
      last = shown.difference(from: picture, tolerance: 5).map { "\($0)" }
      let isBare = around.allSatisfy {
        shown.cropped(to: $0).difference(from: picture.cropped(to: $0)) == nil
      }
      if start == nil, isBare { start = spent }
      if let start, last == nil { return spent - start }
    }
    throw TestFailure("after ten seconds \(last ?? "there is no picture"); \(server.process.err)")
  }

  /// Runs the loop until a condition is true; throws after 20 seconds.
  func wait(_ failure: @autoclosure () -> String, until condition: () throws -> Bool) throws {
    let deadline = time() + .seconds(20)
    while try !condition() {
      guard time() < deadline else { throw TestFailure(failure()) }
      try step(timeout: .milliseconds(20))
    }
  }

  /// One iteration of an event loop.
  func step(timeout: Duration) throws {
    try engine.step(now: time())
    let wait = max(.zero, min(timeout, engine.deadline.map { $0 - time() } ?? timeout))
    var polled = pollfd(fd: engine.server.descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&polled, 1, Int32((wait / .milliseconds(1)).rounded(.up)))
  }

  /// Runs the loop until nothing has woken it for 200 ms, for at most ten seconds: the compositor may be slow.
  func settle() throws {
    let deadline = time() + .seconds(10)
    while try run(for: .milliseconds(200)) > 1, time() < deadline {}
  }

  /// Runs the loop for some time. Returns how often it was woken before.
  func run(for length: Duration) throws -> Int {
    let end = time() + length
    var count = 0
    while time() < end {
      try step(timeout: end - time())
      count += 1
    }
    return count
  }
}

/// The time of the monotonic clock.
private func time() -> Duration {
  var time = timespec()
  unsafe clock_gettime(CLOCK_MONOTONIC, &time)
  return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
}
