import Control
import Glibc
import Panes
import Raster
import TestSupport
import Testing

/// A desktop and a daemon of which a chosen call fails during each operation of a usual session.
final class FaultSession {
  let desktop: any FaultDesktop
  let injector: FaultInjector
  private(set) var daemon: TestDaemon
  private(set) var base = SavedPanes()
  private(set) var baseScreen = Bitmap(width: 1, height: 1)

  /// Starts the programs, and adds the panes with which each operation begins.
  init(on kind: FaultDesktopKind) throws {
    desktop = try kind.make()
    let server = desktop.server
    injector = try FaultInjector(in: server.runtimeDirectory)
    _ = try server.run("mkdir", ["-p", server.configurationFolder])
    daemon = try TestDaemon(on: server, ["--fresh"], environment: injector.environment)
    expectErrorsOfLibraries()
    try addPanes()
    base = try savedPanes()
    baseScreen = try restingScreen()
  }

  var server: any DisplayServer { desktop.server }
  var operations: [FaultOperation] { FaultOperation.all + desktop.operations }

  /// The time in which all must be right again.
  static let patience = Duration.seconds(10)

  private func addPanes() throws {
    let panes = [
      ["add", "a", "--geometry", "140x110+10+20", "--corner", "20", "--shadow", "outer-view"],
      ["add", "text", "--size", "auto", "--label", "Hello", "--anchor", "bottom-right"],
      [
        "add", "drawer", "--edge", "bottom", "--size", "120x40", "--peek", "8", "--elasticity", "0",
      ],
    ]
    // By itself the scheme depends on what was there before.
    for arguments in panes { try daemon.ask(arguments + ["--scheme", "dark"]) }
    for arguments in desktop.panes { try daemon.ask(arguments) }
    try daemon.ask("add", "hidden", "--geometry", "90x60+30+150", "--scheme", "dark")
    try daemon.ask("hide", "hidden")
    try daemon.sync()
  }

  // MARK: Requests

  /// Sends a request on a connection of its own. Returns the reply; nil if there is none.
  func ask(_ request: Request) -> String? {
    guard let connection = try? ControlConnection(server) else { return nil }
    try? connection.send(request)
    return connection.reply()
  }

  /// Whether requests succeed one after the other, and then a sync.
  func perform(_ requests: Request...) -> Bool { perform(requests + [.sync]) }

  private func perform(_ requests: [Request]) -> Bool {
    requests.allSatisfy { ask($0)?.contains("failure") == false }
  }

  /// Whether a command succeeds, and then a sync.
  func command(_ arguments: String...) throws -> Bool {
    try daemon.ctl(arguments).status == .exited(0) && perform()
  }

  /// Changes the file that the daemon follows.
  func configure(_ text: String) throws {
    let file = server.configurationFolder + "/backdropd.conf"
    try writeText(text, to: file + "-new")
    #expect(unsafe rename(file + "-new", file) == 0)
  }

  // MARK: Checks

  /// The panes that the next daemon would have if this one were killed now.
  func savedPanes() throws -> SavedPanes {
    daemon.process.send(SIGSTOP)
    defer { daemon.process.send(SIGCONT) }
    let process = daemon.process
    #expect(try soon { try process.wait(for: .zero) != nil || process.state() == "T" })
    let socket = server.controlSocket.split(separator: "/").last ?? ""
    var file = PaneFile(path: "\(server.stateFolder)/\(socket.dropLast(5)).panes")
    return try file.load()
  }

  /// Whether the screen soon shows a picture.
  func shows(_ picture: Bitmap) throws -> Bool {
    try soon(within: Self.patience) { try difference(from: picture) == nil }
  }

  /// The difference of the screen from a picture.
  func difference(from picture: Bitmap) throws -> String? {
    try desktop.screenshot().difference(from: picture, tolerance: desktop.tolerance)
  }

  /// Restores the panes, the windows and the configuration. Returns what is not as before; nil if all is.
  func restore() throws -> String? {
    try desktop.restore()
    if unsafe unlink(server.configurationFolder + "/backdropd.conf") == 0 { _ = perform() }
    let requests: [Request] = [
      .apply(base.panes, isRehearsal: false), .drawer(name: "drawer", .close), .sync,
    ]
    let isRestored = soon(within: Self.patience) { perform(requests) }
    if !isRestored { return "refused: \(requests.map { ask($0) ?? "no reply" })" }
    if try !shows(baseScreen) {
      return "the screen: " + (try difference(from: baseScreen) ?? "")
    }
    let isHealthy = soon(within: Self.patience) {
      let status = ask(.status) ?? ""
      return status.contains(#""connected":true"#) && status.contains(#""sharedMemory":true"#)
    }
    if !isHealthy { return ask(.status) ?? "no status" }
    let saved = try savedPanes()
    return saved.panes == base.panes ? nil : "the saved panes: \(saved.panes.map(\.name))"
  }

  /// The picture of the screen when nothing moves any more.
  func restingScreen() throws -> Bitmap {
    try settled { try desktop.screenshot() }
  }

  // MARK: Daemons

  /// Kills the daemon, and starts another one.
  func startAgain(_ arguments: [String]) throws {
    daemon.expectError(containing: "")
    daemon.process.kill()
    _ = daemon.process.wait(for: .seconds(10))
    daemon = try TestDaemon(on: server, arguments, environment: injector.environment)
    expectErrorsOfLibraries()
    _ = perform()
  }

  /// libwayland logs a request that it cannot send for one of the injected errors. For others it would be a bug of the daemon.
  private func expectErrorsOfLibraries() {
    for code in [ENOMEM, EMFILE] {
      for action in ["dup failed", "Error marshalling request"] {
        daemon.expectError(containing: "\(action): \(unsafe String(cString: strerror(code)))")
      }
    }
  }

  /// Starts a daemon with the saved panes, which may end at once.
  func startUnawaited() throws -> Child {
    try Child(
      ProgramPaths.backdropd,
      environment: server.environment.merging(injector.environment) { $1 })
  }
}
