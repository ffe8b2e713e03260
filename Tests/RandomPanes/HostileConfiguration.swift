package import TestDice

/// Configurations with some mistakes anywhere, a few of which are none.
package enum HostileConfiguration {
  private static let text = """
    # A comment
    rate = 30; threads = 2; cache-bytes = "32M"; rotation-fade = 0;
    outputs = ( { name = "eDP-1"; scale = 1.25; }, { name = "a"; } );
    materials = { frost = { material = "dark"; sigma = 12.5; tint = "#10182080"; }; };
    panes = (
      { name = "clock"; geometry = "400x120-40+40"; material = "frost"; shown = false;
        content = ( { label = "12:45"; font = "Sans " "Bold 40"; }, { label = "Friday"; } ); },
      { name = "terminals"; class = "kitty"; exclude = [ "title=vim" ]; },
      { name = "side"; edge = "right"; size = "25%x100%"; peek = 4 }
    );
    """

  private static let parts = [
    "@include \"/dev/null\"", "@include \"", "\"", "\\", "\\x", "\\x00", "[", "]", "(", ")", "{",
    "}",
    ";", ",", "=", ":", "#", "/*", "*/", "//", "\n", "\0", "\r", "\u{FEFF}", "é", "\u{202E}", "0x",
    "L",
    "99999999999999999999", "-2147483649", "4294967296", "1e999", "-", ".", "true", "a", "name = ",
    "panes = ", "image = \"~/a.png\"", "title = \"[\"", "(((((((((((((((((", "{a={a={a={",
  ]

  /// The bytes of a file.
  package static func bytes(using dice: inout Dice) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<dice.roll(1...6) {
      let start = dice.roll(0...bytes.count)
      let end = min(bytes.count, start + dice.roll(0...12))
      switch dice.roll(0...3) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: bytes[start..<end], at: dice.roll(0...bytes.count))
      case 2: bytes.insert(UInt8(dice.roll(0...255)), at: start)
      default:
        bytes.insert(contentsOf: parts[dice.roll(0...parts.count - 1)].utf8, at: start)
      }
    }
    return bytes
  }
}
