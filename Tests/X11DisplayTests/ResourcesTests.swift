import TestDice
import Testing

@testable import X11Display

@Suite struct ResourcesTests {
  @Test(
    arguments: [
      ("Xft.dpi:\t192", 2), ("Xft.dpi: 96\n", 1), ("Xft.dpi:144.0", 1.5), ("Xft.dpi: 48", 0.5),
      ("  Xft.dpi \t: 768 \r\n", 8), ("a: b\n\nXft.dpi: 192\nXft.dpi.x: 7\nz:\n", 2),
      ("Xft.dpi: 192\nXft.dpi: 96", 1), ("Xft.dpi:\t192\n\0", 2), ("Xft.dpi: 192\0", 2),
      ("! Xft.dpi: 192", 1), ("xft.dpi: 192", 1), ("NotXft.dpi: 192", 1), ("", 1), ("\n:\n:", 1),
      ("Xft.dpi:", 1), ("Xft.dpi", 1), ("Xft.dpi: 0", 1), ("Xft.dpi: -192", 1),
      ("Xft.dpi: 47.9", 1),
      ("Xft.dpi: 769", 1), ("Xft.dpi: 1e999", 1), ("Xft.dpi: nan", 1), ("Xft.dpi: inf", 1),
      ("Xft.dpi: 192 dpi", 1), ("Xft.dpi: 192\nXft.dpi: large", 1), ("Xft.dpi: 19²", 1),
    ] as [(String, Double)])
  func scaleIsReadFromXftDpi(text: String, scale: Double) {
    #expect(pixelScale(inResources: Array(text.utf8)) == scale)
  }

  @Test(arguments: 0..<2000)
  func scaleOfRandomBytesIsInRange(seed: Int) {
    var dice = Dice(seed: seed)
    var text = (0..<dice.roll(0...200)).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    text.insert(contentsOf: Array("Xft.dpi:".utf8), at: dice.roll(0...text.count))
    #expect((0.5...8).contains(pixelScale(inResources: text)))
  }
}
