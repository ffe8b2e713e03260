import Raster
import TestSupport
import Testing

/// Images and labels on the glass of `blur`.
@Suite struct BlurContentTests {
  private let folder = CommandFolder()

  init() {
    let picture = HandmadePNG(colorType: 2, width: 200, height: 120) { x, y in
      [x, (x / 20 + y / 20) % 2 * 255, y * 2]
    }
    folder.write("in.png", picture.bytes)
    folder.write(
      "black.png", HandmadePNG(colorType: 2, width: 200, height: 120) { _, _ in [0, 0, 0] }.bytes)
    // Every pixel differs from its neighbours, so that a shift is visible.
    let icon = HandmadePNG(colorType: 6, width: 16, height: 12) { x, y in
      [x * 16, y * 21, (x + y) % 2 * 255, 255]
    }
    for name in ["icon.png", "icon@2x.png", "icon@3x.PNG", "icon@x.png", "icon@12x.png"] {
      folder.write(name, icon.bytes)
    }
  }

  private func painted(
    _ arguments: [String] = [], over name: String = "in.png", sigma: Double = 7
  ) throws -> Bitmap {
    let all =
      [
        "blur", "\(folder.path)/\(name)", folder.path + "/out.png", "--sigma=\(sigma)",
        "--no-dither",
      ]
      + arguments.map { $0.hasSuffix(".png") || $0.hasSuffix(".PNG") ? "\(folder.path)/\($0)" : $0 }
    let outcome = try Child.run(ProgramPaths.backdropctl, all, environment: [:])
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty, "\(outcome.err)")
    return try readPNG(folder.path + "/out.png")
  }

  /// The coverage of each pixel by a label, 0 to 255: the label is drawn white on black.
  private func coverage(_ arguments: [String]) throws -> [Int] {
    try painted(
      arguments + ["--vibrancy", "none"], over: "black.png", sigma: 0
    ).pixels.map {
      Int($0 & 255)
    }
  }

  // MARK: Labels

  @Test(arguments: [
    "Hello", "Ελληνικά", "Русский", "שלום", "السلام", "通知センター", "two\nlines", "--label", "-5°",
  ])
  func plainLabelIsBlendedOverTheGlass(_ text: String) throws {
    let label = ["--label", text, "--font", "Sans Italic 16"]
    let covered = try coverage(label)
    #expect(covered.contains(255) && covered.contains(0))
    let glass = try painted()
    for (color, levels) in [
      (["--color", "#FF8000"], [0, 128, 255]), ([], [255, 255, 255]),
    ] {
      let picture = try painted(label + ["--vibrancy", "none"] + color)
      let model = glass.pixels.enumerated().map { i, below in
        zip([0, 8, 16], levels).reduce(0xFF00_0000 as UInt32) { pixel, channel in
          let (shift, level) = channel
          let sum = Int(below >> shift & 255) * (255 - covered[i]) + level * covered[i]
          return pixel | UInt32((sum + 127) / 255) << shift
        }
      }
      expectSame(picture, Bitmap(width: 200, height: 120, pixels: model), tolerance: 1)
    }
  }

  /// The contrast of WCAG 2 between pixels that a label covers and the glass next to them.
  @Test(arguments: [0x000000, 0xFFFFFF, 0x777777, 0xFF0000, 0x0000FF, 0x00FF00, -1])
  func labelHasContrastOnEveryGlass(_ color: Int) throws {
    let picture = HandmadePNG(colorType: 2, width: 200, height: 120) { x, y in
      color < 0
        ? [x, 255 - y * 2, (x / 8 + y / 8) % 2 * 255] : [16, 8, 0].map { color >> $0 & 255 }
    }
    folder.write("glass.png", picture.bytes)
    let label = ["--label", "Hamburgefonts\nالسلام عليكم", "--font", "Sans Bold 15"]
    let covered = try coverage(label)
    let read = try painted(label, over: "glass.png", sigma: 4)
    var seen = 0
    for y in 2..<118 {
      for x in 2..<198 where covered[y * 200 + x] == 255 {
        for (dx, dy) in [(-2, 0), (2, 0), (0, -2), (0, 2)]
        where covered[(y + dy) * 200 + x + dx] == 0 {
          seen += 1
          #expect(contrast(read[x, y], read[x + dx, y + dy]) >= 4.5)
        }
      }
    }
    #expect(seen > 500)
  }

  @Test func everyVibrancyStyleIsDifferent() throws {
    let styles = [
      "label", "secondary", "tertiary", "quaternary", "fill", "secondary-fill", "tertiary-fill",
      "separator", "none",
    ]
    var seen: [[UInt32]] = [try painted().pixels]
    for style in styles {
      seen.append(try painted(["--label", "Aa", "--font", "Sans 40", "--vibrancy", style]).pixels)
    }
    let count = Swift.Set(seen).count
    #expect(count == styles.count + 1)
    let standard = try painted(["--label", "Aa", "--font", "Sans 40"])
    expectSame(standard, Bitmap(width: 200, height: 120, pixels: seen[1]))
    let image = try painted(["--content", "icon.png"])
    expectSame(try painted(["--content", "icon.png", "--vibrancy", "none"]), image)
    let vibrant = try painted(["--content", "icon.png", "--vibrancy", "label"])
    #expect(vibrant.difference(from: image) != nil)
  }

  /// An emoji has the same pixels on a label of any vibrancy as on a label with its own colours.
  @Test(arguments: ["label", "tertiary", "fill"]) func emojiKeepsItsColours(_ style: String) throws
  {
    let label = ["--label", "\u{1F600}", "--font", "Sans 40"]
    let plain = try painted(label + ["--vibrancy", "none"])
    expectSame(try painted(label + ["--vibrancy", style]), plain, tolerance: 1)
    let colors = Swift.Set(plain.pixels).subtracting(try painted().pixels)
    #expect(colors.count > 100, "the font has colours")
  }

  /// On a picture of 200x120.
  @Test func longLabelIsWrappedAndShortened() throws {
    let long = ["--label", String(repeating: "word ", count: 100), "--font", "Sans 12"]
    let place = ["--at", "10,10"]
    let label = try painted(long + place)
    let bare = try painted()
    let right = Rect(x: 190, y: 0, width: 10, height: 120)
    let below = Rect(x: 0, y: 110, width: 200, height: 10)
    let changed = { (picture: Bitmap, part: Rect) in
      part.rows.contains { y in part.columns.contains { picture[$0, y] != bare[$0, y] } }
    }
    let plain = long + place + ["--vibrancy", "none"]
    let wrapped = try painted(plain)
    #expect(!changed(wrapped, right) && !changed(wrapped, below))
    #expect(changed(wrapped, Rect(x: 10, y: 80, width: 100, height: 30)))
    #expect(changed(try painted(plain + ["--wrap", "none", "--ellipsize", "none"]), right))
    #expect(changed(try painted(plain + ["--ellipsize", "none"]), below))
    let line = try painted(plain + ["--wrap", "none"])
    #expect(!changed(line, right) && !changed(line, Rect(x: 0, y: 40, width: 200, height: 80)))
    let styles = ["end", "middle", "start"].map { ["--wrap", "none", "--ellipsize", $0] }
    let pictures = try styles.map { try painted(plain + $0).pixels }
    #expect(Swift.Set(pictures).count == 3)
    #expect(label != wrapped)
  }

  @Test func characterWithoutAFontIsReportedAndDrawn() throws {
    let bare = try painted()
    let outcome = folder.run(
      "blur", "@in.png", "@out.png", "--sigma", "7", "--label", "a\u{10F0F0}b", "--vibrancy", "none"
    )
    #expect(outcome.status == .exited(0) && outcome.out.isEmpty)
    #expect(
      outcome.err.hasPrefix("backdropctl: warning: label: ")
        && outcome.err.count { $0 == "\n" } == 1)
    #expect(outcome.err.contains("a\u{10F0F0}b") && outcome.err.contains("font"))
    #expect(try readPNG(folder.path + "/out.png").difference(from: bare) != nil)
  }

  @Test func labelWithoutAnyFontIsAnError() throws {
    folder.write("fonts.conf", Array("<?xml version='1.0'?><fontconfig></fontconfig>".utf8))
    let outcome = folder.run(
      "blur", "@in.png", "@out.png", "--sigma", "7", "--label", "Hello",
      environment: ["FONTCONFIG_FILE": folder.path + "/fonts.conf"])
    #expect(outcome.status == .exited(78), "\(outcome.err)")
    #expect(outcome.err.contains("no fonts"))
    #expect(!folder.files.contains("out.png"))
  }

  // MARK: Images

  /// An image that is not scaled is copied.
  @Test(arguments: [
    ("icon.png", 1.0, 16, 12), ("icon@2x.png", 2, 16, 12), ("icon@3x.PNG", 3, 16, 12),
    ("icon.png", 2, 32, 24),
    ("icon.png", 0.5, 8, 6), ("icon@2x.png", 1, 8, 6), ("icon@2x.png", 3, 24, 18),
    ("icon@x.png", 1, 16, 12), ("icon@12x.png", 1, 16, 12), ("icon.png", 1.25, 20, 15),
  ])
  func imageSizeFollowsFileNameAndScale(
    _ name: String, _ scale: Double, _ width: Int, _ height: Int
  ) throws {
    let glass = try painted()
    let picture = try painted(["--content", name, "--at", "31,17", "--scale=\(scale)"])
    let place = Rect(x: 31, y: 17, width: width, height: height)
    for part in picture.bounds.subtracting(place) {
      expectSame(picture.cropped(to: part), glass.cropped(to: part))
    }
    let image = picture.cropped(to: place)
    let file = try readPNG("\(folder.path)/\(name)")
    if width == 16 { expectSame(image, file) }
    #expect(abs(mean(image) - mean(file)) < 12)
  }

  @Test func translucentImageIsBlendedOverTheGlass() throws {
    let clear = HandmadePNG(colorType: 6, width: 16, height: 12) { x, _ in [255, 0, 0, x * 17] }
    folder.write("clear.png", clear.bytes)
    let glass = try painted()
    let picture = try painted(["--content", "clear.png", "--at", "0,0"])
    for x in 0..<16 {
      let (below, seen) = (Int(glass[x, 6] >> 8 & 255), Int(picture[x, 6] >> 8 & 255))
      #expect(abs(seen - below * (255 - x * 17) / 255) <= 1)
    }
  }

  // MARK: Order

  /// Other options may stand between an item and its attributes.
  @Test func attributesApplyToTheItemBeforeThem() throws {
    let label = [
      "--label", "Aa", "--at", "5,5", "--font", "Sans 14", "--vibrancy", "none", "--color",
      "#00FF00",
    ]
    let icon = ["--content", "icon.png", "--at", "-10,-8"]
    let model = try painted(label + icon)
    expectSame(try painted(icon + label), model)
    expectSame(try painted(icon + ["--saturation=1"] + label + ["--scale=1"]), model)
    let mixed = [
      "--label", "Aa", "--color=#00FF00", "--contrast=1", "--vibrancy=none", "--font=Sans 14",
      "--at=5,5",
      "--content", "icon.png", "--at=-10,-8",
    ]
    expectSame(try painted(mixed), model)
    let glass = try painted()
    #expect(model[199 - 10, 119 - 8] != glass[199 - 10, 119 - 8])
    let bare = ["--content", "icon.png", "--label", "Aa"]
    let first = try painted(bare.prefix(2) + ["--at", "5,5"] + bare.suffix(2))
    let second = try painted(bare + ["--at", "5,5"])
    #expect(first.difference(from: second) != nil)
  }

  @Test func laterItemIsDrawnOnTop() throws {
    let cover = HandmadePNG(colorType: 2, width: 150, height: 100) { _, _ in [9, 99, 199] }
    folder.write("cover.png", cover.bytes)
    let icon = ["--content", "icon.png"]
    let above = try painted(["--content", "cover.png"] + icon)
    let below = try painted(icon + ["--content", "cover.png"])
    expectSame(below, try painted(["--content", "cover.png"]))
    expectSame(
      above.cropped(to: Rect(x: 92, y: 54, width: 16, height: 12)),
      try readPNG(folder.path + "/icon.png"))
  }

  @Test func sixteenImagesAreDrawn() throws {
    let items = (0..<16).flatMap {
      ["--content", "icon.png", "--at", "\($0 % 8 * 20),\($0 / 8 * 40)"]
    }
    let picture = try painted(items)
    let icon = try readPNG(folder.path + "/icon.png")
    for i in 0..<16 {
      expectSame(
        picture.cropped(to: Rect(x: i % 8 * 20, y: i / 8 * 40, width: 16, height: 12)), icon)
    }
  }

  @Test func noneRemovesAllContent() throws {
    expectSame(try painted(["--content", "none"]), try painted())
  }
}

/// A failure names the place of the difference.
private func expectSame(
  _ picture: Bitmap, _ model: Bitmap, tolerance: Int = 0,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let difference = picture.difference(from: model, tolerance: tolerance)
  #expect(difference == nil, sourceLocation: sourceLocation)
}

private func mean(_ picture: Bitmap) -> Double {
  Double(picture.pixels.reduce(0) { $0 + Int($1 & 255) + Int($1 >> 8 & 255) + Int($1 >> 16 & 255) })
    / Double(picture.pixels.count * 3)
}
