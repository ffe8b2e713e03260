import Raster
import TestSupport
import Testing

/// Glass behind windows that end, under a compositor that fades windows out.
@Suite(.serialized, .waiting) struct EndedWindowTests {
  private static let glass: UInt32 = 0xFFFF_FF00
  private static let wallpaper: UInt32 = 0xFF40_5060

  /// A fade of windows takes minutes.
  private static let picom = [
    "picom", "--backend", "xrender", "--config", "/dev/null", "--fading", "--fade-in-step", "1",
    "--fade-out-step", "0.0001",
  ]

  /// The pixels of a client end with it, while its frame fades out. Bare glass must not do so, too. The frame of i3 is
  /// transparent; that of openbox would hide what is checked.
  @Test func glassOfAnEndedClientIsNotFadedOut() throws {
    let desktop = try RealDesktop(
      RealDesktop.Kind(manager: ["i3", "-c", "~/i3"], compositor: Self.picom))
    let (client, daemon) = (desktop.client, desktop.daemon)
    client.setWallpaper(Bitmap(width: 1, height: 1, filledWith: Self.wallpaper))
    try daemon.ask("behind", "add", "glass", "--class", "kitty", "--tint", "#FFFF00")
    // The glass of a later window appears again.
    for round in 0..<2 {
      let window = try client.makeWindow(
        Rect(x: 200, y: 140, width: 220, height: 180), color: 0, argb: true, mapped: false)
      client.setClass("kitty", "Kitty", of: window)
      window.map()
      try window.waitUntilMapped()
      var place = Rect.zero
      let isShown = try soon {
        place = try window.screenBounds()
        return try desktop.screenshot().cropped(to: place).pixels.allSatisfy { $0 == Self.glass }
      }
      #expect(isShown, "round \(round)")
      window.destroy()
      let isClear = try soon {
        try desktop.screenshot().cropped(to: place).pixels.allSatisfy { $0 == Self.wallpaper }
      }
      #expect(isClear, "round \(round)")
      #expect(try soon { try desktop.server.overlay(of: "glass") == nil }, "round \(round)")
    }
  }
}
