import TestDice
import Testing

@testable import X11Display

@Suite struct TextPropertyTests {
  @Test(
    arguments: [
      ([0x43, 0x61, 0x66, 0xE9], "Café"), ([0x43, 0x61, 0x66, 0xC3, 0xA9], "Café"),
      ([0xDC, 0x62, 0x75, 0x6E, 0x67], "Übung"), ([], ""), ([0xC3], "Ã"), ([0x80], "\u{80}"),
    ] as [([UInt8], String)])
  func stringIsLatin1OrUTF8(bytes: [UInt8], text: String) {
    #expect(TextEncoding.string.decoded(bytes) == text)
  }

  @Test func wrongUTF8IsReplaced() {
    #expect(TextEncoding.utf8.decoded([0x43, 0xE9, 0x21]) == "C\u{FFFD}!")
    #expect(TextEncoding.utf8.decoded(Array("中文".utf8)) == "中文")
  }

  /// Properties as Xlib's XmbTextListToTextProperty and Xutf8TextListToTextProperty write them.
  @Test(arguments: [
    ("43 61 66 e9", "Café"), ("1b 2d 46 d9", "Ω"), ("1b 2d 42 b9 1b 2d 41 e9", "šé"),
    ("1b 2d 4c be d9", "Ой"), ("61 1b 25 47 ce a9 e2 82 ac 1b 25 40 e9", "aΩ€é"),
    ("1b 24 28 42 46 7c 4b 5c 1b 28 42 21", "日本!"), ("1b 24 29 43 c7 d1", "한"),
    ("1b 24 28 41 56 50 1b 28 42 20 61", "中 a"), ("1b 24 28 44 30 24", "丌"),
    ("1b 29 49 b1 b2", "ｱｲ"), ("1b 28 49 31 32", "ｱｲ"), ("1b 24 28 47 44 21 1b 28 42 2e", "一."),
    ("1b 25 2f 31 80 8e 69 73 6f 38 38 35 39 2d 31 35 02 a4 61 62", "€ab"),
    ("1b 25 2f 32 80 8b 62 69 67 35 2d 30 02 a4 a4 a4 e5 21", "中文!"),
    ("9b 31 5d 61 9b 5d 62", "ab"), ("9b 32 5d e9", "é"), ("1b 2d 46 41 20 d9 0a 42", "A Ω\nB"),
    ("1b 2d 7a d9", "\u{FFFD}"), ("1b 25 2f 31 80 86 65 76 69 6c 02 61", "\u{FFFD}"),
  ])
  func compoundTextIsDecoded(hex: String, text: String) {
    let bytes = hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    #expect(TextEncoding.compound.decoded(bytes) == text)
  }

  /// Each pair of bytes ends an unfinished sequence somewhere; nothing crashes or takes long.
  @Test func anyBytesAreDecoded() {
    var dice = Dice(seed: 606)
    let parts: [[UInt8]] = [
      [0x1B], [0x1B, 0x24], [0x1B, 0x24, 0x28, 0x42], [0x1B, 0x25, 0x47], [0x1B, 0x25, 0x2F, 0x31],
      [0x9B], [0x80, 0x84], [0x02], [0x1B, 0x2D, 0x46], [0xFF], [0x1B, 0x25, 0x40], [0x00],
    ]
    for _ in 0..<3000 {
      let bytes = (0..<dice.roll(0...10)).flatMap { _ -> [UInt8] in
        dice.roll(0...2) == 0
          ? [UInt8(dice.roll(0...255))] : parts[dice.roll(0...parts.count - 1)]
      }
      for encoding in [TextEncoding.string, .utf8, .compound] {
        #expect(encoding.decoded(bytes).unicodeScalars.count <= 4 * bytes.count + 1)
      }
    }
  }

  /// A title of any length is cut between characters.
  @Test func longTextIsCutBetweenCharacters() {
    for shift in 0...3 {
      let text = String(repeating: "a", count: shift) + String(repeating: "中😀é", count: 400)
      for encoding in [TextEncoding.string, .utf8] {
        let start = encoding.decoded(Array(text.utf8))
        #expect(text.hasPrefix(start) && (1020...1024).contains(start.utf8.count))
      }
    }
  }

  @Test func listsAreSplitBeforeTheyAreDecoded() {
    #expect(TextEncoding.string.decodedList([0x65, 0xE9, 0, 0xC3, 0xA9, 0]) == ["eé", "é", ""])
  }
}
