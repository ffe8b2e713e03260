import Control
import FoundationEssentials
import Raster
import TestSupport
import Testing

/// `backdropctl subscribe`.
@Suite(.serialized, .waiting) struct SubscribeTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon

  init() throws {
    server = try XServer(width: 640, height: 480)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 640, height: 480, seed: 1))
    daemon = try TestDaemon(on: server)
  }

  private func subscribe(_ kinds: String...) throws -> Child {
    try server.start(ProgramPaths.backdropctl, ["subscribe"] + kinds)
  }

  private func events(_ process: Child) throws -> [EventReport] {
    let lines = process.out.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return try lines.map { try JSONDecoder().decode(EventReport.self, from: Data($0.utf8)) }
  }

  /// Waits for events of these kinds, in this order; others may be between them.
  private func expect(_ kinds: EventKind..., from process: Child) throws {
    let isThere = try soon {
      var rest = kinds[...]
      for event in try events(process) where event.event == rest.first { rest = rest.dropFirst() }
      return rest.isEmpty
    }
    #expect(isThere, "\(process.out)\(process.err)")
  }

  @Test func changesArePrinted() throws {
    try daemon.ask("add", "old", "--geometry", "100x80+10+10")
    let process = try subscribe()
    try expect(.outputAdded, .paneAdded, from: process)
    #expect(try events(process).first { $0.event == .paneAdded }?.pane?.name == "old")
    try daemon.ask("add", "new", "--geometry", "100x80+200+10")
    try expect(.paneAdded, .paneAdded, from: process)
    try daemon.ask("set", "new", "--geometry", "100x80+300+20", "--sigma", "7")
    try expect(.paneMoved, .paneChanged, from: process)
    let moved = try events(process).last { $0.event == .paneMoved }?.pane
    #expect(moved?.rect == "100x80+300+20" && moved?.settings["sigma"] == .number(7))
    try daemon.ask("hide", "new")
    try expect(.paneHidden, from: process)
    try daemon.ask("show", "new")
    try expect(.paneHidden, .paneShown, from: process)
    let monitor = ["--setmonitor", "left", "320/80x480/120+0+0", "screen"]
    #expect(try server.run("xrandr", monitor).status == .exited(0))
    try expect(.outputRemoved, .outputAdded, from: process)
    #expect(try events(process).last { $0.event == .outputAdded }?.output?.name == "left")
    try daemon.ask("remove", "old")
    try expect(.paneRemoved, from: process)
    try daemon.ask("quit")
    #expect(process.wait(for: .seconds(10)) == .exited(69))
    #expect(process.err == "backdropctl: backdropd on display \(server.display) has ended\n")
  }

  @Test func onlyWantedKindsArePrinted() throws {
    try daemon.ask("add", "a", "--geometry", "100x80+10+10")
    let process = try subscribe("pane-added", "pane-hidden")
    try expect(.paneAdded, from: process)
    for command in ["hide", "show", "hide", "remove"] { try daemon.ask(command, "a") }
    try daemon.ask("add", "b", "--geometry", "100x80+10+10")
    try expect(.paneAdded, .paneAdded, from: process)
    #expect(try events(process).allSatisfy { [.paneAdded, .paneHidden].contains($0.event) })
    let wrong = try daemon.ctl("subscribe", "pane-mvoed")
    #expect(wrong.status == .exited(64))
    #expect(wrong.err.contains("pane-mvoed") && wrong.err.contains("pane-moved"), "\(wrong.err)")
  }

  @Test func ratesComeWhileSomethingIsDrawn() throws {
    try daemon.ask("add", "a", "--plain", "--geometry", "100x80+10+10")
    try daemon.sync()
    let process = try subscribe("rates")
    var seed: UInt64 = 2
    let isThere = try soon {
      client.setWallpaper(.noise(width: 640, height: 480, seed: seed))
      seed += 1
      try daemon.sync()
      return try !events(process).isEmpty
    }
    #expect(isThere)
    let rates = try events(process).first?.rates
    #expect((rates?.frames ?? 0) > 0 && rates?.panes["a"] == rates?.frames)
    // The last report has no captures, and none follows.
    #expect(try soon { try events(process).last?.rates?.captures == 0 })
    try daemon.waitUntilAsleep()
    let count = try events(process).count
    #expect(try daemon.process.usage(within: .milliseconds(2200)).sleepCount == 0)
    #expect(try events(process).count == count, "\(process.out)")
  }

  @Test func configurationIsReported() throws {
    let process = try subscribe("reload", "error", "error-ended")
    _ = try server.run("mkdir", ["-p", server.configurationFolder])
    let file = server.configurationFolder + "/backdropd.conf"
    try writeText("rate = 50;\n", to: file)
    try expect(.reload, from: process)
    #expect(try events(process).last?.text == file)
    try writeText("rate = none;\n", to: file)
    try expect(.reload, .error, from: process)
    #expect(try events(process).last?.text?.contains("rate") == true)
    try writeText("rate = 40;\n", to: file)
    try expect(.reload, .error, .errorEnded, from: process)
  }

  @Test func commandEndsWithItsReader() throws {
    let program = ProgramPaths.backdropctl
    let outcome = try server.run("sh", ["-c", "'\(program)' subscribe | head -n 1"])
    #expect(outcome.status == .exited(0))
    #expect(outcome.out.contains(#""event":"output-added""#))
  }
}
