import Frost
import Panes
import Raster
import TestDice
import Testing

@testable import Pictures

@Suite struct TextFitTests {
  private let texts = [
    "one", "a few words in a row", "Donaudampfschifffahrtsgesellschaft", "two\nlines of text",
    "שלום עולם שלום עולם", "通知センター通知センター通知センター", "a \u{1F600} b \u{1F600} c",
  ]

  private func label(
    _ text: String, _ fit: TextFit = TextFit(), isCentered: Bool = false
  ) throws -> Label {
    try Label(text, Font(parsing: "Sans 18"), fit: fit, isCentered: isCentered)
  }

  /// A text that fits is unchanged. Else its lines have at most the width of the room, and with an ellipsis its height,
  /// except for one line of each paragraph.
  @Test func labelFitsItsRoom() throws {
    var dice = Dice(seed: 70)
    let line = try label("Ag").drawn(scale: 1).picture.height
    for _ in 0..<300 {
      let text = texts.randomElement(using: &dice) ?? ""
      let fit = TextFit(
        TextFit.Wrapping.allCases.randomElement(using: &dice) ?? .word,
        TextFit.Ellipsis.allCases.randomElement(using: &dice) ?? .end)
      let room = (width: dice.roll(40...400), height: dice.roll(1...150))
      let label = try label(text, fit, isCentered: .random(using: &dice))
      let natural = try label.drawn(scale: 1).picture
      let fitted = try label.drawn(scale: 1, in: room).picture
      let isLarge = natural.width > room.width || natural.height > room.height
      if !isLarge || fit == TextFit(.none, .none) {
        #expect(fitted == natural, "\(dice): \(text), \(fit)")
        continue
      }
      // Glyphs extend beyond their lines by some pixels.
      #expect(fitted.width <= room.width + 4, "\(dice): \(text), \(fit), \(room)")
      let paragraphs = text.split(separator: "\n").count
      if fit.wrapping == .none {
        #expect(fitted.height <= natural.height + 8, "\(dice): \(text), \(fit), \(room)")
      } else if fit.ellipsis != .none {
        // The fonts of some scripts have higher lines, and the ellipsis may have another font than the text.
        let most = max(room.height + 6, paragraphs * line * 2)
        #expect(fitted.height <= most, "\(dice): \(text), \(fit), \(room)")
      }
    }
  }

  /// For each size of its scope a label has the same picture, and in others mostly not.
  @Test func pictureIsTheSameForTheSizesOfItsScope() throws {
    var dice = Dice(seed: 71)
    var differences = 0
    for _ in 0..<300 {
      let text = texts.randomElement(using: &dice) ?? ""
      let fit = TextFit(
        TextFit.Wrapping.allCases.randomElement(using: &dice) ?? .word,
        TextFit.Ellipsis.allCases.randomElement(using: &dice) ?? .end)
      let label = try label(text, fit, isCentered: .random(using: &dice))
      let drawn = try label.drawn(scale: 1, in: (dice.roll(20...300), dice.roll(10...150)))
      let other = (width: dice.roll(20...300), height: dice.roll(10...150))
      let again = try label.drawn(scale: 1, in: other)
      let isSame: Bool =
        switch drawn.sizes {
        case .any: true
        case .atLeast(let width, let height): width <= other.width && height <= other.height
        case .exactly(let width, let height): (width, height) == other
        }
      if isSame {
        #expect(again.picture == drawn.picture, "\(dice): \(text), \(fit), \(other)")
      } else if again.picture != drawn.picture {
        differences += 1
      }
    }
    #expect(differences > 50)
  }

  @Test func centredLinesHaveTheSameMiddle() throws {
    let picture = try label("iiii iiii iiii\nWW", isCentered: true).drawn(scale: 1).picture
    func middle(_ rows: Range<Int>) throws -> Double {
      let columns = (0..<picture.width).filter { x in rows.contains { picture[x, $0] != 0 } }
      return try Double(#require(columns.first) + #require(columns.last)) / 2
    }
    let half = picture.height / 2
    #expect(abs(try middle(0..<half) - middle(half..<picture.height)) <= 2)
  }

  /// The text in any colour is its coverage in that colour, below the emoji.
  @Test func emojiAreSeparatedFromText() throws {
    for text in texts {
      let parts = try label(text).drawn(scale: 1, separatesEmoji: true)
      #expect((parts.emoji != nil) == text.contains("\u{1F600}"))
      let red = try Label(
        text, Font(parsing: "Sans 18"), color: Color(hex: 0xFF0000)
      ).drawn(scale: 1).picture
      for (i, pixel) in red.pixels.enumerated() {
        let text = parts.picture.pixels[i] & 0xffff_0000
        let emoji = parts.emoji?.pixels[i] ?? 0
        for shift: UInt32 in [0, 8, 16, 24] {
          let sum = (emoji >> shift & 255) + (text >> shift & 255)
          #expect(abs(Int(sum) - Int(pixel >> shift & 255)) <= 1, "\(text), \(i)")
        }
      }
    }
  }

  @Test func unknownFitIsNamed() {
    #expect(throws: PaneError.self) { try TextFit.Wrapping(parsing: "words") }
    #expect(throws: PaneError.self) { try TextFit.Ellipsis(parsing: "") }
    for wrapping in TextFit.Wrapping.allCases {
      #expect((try? TextFit.Wrapping(parsing: wrapping.rawValue)) == wrapping)
    }
  }
}
