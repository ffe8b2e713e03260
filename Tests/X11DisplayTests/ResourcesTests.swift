import TestDice
import Testing

@testable import X11Display

@Suite struct ResourcesTests {
  @Test(
    arguments: [
      ("Xft.dpi:\t192", 2), ("Xft.dpi: 96\n", 1), ("Xft.dpi:144.0", 1.5), ("Xft.dpi: 48", 0.5),
      ("  Xft.dpi \t: 768 \r\n", 8), ("a: b\n\nXft.dpi: 192\nXft.dpi.x: 7\nz:\n", 2),
      ("Xft.dpi: 192\nXft.dpi: 96", 1), ("Xft.dpi:\t192\n\0", 2), ("Xft.dpi: 192\0", 2),
      ("! Xft.dpi: 192", nil), ("xft.dpi: 192", nil), ("NotXft.dpi: 192", nil), ("", nil),
      ("\n:\n:", nil),
      ("Xft.dpi:", nil), ("Xft.dpi", nil), ("Xft.dpi: 0", nil), ("Xft.dpi: -192", nil),
      ("Xft.dpi: 47.9", nil),
      ("Xft.dpi: 769", nil), ("Xft.dpi: 1e999", nil), ("Xft.dpi: nan", nil), ("Xft.dpi: inf", nil),
      ("Xft.dpi: 192 dpi", nil), ("Xft.dpi: 192\nXft.dpi: large", nil), ("Xft.dpi: 19²", nil),
    ] as [(String, Double?)])
  func scaleIsReadFromXftDpi(text: String, scale: Double?) {
    #expect(pixelScale(inResources: Array(text.utf8)) == scale)
  }

  @Test(arguments: 0..<2000)
  func scaleOfRandomBytesIsInRange(seed: Int) {
    var dice = Dice(seed: seed)
    var text = (0..<dice.roll(0...200)).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
    text.insert(contentsOf: Array("Xft.dpi:".utf8), at: dice.roll(0...text.count))
    #expect(pixelScale(inResources: text).map { (0.5...8).contains($0) } ?? true)
  }
}
