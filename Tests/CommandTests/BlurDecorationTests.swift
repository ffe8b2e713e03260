import Raster
import TestSupport
import Testing

/// `blur` with a pane that is smaller than the picture, or that has corners, a border and a shadow.
@Suite struct BlurDecorationTests {
  private let folder = CommandFolder()
  private let pane = Rect(x: 40, y: 30, width: 90, height: 60)

  init() {
    let picture = HandmadePNG(colorType: 2, width: 200, height: 150) { x, y in
      [x, (x / 20 + y / 20) % 2 * 255, y]
    }
    folder.write("in.png", picture.bytes)
  }

  private func painted(_ arguments: String...) throws -> Bitmap { try painted(arguments) }

  private func painted(_ arguments: [String]) throws -> Bitmap {
    let all =
      [
        "blur", folder.path + "/in.png", folder.path + "/out.png", "--sigma", "7", "--no-dither",
        "--plain",
      ]
      + arguments
    let outcome = try Child.run(ProgramPaths.backdropctl, all, environment: [:])
    #expect(outcome.status == .exited(0) && outcome.err.isEmpty, "\(outcome.err)")
    return try readPNG(folder.path + "/out.png")
  }

  @Test func paneIsAPartOfTheWholeGlass() throws {
    let input = try readPNG(folder.path + "/in.png")
    let whole = try painted()
    let picture = try painted("--geometry", "90x60+40+30")
    #expect(picture.cropped(to: pane) == whole.cropped(to: pane))
    for y in 0..<150 {
      for x in 0..<200 where !pane.contains(x: x, y: y) { #expect(picture[x, y] == input[x, y]) }
    }
  }

  /// The corners show the picture, the middle the glass, and pixels beyond the shadow are unchanged.
  @Test func cornersAndShadowAreDrawnOverThePicture() throws {
    let input = try readPNG(folder.path + "/in.png")
    let glass = try painted("--geometry", "90x60+40+30")
    let round = try painted("--geometry", "90x60+40+30", "--corner", "20")
    #expect(round[40, 30] == input[40, 30] && round[129, 89] == input[129, 89])
    #expect(round[60, 50] == glass[60, 50] && round[85, 30] == glass[85, 30])
    let shaded = try painted(
      "--geometry", "90x60+40+30", "--corner", "continuous:20", "--shadow", "3,4 10 #000000")
    #expect(
      shaded.cropped(to: Rect(x: 65, y: 55, width: 40, height: 10))
        == glass.cropped(to: Rect(x: 65, y: 55, width: 40, height: 10)))
    func luminance(_ pixel: UInt32) -> UInt32 { pixel & 255 + pixel >> 8 & 255 + pixel >> 16 & 255 }
    // It is dark below the middle of the lower edge.
    #expect(luminance(shaded[85, 91]) * 2 < luminance(input[85, 91]))
    #expect(shaded[5, 5] == input[5, 5] && shaded[195, 145] == input[195, 145])
  }

  @Test func pictureItselfIsDecoratedWithoutGeometry() throws {
    let glass = try painted()
    let round = try painted("--corner", "30")
    #expect(round.bounds == glass.bounds)
    #expect(round[0, 0] == 0 && round[100, 75] == glass[100, 75] && round[100, 0] == glass[100, 0])
    let framed = try painted("--border", "2 #FF0000")
    #expect(framed[0, 70] == 0xFFFF_0000 && framed[2, 70] == glass[2, 70])
    let shaded = try painted("--shadow", "0,8 24 #00000080")
    let (right, down) = (shaded.width - 200, shaded.height - 150)
    #expect(right > 24 && down == right)
    // Half of the margin is on each side, except for the offset.
    let left = right / 2
    let top = down / 2 - 8
    #expect(
      shaded.cropped(to: Rect(x: left, y: top, width: 200, height: 150)) == glass)
    #expect(shaded[0, 0] == 0 && shaded[left + 100, top + 152] >> 24 > 60)
  }

  /// The part of a pane inside the picture is the same as on a larger picture: only the corners inside are round,
  /// and content is placed on the whole pane.
  @Test func paneMayReachBeyondThePicture() throws {
    let icon = HandmadePNG(colorType: 2, width: 6, height: 4) { x, y in [x * 40, y * 60, 200] }
    folder.write("icon.png", icon.bytes)
    let image = try readPNG(folder.path + "/icon.png")
    let glass = try painted()
    let input = try readPNG(folder.path + "/in.png")
    let content = ["--content", folder.path + "/icon.png"]
    for (geometry, clear, filled, at, seen) in [
      ("90x60+-30+20", (59, 20), (0, 20), "-12,-8", (42, 68)),
      ("90x60--30+20", (140, 20), (199, 20), "12,8", (152, 28)),
      ("90x60+20+-30", (20, 29), (20, 0), "12,-8", (32, 18)),
      ("90x60+20--30", (20, 120), (20, 149), "center,0", (62, 120)),
      ("300x250+-50+-50", nil, (0, 0), "center", (97, 73)),
    ] as [(String, (Int, Int)?, (Int, Int), String, (Int, Int))] {
      let picture = try painted(
        ["--geometry", geometry, "--corner", "20"] + content + ["--at", at])
      if let clear { #expect(picture[clear.0, clear.1] == input[clear.0, clear.1]) }
      #expect(picture[filled.0, filled.1] == glass[filled.0, filled.1])
      let place = Rect(x: seen.0, y: seen.1, width: 6, height: 4)
      #expect(picture.cropped(to: place).difference(from: image) == nil, "\(geometry)")
    }
  }

  /// A pane replaces the part of a translucent picture that it covers. All other parts are unchanged.
  @Test func paneReplacesATranslucentPicture() throws {
    let clear = HandmadePNG(colorType: 6, width: 200, height: 150) { x, y in
      [x, (x / 20 + y / 20) % 2 * 255, y, 96]
    }
    folder.write("in.png", clear.bytes)
    let input = try readPNG(folder.path + "/in.png")
    let glass = try painted("--geometry", "90x60+40+30")
    let round = try painted("--geometry", "90x60+40+30", "--corner", "20")
    for y in 0..<150 {
      for x in 0..<200 {
        #expect(abs(Int(round[x, y] >> 24) - 96) <= 1)
        if !pane.contains(x: x, y: y) { #expect(round[x, y] == input[x, y]) }
      }
    }
    #expect(round[85, 60] == glass[85, 60])
    #expect(round[40, 30] == input[40, 30])
  }

  @Test(arguments: [
    (["--corner", "31", "--geometry", "90x60+0+0"], "corner: 31.0"),
    (["--corner", "-1"], "corner: -1.0"), (["--corner", "1e6"], "corner: 1000000.0"),
    (["--corner", "nan"], "corner: nan"), (["--corner", "round"], "corner: cannot read"),
    (["--corner", "square:5"], "corner: cannot read"), (["--shadow", "dark"], "shadow: cannot"),
    (["--shadow", "mpas"], "shadow: there is none named 'mpas'; did you mean maps?"),
    (["--shadow", "Rounded-view"], "did you mean rounded-view?"),
    (["--shadow", "0,0 1e6 #000000"], "shadow: a radius of 1000000.0"),
    (["--shadow", "0,0 nan #000000"], "shadow: a radius of nan"),
    (["--shadow", "999,0 4 #000000"], "shadow: 999,0"),
    (["--shadow", "0,0 4 black"], "shadow: cannot read 'black'"),
    (["--border", "1"], "border: cannot"), (["--border", "-1 #FFFFFF"], "border: -1.0"),
    (["--border", "1 white"], "border: cannot read 'white'"),
    (["--geometry", "10x10+900+0"], "geometry: 10x10+900+0"),
  ])
  func wrongDecorationIsNamed(_ arguments: [String], _ text: String) throws {
    let outcome = try Child.run(
      ProgramPaths.backdropctl,
      ["blur", folder.path + "/in.png", folder.path + "/out.png", "--sigma", "7", "--plain"]
        + arguments, environment: [:])
    #expect(outcome.status == .exited(64), "\(outcome.err)")
    #expect(outcome.err.contains(text), "\(outcome.err)")
    #expect(folder.files == ["in.png"])
  }
}
