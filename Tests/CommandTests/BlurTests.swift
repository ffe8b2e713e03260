import TestSupport
import Testing

/// A picture of 37 by 23 pixels of one colour, in one of the formats of PNG.
private func flat(
  _ colorType: UInt8, depth: Int = 8, _ samples: [Int], isInterlaced: Bool = false,
  palette: [UInt8] = [], transparency: [UInt8] = []
) -> HandmadePNG {
  HandmadePNG(
    colorType: colorType, depth: depth, isInterlaced: isInterlaced, width: 37, height: 23,
    palette: palette, transparency: transparency, pixel: { _, _ in samples })
}

/// The kind of a PNG file, from its header.
private func shape(_ png: [UInt8]?) -> (width: Int, height: Int, colorType: UInt8)? {
  guard let png, png.count > 26, png.starts(with: HandmadePNG.signature) else { return nil }
  func number(_ start: Int) -> Int { png[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
  return (number(16), number(20), png[25])
}

@Suite struct BlurTests {
  /// The blur of one colour is the same colour, so the output for every file of the list equals the one for the file
  /// that 8-bit RGB or RGBA makes.
  @Test func everyKindOfPNGGivesEqualPixels() throws {
    let gray = [
      flat(0, [119]), flat(0, depth: 16, [119 * 257]), flat(0, depth: 4, [7]),
      flat(0, [119], isInterlaced: true), flat(3, [1], palette: [0, 0, 0, 119, 119, 119]),
      flat(3, depth: 1, [1], isInterlaced: true, palette: [0, 0, 0, 119, 119, 119]),
      flat(2, depth: 16, [30583, 30583, 30583]), flat(2, [119, 119, 119], isInterlaced: true),
    ]
    try expectSame(gray, as: flat(2, [119, 119, 119]), colorType: 2)
    let clear = [
      flat(6, depth: 16, [200 * 257, 100 * 257, 50 * 257, 128 * 257]),
      flat(6, [200, 100, 50, 128], isInterlaced: true),
      flat(3, [1], palette: [0, 0, 0, 200, 100, 50], transparency: [255, 128]),
    ]
    try expectSame(clear, as: flat(6, [200, 100, 50, 128]), colorType: 6)
    try expectSame(
      [flat(4, depth: 16, [119 * 257, 64 * 257]), flat(4, [119, 64], isInterlaced: true)],
      as: flat(6, [119, 119, 119, 64]), colorType: 6)
  }

  private func expectSame(
    _ pictures: [HandmadePNG], as model: HandmadePNG, colorType: UInt8
  ) throws {
    let folder = CommandFolder()
    folder.write("model.png", model.bytes)
    #expect(folder.run("blur", "@model.png", "@model-out.png", "--sigma", "7").status == .exited(0))
    let expected = try #require(folder.read("model-out.png"))
    let found = try #require(shape(expected))
    #expect(found == (37, 23, colorType))
    for picture in pictures {
      folder.write("in.png", picture.bytes)
      let outcome = folder.run("blur", "@in.png", "@out.png", "--sigma", "7")
      #expect(outcome.status == .exited(0) && outcome.err.isEmpty && outcome.out.isEmpty)
      #expect(
        folder.read("out.png") == expected, "color type \(picture.colorType), \(picture.depth)")
    }
  }

  @Test func writtenPNGIsReadAgain() throws {
    let folder = CommandFolder()
    let picture = HandmadePNG(colorType: 6, width: 64, height: 48) { x, y in
      [x * 4, y * 5, 255 - x, (x + y) % 2 * 255]
    }
    folder.write("a.png", picture.bytes)
    #expect(
      folder.run("blur", "@a.png", "@b.png", "--sigma", "0", "--no-dither").status == .exited(0))
    #expect(
      folder.run("blur", "@b.png", "@c.png", "--sigma", "0", "--no-dither").status == .exited(0))
    let once = try #require(folder.read("b.png"))
    #expect(folder.read("c.png") == once)
  }

  @Test func everySettingChangesThePicture() throws {
    let folder = CommandFolder()
    let picture = HandmadePNG(colorType: 2, width: 64, height: 48) { x, y in
      [x * 4, y * 5, (x / 8 + y / 8) % 2 * 200]
    }
    folder.write("in.png", picture.bytes)
    var seen: Set<[UInt8]> = []
    let settings = [
      "--sigma=6", "--sigma=7", "--saturation=-2", "--brightness=-0.2", "--contrast=1.5",
      "--tint=#FF000080", "--no-dither", "--noise=0.1", "--blend=overlay:#808000",
      "--blend=luminosity:#303030", "--blend=color-dodge:#303030", "--blend=normal:#30303080",
      "--material=dark", "--material=tint #203040",
    ]
    for setting in settings {
      #expect(
        folder.run("blur", "@in.png", "@out.png", "--sigma", "6", setting).status == .exited(0))
      seen.insert(try #require(folder.read("out.png")))
    }
    #expect(seen.count == settings.count)
  }

  @Test(arguments: ["0", "0.3", "20", "200"])
  func singlePixelIsUnchanged(_ sigma: String) throws {
    let folder = CommandFolder()
    let picture = HandmadePNG(colorType: 2, width: 1, height: 1) { _, _ in [16, 128, 240] }
    folder.write("in.png", picture.bytes)
    #expect(
      folder.run("blur", "@in.png", "@out.png", "--sigma", "0", "--no-dither").status == .exited(0))
    let model = try #require(folder.read("out.png"))
    #expect(
      folder.run("blur", "@in.png", "@out.png", "--sigma", sigma, "--no-dither").status
        == .exited(0))
    #expect(folder.read("out.png") == model)
  }

  @Test func inputFileMayBeTheOutputFile() throws {
    let folder = CommandFolder()
    folder.write("in.png", flat(2, [1, 2, 3]).bytes)
    #expect(folder.run("blur", "@in.png", "@in.png", "--sigma", "3").status == .exited(0))
    #expect(folder.files == ["in.png"])
    #expect(shape(folder.read("in.png")) ?? (0, 0, 0) == (37, 23, 2))
  }
}
