import Glibc
import Raster
import TestSupport
import Testing

/// Panes as scripts use them: each command is whole by itself, and may be repeated.
@Suite(.serialized) struct ScriptTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 5))
    try client.sync()
    daemon = try TestDaemon(on: server)
  }

  private func list() throws -> String { try daemon.ask("list", "--json") }

  /// The same command again draws nothing, and the overlay stays.
  @Test func repeatedCommandCostsNoFrame() throws {
    let clock = [
      "add", "clock", "--or-set", "--geometry", "200x100+50+40", "--label", "12:45", "--sigma", "9",
    ]
    try daemon.ask(clock)
    try daemon.sync()
    let (panes, screen) = (try list(), try client.screenshot())
    let windows = try server.topLevelWindows().map(\.text)
    for _ in 0..<3 { try daemon.ask(clock) }
    try daemon.sync()
    #expect(try list() == panes)
    #expect(try client.screenshot().difference(from: screen) == nil)
    #expect(try server.topLevelWindows().map(\.text) == windows)
    // A text that changes is drawn, in the same overlay.
    try daemon.ask(clock.map { $0 == "12:45" ? "12:46" : $0 })
    try daemon.sync()
    #expect(try client.screenshot().difference(from: screen) != nil)
    #expect(try server.topLevelWindows().map(\.text) == windows)
  }

  /// Settings of the pane before are gone, and it is shown.
  @Test func replacedPaneHasOnlyWhatIsGiven() throws {
    let pane = ["add", "pane", "--or-set", "--plain", "--geometry", "200x100+50+40"]
    try daemon.ask(pane)
    try daemon.sync()
    let (screen, panes) = (try client.screenshot(), try list())
    try daemon.ask(pane + ["--tint", "#FF000080", "--layer", "top", "--label", "x"])
    try daemon.ask("hide", "pane")
    try daemon.ask(pane)
    try daemon.sync()
    #expect(try client.screenshot().difference(from: screen) == nil)
    func settings(_ list: String) -> [Substring] {
      list.split(separator: "\n").filter { !$0.contains("\"frames\"") }
    }
    #expect(try settings(list()) == settings(panes))
  }

  @Test func wrongReplacementChangesNothing() throws {
    try daemon.ask("add", "pane", "--geometry", "200x100+50+40", "--for", "1h")
    let panes = try list()
    for (arguments, words) in [
      (["--geometry", "200x100+900+40"], "lies outside"),
      (["--geometry", "9x9+0+0", "--for", "5"], "for: cannot read '5'"),
      (["--geometry", "9x9+0+0", "--for", "25h"], "for: 25h is out of range"),
      (["--geometry", "9x9+0+0", "--corner", "30"], "corner"),
    ] {
      let outcome = try daemon.ctl(["add", "pane", "--or-set"] + arguments)
      #expect(outcome.status == .exited(64) && outcome.err.contains(words), "\(outcome.err)")
    }
    let duplicate = try daemon.ctl("add", "pane", "--geometry", "9x9+0+0")
    #expect(duplicate.status == .exited(64) && duplicate.err.contains("--or-set"))
    func lines(_ list: String) -> [Substring] {
      list.split(separator: "\n").filter { !$0.contains("remainingSeconds") }
    }
    #expect(try lines(list()) == lines(panes))
  }

  @Test func paneGoesByItself() throws {
    let screen = try client.screenshot()
    try daemon.ask("add", "stays", "--geometry", "60x40+300+200", "--for", "1h")
    try daemon.ask("add", "goes", "--geometry", "200x100+50+40", "--for", "300ms", "--fade", "100")
    #expect(try daemon.ask("list").contains(" s left"))
    #expect(try soon { try !list().contains("\"goes\"") })
    let left = try #require(decimal("remainingSeconds", in: list()))
    #expect(left > 3500 && left < 3600)
    try daemon.ask("add", "stays", "--or-set", "--geometry", "60x40+300+200")
    #expect(try !list().contains("remainingSeconds"))
    try daemon.ask("remove", "stays")
    try daemon.sync()
    #expect(try client.screenshot().difference(from: screen) == nil)
  }

  /// The next daemon has what is left of the time.
  @Test func endIsSaved() throws {
    try daemon.ask("add", "stays", "--geometry", "60x40+300+200", "--for", "1h", "--fade", "100")
    try daemon.ask("add", "goes", "--geometry", "60x40+100+200", "--for", "300ms")
    let left = try #require(decimal("remainingSeconds", in: list()))
    daemon.process.kill()
    daemon.expectError(containing: "")
    #expect(daemon.process.wait(for: .seconds(10)) == .signalled(SIGKILL))
    letPass(milliseconds: 300)
    let next = try TestDaemon(on: server, [])
    let list = try next.ask("list", "--json")
    #expect(list.contains("\"stays\"") && !list.contains("\"goes\""))
    let rest = try #require(decimal("remainingSeconds", in: list))
    #expect(rest < left - 0.3 && rest > left - 120, "\(rest) of \(left)")
    try next.stop()
  }
}

/// The first number with a key in JSON.
private func decimal(_ key: String, in json: String) -> Double? {
  guard let start = json.firstRange(of: "\"\(key)\" : ") else { return nil }
  return Double(json[start.upperBound...].prefix { $0.isNumber || $0 == "." })
}
