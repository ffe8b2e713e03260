import Control
import Engine
import Glibc
import HeadlessDisplay
import Logging
import Panes
import Raster
import Synchronization
import TestSupport

@testable import Daemon

/// A daemon of a display in memory. Its loop runs in the test while that waits for something.
final class DaemonSession {
  private var daemon: Daemon<HeadlessDisplay>
  private let folder: String
  /// In the place of a signal it ends a test that waits for ever.
  private var timer: AlarmClock

  /// The time after which a test that waits fails.
  private static let limit = Duration.seconds(30)

  /// A daemon in a folder that may have the panes of an earlier one. If it loses its display, that is there again after a
  /// number of attempts.
  init(
    in folder: String, display name: String = ":4711", absence: Int = 0,
    patience: DisplayPatience = DisplayPatience()
  ) throws {
    self.folder = folder
    absences.withLock { $0[name] = absence }
    let options = Options(
      display: DisplayName(name), settings: DaemonSettings(), configurationFiles: [],
      isConfigurationGiven: false, replacesOther: false, isFresh: false, patience: patience)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    timer = try AlarmClock()
    daemon = Daemon(
      HeadlessDisplay(makeBackdrop()), try ControlServer(path: folder + "/socket"),
      SignalQueue(owning: dup(timer.descriptor)), try AlarmClock(),
      PaneKeeper(path: folder + "/panes", logger: logger), options, logger)
    daemon.begin()
  }

  /// The display that it serves now.
  var display: HeadlessDisplay { daemon.engine.server }
  var isEnding: Bool { daemon.isEnding }
  var keptPanes: [Pane] { daemon.engine.panes.compactMap(\.kept) }

  func connect() throws -> ControlConnection { try ControlConnection(path: folder + "/socket") }

  /// Runs the loop until a condition holds, which must be before the time is over.
  func run(until isDone: () throws -> Bool) throws {
    timer.set(now() + Self.limit)
    while try !isDone() {
      // A display in memory has no descriptor.
      if !daemon.engine.isSuspended, display.hasEvents {
        try daemon.step(now: now())
      } else {
        try daemon.iterate()
      }
      if daemon.isEnding { throw TestFailure("the daemon ends while a test waits") }
    }
  }

  /// Lets the display fail. The daemon notices it at once.
  func loseDisplay() throws {
    display.error = .lost("it is gone")
    try daemon.step(now: now())
  }

  /// The reply to a line. The daemon may end with it.
  func ask(_ line: String, on client: ControlConnection) throws -> String {
    client.send(line)
    return try reply(to: client)
  }

  func reply(to client: ControlConnection) throws -> String {
    do {
      try run { client.hasReply }
    } catch let failure as TestFailure {
      if !client.hasReply { throw failure }
    }
    return client.reply() ?? ""
  }

  /// The panes in the file, as the next daemon reads them.
  func savedPanes() throws -> [Pane] {
    var file = PaneFile(path: folder + "/panes")
    return try file.load().panes
  }

  /// Ends the daemon as a signal does.
  func end() { daemon.end() }
}

/// How often each display cannot be opened again.
private let absences = Mutex<[String: Int]>([:])

private func makeBackdrop() -> Bitmap { .noise(width: 320, height: 200, seed: 7) }

extension HeadlessDisplay: ServedDisplay {
  static func open(
    _ name: String, _ options: Options, replacesOther: Bool, _ logger: Logger,
    proceed: () -> Bool
  ) throws(DisplayError) -> HeadlessDisplay? {
    let isThere = absences.withLock { absences in
      absences[name, default: 0] -= 1
      return absences[name, default: 0] < 0
    }
    if !isThere { throw .unreachable("it is not there") }
    return proceed() ? HeadlessDisplay(makeBackdrop()) : nil
  }
}
