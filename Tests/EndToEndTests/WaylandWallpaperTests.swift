import Glibc
import Raster
import TestDice
import TestSupport
import Testing

/// Panes that show the wallpaper of a compositor, as the configuration declares it or as the screen shows it.
@Suite(.serialized, .waiting) struct WaylandWallpaperTests {
  private static let size = (width: 480, height: 320)
  /// Blocks of noise, so that the filter of a compositor with a fractional scale matters little.
  private static let picture: Bitmap = {
    let (side, blocks) = (10, Bitmap.noise(width: 30, height: 26, seed: 3))
    var picture = Bitmap(width: 30 * side, height: 26 * side)
    for y in 0..<picture.height {
      for x in 0..<picture.width { picture[x, y] = blocks[x / side, y / side] }
    }
    return picture
  }()
  private static let color = "#304050"

  /// The screen when it shows a wallpaper of noise.
  private func bareScreen(_ server: WaylandServer) throws -> Bitmap {
    var screen = try server.screenshot()
    #expect(
      try soon {
        screen = try server.screenshot()
        return Set(screen.pixels).count > 100
      })
    return screen
  }

  /// How far the middle of a screen is from that of another one. sway covers the last row and column of an output with a
  /// fractional scale with nothing.
  private func distance(_ one: Bitmap, _ other: Bitmap) -> Int {
    let middle = one.bounds.grown(by: -40)
    let pictures = [one, other].map { $0.cropped(to: middle).pixels }
    var counts = Array(repeating: 0, count: 256)
    for (pixel, expected) in zip(pictures[0], pictures[1]) {
      var most = 0
      for shift in [UInt32(0), 8, 16] {
        most = max(most, abs(Int(pixel >> shift & 255) - Int(expected >> shift & 255)))
      }
      counts[most] += 1
    }
    // Without the marks.
    var rest = pictures[0].count / 1000
    return counts.lastIndex { count in
      rest -= count
      return rest < 0
    } ?? 0
  }

  /// Behind a window that covers the output, the glass is that of what swaybg shows.
  @Test(
    arguments: ["fill", "fit", "stretch", "center", "tile"],
    [["--scale", "1"], ["--scale", "1.5"], ["--transform", "90"]])
  func declaredWallpaperIsThatOfSwaybg(mode: String, output: [String]) throws {
    let black = Bitmap(
      width: Self.size.width, height: Self.size.height, filledWith: 0xff00_0000)
    let server = try WaylandServer(.sway, wallpaper: black)
    try server.setOutput(output)
    let path = try server.changeWallpaper(
      Self.picture, options: ["-m", mode, "-c", Self.color])
    let file = server.runtimeDirectory + "/wallpaper.conf"
    try writeText(
      """
      wallpaper = "\(path)"; wallpaper-mode = "\(mode)"; wallpaper-color = "\(Self.color)";
      panes = ( { name = "frost"; output = "all"; size = "100%x100%"; layer = "desktop"; sees = "wallpaper";
                  style = "plain"; sigma = 9; } );
      """, to: file)
    let bare = try bareScreen(server)
    let window = try server.start("foot", ["--fullscreen", "sleep", "1000"])
    #expect(try soon { try server.screenshot().difference(from: bare) != nil })
    let daemon = try TestDaemon(on: server, ["--config", file])
    try daemon.sync()
    #expect(!(try daemon.ask("list").contains("waits")))
    try window.stop()
    let wanted = bare.frosted(sigma: 9)
    // sway scales by the nearest pixel: up to 8 levels with a picture in its own size.
    let tolerance = output[1] == "1.5" ? 10 : 3
    var found = 255
    #expect(
      try soon {
        found = distance(try server.screenshot(), wanted)
        return found <= tolerance
      })
    #expect(found <= tolerance)
  }

  /// A file that changes, that ends, or that is no picture, is followed.
  @Test func fileOfTheWallpaperIsFollowed() throws {
    let black = Bitmap(
      width: Self.size.width, height: Self.size.height, filledWith: 0xff00_0000)
    let server = try WaylandServer(.sway, wallpaper: black)
    let path = try server.changeWallpaper(Self.picture, options: ["-m", "stretch"])
    let file = server.runtimeDirectory + "/wallpaper.conf"
    let text = """
      wallpaper = "\(path)"; wallpaper-mode = "stretch";
      panes = ( { name = "frost"; size = "100%x100%"; layer = "desktop"; sees = "wallpaper";
                  style = "plain"; sigma = 9; } );
      """
    try writeText(text, to: file)
    let bare = try bareScreen(server)
    let daemon = try TestDaemon(on: server, ["--config", file])
    try daemon.sync()
    let wanted = bare.frosted(sigma: 9)
    #expect(try soon { distance(try server.screenshot(), wanted) <= 3 })
    // The daemon shows the file, not the screen.
    let other = Bitmap.noise(width: 90, height: 80, seed: 9)
    try writePNG(straight: other, to: path + "-new")
    #expect(unsafe rename(path + "-new", path) == 0)
    #expect(try soon { distance(try server.screenshot(), wanted) > 20 })
    let status = try daemon.ask("status")
    #expect(status.contains("\(path) (stretch)"))
    daemon.expectError(containing: "the setting wallpaper has no effect")
    try writeText("JFIF", to: path)
    #expect(
      soon { daemon.log.contains("the setting wallpaper has no effect: cannot read \(path)") })
    #expect(try soon { distance(try server.screenshot(), wanted) <= 3 })
    let checked = try daemon.ctl("config", "check", file)
    #expect(checked.status == .exited(78) && checked.err.contains("wallpaper.conf:1: wallpaper: "))
    #expect(try daemon.ctl("doctor").out.contains("the setting wallpaper has no effect"))
  }

  /// Without the setting a pane waits for what a window covers, also after a restart, and other panes do not.
  @Test func paneWaitsForCoveredWallpaper() throws {
    let wallpaper = Bitmap.noise(width: Self.size.width, height: Self.size.height, seed: 3)
    let server = try WaylandServer(.sway, wallpaper: wallpaper)
    let window = try server.start("foot", ["sleep", "1000"])
    #expect(try soon { try server.screenshot().difference(from: wallpaper) != nil })
    var covered = try server.screenshot()
    #expect(
      try soon {
        defer { covered = (try? server.screenshot()) ?? covered }
        return try server.screenshot().difference(from: covered) == nil
      })
    let pane = Rect(x: 90, y: 60, width: 260, height: 180)
    let arguments = ["--layer", "desktop", "--plain", "--sigma", "9", "--geometry", "\(pane)"]
    for round in 0..<2 {
      let daemon = try TestDaemon(on: server, round == 0 ? ["--fresh"] : [])
      let advice =
        "warning: 'frost' waits for the wallpaper: windows cover it; the setting 'wallpaper' of backdropd.conf"
      let shown = try daemon.ctl(round == 0 ? ["add", "frost"] + arguments : ["show", "frost"])
      #expect(shown.status == .exited(0) && shown.err.contains(advice), "\(shown.err)")
      try daemon.sync()
      #expect(
        try soon {
          let listed = try daemon.ctl("list")
          return listed.out.contains(" waits ")
            && listed.err.contains("'frost' waits for the wallpaper")
        })
      #expect(try server.screenshot().difference(from: covered) == nil)
      if round == 0 {
        try daemon.stop()
        continue
      }
      try window.stop()
      let wanted = wallpaper.frosted(sigma: 9)
      #expect(
        try soon {
          try server.screenshot().cropped(to: pane).difference(
            from: wanted.cropped(to: pane), tolerance: 4) == nil
        })
      #expect(!(try daemon.ask("list").contains("waits")))
    }
  }

  /// A setting whose file cannot be read is not advised.
  @Test func unreadableWallpaperIsTold() throws {
    let wallpaper = Bitmap.noise(width: Self.size.width, height: Self.size.height, seed: 3)
    let server = try WaylandServer(.sway, wallpaper: wallpaper)
    let window = try server.start("foot", ["--fullscreen", "sleep", "1000"])
    defer { window.terminate() }
    #expect(try soon { try server.screenshot().difference(from: wallpaper) != nil })
    let daemon = try TestDaemon(on: server, ["--fresh", "--wallpaper", "/none.png"])
    daemon.expectError(containing: "the setting wallpaper has no effect")
    let added = try daemon.ctl(
      "add", "frost", "--layer", "desktop", "--plain", "--geometry", "90x80+20+30")
    let reason = "has no effect: cannot read /none.png"
    for outcome in [added, try daemon.ctl("list")] {
      let warning =
        "'frost' waits for the wallpaper: windows cover it, and the setting 'wallpaper' "
      #expect(outcome.err.contains(warning + reason), "\(outcome.err)")
    }
    let status = try daemon.ask("status").split(whereSeparator: \.isWhitespace)
    #expect(
      status.joined(separator: " ").contains(
        "wallpaper without effect: /none.png (fill) cannot read /none.png"))
  }

  /// On an X server the setting changes nothing, and doctor says so.
  @Test func settingHasNoEffectOnAnXServer() throws {
    let server = try XServer(width: 300, height: 200)
    let daemon = try TestDaemon(on: server, ["--wallpaper-color", "#ff0000"])
    let outcome = try daemon.ctl("doctor")
    #expect(outcome.out.contains("the setting wallpaper has no effect here"))
  }
}
