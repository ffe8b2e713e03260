import Raster
import TestSupport
import Testing

/// `backdropctl add --select` and `--window`, with a real pointer and a real keyboard.
@Suite(.serialized, .waiting) struct PointingTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 1))
    daemon = try TestDaemon(on: server)
  }

  /// Starts `add`, and returns when it has the pointer.
  private func start(_ arguments: String...) throws -> Child {
    let child = try server.start(ProgramPaths.backdropctl, ["add", "pane"] + arguments)
    #expect(soon { child.err.contains("cancels") }, "\(child.err)")
    return child
  }

  private func xdotool(_ words: String) throws {
    let outcome = try server.run("xdotool", words.split(separator: " ").map(String.init))
    #expect(outcome.status == .exited(0), "\(outcome.err)")
  }

  private func panes() throws -> String { try daemon.ask("list", "--json") }

  @Test func draggedRectangleBecomesAPane() throws {
    let before = try client.screenshot()
    try xdotool("mousemove 40 50")
    let child = try start("--select", "--plain", "--sigma", "7")
    // A hint is on the screen, near the pointer but not under it.
    let isHinted = try soon {
      let shot = try client.screenshot()
      return shot[60, 75] == 0xff20_2020 && shot[41, 51] == before[41, 51]
    }
    #expect(isHinted)
    try xdotool("mousedown 1 mousemove 139 129")
    // The frame and the label are seen, the rest is as it was.
    let inner = Rect(x: 40, y: 50, width: 100, height: 80)
    let isSeen = try soon {
      let shot = try client.screenshot()
      return shot[38, 48] == 0xff00_0000 && shot[39, 49] == 0xffff_ffff
        && shot.cropped(to: inner).difference(from: before.cropped(to: inner)) == nil
    }
    #expect(isSeen)
    try xdotool("mouseup 1")
    #expect(child.wait(for: .seconds(20)) == .exited(0), "\(child.err)")
    let list = try panes()
    #expect(list.contains(#""rect" : "100x80+40+50""#), "\(list)")
    // Only the pane stays.
    try daemon.sync()
    let shot = try client.screenshot()
    #expect(shot[38, 48] == before[38, 48])
    #expect(shot[80, 80] != before[80, 80])
  }

  @Test func escapeAndRightButtonCancel() throws {
    for words in ["key Escape", "click 3"] {
      for drag in ["", "mousemove 40 50 mousedown 1 mousemove 140 130 "] {
        let child = try start("--select")
        try xdotool(drag + words)
        #expect(child.wait(for: .seconds(20)) == .exited(130))
        #expect(child.err.hasSuffix("backdropctl: cancelled\n"))
        if !drag.isEmpty { try xdotool("mouseup 1") }
      }
    }
    #expect(try daemon.ask("list").split(separator: "\n").count <= 1)
  }

  @Test func clickedWindowGetsGlass() throws {
    let window = try client.makeWindow(
      Rect(x: 50, y: 60, width: 100, height: 80), color: 0xff20_4060)
    client.setClass("kitty", "kitty", of: window)
    try client.sync()
    let child = try start("--window")
    try xdotool("mousemove 80 90 click 1")
    #expect(child.wait(for: .seconds(20)) == .exited(0), "\(child.err)")
    #expect(child.err.contains("1 shown window fulfils the conditions"))
    let list = try panes()
    #expect(list.contains(#""class" : "kitty""#), "\(list)")
    let second = try server.start(ProgramPaths.backdropctl, ["add", "second", "--window"])
    #expect(soon { second.err.contains("click a window") }, "\(second.err)")
    try xdotool("mousemove 80 90 click 1")
    #expect(second.wait(for: .seconds(20)) == .exited(0), "\(second.err)")
    #expect(second.err.contains("comes first"), "\(second.err)")
  }

  @Test func wrongCommandsAreRefusedBeforeTheUserPoints() throws {
    try daemon.ask("add", "there", "--geometry", "50x50+0+0")
    for (words, text) in [
      (["add", "a", "--select", "--window"], "choose one"),
      (["add", "a", "--select", "--geometry", "9x9+0+0"], "leave out --geometry"),
      (["add", "a", "--select", "--output", "primary"], "leave out --output"),
      (["add", "there", "--select"], "there"),
      (["add", "a", "--select", "--sigma", "900"], "sigma"),
      (["add", "a", "--window", "--geometry", "9x9+0+0"], "geometry"),
    ] {
      let outcome = try daemon.ctl(words)
      #expect(outcome.status == .exited(64), "\(words) \(outcome)")
      #expect(outcome.err.contains(text), "\(outcome.err)")
    }
  }
}

/// The same on Wayland, where slurp takes the pointer. Here it is a script.
@Suite(.serialized, .waiting) struct WaylandPointingTests {
  private let server: WaylandServer
  private let daemon: TestDaemon

  init() throws {
    server = try WaylandServer(.sway, wallpaper: .noise(width: 480, height: 320, seed: 8))
    daemon = try TestDaemon(on: server)
  }

  private func add(_ words: String..., slurp script: String?) throws -> ProgramOutcome {
    let folder = server.runtimeDirectory + "/bin"
    let text = script.map { "printf '#!/bin/sh\\n%s\\n' '\($0)' >\(folder)/slurp" } ?? "true"
    let made = try server.run(
      "sh", ["-c", "mkdir -p \(folder) && \(text) && chmod -R 755 \(folder)"])
    #expect(made.status == .exited(0), "\(made.err)")
    return try Child.run(
      ProgramPaths.backdropctl, ["add", "pane"] + words,
      environment: server.environment.merging(["PATH": folder]) { $1 })
  }

  @Test func slurpSaysWhereThePaneIs() throws {
    let missing = try add("--select", slurp: nil)
    #expect(missing.status == .exited(69) && missing.err.contains("install the package slurp"))
    let cancelled = try add("--select", slurp: "echo selection cancelled >&2; exit 1")
    #expect(cancelled.status == .exited(130) && cancelled.err.hasSuffix("cancelled\n"))
    let window = try add("--window", slurp: "echo")
    #expect(window.status == .exited(69) && window.err.contains("leave out --window"))
    let added = try add("--select", "--plain", slurp: "echo 20,40 100x80")
    #expect(added.status == .exited(0), "\(added.err)")
    let list = try daemon.ask("list", "--json")
    #expect(list.contains(#""rect" : "100x80+20+40""#), "\(list)")
  }
}
