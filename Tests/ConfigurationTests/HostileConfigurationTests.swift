import Configuration
import TestDice
import Testing

/// Any bytes are a configuration or named errors. A crash of libconfig or of the parser ends the test.
struct HostileConfigurationTests {
  private static let text = """
    # A comment
    rate = 30; threads = 2; cache-bytes = "32M"; rotation-fade = 0;
    outputs = ( { name = "eDP-1"; scale = 1.25; }, { name = "a"; } );
    materials = { frost = { material = "dark"; sigma = 12.5; tint = "#10182080"; }; };
    panes = (
      { name = "clock"; geometry = "400x120-40+40"; material = "frost"; shown = false;
        content = ( { label = "12:45"; font = "Sans " "Bold 40"; }, { image = "~/a.png"; } ); },
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
    "panes = ", "title = \"[\"", "(((((((((((((((((", "{a={a={a={",
  ]

  private func mutated(_ bytes: [UInt8], _ dice: inout Dice) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<dice.roll(1...6) {
      let start = dice.roll(0...bytes.count)
      let end = min(bytes.count, start + dice.roll(0...12))
      switch dice.roll(0...3) {
      case 0: bytes.removeSubrange(start..<end)
      case 1: bytes.insert(contentsOf: bytes[start..<end], at: dice.roll(0...bytes.count))
      case 2: bytes.insert(UInt8(dice.roll(0...255)), at: start)
      default:
        bytes.insert(contentsOf: Self.parts[dice.roll(0...Self.parts.count - 1)].utf8, at: start)
      }
    }
    return bytes
  }

  @Test(arguments: 0..<30) func anyBytesAreAConfigurationOrErrors(seed: Int) {
    var dice = Dice(seed: seed)
    for round in 0..<40 {
      let bytes = mutated(Array(Self.text.utf8), &dice)
      do {
        let read = try Configuration(parsing: bytes, path: "/c/backdropd.conf", home: "/h")
        // What was read is written and read again.
        let written = try Configuration(
          parsing: Array(read.text.utf8), path: "/c/backdropd.conf", home: "/h")
        #expect(written.panes.map(\.declared) == read.panes.map(\.declared), "\(seed), \(round)")
      } catch {
        #expect(!"\(error)".isEmpty, "\(seed), \(round)")
      }
    }
  }
}
