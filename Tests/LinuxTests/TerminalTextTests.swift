import Linux
import TestDice
import Testing

@Suite struct TerminalTextTests {
  @Test(arguments: [
    ("a\u{1B}[31mb\u{7}\nc\u{9B}d\u{7F}", "a?[31mb??c?d?"), ("\u{202E}abc\u{2069}", "?abc?"),
    ("e\u{301} 中 👨‍👩‍👧", "e\u{301} 中 👨‍👩‍👧"), ("\r\n\u{2028}\t", "????"),
  ])
  func charactersThatControlATerminalAreReplaced(text: String, shown: String) {
    #expect(text.printable == shown)
  }

  @Test func bytesOfFileNamesAreNamed() {
    #expect(String(systemBytes: [0x63, 0xE9, 0x80]).printable == "c\\xE9\\x80")
  }

  @Test func printableTextHasNoControls() {
    var dice = Dice(seed: 707)
    for _ in 0..<2000 {
      let text = String(
        String.UnicodeScalarView(
          (0..<dice.roll(0...9)).compactMap { _ in Unicode.Scalar(UInt32(dice.roll(0...0x2100))) }))
      let isSafe = text.printable.unicodeScalars.allSatisfy { $0.isPrintable }
      #expect(isSafe)
    }
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("中文", 4), ("ｱ", 1), ("한글", 4), ("😀", 2),
    ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("a\u{200B}b", 2), ("\u{1112}\u{1161}\u{11AB}", 2),
  ])
  func wideCharactersTakeTwoCells(text: String, count: Int) {
    #expect(text.cellCount == count)
  }

  /// Neither more cells than asked for, nor a part of a character.
  @Test func prefixFitsInItsCells() {
    let text = "a中e\u{301}👨‍👩‍👧b文c"
    for limit in 0...10 {
      let start = text.prefix(cells: limit)
      #expect(text.hasPrefix(start) && (limit - 1...limit).contains(start.cellCount))
      #expect(start.padded(toCells: limit).cellCount == limit)
    }
    #expect(text.prefix(cells: 99) == text)
  }
}
