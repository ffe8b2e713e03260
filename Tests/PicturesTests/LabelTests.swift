import Frost
import Raster
import TestDice
import Testing

@testable import Pictures

/// Scripts that DejaVu has, in both directions; stacked marks; characters that it lacks.
private let texts = [
  "Hello, fjord", "Ελληνικά", "Русский", "שלום עולם", "السلام عليكم", "Հայերեն", "ქართული",
  "Z\u{301}\u{302}\u{303}\u{304}\u{306}\u{307}\u{308}a\u{323}\u{324}\u{325}\u{326}",
  "one\ntwo\n\nthree", "left, ימין\nשמאל, right", "a\tb", "f", "\u{1F600}", "通知センター",
]

private let fonts = [
  "Sans 18", "Serif Italic 40", "Sans Bold Oblique 9", "Monospace 31px", "Serif Bold Italic 90",
]

private func label(_ text: String, _ font: String = "Sans 18") throws -> Label {
  try Label(text, Font(parsing: font))
}

extension Bitmap {
  /// The smallest rectangle that contains all pixels that are not clear.
  fileprivate var ink: Rect {
    bounds.rows.reduce(Rect.zero) { hull, y in
      let row = pixels[y * width..<(y + 1) * width]
      guard let first = row.firstIndex(where: { $0 != 0 }),
        let last = row.lastIndex(where: { $0 != 0 })
      else { return hull }
      return hull.hull(Rect(first - y * width..<last - y * width + 1, y..<y + 1))
    }
  }
}

@Suite struct LabelTests {
  /// With the fonts in the Makefile's package lists.
  @Test(arguments: texts.prefix(7) + ["通知センター"])
  func fontsHaveAllCharacters(_ text: String) throws {
    #expect(try label(text).drawn(scale: 1).missingCount == 0)
  }

  /// The same text, drawn with a wide margin, has no ink outside the label's picture.
  @Test(arguments: texts, fonts)
  func pictureContainsAllInk(_ text: String, _ font: String) throws {
    for scale in [1, 1.37, 2] {
      let label = try label(text, font)
      let picture = try label.drawn(scale: scale).picture
      let layout = TextLayout(text, label.font.description(scale: scale))
      let place = layout.extents.ink.hull(layout.extents.logical)
      let wide = place.grown(by: 50)
      var canvas = try Canvas(width: wide.width, height: wide.height)
      layout.draw(wide, in: label.color, on: &canvas)
      let roomy = canvas.bitmap()
      #expect((picture.width, picture.height) == (place.width, place.height))
      #expect(!picture.ink.isEmpty)
      #expect(roomy.ink == picture.ink.translated(x: 50, y: 50))
      guard (picture.width, picture.height) == (place.width, place.height) else { return }
      for y in picture.bounds.rows {
        for x in picture.bounds.columns where picture[x, y] != roomy[x + 50, y + 50] {
          Issue.record("\(x), \(y)")
          return
        }
      }
    }
  }

  /// The text is white: subpixel rendering would make the channels differ.
  @Test(arguments: texts.filter { $0 != "\u{1F600}" }) func antialiasingIsGray(_ text: String)
    throws
  {
    let pixels = try label(text).drawn(scale: 1).picture.pixels
    let colorful = pixels.filter { $0 != ($0 >> 24) * 0x0101_0101 }.count
    let edges = pixels.filter { (1..<255).contains($0 >> 24) }.count
    #expect(colorful == 0 && edges > 0)
  }

  @Test func coverageDoesNotDependOnColor() throws {
    let font = try Font(parsing: "Sans 18")
    let white = try Label("Aa", font).drawn(scale: 1).picture
    let red = try Label("Aa", font, color: Color(hex: 0xFF0000)).drawn(scale: 1).picture
    let masked = Bitmap(
      width: white.width, height: white.height, pixels: white.pixels.map { $0 & 0xFFFF_0000 })
    expectSame(red, masked)
    let faint = try Label("Aa", font, color: Color(white: 1, alpha: 0.5)).drawn(scale: 1).picture
    for (half, whole) in zip(faint.pixels, white.pixels) {
      #expect(abs(Int(half >> 24) * 2 - Int(whole >> 24)) <= 2)
    }
  }

  @Test func pointIsFourThirdsOfPixelTimesScale() throws {
    let points = try label("Aa", "Sans 24").drawn(scale: 1).picture
    expectSame(try label("Aa", "Sans 32px").drawn(scale: 1).picture, points)
    expectSame(try label("Aa", "Sans 12").drawn(scale: 2).picture, points)
    expectSame(try label("Aa", "Sans 16px").drawn(scale: 2).picture, points)
    expectSame(try label("Aa", "Sans 48").drawn(scale: 0.5).picture, points)
  }

  @Test func linesAreStackedDownward() throws {
    let one = try label("Aa").drawn(scale: 1).picture
    let two = try label("Aa\nAa").drawn(scale: 1).picture
    let twice = Bitmap(
      width: one.width, height: 2 * one.height, pixels: one.pixels + one.pixels)
    expectSame(two, twice)
  }

  @Test func hebrewLinesAreAlignedRight() throws {
    let picture = try label("שלום\nש").drawn(scale: 1).picture
    let lower = Rect(0..<picture.width, picture.height / 2..<picture.height)
    let columns = lower.columns.filter { x in lower.rows.contains { picture[x, $0] != 0 } }
    #expect(try #require(columns.first) > picture.width / 2)
  }

  @Test func trailingBlanksAreRemoved() throws {
    let plain = try label("Aa").drawn(scale: 1).picture
    for end in [" ", "\n", "   \n\t\r\n", "\u{3000}"] {
      expectSame(try label("Aa" + end).drawn(scale: 1).picture, plain)
    }
    #expect(try label("  Aa").drawn(scale: 1).picture.width > plain.width)
  }

  @Test(arguments: ["", " ", "\n\n", "\t", "\u{3000}", "\u{200B}", "\u{200F}"])
  func textWithoutInkIsRefused(_ text: String) throws {
    #expect(throws: PictureError.emptyText) { try label(text).drawn(scale: 1) }
  }

  @Test func textThatWouldBeTooLargeIsRefused() throws {
    let limit = 8192
    #expect(throws: PictureError.longText(limit + 1, limit: limit)) {
      try label(String(repeating: "a", count: limit + 1))
    }
    for (text, font) in [
      (String(repeating: "W", count: limit), "Sans 1000"),
      (String(repeating: "\u{FDFD}", count: 200), "Sans 1000"),
      (String(repeating: "a\n", count: limit / 2), "Sans 1000"),
      (String(repeating: "\r", count: limit - 1) + "a", "Sans 1000"),
      (String(repeating: "W", count: 4000), "Sans 18"),
      (String(repeating: "a\n", count: 2000), "Sans 18"), ("WWW\nWWW\nWWW\nWWW", "Sans 1000"),
    ] {
      let label = try label(text, font)
      for scale in [1.0, 8] {
        #expect {
          try label.drawn(scale: scale)
        } throws: { error in
          guard case PictureError.largeText(let width, let height) = error else { return false }
          return width * height > 1 << 24 || max(width, height) > 32767
        }
      }
    }
  }

  @Test(arguments: 0..<40) func randomTextMakesPictureOrError(seed: Int) throws {
    var dice = Dice(seed: seed)
    let ranges: [ClosedRange<UInt32>] = [
      0x1...0x2FF, 0x300...0x36F, 0x370...0x6FF, 0x900...0x1FFF, 0x2000...0x20FF, 0x3000...0xD7FF,
      0xE000...0xFFFF, 0x10000...0x10FFFF,
    ]
    let scalars = (0..<dice.roll(1...300)).compactMap { _ in
      ranges.randomElement(using: &dice).flatMap { range in
        Unicode.Scalar(UInt32.random(in: range, using: &dice))
      }
    }
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    do {
      let drawn = try label(text, "Sans \(dice.roll(1...60))").drawn(scale: 1)
      #expect(!drawn.picture.ink.isEmpty)
      #expect(drawn.missingCount <= scalars.count)
    } catch PictureError.emptyText, PictureError.largeText {
    }
  }

  @Test func missingCharactersAreCounted() throws {
    #expect(try label("Hello").drawn(scale: 1).missingCount == 0)
    // Characters for private use, which no font has.
    let drawn = try label("a\u{10F0F0}b\u{10F0F1}").drawn(scale: 1)
    #expect(drawn.missingCount == 2 && !drawn.picture.ink.isEmpty)
  }
}
