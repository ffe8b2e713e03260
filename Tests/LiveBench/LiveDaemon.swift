import Raster
import TestSupport

/// The resources that a daemon and its display server used during a part of a scenario.
struct Usage {
  var daemonSeconds = 0.0, serverSeconds = 0.0
  var wallMilliseconds = 0.0
  /// The time of the stages of all frames, from the request of a capture to the last put.
  var frameMilliseconds = 0.0
  var frames = 0, bytesRead = 0, bytesWritten = 0

  static func += (sum: inout Usage, other: Usage) {
    sum.daemonSeconds += other.daemonSeconds
    sum.serverSeconds += other.serverSeconds
    sum.wallMilliseconds += other.wallMilliseconds
    sum.frameMilliseconds += other.frameMilliseconds
    sum.frames += other.frames
    sum.bytesRead += other.bytesRead
    sum.bytesWritten += other.bytesWritten
  }
}

/// A display server with a screen for daemons.
protocol MeasuredDisplay: AnyObject {
  associatedtype Server: DisplayServer
  var server: Server { get }
}

/// A daemon on a screen. It ends with its owner.
final class LiveDaemon<Display: MeasuredDisplay> {
  let screen: Display
  let control: ControlSocket
  private let daemon: TestDaemon
  private let clocks: (daemon: CPUClock, server: CPUClock)

  /// Returns when the daemon is ready and connected to.
  init(
    _ candidate: Candidate, on screen: Display, options: [String] = [],
    environment: [String: String] = [:]
  ) throws {
    self.screen = screen
    // Several daemons may follow each other on a screen.
    let fresh = candidate.knows("--fresh") ? ["--fresh"] : []
    daemon = try TestDaemon(
      on: screen.server, program: candidate.path, candidate.options + fresh + options,
      environment: environment, recordFailure: { print($0) })
    control = try ControlSocket(daemon)
    clocks = (try CPUClock(of: daemon.process), try CPUClock(of: screen.server.process))
  }

  deinit { _ = try? daemon.stop(within: .seconds(3)) }

  var process: Child { daemon.process }

  /// Lines of its log that look like errors are none.
  func expectErrors() { daemon.expectError(containing: "") }

  /// Another connection.
  func connect() throws -> ControlSocket { try ControlSocket(daemon) }

  /// Adds a pane with sigma 20 and waits until it is on the screen.
  func addPane(_ name: String, _ rect: Rect, corner: Int = 0, hasShadow: Bool) throws {
    try addPane(name, at: rect.description, corner: corner, hasShadow: hasShadow)
  }

  /// The same at a place relative to any edge.
  func addPane(_ name: String, at geometry: String, corner: Int = 0, hasShadow: Bool) throws {
    var request = BenchRequest("add", name)
    request.geometry = geometry
    request.sigma = 20
    if corner > 0 { request.corner = "\(corner)" }
    if hasShadow { request.shadow = "outer-view" }
    try control.ask(request)
    try control.sync()
  }

  /// Adds glass with sigma 20 behind the windows of a class, and waits until it is on the screen.
  func addGlass(behind windowClass: String) throws {
    var request = BenchRequest("add", "glass")
    request.class = windowClass
    try control.ask(request)
    try control.sync()
  }

  /// The difference that `body` makes. Asking for the status is not part of it.
  func usage(of body: () throws -> Void) throws -> Usage {
    let before = try status()
    let cpu = (clocks.daemon.seconds(), clocks.server.seconds())
    let start = now()
    try body()
    let wall = millisecondsSince(start)
    let seconds = (clocks.daemon.seconds() - cpu.0, clocks.server.seconds() - cpu.1)
    let after = try status()
    return Usage(
      daemonSeconds: seconds.0, serverSeconds: seconds.1, wallMilliseconds: wall,
      frameMilliseconds: after.stageMilliseconds - before.stageMilliseconds,
      frames: after.frames - before.frames, bytesRead: after.bytesRead - before.bytesRead,
      bytesWritten: after.bytesWritten - before.bytesWritten)
  }

  private func status() throws -> BenchReply.Status {
    guard let status = try control.ask(BenchRequest("status")).status else {
      throw TestFailure("a reply to 'status' without a status")
    }
    return status
  }

  /// Resident memory without what is shared with the X server, in kilobytes.
  func privateKilobytes() throws -> Int {
    let text = String(decoding: try readBytes("/proc/\(process.pid)/status"), as: UTF8.self)
    func kilobytes(_ key: String) throws -> Int {
      let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
      guard let number = line.flatMap({ Int($0.filter(\.isNumber)) }) else {
        throw TestFailure("no \(key) of \(process.name)")
      }
      return number
    }
    return try kilobytes("VmRSS") - kilobytes("RssShmem")
  }
}
