import Glibc
import Raster
import TestSupport
import Testing

/// Windows and screenshots of the test support, on which all other suites rely.
@Suite(.serialized, .waiting) struct SupportTests {
  private let server: XServer
  private let client: TestClient
  private let grey: UInt32 = 0xFF40_5060

  init() throws {
    server = try XServer(width: 320, height: 240)
    client = try TestClient(server)
    client.setRootBackground(color: grey)
  }

  @Test func windowShowsItsPicture() throws {
    let picture = Bitmap.noise(width: 90, height: 70, seed: 1)
    let rect = Rect(x: 30, y: 40, width: 90, height: 70)
    _ = try client.makeWindow(rect, picture: picture)
    let screen = try client.screenshot()
    #expect(screen.cropped(to: rect).difference(from: picture) == nil)
    let outside = screen.pixels.count { $0 == grey }
    #expect(outside == 320 * 240 - rect.area)
  }

  @Test func serverRepaintsUncoveredWindows() throws {
    let picture = Bitmap.noise(width: 100, height: 100, seed: 2)
    let rect = Rect(x: 10, y: 10, width: 100, height: 100)
    _ = try client.makeWindow(rect, picture: picture)
    let cover = try client.makeWindow(
      Rect(x: 50, y: 50, width: 200, height: 100), color: 0xFFFF_0000)
    #expect(try client.screenPixel(x: 60, y: 60) == 0xFFFF_0000)
    cover.move(x: 150, y: 120)
    #expect(try client.screenshot(rect).difference(from: picture) == nil)
    cover.destroy()
    #expect(try client.screenPixel(x: 160, y: 130) == grey)
  }

  @Test func windowsMoveResizeRestackAndUnmap() throws {
    let red = try client.makeWindow(Rect(x: 0, y: 0, width: 50, height: 50), color: 0xFFFF_0000)
    let blue = try client.makeWindow(Rect(x: 20, y: 20, width: 50, height: 50), color: 0xFF00_00FF)
    #expect(try client.screenPixel(x: 30, y: 30) == 0xFF00_00FF)
    red.raise()
    #expect(try client.screenPixel(x: 30, y: 30) == 0xFFFF_0000)
    blue.stack(above: red)
    #expect(try client.screenPixel(x: 30, y: 30) == 0xFF00_00FF)
    blue.lower()
    red.resize(width: 25, height: 25)
    #expect(try client.screenPixel(x: 30, y: 30) == 0xFF00_00FF)
    red.move(x: -10, y: 100)
    #expect(try client.screenPixel(x: 14, y: 124) == 0xFFFF_0000)
    #expect(try client.screenPixel(x: 15, y: 124) == grey)
    blue.unmap()
    #expect(try client.screenPixel(x: 30, y: 30) == grey)
    blue.map()
    #expect(try client.screenPixel(x: 30, y: 30) == 0xFF00_00FF)
  }

  @Test func shapedWindowWithBorderShowsBoth() throws {
    let bounds = Rect(x: 100, y: 100, width: 40, height: 40)
    let plain = try client.makeWindow(
      bounds, picture: Bitmap(width: 1, height: 1, filledWith: 0xFFFF_FFFF), borderWidth: 5,
      borderPixel: 0xFF12_3456)
    #expect(try client.screenPixel(x: 104, y: 104) == 0xFF12_3456)
    #expect(try client.screenPixel(x: 105, y: 105) == 0xFFFF_FFFF)
    plain.setShape([
      Rect(x: 0, y: 0, width: 10, height: 10), Rect(x: 30, y: 30, width: 10, height: 10),
    ])
    let screen = try client.screenshot()
    #expect(screen.pixels.count { $0 == 0xFFFF_FFFF } == 200)
    #expect(screen.pixels.count { $0 == grey } == 320 * 240 - 200)
  }

  @Test func alphaIsIgnoredWithoutACompositor() throws {
    let picture = Bitmap.noise(width: 60, height: 60, seed: 3, opaque: false)
    let rect = Rect(x: 5, y: 5, width: 60, height: 60)
    let window = try client.makeWindow(rect, picture: picture, argb: true)
    var wanted = Bitmap(width: 60, height: 60, pixels: picture.pixels.map { $0 | 0xFF00_0000 })
    #expect(try client.screenshot(rect).difference(from: wanted) == nil)
    window.draw(Bitmap(width: 2, height: 1, filledWith: 0x8000_8000), x: 3, y: 4)
    wanted[3, 4] = 0xFF00_8000
    wanted[4, 4] = 0xFF00_8000
    #expect(try client.screenshot(rect).difference(from: wanted) == nil)
  }

  @Test func wallpapersFillTheRoot() throws {
    let full = Bitmap.noise(width: 320, height: 240, seed: 4)
    client.setWallpaper(full)
    #expect(try client.screenshot().difference(from: full) == nil)
    let tile = Bitmap.noise(width: 37, height: 23, seed: 5)
    client.setWallpaper(tile)
    let screen = try client.screenshot()
    #expect(screen.cropped(to: tile.bounds).difference(from: tile) == nil)
    #expect(screen[37 * 3 + 5, 23 * 4 + 7] == tile[5, 7])
    let named = try server.run("xprop", ["-root", "_XROOTPMAP_ID"])
    #expect(named.out.contains("pixmap id #"))
    client.setRootBackground(tile: full)
    #expect(try server.run("xprop", ["-root", "_XROOTPMAP_ID"]).out.contains("not found"))
    #expect(try client.screenshot().difference(from: full) == nil)
  }

  @Test func managedWindowIsMappedByTheWindowManager() throws {
    let manager = try server.start("openbox", ["--config-file", "/dev/null"])
    defer { manager.kill() }
    try client.waitForWindowManager()
    let picture = Bitmap.noise(width: 80, height: 60, seed: 6)
    let window = try client.makeWindow(
      Rect(x: 100, y: 100, width: 80, height: 60), picture: picture, overrideRedirect: false)
    try window.waitUntilMapped()
    try client.sync()
    // In a frame with a title bar, at a place that the window manager chooses.
    let bounds = try window.screenBounds()
    #expect(bounds.y > 0)
    #expect(try client.screenPixel(x: bounds.x, y: bounds.y - 1) != grey)
    #expect(try client.screenshot(bounds).difference(from: picture) == nil)
  }

  @Test func refusedRequestIsAnError() throws {
    let window = try client.makeWindow(Rect(x: 0, y: 0, width: 9, height: 9), color: grey)
    window.destroy()
    try client.sync()
    window.raise()
    #expect(throws: TestFailure.self) { try client.sync() }
  }

  @Test func largePictureArrivesComplete() throws {
    let big = try XServer(width: 3840, height: 2160)
    let eye = try TestClient(big)
    let picture = Bitmap.noise(width: 3840, height: 2160, seed: 7)
    eye.setWallpaper(picture)
    #expect(try eye.screenshot().difference(from: picture) == nil)
  }
}
