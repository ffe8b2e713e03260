import Testing

@testable import Frost

/// The colour of glass that something else blurs.
@Suite struct SheetColorTests {
  private func sheet(_ material: Material) -> UInt32 {
    SheetColor(of: ToneSteps(material.tone)).pixel
  }

  @Test func plainGlassIsClear() {
    #expect(sheet(Material(sigma: 20)) == 0)
  }

  /// A tone that is one layer of colour is that layer: premultiplied.
  @Test(arguments: [
    (0xff00_0080 as UInt32, 0x8080_0000 as UInt32), (0x0000_00ff, 0xff00_0000),
    (0xffff_ff40, 0x4040_4040),
  ])
  func tintIsItself(rgba: UInt32, pixel: UInt32) {
    var material = Material(sigma: 20)
    func part(_ shift: UInt32) -> Double { Double(rgba >> shift & 255) / 255 }
    material.tone.tint = Color(red: part(24), green: part(16), blue: part(8), alpha: part(0))
    let own = sheet(material)
    for shift: UInt32 in [0, 8, 16, 24] {
      #expect(abs(Int(own >> shift & 255) - Int(pixel >> shift & 255)) <= 1)
    }
  }
}
