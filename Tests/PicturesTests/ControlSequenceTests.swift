import TestDice
import Testing

@testable import Pictures

@Suite struct ControlSequenceTests {
  @Test(arguments: [
    ("\u{1B}[1;31mfailed\u{1B}[0m", "failed"), ("a\u{9B}31mb", "ab"), ("\u{1B}]0;title\u{7}x", "x"),
    ("\u{1B}]8;;http://a\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"), ("\u{1B}(Bok\u{1B}=", "ok"),
    ("\u{1B}P1$r0m\u{1B}\\x\u{90}y\u{9C}z", "xz"), ("a\r\nb\rc\td", "a\nb\nc\td"),
    ("a\0b\u{7F}c\u{7}\u{85}", "abc"), ("\u{1B}", ""), ("\u{1B}[", ""), ("\u{1B}[38;5;1", ""),
    ("\u{1B}]no end\nnext", "no end\nnext"),
    ("שלום \u{202E}abc\u{202C}", "שלום \u{202E}abc\u{202C}"),
    ("\u{1B}[31m中文 👨‍👩‍👧\u{1B}[K", "中文 👨‍👩‍👧"), ("\u{1B}\u{1B}[1mx", "x"), ("\u{1B}cx", "x"),
  ])
  func sequencesAreRemoved(text: String, rest: String) {
    #expect(text.withoutControls == rest)
  }

  /// No control character stays, nothing is added, and a text without them is unchanged.
  @Test func onlyPrintableTextStays() {
    var dice = Dice(seed: 1919)
    let parts = [
      "\u{1B}", "[", "]", "0", ";", "m", "\u{7}", "\\", "\n", "\t", "é", "中", "\u{9B}", "P",
    ]
    for _ in 0..<4000 {
      let text = (0..<dice.roll(0...12)).map { _ in parts[dice.roll(0...parts.count - 1)] }.joined()
      let rest = text.withoutControls
      #expect(
        rest.unicodeScalars.allSatisfy {
          $0.properties.generalCategory != .control || $0 == "\n" || $0 == "\t"
        })
      #expect(rest.withoutControls == rest && rest.utf8.count <= text.utf8.count)
      let plain = text.unicodeScalars.filter { $0 != "\u{1B}" && $0 != "\u{9B}" && $0 != "\u{7}" }
      let plainText = String(String.UnicodeScalarView(plain))
      #expect(plainText.withoutControls == plainText)
    }
  }
}
