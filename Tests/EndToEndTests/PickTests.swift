import FoundationEssentials
import Raster
import TestSupport
import Testing

/// `backdropctl pick` with a real pointer and a real keyboard.
@Suite(.serialized, .waiting) struct PickTests {
  private let server: XServer
  private let client: TestClient

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
  }

  /// The output of the command in JSON.
  private struct Rule: Decodable {
    struct Window: Decodable {
      let window: String
      let obstacle: String?
      let over: Bool?
      let background: String?
    }
    let command: String
    let arguments: [String]
    let matches: Int
    let window: Window
    let hindrance: String?
  }

  private func makeWindow(
    _ rect: Rect, _ name: String?, argb: Bool = false, overrideRedirect: Bool = false
  ) throws -> TestWindow {
    let window = try client.makeWindow(
      rect, color: 0xFF40_6080, argb: argb, overrideRedirect: overrideRedirect)
    if let name { client.setClass(name.lowercased(), name, of: window) }
    try client.sync()
    return window
  }

  /// Starts the command, and returns when it has the pointer.
  private func startPick(_ arguments: String...) throws -> Child {
    let pick = try server.start(ProgramPaths.backdropctl, ["pick"] + arguments)
    #expect(soon { pick.err.contains("click a window") }, "\(pick.err)")
    return pick
  }

  private func xdotool(_ arguments: String...) throws {
    let outcome = try server.run("xdotool", arguments)
    #expect(outcome.status == .exited(0), "\(outcome.err)")
  }

  private func click(x: Int, y: Int) throws {
    try xdotool("mousemove", "\(x)", "\(y)", "click", "1")
  }

  private func rule(from child: Child) throws -> Rule {
    #expect(child.wait(for: .seconds(20)) == .exited(0), "\(child.err)")
    return try JSONDecoder().decode(Rule.self, from: Data(child.out.utf8))
  }

  /// The rule for a window that is named by its number.
  private func rule(for window: TestWindow) throws -> Rule {
    let outcome = try server.run(
      ProgramPaths.backdropctl, ["pick", "--json", "--window", "0x" + String(window.id, radix: 16)])
    #expect(outcome.status == .exited(0), "\(outcome.err)")
    return try JSONDecoder().decode(Rule.self, from: Data(outcome.out.utf8))
  }

  // MARK: Choice

  @Test func clickedWindowIsNamed() throws {
    _ = try makeWindow(Rect(x: 20, y: 20, width: 200, height: 150), "Kitty")
    _ = try makeWindow(Rect(x: 100, y: 60, width: 200, height: 150), "XTerm")
    _ = try makeWindow(Rect(x: 300, y: 200, width: 50, height: 50), "XTerm")
    for (x, y, command, matches) in [
      (50, 50, "backdropctl behind add kitty --class Kitty\n", "1 shown window fulfils"),
      (150, 100, "backdropctl behind add xterm --class XTerm\n", "2 shown windows fulfil"),
    ] {
      let pick = try startPick()
      try click(x: x, y: y)
      #expect(pick.wait(for: .seconds(20)) == .exited(0))
      #expect(pick.out == command)
      let end = "its background #406080 becomes glass"
      #expect(pick.err.contains(matches) && pick.err.contains(end), "\(pick.err)")
    }
  }

  /// The clicked window gets neither the press nor the release, and programs can be clicked afterwards.
  @Test func pointerIsFreeAfterwards() throws {
    for _ in 0..<3 {
      let window = try makeWindow(Rect(x: 20, y: 20, width: 200, height: 150), "Kitty")
      let pick = try startPick()
      try click(x: 50, y: 50)
      #expect(pick.wait(for: .seconds(20)) == .exited(0), "\(pick.err)")
      window.destroy()
    }
  }

  @Test func clientInTheFrameOfAManagerIsNamed() throws {
    let manager = try server.start("openbox", ["--config-file", "/dev/null"])
    defer { manager.terminate() }
    try client.waitForWindowManager()
    let window = try makeWindow(Rect(x: 60, y: 80, width: 200, height: 120), "Kitty")
    #expect(soon { client.hasProperty("WM_STATE", on: window) })
    #expect(try rule(for: window).window.window == text(window.id))
    let pick = try startPick("--json")
    // The title bar is above the client.
    let place = try server.run("xdotool", ["getwindowgeometry", "\(window.id)"]).out
    let position = try #require(place.split(separator: "\n").first { $0.contains("Position:") })
    let numbers = position.split { !$0.isNumber }.compactMap { Int($0) }
    try click(x: numbers[0] + 100, y: numbers[1] - 8)
    let rule = try rule(from: pick)
    #expect(rule.window.window == text(window.id))
    #expect(rule.arguments == ["backdropctl", "behind", "add", "kitty", "--class", "Kitty"])
  }

  private func text(_ id: UInt32) -> String { "0x" + String(id, radix: 16) }

  @Test func menuIsNamed() throws {
    _ = try makeWindow(Rect(x: 20, y: 20, width: 200, height: 150), "XTerm")
    _ = try makeWindow(
      Rect(x: 60, y: 40, width: 50, height: 90), "XTerm", overrideRedirect: true)
    let pick = try startPick("--json")
    try click(x: 80, y: 60)
    let rule = try rule(from: pick)
    #expect(rule.arguments.suffix(3) == ["--class", "XTerm", "--override-redirect"])
    #expect(rule.matches == 1)
  }

  @Test func paneIsLookedThrough() throws {
    let daemon = try TestDaemon(on: server)
    _ = try makeWindow(Rect(x: 20, y: 20, width: 200, height: 150), "Kitty")
    try daemon.ask("add", "pane", "--geometry", "100x80+40+40", "--input", "grab")
    try daemon.sync()
    let pick = try startPick()
    try click(x: 60, y: 60)
    #expect(pick.wait(for: .seconds(20)) == .exited(0), "\(pick.err)")
    #expect(pick.out.contains("--class Kitty"))
  }

  @Test func rootIsAnError() throws {
    let pick = try startPick()
    try click(x: 390, y: 290)
    #expect(pick.wait(for: .seconds(20)) == .exited(69))
    #expect(pick.out.isEmpty && pick.err.contains("only the root window"))
  }

  @Test func escapeAndTheRightButtonCancel() throws {
    for command in [["key", "Escape"], ["click", "3"]] {
      let pick = try startPick()
      // Other keys and buttons do nothing.
      try xdotool("key", "a", "click", "4", "click", "2")
      let outcome = try server.run("xdotool", command)
      #expect(outcome.status == .exited(0))
      #expect(pick.wait(for: .seconds(20)) == .exited(130))
      #expect(pick.out.isEmpty && pick.err.contains("cancelled"))
    }
  }

  @Test func grabOfAnotherClientIsAnError() throws {
    let first = try startPick()
    let second = try server.run(ProgramPaths.backdropctl, ["pick"])
    #expect(second.status == .exited(69))
    #expect(second.err.contains("another program has grabbed the pointer"))
    try xdotool("click", "3")
    #expect(first.wait(for: .seconds(20)) == .exited(130))
  }

  @Test func wrongNumbersAndServersAreErrors() throws {
    let missing = try server.run(ProgramPaths.backdropctl, ["pick", "--window", "0x123456"])
    #expect(missing.status == .exited(69) && missing.err.contains("0x123456"))
    let wrong = try server.run(ProgramPaths.backdropctl, ["pick", "--window", "abc"])
    #expect(wrong.status == .exited(64) && wrong.err.contains("'abc'"))
    let wayland = try server.run(
      ProgramPaths.backdropctl, ["pick", "--window", "1", "--display", "wayland-1"])
    #expect(wayland.status == .exited(78) && wayland.err.contains("no X server"))
  }

  // MARK: Rule

  /// A shell gives the words of the command back.
  @Test func commandIsQuotedForAShell() throws {
    let window = try makeWindow(Rect(x: 20, y: 20, width: 200, height: 150), nil)
    for title in ["it's $HOME; `ls` \"x\"", "(a|b)* [c] \\d ^$", "*", "-x"] {
      client.setTitle(title, of: window)
      try client.sync()
      let rule = try rule(for: window)
      #expect(rule.arguments[4] == "--title" && rule.matches == 1)
      let words = try server.run(
        "sh", ["-c", "printf '%s\\n' " + rule.command])
      #expect(words.out.split(separator: "\n").map(String.init) == rule.arguments, "\(title)")
    }
  }

  @Test func pickedRuleIsAdded() throws {
    let compositor = try server.start("xcompmgr")
    defer { compositor.terminate() }
    let daemon = try TestDaemon(on: server)
    let window = try makeWindow(Rect(x: 20, y: 20, width: 200, height: 150), "Kitty", argb: true)
    let early = try server.run(ProgramPaths.backdropctl, ["pick", "--add", "a b"])
    #expect(early.status == .exited(64) && early.err.contains("'a b'"))
    let pick = try startPick("--add", "glass", "--sigma", "12")
    try click(x: 60, y: 60)
    #expect(pick.wait(for: .seconds(20)) == .exited(0), "\(pick.err)")
    #expect(pick.out == "backdropctl behind add glass --class Kitty --sigma 12\n")
    try daemon.sync()
    #expect(try daemon.ask("behind", "list").contains("glass  \(text(window.id))"))
    let again = try server.run(ProgramPaths.backdropctl, ["pick", "--add", "glass"])
    #expect(again.status == .exited(64) && again.err.contains("'glass'"), "\(again.err)")
    #expect(try daemon.ask("cache").contains("window below \(text(window.id))"))
    // Others get no window, and say which pane has it.
    let second = try daemon.ctl("behind", "add", "second", "--class", "kitty")
    let third = try daemon.ctl("pick", "--add", "third", "--window", text(window.id))
    for (name, outcome) in [("second", second), ("third", third)] {
      let warning = "warning: the glass of '\(name)' is not behind 1 of them: 'glass' comes first"
      #expect(outcome.status == .exited(0) && outcome.err.contains(warning), "\(outcome.err)")
      let list = try daemon.ask("behind", "list").split(whereSeparator: \.isWhitespace)
      let row = "\(name) - no window of its own: 'glass' comes first"
      #expect(list.joined(separator: " ").contains(row), "\(list)")
    }
    try daemon.ask("behind", "add", "other", "--class", "xterm")
    #expect(try daemon.ask("behind", "list").contains("no such window"))
  }

  @Test func withoutADaemonNothingIsAdded() throws {
    let pick = try server.run(ProgramPaths.backdropctl, ["pick", "--add", "glass"])
    #expect(pick.status == .exited(69) && pick.err.contains("no backdropd answers"))
  }

  // MARK: Hindrances

  /// The glass goes over an opaque window, if that has an even background.
  @Test(arguments: [[], ["xcompmgr"]]) func backgroundOfAnOpaqueWindowIsTold(
    command: [String]
  ) throws {
    let compositor = try command.first.map { try server.start($0) }
    defer { compositor?.terminate() }
    if compositor != nil { try client.waitForCompositor() }
    for hasAlpha in [false, true] {
      let window = try makeWindow(
        Rect(x: 20, y: 20, width: 200, height: 150), "Foo", argb: hasAlpha)
      let even = try rule(for: window)
      #expect(even.window.over == true && even.window.background == "#406080")
      #expect(even.hindrance == nil)
      window.draw(.noise(width: 200, height: 150, seed: 3))
      try client.sync()
      let uneven = try rule(for: window)
      #expect(uneven.window.obstacle == "uneven-background")
      #expect(uneven.hindrance?.contains("--background '#RRGGBB'") == true)
      window.destroy()
    }
  }

  @Test func windowThatFillsTheScreenIsLeftAlone() throws {
    let window = try makeWindow(Rect(x: 0, y: 0, width: 400, height: 300), "Game")
    window.setAtoms("_NET_WM_STATE", ["_NET_WM_STATE_FULLSCREEN"])
    try client.sync()
    #expect(try rule(for: window).window.obstacle == "fullscreen")
  }

  /// Nothing would be seen behind it if it were translucent.
  @Test func desktopIsToldToHaveNothingBehindIt() throws {
    let desktop = try makeWindow(Rect(x: 0, y: 0, width: 400, height: 300), "Xfdesktop")
    desktop.setAtoms("_NET_WM_WINDOW_TYPE", ["_NET_WM_WINDOW_TYPE_DESKTOP"])
    try client.sync()
    let hindrance = try #require(try rule(for: desktop).hindrance)
    #expect(hindrance.contains("nothing is behind it") && hindrance.contains("--layer desktop"))
    #expect(!hindrance.contains("OPACITY"), "\(hindrance)")
  }
}
