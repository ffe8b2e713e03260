import Engine
import FakeCompositor
import Glibc
import Panes
import Raster
import TestSupport

@testable import WaylandDisplay

/// Panes on a fake compositor, by an engine in the same thread. Time is virtual.
final class FakeScene {
  let compositor: FakeCompositor
  private(set) var engine: Engine<WaylandDisplay>
  private(set) var now = Duration.zero
  /// The number of iterations of the loop.
  private(set) var iterations = 0
  private var iterationsAtTime = 0

  /// Whether a connection that breaks is made again.
  var reconnects = false
  private var isLost = false

  /// More iterations at one time are a busy loop.
  private static let iterationLimit = 300

  init(_ compositor: FakeCompositor, way: GlassWay? = nil) throws {
    self.compositor = compositor
    let path = compositor.socketPath
    let display = try compositor.serve { () throws(DisplayError) in
      try WaylandDisplay.open(path, way: way)
    }
    engine = Engine(display, framesPerSecond: 60) { .zero }
  }

  /// With one output that shows a picture.
  convenience init(_ picture: Bitmap) throws {
    let compositor = try FakeCompositor()
    compositor.addOutput(
      FakeOutput.State(name: "one", width: picture.width, height: picture.height), picture)
    try self.init(compositor)
  }

  var output: FakeOutput {
    get throws {
      guard let output = compositor.outputs.first else { throw TestFailure("no output") }
      return output
    }
  }

  var requestCount: Int { compositor.clients.reduce(0) { $0 + $1.requestCount } }

  func edit(_ body: (inout Engine<WaylandDisplay>) throws -> Void) rethrows { try body(&engine) }

  /// Runs the loop for some time. Throws if it is busy.
  func run(for length: Duration) throws {
    let end = now + length
    repeat { try iterate(until: end) } while now < end
  }

  /// Runs the loop until all changes so far are on the screen, for at most ten seconds.
  func sync() throws {
    let ticket = try engine.requestSync()
    let end = now + .seconds(10)
    while now < end {
      try iterate(until: end)
      for completion in engine.takeEvents().compactMap(\.completion)
      where completion.ticket == ticket { return }
    }
    throw TestFailure("a sync did not end within ten seconds")
  }

  /// One iteration of the loop; if nothing is left to do now, time passes until something is, at most until `end`.
  private func iterate(until end: Duration) throws {
    compositor.step()
    try stepEngine()
    iterations += 1
    iterationsAtTime += 1
    guard iterationsAtTime < Self.iterationLimit else {
      throw TestFailure("a busy loop at \(now)")
    }
    if compositor.step() || isReadable { return }
    if let deadline = engine.deadline, deadline <= now { return }
    let retry = isLost ? now + .milliseconds(10) : nil
    let next = [engine.deadline, compositor.nextFrame, retry, end].compactMap(\.self).min() ?? end
    if next > now {
      now = next
      iterationsAtTime = 0
    }
    compositor.advance(to: now)
  }

  private func stepEngine() throws {
    if isLost { reconnect() }
    do {
      try engine.step(now: now)
    } catch {
      guard reconnects, case .lost = error else { throw error }
      engine.suspend()
      isLost = true
    }
  }

  private func reconnect() {
    let path = compositor.socketPath
    let display = try? compositor.serve { () throws(DisplayError) in
      try WaylandDisplay.open(path)
    }
    guard let display else { return }
    isLost = false
    engine.resume(on: display)
  }

  private var isReadable: Bool {
    if isLost { return false }
    var polled = pollfd(fd: engine.server.descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&polled, 1, 0) > 0
  }

  /// The overlays that are shown.
  var surfaces: [OverlaySurface] { engine.server.overlays.values.compactMap(\.surface) }

  /// The places of the marks of all overlays.
  var marks: [(x: Int, y: Int)] {
    surfaces.flatMap(\.faces.marks.values).map { ($0.x, $0.y) }
  }
}
