import Panes
import TestDice
import TestSupport
import Testing

@testable import X11Display

@Suite struct DesktopSettingsTests {
  @Test(
    arguments: [
      ("Adwaita-dark", .dark), ("Adwaita", nil), ("Yaru-light", .light), ("Greybird-Dark", .dark),
      ("Arc-Darker", nil), ("Mint-Y-Dark-Blue", .dark), ("Breeze_light", .light), ("", nil),
      ("Darkness", nil), ("HighContrast", nil),
    ] as [(String, ColorScheme?)], [true, false])
  func schemeIsThatOfTheTheme(_ theme: (String, ColorScheme?), isLittleEndian: Bool) {
    let texts = [("Net/IconThemeName", "x-dark"), ("Net/ThemeName", theme.0), ("Gtk/FontName", "")]
    let bytes = settingsBytes(texts, isLittleEndian: isLittleEndian)
    #expect(scheme(inSettings: bytes) == theme.1)
    // The padding at the end may be missing.
    let short = settingsBytes([texts[1]], isLittleEndian: isLittleEndian)
    #expect(scheme(inSettings: short.dropLast((4 - theme.0.utf8.count % 4) % 4)) == theme.1)
  }

  @Test func settingsWithoutAThemeHaveNoScheme() {
    #expect(scheme(inSettings: []) == nil)
    #expect(scheme(inSettings: settingsBytes([("Net/IconThemeName", "dark")])) == nil)
  }

  @Test(arguments: [true, false]) func scaleIsThatOfWindows(isLittleEndian: Bool) {
    for (scale, expected) in [(1, 1), (2, 2), (8, 8), (0, nil), (9, nil), (nil, nil)]
      as [(Int?, Double?)]
    {
      let bytes = settingsBytes(
        [("Net/ThemeName", "x")], scale: scale, isLittleEndian: isLittleEndian)
      #expect(windowScale(inSettings: bytes) == expected)
    }
    #expect(windowScale(inSettings: [0, 0]) == nil)
  }

  /// Bytes that are cut off or changed give any scheme, but do not end the program.
  @Test(arguments: 0..<2000)
  func brokenSettingsAreHarmless(seed: Int) {
    var dice = Dice(seed: seed)
    var bytes = settingsBytes(
      [("a", "b"), ("Net/ThemeName", "x-dark")], isLittleEndian: .random(using: &dice))
    for _ in 0..<dice.roll(0...5) {
      bytes[dice.roll(0...bytes.count - 1)] = UInt8.random(in: .min ... .max, using: &dice)
    }
    bytes.removeLast(dice.roll(0...bytes.count))
    _ = scheme(inSettings: bytes)
  }
}
