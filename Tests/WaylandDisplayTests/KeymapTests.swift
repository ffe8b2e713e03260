import TestDice
import Testing

@testable import WaylandDisplay

@Suite struct KeymapTests {
  private static let text = """
    xkb_keymap {
    xkb_keycodes "(unnamed)" {
      minimum = 8;
      <ESC>                = 9;
      <AE01>               = 10;
      <CAPS>               = 66;
      indicator 1 = "Caps Lock";
      alias <ESCA>         = <ESC>;
    };
    xkb_types "(unnamed)" { type "ONE_LEVEL" { modifiers= none; level_name[1]= "Any"; }; };
    xkb_symbols "(unnamed)" {
      name[1]="Escape";
      key <ESC>                {	[ FIRST ] };
      key <AE01>               {	[               1,          Escape ] };
      key <CAPS>               {
        type= "ONE_LEVEL",
        symbols[Group1]= [ SECOND, Escape ],
        symbols[Group2]= [ Escape ]
      };
      modifier_map Lock { <CAPS> };
    };
    };
    """

  private func keymap(_ first: String, _ second: String) -> Keymap {
    let text = Self.text.replacing("FIRST", with: first).replacing("SECOND", with: second)
    return Keymap(parsing: Array(text.utf8))
  }

  @Test func firstSymbolDecides() {
    #expect(keymap("Escape", "Caps_Lock").escapeKeys == [1])
    #expect(keymap("Caps_Lock", "Escape").escapeKeys == [58])
    #expect(keymap("Escape", "0xff1b").escapeKeys == [1, 58])
    #expect(keymap("NoSymbol", "Escapement") == .standard)
  }

  /// No text makes it trap.
  @Test(arguments: 0..<200) func damagedTextIsRead(seed: Int) {
    var dice = Dice(seed: seed)
    var bytes = Array(Self.text.utf8)
    bytes.removeLast(dice.roll(0...bytes.count))
    for _ in 0..<dice.roll(0...20) where !bytes.isEmpty {
      bytes[dice.roll(0...bytes.count - 1)] = "<>[]{};=\"9 \0".utf8.randomElement(using: &dice) ?? 0
    }
    #expect(!Keymap(parsing: bytes).escapeKeys.isEmpty)
  }
}
