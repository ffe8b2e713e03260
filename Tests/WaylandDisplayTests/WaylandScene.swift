import Engine
import Glibc
import Panes
import Raster
import TestSupport

@testable import WaylandDisplay

/// Panes on a real compositor, by an engine without a daemon.
final class WaylandScene {
  let server: WaylandServer
  private(set) var engine: Engine<WaylandDisplay>

  init(wallpaper: Bitmap) throws {
    server = try WaylandServer(wallpaper: wallpaper)
    engine = Engine(try WaylandDisplay.open(server.socket), framesPerSecond: 60, clock: time)
  }

  func add(_ name: String, _ settings: PaneSettings) throws {
    try engine.add(Pane(name, settings))
    try sync()
  }

  func remove(_ name: String) throws {
    try engine.remove(name)
    try sync()
  }

  /// Returns when all changes are on the screen.
  func sync() throws {
    let ticket = try engine.requestSync()
    let deadline = time() + .seconds(30)
    while time() < deadline {
      try step(timeout: .milliseconds(100))
      for completion in engine.takeCompletions() where completion.ticket == ticket { return }
    }
    throw TestFailure("a sync did not end within 30 seconds; \(server.process.err)")
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
