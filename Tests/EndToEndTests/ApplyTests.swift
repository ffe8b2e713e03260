import Raster
import TestSupport
import Testing

/// `apply`: the panes become those of a file, all of them or none.
@Suite(.serialized, .waiting) struct ApplyTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 91))
    try client.sync()
    daemon = try TestDaemon(on: server)
    try daemon.ask(
      "add", "old", "--plain", "--geometry", "90x80+10+10", "--sigma", "4", "--tint", "#FF000080")
    try daemon.ask(
      "add", "clock", "--plain", "--geometry", "120x90+60+40", "--corner", "20", "--tint",
      "#00FF0080",
      "--sigma", "7")
    try daemon.sync()
  }

  private func write(_ text: String) throws -> String {
    let path = server.runtimeDirectory + "/panes.json"
    try writeText(text, to: path)
    return path
  }

  private func names() throws -> [String] {
    try daemon.ask("list", "--json").split(separator: "\n").compactMap { line in
      let words = line.split(separator: "\"")
      return words.count > 3 && words[1] == "name" ? String(words[3]) : nil
    }
  }

  // MARK: All

  private let panes = """
    [
      {"name": "dock", "style": "plain", "geometry": "200x60+100-10", "corner": "15", "shadow": "outer-view"},
      {"name": "clock", "style": "plain", "geometry": "120x90+80+50", "sigma": 12, "shadow": "outer-view"},
      {"name": "spare", "style": "plain", "geometry": "50x50+0+0", "shown": false}
    ]
    """

  @Test func applyAddsChangesAndRemovesPanes() throws {
    let path = try write(panes)
    #expect(try daemon.ask("apply", path) == "remove old\nadd dock\nchange clock\nadd spare\n")
    try daemon.sync()
    #expect(try names() == ["dock", "clock", "spare"])
    let applied = try client.screenshot()
    // A setting that the file does not have is at its default.
    for name in ["dock", "clock", "spare"] { try daemon.ask("remove", name) }
    try daemon.ask([
      "add", "dock", "--plain", "--geometry", "200x60+100-10", "--corner", "15", "--shadow",
      "outer-view",
    ])
    try daemon.ask([
      "add", "clock", "--plain", "--geometry", "120x90+80+50", "--sigma", "12", "--shadow",
      "outer-view",
    ])
    try daemon.sync()
    #expect(try client.screenshot().difference(from: applied) == nil)
  }

  @Test func applyOfTheSamePanesKeepsThem() throws {
    let path = try write(panes)
    try daemon.ask("apply", path)
    try daemon.sync()
    let before = try daemon.ask("list", "--json")
    #expect(try daemon.ask("apply", path) == "keep dock\nkeep clock\nkeep spare\n")
    try daemon.sync()
    // The number of frames of each pane is part of the list.
    #expect(try daemon.ask("list", "--json") == before)
  }

  @Test func applyReadsTheStandardInput() throws {
    let path = try write(panes)
    let command = "\(ProgramPaths.backdropctl) apply - < \(path)"
    let outcome = try server.run("sh", ["-c", command])
    #expect(outcome.status == .exited(0), "\(outcome.err)")
    #expect(try names() == ["dock", "clock", "spare"])
    let empty = try server.run("sh", ["-c", "echo '[]' | \(ProgramPaths.backdropctl) apply -"])
    #expect(empty.out == "remove dock\nremove clock\nremove spare\n")
    #expect(try names() == [])
  }

  @Test func applySetsTheStackingOrder() throws {
    let lower =
      ##"{"name": "one", "style": "plain", "geometry": "200x150+50+50", "tint": "#FF0000C0"}"##
    let upper =
      ##"{"name": "two", "style": "plain", "geometry": "200x150+120+90", "tint": "#0000FFC0"}"##
    try daemon.ask("apply", try write("[\(lower), \(upper)]"))
    try daemon.sync()
    let first = try client.screenshot()
    let swapped = try daemon.ask("apply", try write("[\(upper), \(lower)]"))
    #expect(swapped == "keep two\nkeep one\n")
    try daemon.sync()
    let second = try client.screenshot()
    #expect(try names() == ["two", "one"])
    let shared = Rect(x: 120, y: 90, width: 130, height: 110)
    #expect(second.cropped(to: shared) != first.cropped(to: shared))
    for name in ["one", "two"] { try daemon.ask("remove", name) }
    for (name, geometry, tint) in [
      ("two", "200x150+120+90", "#0000FFC0"), ("one", "200x150+50+50", "#FF0000C0"),
    ] {
      try daemon.ask("add", name, "--plain", "--geometry", geometry, "--tint", tint)
    }
    try daemon.sync()
    #expect(try client.screenshot().difference(from: second) == nil)
  }

  @Test func applyDrawsContent() throws {
    let picture = server.runtimeDirectory + "/dots.png"
    try writePNG(straight: .noise(width: 30, height: 20, seed: 92), to: picture)
    let pane = """
      [{"name": "note", "style": "plain", "geometry": "200x150+100+80",
        "content": [{"image": "\(picture)", "at": "10,10"}, {"label": "12:45", "font": "Sans 20"}]}]
      """
    try daemon.ask("apply", try write(pane))
    try daemon.sync()
    let image = try client.screenshot(Rect(x: 110, y: 90, width: 30, height: 20))
    #expect(image.difference(from: .noise(width: 30, height: 20, seed: 92)) == nil)
    #expect(try daemon.ask("list").contains("1 image, 1 label"))
    #expect(try daemon.ask("apply", try write(pane)) == "keep note\n")
  }

  // MARK: Or none

  @Test func dryRunChangesNothing() throws {
    let (list, screen) = (try daemon.ask("list", "--json"), try client.screenshot())
    let actions = try daemon.ask("apply", try write(panes), "--dry-run")
    #expect(actions == "remove old\nadd dock\nchange clock\nadd spare\n")
    try daemon.sync()
    #expect(try daemon.ask("list", "--json") == list)
    #expect(try client.screenshot().difference(from: screen) == nil)
  }

  @Test(arguments: [
    (#"{"name": "bad", "geometry": "9x9+900+0"}"#, 64, ["'bad'", "lies outside the screen"]),
    (#"{"name": "bad", "sigma": 9}"#, 65, ["'bad'", "geometry is missing"]),
    (
      #"{"name": "bad", "geometry": "9x9+0+0", "sigma": -1}"#, 65,
      ["'bad'", "sigma: -1.0 is out of range"]
    ),
    (
      #"{"name": "bad", "geometry": "9x9+0+0", "corner": "9"}"#, 65,
      ["'bad'", "corner: 9.0 is out of range"]
    ),
    (#"{"name": "bad", "geometry": "9x9+0+0", "blur": 3}"#, 65, ["no key 'blur'"]),
    (#"{"name": "bad", "geometry": 9}"#, 65, ["'geometry' must be a text"]),
    (#"{"name": "b a d", "geometry": "9x9+0+0"}"#, 65, ["cannot name a pane 'b a d'"]),
    (#"{"geometry": "9x9+0+0"}"#, 65, ["'name' is missing"]),
    (
      #"{"name": "good", "style": "plain", "geometry": "9x9+0+0"}"#, 64,
      ["pane named 'good' already"]
    ),
    (
      #"{"name": "bad", "geometry": "9x9+0+0", "content": [{"image": "/nowhere.png"}]}"#, 66,
      ["'bad'", "/nowhere.png"]
    ),
    (
      #"{"name": "bad", "geometry": "9x9+0+0", "content": [{"label": "a", "font": "Qwxy 12"}]}"#,
      64, ["'bad'", "Qwxy"]
    ),
    (#"{"name": "bad", "geometry": "9x9+0+0", "content": [{"at": "1,1"}]}"#, 65, ["content"]),
  ])
  func wrongPaneChangesNothing(_ pane: String, _ status: Int32, _ words: [String]) throws {
    let (list, screen) = (try daemon.ask("list", "--json"), try client.screenshot())
    let path = try write(
      """
      [{"name": "good", "style": "plain", "geometry": "100x90+200+100", "tint": "#FFFFFFFF"},
       \(pane),
       {"name": "clock", "style": "plain", "geometry": "120x90+80+50"}]
      """)
    for options in [[], ["--dry-run"]] {
      let outcome = try daemon.ctl(["apply", path] + options)
      #expect(outcome.status == .exited(status), "\(outcome.err)")
      #expect(outcome.out.isEmpty && outcome.err.count { $0 == "\n" } == 1, "\(outcome.err)")
      for word in words { #expect(outcome.err.contains(word), "\(outcome.err)") }
    }
    try daemon.sync()
    #expect(try daemon.ask("list", "--json") == list)
    #expect(try client.screenshot().difference(from: screen) == nil)
  }

  @Test func panesBeyondTheLimitChangeNothing() throws {
    let list = try daemon.ask("list", "--json")
    let panes = (0...256).map { #"{"name": "p\#($0)", "geometry": "9x9+\#($0)+0"}"# }
    let path = try write("[" + panes.joined(separator: ",") + "]")
    let outcome = try daemon.ctl("apply", path)
    #expect(outcome.status == .exited(64) && outcome.err.contains("256"), "\(outcome.err)")
    #expect(try daemon.ask("list", "--json") == list)
    let allowed = try write("[" + panes.dropLast().joined(separator: ",") + "]")
    try daemon.ask("apply", allowed)
    try daemon.sync()
    #expect(try names().count == 256)
  }

  // MARK: Reset

  @Test func resetRestoresTheDefault() throws {
    try daemon.ask("add", "plain", "--plain", "--geometry", "100x90+200+100")
    try daemon.sync()
    let (list, screen) = (try daemon.ask("list", "--json"), try client.screenshot())
    let settings = [
      ("sigma", "5"), ("saturation", "2"), ("tint", "#FF000080"), ("corner", "20"),
      ("shadow", "outer-view"), ("border", "2 #00FF00"), ("material", "dark"), ("noise", "0.1"),
      ("input", "grab"), ("brightness", "0.2"), ("contrast", "0.5"), ("label", "text"),
    ]
    for (name, value) in settings {
      try daemon.ask("set", "plain", "--\(name)", value)
      try daemon.sync()
      #expect(try withoutFrames(daemon.ask("list", "--json")) != withoutFrames(list))
      try daemon.ask("set", "plain", "--reset", name == "label" ? "content" : name)
      try daemon.sync()
      #expect(try withoutFrames(daemon.ask("list", "--json")) == withoutFrames(list), "\(name)")
      #expect(try client.screenshot().difference(from: screen) == nil, "\(name)")
    }
    for (name, value) in settings where name != "material" {
      try daemon.ask("set", "plain", "--\(name)", value)
    }
    let names = settings.map { $0.0 == "label" ? "content" : $0.0 }
    try daemon.ask(["set", "plain"] + names.flatMap { ["--reset", $0] })
    try daemon.sync()
    #expect(try withoutFrames(daemon.ask("list", "--json")) == withoutFrames(list))
    #expect(try client.screenshot().difference(from: screen) == nil)
  }

  private func withoutFrames(_ list: String) -> [Substring] {
    list.split(separator: "\n").filter { !$0.contains("\"frames\"") }
  }

  @Test func wrongResetChangesNothing() throws {
    let list = try daemon.ask("list", "--json")
    for (name, words) in [
      ("geometry", "geometry is missing"), ("sigmma", "no setting 'sigmma'"),
      ("name", "no setting 'name'"),
    ] {
      let outcome = try daemon.ctl("set", "clock", "--sigma", "30", "--reset", name)
      #expect(outcome.status == .exited(64) && outcome.err.contains(words), "\(outcome.err)")
    }
    #expect(try daemon.ask("list", "--json") == list)
  }
}
