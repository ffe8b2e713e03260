import Raster
import TestSupport
import Testing

/// The wallpaper below all windows, set in all usual ways.
@Suite(.serialized, .waiting) struct CaptureWallpaperTests {
  private let scene: CaptureScene

  init() throws {
    scene = try CaptureScene(seed: 21, width: 400, height: 300)
    _ = try scene.client.makeWindow(Rect(x: 90, y: 70, width: 50, height: 50), color: 0xFF20_4060)
    try scene.add("pane", Rect(x: 60, y: 50, width: 300, height: 220))
    try scene.add("corner", Rect(x: 0, y: 0, width: 50, height: 40))
  }

  @Test func wallpaperChangesAreFollowed() throws {
    try scene.checkEverything("the first")
    scene.client.setWallpaper(.noise(width: 400, height: 300, seed: 22))
    try scene.checkEverything("another")
    scene.client.setWallpaper(.noise(width: 37, height: 23, seed: 23))
    try scene.checkEverything("a small one, repeated")
    scene.client.freeWallpaper()
    try scene.checkEverything("one whose owner has gone")
    scene.client.setRootBackground(color: 0xFF12_3456)
    try scene.checkEverything("a plain colour")
    scene.client.setWallpaper(.noise(width: 300, height: 400, seed: 28))
    try scene.checkEverything("one that is too narrow")
    scene.client.setRootBackground(tile: .noise(width: 19, height: 90, seed: 24))
    try scene.checkEverything("tiles without a name")
  }

  /// Mica ignores windows and follows the wallpaper.
  @Test func paneThatSeesOnlyTheWallpaperShowsNoWindow() throws {
    let rect = Rect(x: 60, y: 50, width: 300, height: 220)
    for name in ["pane", "corner"] { try scene.daemon.ask("hide", name) }
    try scene.daemon.ask(
      "add", "mica", "--plain", "--geometry", "300x220+60+50", "--material", "mica")
    for seed: UInt64 in [31, 32] {
      let picture = Bitmap.noise(width: 400, height: 300, seed: seed)
      scene.client.setWallpaper(picture)
      let isSeen = try scene.eventually {
        try scene.snapshot("mica", isBackdrop: true).difference(from: picture.cropped(to: rect))
      }
      #expect(isSeen == nil)
      try scene.daemon.sync()
      let frames = try scene.number("frames")
      _ = try scene.client.makeWindow(
        Rect(x: 100, y: 90, width: 80, height: 80), color: 0xFFFF_FFFF)
      try scene.daemon.sync()
      #expect(try scene.number("frames") == frames)
      let backdrop = try scene.snapshot("mica", isBackdrop: true)
      #expect(backdrop.difference(from: picture.cropped(to: rect)) == nil)
    }
  }

  /// The wallpaper view of a pane that sees only the wallpaper equals `picture` after a while.
  private func expectWallpaper(_ picture: Bitmap, _ when: String) throws {
    let rect = Rect(x: 60, y: 50, width: 300, height: 220)
    try scene.client.sync()
    let problem = try scene.eventually {
      try scene.snapshot("mica", isBackdrop: true).difference(from: picture.cropped(to: rect))
    }
    #expect(problem == nil, "\(when)")
  }

  private func addMica() throws {
    for name in ["pane", "corner"] { try scene.daemon.ask("hide", name) }
    try scene.daemon.ask(
      "add", "mica", "--plain", "--geometry", "300x220+60+50", "--material", "mica")
  }

  /// xfdesktop, caja and pcmanfm show the wallpaper in such a window. It hides the pixmap of the root.
  @Test func desktopWindowThatCoversTheOutputIsTheWallpaper() throws {
    try addMica()
    let root = Bitmap.noise(width: 400, height: 300, seed: 41)
    scene.client.setWallpaper(root)
    try expectWallpaper(root, "the root")
    let picture = Bitmap.noise(width: 400, height: 300, seed: 42)
    let desktop = try scene.client.makeWindow(
      Rect(x: 0, y: 0, width: 400, height: 300), picture: picture, mapped: false)
    desktop.setAtoms("_NET_WM_WINDOW_TYPE", ["_NET_WM_WINDOW_TYPE_DESKTOP"])
    desktop.lower()
    desktop.map()
    try expectWallpaper(picture, "the desktop window")
    _ = try scene.client.makeWindow(
      Rect(x: 100, y: 90, width: 80, height: 80), color: 0xFFFF_FFFF)
    try expectWallpaper(picture, "below an ordinary window")
    desktop.unmap()
    try expectWallpaper(root, "the root again")
  }

  @Test func pixmapOfAnotherDepthIsRead() throws {
    try addMica()
    try scene.startCompositor(["xcompmgr"])
    let window = try scene.client.makeWindow(
      Rect(x: 0, y: 0, width: 9, height: 9), color: 0xFFFF_FFFF)
    let gray = Bitmap(width: 400, height: 300, filledWith: 0xFF80_8080)
    for seed: UInt64 in [51, 52] {
      let picture = Bitmap.noise(width: 400, height: 300, seed: seed)
      scene.client.setWallpaper(picture, depth: 32)
      try expectWallpaper(picture, "depth 32")
      scene.client.nameWallpaper(window.id)
      try expectWallpaper(gray, "a window in place of a pixmap")
      scene.client.setWallpaper(picture)
      try expectWallpaper(picture, "depth 24")
      scene.client.nameWallpaper(0x7FFF_FFFF)
      try expectWallpaper(gray, "no pixmap")
    }
  }

  @Test func rootBackgroundOfXsetrootIsRead() throws {
    for options in [["-solid", "#336699"], ["-mod", "16", "16"], ["-gray"]] {
      #expect(try scene.server.run("xsetroot", options).status == .exited(0))
      // No event reports it. A pane that is shown again captures it.
      try scene.setShown(false)
      try scene.setShown(true)
      try scene.checkEverything("xsetroot \(options)")
    }
  }

  @Test(arguments: [["picom", "--backend", "xrender", "--config", "/dev/null"], ["xcompmgr"]])
  func freedWallpaperPixmapIsShownUnderACompositor(command: [String]) throws {
    try scene.startCompositor(command)
    try scene.checkEventually("the first")
    scene.client.setWallpaper(.noise(width: 400, height: 300, seed: 25))
    try scene.checkEventually("another")
    scene.client.setWallpaper(.noise(width: 37, height: 23, seed: 26))
    try scene.checkEventually("a small one, repeated")
    // Both may have shown the wallpaper after the first of two properties, and ask for the pixmap again after the second.
    try scene.client.waitForCompositor()
    try scene.daemon.sync()
    scene.client.freeWallpaper()
    try scene.checkEventually("one whose owner has gone")
  }

  @Test func backdropIsGrayUnderACompositorWithoutWallpaper() throws {
    scene.client.setRootBackground(color: 0xFF12_3456)
    try scene.startCompositor(
      ["picom", "--backend", "xrender", "--config", "/dev/null"])
    try scene.checkEventually("no wallpaper", tolerance: 1)
    scene.client.setWallpaper(.noise(width: 400, height: 300, seed: 27))
    try scene.checkEventually("a wallpaper")
  }
}
