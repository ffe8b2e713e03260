import Control
import Glibc
import Panes
import Raster
import TestSupport
import Testing

/// A desktop with windows and a daemon, in which a chosen call of the daemon fails during each operation of a usual session.
final class FaultSession {
  let server: XServer
  let client: TestClient
  let injector: FaultInjector
  /// The window that moves behind the panes, and the one with glass behind it.
  let window, clear: TestWindow
  private let compositor: Child?
  private(set) var daemon: TestDaemon
  private(set) var base = SavedPanes()
  private(set) var baseScreen = Bitmap(width: 1, height: 1)

  /// Starts the programs, and adds the panes with which each operation begins.
  init(isComposited: Bool) throws {
    server = try XServer(width: 320, height: 240)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 320, height: 240, seed: 4))
    window = try client.makeWindow(
      Self.windowPlace, picture: .noise(width: 80, height: 60, seed: 5))
    clear = try client.makeWindow(Rect(x: 200, y: 20, width: 90, height: 80), color: 0, argb: true)
    client.setClass("clear", "Clear", of: clear)
    try client.sync()
    compositor = isComposited ? try server.start("xcompmgr") : nil
    let client = client
    if isComposited { #expect(try soon { try client.hasSelection("_NET_WM_CM_S0") }) }
    injector = try FaultInjector(in: server.runtimeDirectory)
    _ = try server.run("mkdir", ["-p", server.configurationFolder])
    daemon = try TestDaemon(on: server, ["--fresh"], environment: injector.environment)
    try addPanes(isComposited: isComposited)
    base = try savedPanes()
    baseScreen = try client.screenshot()
  }

  /// The time in which all must be right again.
  static let patience = Duration.seconds(10)
  static let windowPlace = Rect(x: 60, y: 50, width: 80, height: 60)

  private func addPanes(isComposited: Bool) throws {
    let panes = [
      ["add", "a", "--geometry", "140x110+10+20", "--corner", "20", "--shadow", "outer-view"],
      ["add", "text", "--size", "auto", "--label", "Hello", "--anchor", "bottom-right"],
      [
        "add", "drawer", "--edge", "bottom", "--size", "120x40", "--peek", "8", "--elasticity", "0",
      ],
    ]
    // By itself the scheme depends on what was there before.
    for arguments in panes { try daemon.ask(arguments + ["--scheme", "dark"]) }
    if isComposited {
      try daemon.ask(
        "behind", "add", "glass", "--class", "clear", "--sigma", "5", "--scheme", "dark")
    }
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

  /// Waits until the compositor, if there is one, knows all windows. xcompmgr forgets one that ends before that, and then puts
  /// windows that were placed above it below all others.
  func waitForCompositor() throws {
    if compositor != nil { try client.waitForCompositor() }
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
    var file = PaneFile(
      path: "\(server.stateFolder)/backdropd-\(server.display.dropFirst()).panes")
    return try file.load()
  }

  /// Whether the screen soon shows a picture.
  func shows(_ picture: Bitmap) throws -> Bool {
    try soon(within: Self.patience) { try client.screenshot() == picture }
  }

  /// Restores the panes, the windows and the configuration. Returns what is not as before; nil if all is.
  func restore() throws -> String? {
    window.move(x: Self.windowPlace.x, y: Self.windowPlace.y)
    try client.sync()
    if unsafe unlink(server.configurationFolder + "/backdropd.conf") == 0 { _ = perform() }
    let requests: [Request] = [
      .apply(base.panes, isRehearsal: false), .drawer(name: "drawer", .close), .sync,
    ]
    let isRestored = soon(within: Self.patience) { perform(requests) }
    if !isRestored { return "refused: \(requests.map { ask($0) ?? "no reply" })" }
    if try !shows(baseScreen) {
      return "the screen: " + (try client.screenshot().difference(from: baseScreen) ?? "")
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
    try settled { try client.screenshot() }
  }

  // MARK: Daemons

  /// Kills the daemon, and starts another one.
  func startAgain(_ arguments: [String]) throws {
    daemon.expectError(containing: "")
    daemon.process.kill()
    _ = daemon.process.wait(for: .seconds(10))
    daemon = try TestDaemon(on: server, arguments, environment: injector.environment)
    _ = perform()
  }

  /// Starts a daemon with the saved panes, which may end at once.
  func startUnawaited() throws -> Child {
    try Child(
      ProgramPaths.backdropd,
      environment: server.environment.merging(injector.environment) { $1 })
  }
}

/// A part of a session.
struct FaultOperation: Sendable, CustomTestStringConvertible {
  let name: String
  /// Returns whether all requests succeeded.
  let perform: @Sendable (FaultSession) throws -> Bool

  var testDescription: String { name }

  init(_ name: String, _ perform: @escaping @Sendable (FaultSession) throws -> Bool) {
    self.name = name
    self.perform = perform
  }

  private static let fade = try? Fade(milliseconds: 40)

  /// A usual session, as operations that begin with the same panes.
  static let all = [
    FaultOperation("add") {
      try $0.command(
        "add", "new", "--geometry", "100x70+150+90", "--shadow", "outer-view", "--corner", "9",
        "--scheme", "dark")
    },
    FaultOperation("add a label") {
      try $0.command(
        "add", "new", "--size", "auto", "--label", "New", "--anchor", "top", "--scheme", "dark")
    },
    FaultOperation("set") { try $0.command("set", "a", "--sigma", "3", "--tint", "#80FF0040") },
    FaultOperation("set a label") { try $0.command("set", "text", "--label", "Changed") },
    FaultOperation("move") {
      try $0.command("set", "a", "--geometry", "150x90+40+60", "--shadow", "none", "--corner", "0")
    },
    FaultOperation("hide") { $0.perform(.hide(name: "a", fade ?? .none)) },
    FaultOperation("show") { $0.perform(.show(name: "hidden", fade ?? .none)) },
    FaultOperation("open a drawer") { $0.perform(.drawer(name: "drawer", .open)) },
    FaultOperation("move a window") { session in
      for step in 1...3 {
        session.window.move(x: 60 + 10 * step, y: 50)
        try session.client.sync()
      }
      return session.perform()
    },
    FaultOperation("make a window") { session in
      let new = try session.client.makeWindow(
        Rect(x: 20, y: 30, width: 70, height: 50), color: 0xFF30_6090)
      defer { new.destroy() }
      try session.client.sync()
      let isDone = session.perform()
      try session.waitForCompositor()
      return isDone
    },
    FaultOperation("take pictures") {
      $0.perform(
        .snapshot(name: "a", isBackdrop: true), .snapshot(name: "text", isBackdrop: false))
    },
    FaultOperation("ask") { $0.perform(.list, .status, .outputs, .cache, .declared) },
    FaultOperation("configure") { session in
      try session.configure(
        #"panes = ( { name = "file"; geometry = "60x50+240+150"; scheme = "dark"; } );"#)
      return session.perform()
    },
    FaultOperation("set monitors") { session in
      var isDone = true
      for arguments in [
        ["--setmonitor", "left", "160/50x240/75+0+0", "screen"], ["--delmonitor", "left"],
      ] {
        _ = try session.server.run("xrandr", arguments)
        isDone = session.perform() && isDone
      }
      return isDone
    },
    FaultOperation("refresh") { $0.perform(.clearCache, .refresh) },
    FaultOperation("move glass") { session in
      session.clear.move(x: 190, y: 40)
      try session.client.sync()
      defer { session.clear.move(x: 200, y: 20) }
      return session.perform()
    },
    FaultOperation("remove") { $0.perform(.remove(name: "a"), .remove(name: "text")) },
  ]
}
