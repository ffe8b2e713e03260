import Glibc
import Raster
import TestSupport
import Testing

/// Panes as scripts use them: each command is whole by itself, and may be repeated.
@Suite(.serialized, .waiting) struct ScriptTests {
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

  // MARK: Content

  /// Runs `command` with its output as the standard input of `add pane --or-set`.
  private func add(_ command: String, _ options: String) throws -> ProgramOutcome {
    let pane = "'\(ProgramPaths.backdropctl)' add pane --or-set \(options)"
    return try server.run("/bin/sh", ["-c", "\(command) | \(pane)"])
  }

  /// The part of the screen that the pane covers.
  private func rect() throws -> Rect {
    let text = try #require(list().firstMatch(of: /"frame" : "(\d+)x(\d+)\+(\d+)\+(\d+)"/))
    let numbers = try [text.1, text.2, text.3, text.4].map { try #require(Int($0)) }
    return Rect(x: numbers[2], y: numbers[3], width: numbers[0], height: numbers[1])
  }

  /// The width of the drawn text in pixels.
  private func drawnWidth() throws -> Int {
    let text = try #require(list().firstMatch(of: /"width" : (\d+)/))
    return try #require(Int(text.1))
  }

  /// A pane is as large as its text, and grows away from its corner.
  @Test func paneFollowsItsText() throws {
    let options = "--geometry auto --anchor top-right --margin 20 --label - --font 'Sans 20'"
    #expect(try add("echo 12:45", options).status == .exited(0))
    let first = try rect()
    #expect(try list().contains("\"label\" : \"12:45\""))
    #expect(first.maxX == 380 && first.y == 20 && first.width < 200, "\(first)")
    #expect(first.width == (try drawnWidth()) + 40)
    #expect(try add("echo Wednesday 12:45", options).status == .exited(0))
    let second = try rect()
    #expect(second.maxX == 380 && second.y == 20 && second.height == first.height)
    #expect(second.width > first.width + 60)
    try daemon.ask("set", "pane", "--label", "1\n2\n3", "--font", "Sans 20")
    let third = try rect()
    #expect(third.maxX == 380 && third.y == 20 && third.height > first.height + 40)
    // A text too wide for the output is wrapped.
    try daemon.ask("set", "pane", "--label", String(repeating: "word ", count: 20))
    let fourth = try rect()
    #expect(fourth.x == 20 && fourth.maxX == 380 && fourth.height > 80, "\(fourth)")
  }

  /// At another scale the text is drawn again, and the pane is as large as the new drawing.
  @Test func sizeFollowsTheScale() throws {
    let options = "--size auto --anchor center --label - --font 'Sans 15'"
    #expect(try add("echo Hello", options).status == .exited(0))
    let once = try rect()
    client.setResources(Array("Xft.dpi: 192\n".utf8), format: 8)
    try client.sync()
    try daemon.sync()
    let twice = try rect()
    #expect(twice.width == (try drawnWidth()) + 80)
    #expect(abs(twice.width - 2 * once.width) <= 4 && abs(twice.height - 2 * once.height) <= 4)
    client.setResources([], format: 8)
    try client.sync()
    try daemon.sync()
    #expect(try rect() == once)
  }

  @Test(arguments: [
    (":", "--geometry auto --label -", 64, "label: the text is empty"),
    ("printf '\\033[1m\\0\\n'", "--geometry auto --label -", 64, "label: the text is empty"),
    ("head -c 1000000 /dev/zero | tr '\\0' a", "--geometry auto --label -", 64, "1000000 bytes"),
    ("yes", "--geometry auto --label -", 64, "too long"),
    ("echo a", "--geometry auto --label - --label -", 64, "the standard input is given twice"),
    ("echo a", "--geometry auto --content -", 64, "name a file"),
    ("echo a", "--geometry auto", 64, "size auto: it has no meaning without content"),
    ("echo a", "--geometry auto --size 9x9 --label -", 64, "size: it has no meaning together"),
    ("echo a", "--geometry auto+5+5 --label -", 64, "; or auto"),
  ])
  func wrongTextIsNamed(command: String, options: String, status: Int32, words: String) throws {
    let outcome = try add(command, options)
    #expect(outcome.status == .exited(status) && outcome.err.contains(words), "\(outcome.err)")
    #expect(try daemon.ask("list").contains("no panes"))
  }

  // MARK: Time

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
    pause(.milliseconds(300))
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
