import Raster
import TestSupport
import Testing

/// The default look of panes, which suits the desktop or the backdrop.
@Suite(.waiting) struct LiveSchemeTests {
  private let server: XServer
  private let client: TestClient
  private let daemon: TestDaemon

  init() throws {
    server = try XServer(width: 400, height: 300)
    client = try TestClient(server)
    client.setWallpaper(Bitmap(width: 400, height: 300, filledWith: 0xffff_ffff))
    try client.sync()
    daemon = try TestDaemon(on: server)
  }

  /// The tint of the pane, which is light or dark.
  private func tint() throws -> String {
    let list = try daemon.ask("list", "--json")
    return list.contains("#FFFFFF99") ? "light" : list.contains("#1C1C1E99") ? "dark" : list
  }

  @Test func newPaneSuitsItsBackdrop() throws {
    try daemon.ask("add", "pane", "--geometry", "200x150+100+80")
    try daemon.sync()
    #expect(try tint() == "light")
    try daemon.ask("hide", "pane")
    client.setWallpaper(Bitmap(width: 400, height: 300, filledWith: 0xff10_1010))
    try client.sync()
    try daemon.ask("show", "pane")
    try daemon.sync()
    #expect(try tint() == "dark")
  }

  /// The theme of the desktop has precedence, from its first frame on and when it changes.
  @Test func paneFollowsTheThemeOfTheDesktop() throws {
    let window = try client.makeWindow(Rect(x: 0, y: 0, width: 1, height: 1), color: 0xff00_0000)
    client.publishSettings(theme: "Adwaita-dark", on: window)
    try client.sync()
    try daemon.sync()
    try daemon.ask("add", "pane", "--geometry", "200x150+100+80")
    try daemon.sync()
    #expect(try tint() == "dark")
    client.publishSettings(theme: "Adwaita-light", on: window)
    try client.sync()
    try daemon.sync()
    #expect(try tint() == "light")
    try daemon.ask("set", "pane", "--scheme", "dark")
    try daemon.sync()
    #expect(try tint() == "dark")
    // Without a theme that says a scheme, the backdrop decides.
    try daemon.ask("hide", "pane")
    try daemon.ask("set", "pane", "--scheme", "auto")
    client.publishSettings(theme: "", on: window)
    try client.sync()
    try daemon.ask("show", "pane")
    try daemon.sync()
    #expect(try tint() == "light")
  }

  @Test func plainContradictsAnotherStyle() throws {
    let outcome = try daemon.ctl(
      "add", "pane", "--geometry", "9x9+0+0", "--plain", "--style", "glass")
    #expect(outcome.status == .exited(64) && outcome.err.contains("plain: it contradicts"))
  }
}
