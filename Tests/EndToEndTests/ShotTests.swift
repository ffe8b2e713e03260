import Glibc
import Raster
import TestSupport
import Testing

/// `backdropctl shot`.
@Suite(.serialized, .waiting) final class ShotTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ server: any DisplayServer, _ arguments: String...) throws -> ProgramOutcome {
    try server.run(ProgramPaths.backdropctl, arguments)
  }

  private func shot(_ server: any DisplayServer, _ options: String...) throws -> Bitmap {
    let path = folder.path + "/shot.png"
    let outcome = try server.run(ProgramPaths.backdropctl, ["shot", path] + options)
    guard outcome.status == .exited(0) else { throw TestFailure(outcome.err) }
    return try readPNG(path)
  }

  /// The glass of a picture, by `blur`.
  private func glass(
    of picture: Bitmap, _ server: any DisplayServer, _ options: String...
  ) throws -> Bitmap {
    let (from, to) = (folder.path + "/bare.png", folder.path + "/glass.png")
    try writePNG(straight: picture, to: from)
    let outcome = try server.run(ProgramPaths.backdropctl, ["blur", from, to] + options)
    guard outcome.status == .exited(0) else { throw TestFailure(outcome.err) }
    return try readPNG(to)
  }

  @Test(arguments: [[], ["xcompmgr"], ["picom", "--backend", "xrender", "--config", "/dev/null"]])
  func screenIsCapturedWithItsWindows(compositor: [String]) throws {
    let server = try XServer(width: 400, height: 300)
    let client = try TestClient(server)
    client.setWallpaper(.noise(width: 400, height: 300, seed: 1))
    _ = try client.makeWindow(
      Rect(x: 50, y: 60, width: 100, height: 80), picture: .noise(width: 100, height: 80, seed: 2))
    try client.sync()
    let bare = try client.screenshot()
    let process = try compositor.first.map { try server.start($0, Array(compositor.dropFirst())) }
    defer { process?.terminate() }
    if process != nil { try client.waitForCompositor() }
    // It paints the same, but for the shadow that picom gives the window.
    let corner = Rect(x: 250, y: 0, width: 150, height: 60)
    let isPainted = try soon {
      try client.screenshot().cropped(to: corner).difference(from: bare.cropped(to: corner)) == nil
    }
    #expect(isPainted)
    // The compositor may paint the window meanwhile.
    let isSame = try soon {
      let screen = try client.screenshot()
      let expected = try glass(of: screen, server, "--sigma", "20")
      let dark = try glass(of: screen, server, "--material", "dark", "--plain")
      return try shot(server) == expected && shot(server, "--material", "dark") == dark
        && shot(server, "--sigma", "0").difference(from: screen, tolerance: 1) == nil
    }
    #expect(isSame)
  }

  @Test func eachOutputIsGlassOfItsOwn() throws {
    let server = try XServer(width: 400, height: 300)
    let client = try TestClient(server)
    let picture = Bitmap.noise(width: 400, height: 300, seed: 3)
    client.setWallpaper(picture)
    try client.sync()
    for words in ["left 240/60x300/80+0+0 screen", "right 160/40x300/80+240+0 none"] {
      let outcome = try server.run(
        "xrandr", ["--setmonitor"] + words.split(separator: " ").map(String.init))
      #expect(outcome.status == .exited(0), "\(outcome.err)")
    }
    let whole = try shot(server, "--sigma", "9")
    for (name, rect) in [
      ("left", Rect(x: 0, y: 0, width: 240, height: 300)),
      ("right", Rect(x: 240, y: 0, width: 160, height: 300)),
    ] {
      let part = try glass(of: picture.cropped(to: rect), server, "--sigma", "9")
      #expect(whole.cropped(to: rect) == part)
      #expect(try shot(server, "--sigma", "9", "--output", name) == part)
    }
    let missing = try run(server, "shot", folder.path + "/x.png", "--output", "top")
    #expect(missing.status == .exited(64) && missing.err.contains("left"), "\(missing.err)")
    #expect(unsafe access(folder.path + "/x.png", F_OK) != 0)
  }

  /// An output inside another one shows the same pixels.
  @Test func mirroredOutputIsInThePictureOnce() throws {
    let server = try XServer(width: 400, height: 300)
    let client = try TestClient(server)
    let picture = Bitmap.noise(width: 400, height: 300, seed: 5)
    client.setWallpaper(picture)
    try client.sync()
    for words in ["small 200/50x150/40+0+0 none", "large 400/100x300/80+0+0 screen"] {
      let outcome = try server.run(
        "xrandr", ["--setmonitor"] + words.split(separator: " ").map(String.init))
      #expect(outcome.status == .exited(0), "\(outcome.err)")
    }
    #expect(try shot(server) == glass(of: picture, server, "--sigma", "20"))
    let small = picture.cropped(to: Rect(x: 0, y: 0, width: 200, height: 150))
    let smallGlass = try glass(of: small, server, "--sigma", "20")
    #expect(try shot(server, "--output", "small") == smallGlass)
  }

  @Test func mirroredWaylandOutputIsInThePictureOnce() throws {
    let server = try WaylandServer(
      .sway, wallpaper: .noise(width: 320, height: 240, seed: 6), outputCount: 2)
    #expect(try shot(server).bounds.width == 640)
    try server.setOutput(["--pos", "0,0"], number: 2)
    #expect(try soon { try shot(server).bounds == Rect(x: 0, y: 0, width: 320, height: 240) })
    #expect(try shot(server, "--output", "HEADLESS-2").bounds.height == 240)
  }

  /// i3lock and others put the picture at the corner of the screen.
  @Test func pictureHasTheSizeOfTheScreen() throws {
    let server = try XServer(width: 400, height: 300)
    let outcome = try server.run(
      "xrandr", ["--setmonitor", "right", "200/50x300/80+200+0", "screen"])
    #expect(outcome.status == .exited(0), "\(outcome.err)")
    #expect(try shot(server).bounds == Rect(x: 0, y: 0, width: 400, height: 300))
    #expect(try shot(server, "--output", "right").bounds.width == 200)
  }

  @Test func serverWithoutCompositeIsCaptured() throws {
    let server = try XServer(width: 64, height: 64, lacking: ["Composite"])
    #expect(try shot(server).bounds == Rect(x: 0, y: 0, width: 64, height: 64))
  }

  /// This happens in a shell that has outlived its Wayland session, and where the compositor cannot be captured.
  @Test func serverIsCapturedIfTheCompositorCannotBe() throws {
    let server = try XServer(width: 64, height: 48)
    let weston = try WaylandServer(.weston, wallpaper: Bitmap(width: 64, height: 64))
    for (number, display) in ["wayland-77", "\(weston.runtimeDirectory)/\(weston.display)"]
      .enumerated()
    {
      let own = ["WAYLAND_DISPLAY": display]
      let path = folder.path + "/stale\(number).png"
      let outcome = try Child.run(
        ProgramPaths.backdropctl, ["shot", path],
        environment: server.environment.merging(own) { $1 }, timeout: .seconds(60))
      #expect(outcome.status == .exited(0), "\(display): \(outcome.err)")
      #expect(try readPNG(path).bounds == Rect(x: 0, y: 0, width: 64, height: 48))
    }
  }

  @Test(arguments: ["normal", "90", "flipped-270"])
  func wayland(transform: String) throws {
    let server = try WaylandServer(.sway, wallpaper: .noise(width: 480, height: 320, seed: 8))
    try server.setOutput(["--transform", transform])
    // The wallpaper follows the output after a while.
    let isSame = try soon {
      let expected = try glass(of: server.screenshot(), server, "--sigma", "20")
      return try shot(server) == expected
    }
    #expect(isSame)
  }

  @Test func errorsAreNamed() throws {
    let server = try XServer(width: 64, height: 64)
    let noFolder = try run(server, "shot", "/nowhere/x.png")
    #expect(noFolder.status == .exited(73) && noFolder.err.contains("/nowhere/x.png"))
    let noDisplay = try run(server, "shot", folder.path + "/x.png", "--display", ":4999")
    #expect(noDisplay.status == .exited(69) && noDisplay.err.contains(":4999"))
    let wrong = try run(server, "shot", folder.path + "/x.png", "--sigma", "900")
    #expect(wrong.status == .exited(64) && wrong.err.contains("sigma"))
  }
}
