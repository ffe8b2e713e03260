import Glibc
import Raster
import TestSupport
import Testing

/// Content of panes on a real screen.
@Suite(.serialized, .waiting) struct LiveContentTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setWallpaper(Bitmap(width: 400, height: 300, filledWith: 0xff30_3050))
    try client.sync()
    daemon = try TestDaemon(on: server)
    try daemon.ask("add", "pane", "--plain", "--geometry", "200x150+100+80", "--corner", "20")
    try daemon.sync()
  }

  private func write(_ name: String, _ picture: Bitmap) throws -> String {
    let path = server.runtimeDirectory + "/" + name
    try writePNG(straight: picture, to: path)
    return path
  }

  private func list() throws -> String { try daemon.ask("list", "--json") }

  // MARK: Scale

  /// An image for scale 2 is drawn unscaled on an output of scale 2, and at half the size on one of scale 1.
  @Test func imageIsScaledForTheOutput() throws {
    let path = try write("dots@2x.png", .noise(width: 40, height: 20, seed: 8))
    try daemon.ask("set", "pane", "--content", path, "--at", "30,30")
    #expect(try list().contains("\"width\" : 20"))
    client.setResources(Array("Xft.dpi:\t192\n".utf8), format: 8)
    try client.sync()
    try daemon.ask("set", "pane", "--content", path, "--at", "30,30")
    try daemon.sync()
    #expect(try list().contains("\"width\" : 40"))
    let shown = try client.screenshot(Rect(x: 130, y: 110, width: 40, height: 20))
    #expect(shown.difference(from: .noise(width: 40, height: 20, seed: 8)) == nil)
  }

  @Test func labelSizeFollowsTheScale() throws {
    func width() throws -> Int {
      try daemon.ask("set", "pane", "--label", "wide", "--font", "Sans 20")
      let tail = try list().split(separator: "\"width\" : ").last ?? ""
      return Int(tail.prefix { $0.isNumber }) ?? 0
    }
    let once = try width()
    client.setResources(Array("Xft.dpi: 192\n".utf8), format: 8)
    try client.sync()
    let twice = try width()
    #expect(once > 20 && abs(twice - 2 * once) <= 4, "\(once) and \(twice)")
  }

  // MARK: Contrast

  /// Text becomes dark on light glass, and light on dark glass.
  @Test func labelHasContrastOnEveryBackdrop() throws {
    try daemon.ask("set", "pane", "--label", "readable", "--font", "Sans Bold 30")
    let behind = try client.makeWindow(
      Rect(x: 0, y: 0, width: 400, height: 300), color: 0xff30_3050)
    for color: UInt32 in [0xffff_ffff, 0xff00_0000, 0xffe0_ff00, 0xff00_0080, 0xff80_8080] {
      behind.draw(Bitmap(width: 400, height: 300, filledWith: color))
      try client.sync()
      try daemon.sync()
      let shown = try client.screenshot(Rect(x: 110, y: 120, width: 180, height: 70))
      let luminances = shown.pixels.map(luminance)
      let (least, most) = (luminances.min() ?? 0, luminances.max() ?? 0)
      #expect((most + 0.05) / (least + 0.05) >= 4.5, "on \(color)")
    }
  }

  // MARK: Errors

  @Test func wrongContentChangesNothing() throws {
    let picture = try write("good.png", .noise(width: 9, height: 9, seed: 1))
    try daemon.ask("set", "pane", "--content", picture, "--at", "5,5", "--label", "kept")
    try daemon.sync()
    let (before, panes) = (try client.screenshot(), try list())
    #expect(panes.contains("\"image\" : \"\(picture)\""))
    for (arguments, status, words) in [
      (["--content", "/nowhere.png"], 66, "/nowhere.png"),
      (["--content", "/etc/passwd"], 65, "/etc/passwd"),
      (["--label", "x", "--font", "No Such Font 12"], 64, "No Such Font"),
      (["--label", "x", "--vibrancy", "labell"], 64, "label"),
      (["--label", "x", "--at", "5"], 64, "at"),
    ] as [([String], Int32, String)] {
      let outcome = try server.run(
        ProgramPaths.backdropctl, ["set", "pane", "--sigma", "3"] + arguments)
      #expect(outcome.status == .exited(status) && outcome.err.contains(words), "\(outcome.err)")
    }
    try daemon.sync()
    #expect(try list() == panes)
    #expect(try client.screenshot().difference(from: before) == nil)
    try daemon.ask("set", "pane", "--content", "none")
    try daemon.sync()
    #expect(try list().contains("\"content\" : [") && !(try list()).contains("good.png"))
    #expect(try client.screenshot().difference(from: before) != nil)
  }
}

/// The relative luminance of WCAG 2.
private func luminance(_ pixel: UInt32) -> Double {
  func light(_ shift: UInt32) -> Double {
    let share = Double(pixel >> shift & 255) / 255
    return share <= 0.04045 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
  }
  return 0.0722 * light(0) + 0.7152 * light(8) + 0.2126 * light(16)
}
