import Raster
import TestSupport
import Testing

/// Content that the daemon has drawn again when the scale or the size of its pane changes.
@Suite(.serialized, .waiting) struct LiveRedrawTests {
  private let scene: CaptureScene

  init() throws {
    scene = try CaptureScene(
      seed: 170, on: XServer(width: 640, height: 480), ["--fresh", "--rotation-fade", "0"])
  }

  private func setScale(_ dpi: Int) throws {
    scene.client.setResources(Array("Xft.dpi: \(dpi)\n".utf8))
    try scene.client.sync()
    try scene.daemon.sync()
  }

  private func write(_ name: String, seed: UInt64) throws -> String {
    let path = scene.server.runtimeDirectory + "/" + name
    try writePNG(straight: .noise(width: 40, height: 20, seed: seed), to: path)
    return path
  }

  /// The picture of the pane is that of a pane which is added now.
  private func checkEqualsNewPane(_ name: String, _ arguments: [String]) throws {
    try scene.daemon.ask(["add", "new"] + arguments)
    try scene.daemon.sync()
    let expected = try scene.snapshot("new")
    try scene.daemon.ask("remove", "new")
    #expect(try scene.snapshot(name).difference(from: expected) == nil, "\(scene.daemon.log)")
  }

  @Test(arguments: ["pixels", "logical"])
  func contentIsDrawnForTheNewScale(units: String) throws {
    let path = try write("dots@2x.png", seed: 8)
    let arguments = [
      "--plain", "--units", units, "--geometry", "300x140+10+10", "--label",
      "a text that is too long for the width of its pane", "--at", "12,8", "--content", path,
      "--at", "-9,-7", "--label", "red", "--vibrancy", "none", "--color", "#FF2000", "--font",
      "Sans Bold 12", "--at", "20,-10", "--label", "shortened at its start", "--wrap", "none",
      "--ellipsize", "start", "--at", "220,-40",
    ]
    try scene.daemon.ask(["add", "pane"] + arguments)
    for dpi in [192, 120, 96] {
      try setScale(dpi)
      try checkEqualsNewPane("pane", arguments)
    }
  }

  /// Nothing but the change of the scale wakes the daemon.
  @Test func scaleAloneCausesTheRedrawing() throws {
    let label = ["--plain", "--geometry", "200x60+10+10", "--label", "alone"]
    try scene.daemon.ask(["add", "pane"] + label)
    try scene.waitForStart()
    let before = try scene.snapshot("pane")
    scene.client.setResources(Array("Xft.dpi: 192\n".utf8))
    try scene.client.sync()
    // The overlay changes on the screen; no request is sent meanwhile.
    let shown = try scene.client.screenshot(Rect(x: 10, y: 10, width: 200, height: 60))
    #expect(
      try soon {
        try scene.client.screenshot(Rect(x: 10, y: 10, width: 200, height: 60)) != shown
      })
    #expect(try scene.snapshot("pane").difference(from: before) != nil)
  }

  /// A name that looks like an option is no problem.
  @Test func paneNamedLikeAnOptionIsDrawn() throws {
    let file = scene.server.runtimeDirectory + "/panes.json"
    try writeText(
      #"[{"name":"--help","geometry":"90x60+10+10","content":[{"label":"many words to be wrapped"}]}]"#,
      to: file)
    try scene.daemon.ask("apply", file)
    let before = try scene.daemon.ask("list", "--json")
    try setScale(192)
    let after = try scene.daemon.ask("list", "--json")
    #expect(before.contains("\"scale\" : 1") && after.contains("\"scale\" : 2"))
  }

  @Test func longLabelIsWrappedForTheNewSize() throws {
    let label = ["--plain", "--label", "some words that need several lines in a narrow pane"]
    try scene.daemon.ask(["add", "pane", "--geometry", "500x80+10+10"] + label)
    for size in ["160x200", "500x80", "300x90"] {
      let place = ["--geometry", "\(size)+10+10"]
      try scene.daemon.ask(["set", "pane"] + place)
      try checkEqualsNewPane("pane", place + label)
    }
  }

  @Test func changedImageIsReadAgainOnRequest() throws {
    let path = try write("image.png", seed: 1)
    let arguments = ["--plain", "--geometry", "100x60+10+10", "--content", path]
    try scene.daemon.ask(["add", "pane"] + arguments)
    try scene.daemon.sync()
    let before = try scene.snapshot("pane")
    _ = try write("image.png", seed: 2)
    try scene.daemon.ask("redraw", "--outdated")
    #expect(try scene.snapshot("pane").difference(from: before) == nil)
    try scene.daemon.ask("redraw", "pane")
    #expect(try scene.snapshot("pane").difference(from: before) != nil)
    try checkEqualsNewPane("pane", arguments)
    #expect(try scene.daemon.ctl("redraw", "other").err.contains("there is no pane named 'other'"))
  }

  /// Content that cannot be drawn again stays as it is, is logged once, and does not stop the rest.
  @Test func missingImageStaysAsItWas() throws {
    let path = try write("gone.png", seed: 3)
    try scene.daemon.ask(
      "add", "picture", "--plain", "--geometry", "100x60+10+10", "--content", path)
    let label = ["--plain", "--geometry", "200x60+10+90", "--label", "kept"]
    try scene.daemon.ask(["add", "text"] + label)
    _ = try scene.server.run("rm", [path])
    let before = try scene.snapshot("picture")
    try setScale(192)
    try checkEqualsNewPane("text", label)
    #expect(scene.daemon.log.contains("gone.png: No such file"))
    #expect(try scene.snapshot("picture").difference(from: before) == nil)
    // It is not tried at every change.
    try scene.daemon.ask("set", "text", "--geometry", "190x60+10+90")
    try scene.daemon.ask("add", "more", "--plain", "--geometry", "90x30+300+10", "--label", "x")
    try checkEqualsNewPane("text", label + ["--geometry", "190x60+10+90"])
    let warnings = scene.daemon.log.split(separator: "\n").filter { $0.contains("gone.png") }
    #expect(warnings.count == 1, "\(scene.daemon.log)")
    // It comes back.
    _ = try write("gone.png", seed: 3)
    try scene.daemon.ask("redraw")
    #expect(try scene.snapshot("picture").difference(from: before) != nil)
  }
}
