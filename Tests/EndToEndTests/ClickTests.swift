import Glibc
import Raster
import TestSupport
import Testing

/// Clicks on panes run commands.
@Suite(.serialized, .waiting) struct ClickTests {
  private let server: XServer
  private let folder: String

  init() throws {
    server = try XServer(width: 400, height: 300)
    folder = server.runtimeDirectory + "/clicks"
    try makeDirectory(folder)
  }

  /// The arguments of a pane of 200x100 at 50, 40 that runs a command in a folder of the test.
  private func pane(_ command: String, _ more: String...) -> [String] {
    [
      "add", "pane", "--or-set", "--geometry", "200x100+50+40", "--click",
      "cd \(folder) && \(command)",
    ]
      + more
  }

  private func xdotool(_ arguments: String...) throws {
    let outcome = try server.run("xdotool", arguments)
    #expect(outcome.status == .exited(0), "\(outcome.err)")
  }

  private func click(x: Int = 150, y: Int = 90, button: Int = 1) throws {
    try xdotool("mousemove", "\(x)", "\(y)", "click", "\(button)")
  }

  /// The names of the files that commands have made.
  private var files: [String] { namesInDirectory(folder).sorted() }

  private func text(_ name: String) throws -> String { try readText("\(folder)/\(name)") }

  private func descriptorCount(of daemon: TestDaemon) -> Int {
    namesInDirectory("/proc/\(daemon.process.pid)/fd").count
  }

  private func makeProgram(_ path: String, _ script: String) throws {
    try writeText("#!/bin/sh\n\(script)\n", to: path)
    try #require(unsafe chmod(path, 0o700) == 0)
  }

  @Test func clickRunsTheCommandWithItsEnvironment() throws {
    let daemon = try TestDaemon(on: server)
    // The name of the file is there only when it is whole.
    try daemon.ask(pane("env > part; readlink /proc/self/fd/0 >> part; mv part done"))
    try daemon.sync()
    let descriptors = descriptorCount(of: daemon)
    try click()
    #expect(soon { files == ["done"] })
    let lines = try text("done").split(separator: "\n")
    #expect(lines.contains("BACKDROPD_PANE=pane") && lines.contains("DISPLAY=\(server.display)"))
    #expect(lines.last == "/dev/null")
    #expect(!lines.contains { $0.hasPrefix("NOTIFY_SOCKET") || $0.hasPrefix("JOURNAL_STREAM") })
    // Nothing is left behind.
    #expect(soon { children(of: daemon.process.pid).count == 0 })
    // The daemon may not have closed the connection of a client that has ended.
    #expect(soon { descriptorCount(of: daemon) <= descriptors })
  }

  /// Each click of the first button that ends near its beginning counts, and nothing else.
  @Test func onlyClicksCount() throws {
    let daemon = try TestDaemon(on: server)
    try daemon.ask(pane("mktemp click.XXXXXX >/dev/null"))
    try daemon.sync()
    for button in [2, 3, 4, 5] { try click(button: button) }
    try click(x: 20, y: 20)
    try click(x: 260, y: 90)
    try xdotool(
      "mousemove", "150", "90", "mousedown", "1", "mousemove", "170", "90", "mouseup", "1")
    try xdotool(
      "mousemove", "240", "90", "mousedown", "1", "mousemove", "300", "90", "mouseup", "1")
    try xdotool("mousemove", "20", "20", "mousedown", "1", "mousemove", "150", "90", "mouseup", "1")
    try daemon.sync()
    try click()
    try xdotool(
      "mousemove", "150", "90", "mousedown", "1", "mousemove", "155", "93", "mouseup", "1")
    #expect(soon { files.count == 2 })
    // After all others.
    try daemon.sync()
    try click()
    #expect(soon { files.count == 3 })
    try daemon.ask("hide", "pane")
    try daemon.sync()
    try click()
    try daemon.ask("show", "pane")
    try daemon.ask("set", "pane", "--reset", "click")
    try daemon.sync()
    try click()
    try daemon.ask(pane("touch last"))
    try daemon.sync()
    try click()
    #expect(soon { files.contains("last") })
    #expect(files.count == 4)
  }

  /// The window below neither gets the click nor loses the keyboard.
  @Test func windowsBelowNoticeNothing() throws {
    let client = try TestClient(server)
    let window = try client.makeWindow(
      Rect(x: 0, y: 0, width: 400, height: 300), color: 0xff00_80ff)
    try client.sync()
    try xdotool("windowfocus", "--sync", "\(window.id)")
    func focus() throws -> String { try server.run("xdotool", ["getwindowfocus"]).out }
    let before = try focus()
    let daemon = try TestDaemon(on: server)
    try daemon.ask(pane("touch done"))
    try daemon.sync()
    let screen = try client.screenshot()
    try click()
    #expect(soon { files == ["done"] })
    try daemon.sync()
    #expect(try focus() == before)
    #expect(try client.screenshot().difference(from: screen) == nil)
  }

  /// A tap on a drawer runs its command, which may move the drawer; a pull does not.
  @Test func tapOnADrawerIsAClick() throws {
    let daemon = try TestDaemon(on: server)
    try daemon.ask(
      "add", "drawer", "--edge", "top", "--size", "100%x200", "--peek", "30", "--click",
      "'\(ProgramPaths.backdropctl)' drawer toggle \"$BACKDROPD_PANE\"")
    try daemon.sync()
    func state() throws -> String { try daemon.ask("list", "--wide") }
    try click(x: 200, y: 15)
    #expect(try soon { try state().contains("(open)") })
    try click(x: 200, y: 100)
    #expect(try soon { try state().contains("(closed)") })
    try xdotool("mousemove", "200", "15", "mousedown", "1", "mousemove", "200", "180")
    #expect(try soon { try state().contains("400x195") })
    holdStill()
    try xdotool("mouseup", "1")
    #expect(try soon { try state().contains("(open)") })
  }

  @Test(.enabled(if: getuid() == 0, "Xorg needs root")) func tapOfAFingerIsAClick() throws {
    let server = try XServer(.withTouchScreen, width: 640, height: 480)
    let daemon = try TestDaemon(on: server)
    try daemon.ask(pane("mktemp tap.XXXXXX >/dev/null"))
    try daemon.sync()
    let screen = try TouchScreen(of: server)
    try screen.touch(1, .began, x: 100, y: 80)
    try screen.touch(1, .moved, x: 104, y: 78)
    try screen.touch(1, .ended, x: 104, y: 78)
    #expect(soon { files.count == 1 })
    // A swipe is none.
    try screen.touch(1, .began, x: 100, y: 80)
    try screen.touch(1, .moved, x: 150, y: 80)
    try screen.touch(1, .ended, x: 100, y: 80)
    try screen.touch(1, .began, x: 100, y: 80)
    try screen.touch(1, .ended, x: 100, y: 80)
    #expect(soon { files.count == 2 })
    try daemon.sync()
    #expect(files.count == 2)
  }

  /// Commands outlive the daemon, and the panes have theirs after a restart.
  @Test func commandsAndPanesOutliveTheDaemon() throws {
    var daemon: TestDaemon? = try TestDaemon(on: server)
    try daemon?.ask(pane("touch begun; while [ ! -e go ]; do sleep 0.01; done; touch ended"))
    try daemon?.sync()
    try click()
    #expect(soon { files == ["begun"] })
    // Frames go on meanwhile.
    try daemon?.sync()
    try daemon?.stop()
    daemon = nil
    try writeText("", to: "\(folder)/go")
    #expect(soon { files == ["begun", "ended", "go"] })
    let next = try TestDaemon(on: server, [])
    for name in ["begun", "ended"] { #expect(unsafe unlink("\(folder)/\(name)") == 0) }
    try next.sync()
    try click()
    #expect(soon { files == ["begun", "ended", "go"] })
  }

  /// The log names a command that cannot run, and a click that would be one too many.
  @Test func logNamesWhatCannotRun() throws {
    let daemon = try TestDaemon(on: server)
    daemon.expectError(containing: "no-such-program")
    try daemon.ask(pane("no-such-program"))
    try daemon.sync()
    try click()
    #expect(soon { daemon.log.contains("clicks on 'pane': exit status 127") })
    #expect(daemon.log.contains("no-such-program: not found"), "what the shell says")
    try daemon.ask(pane("while [ ! -e go ]; do sleep 0.1; done"))
    try daemon.sync()
    for _ in 0..<65 { try click() }
    #expect(soon { daemon.log.contains("64 such commands are running already") })
    #expect(children(of: daemon.process.pid).count == 64)
    try writeText("", to: "\(folder)/go")
    #expect(soon { children(of: daemon.process.pid).count == 0 })
  }

  /// In a unit the service manager starts the command, outside of what the unit forbids.
  @Test func unitLetsTheServiceManagerStartTheCommand() throws {
    let programs = server.runtimeDirectory + "/programs"
    try makeDirectory(programs)
    // Each argument on a line.
    try makeProgram(
      "\(programs)/systemd-run",
      "printf '%s\\n' \"$@\" > \(folder)/part; mv \(folder)/part \(folder)/done")
    try makeProgram(
      "\(programs)/backdropd",
      "SYSTEMD_EXEC_PID=$$ exec '\(ProgramPaths.backdropd)' \"$@\"")
    let path = server.environment["PATH"] ?? "/usr/bin:/bin"
    let daemon = try TestDaemon(
      on: server, program: "\(programs)/backdropd", ["--fresh"],
      environment: ["PATH": "\(programs):\(path)"], recordFailure: { Issue.record("\($0)") })
    try daemon.ask(pane("echo \"$HOME\" $(id) $$"))
    try daemon.sync()
    try click()
    #expect(soon { files == ["done"] })
    let words = try text("done").split(separator: "\n").map(String.init)
    #expect(words.prefix(4) == ["--user", "--collect", "--quiet", "--description=backdropd: pane"])
    #expect(words.contains("--setenv=BACKDROPD_PANE=pane"))
    #expect(words.contains("--setenv=DISPLAY=\(server.display)"))
    #expect(
      words.suffix(4) == ["--", "/bin/sh", "-c", "cd \(folder) && echo \"$$HOME\" $$(id) $$$$"])
  }
}
