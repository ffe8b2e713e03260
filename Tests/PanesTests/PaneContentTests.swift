import Frost
import Panes
import Raster
import TestDice
import Testing

@Suite struct PaneContentTests {
  private func content(_ picture: Bitmap, text: String = "x") -> PaneContent {
    PaneContent(source: .image(path: text), place: .center, vibrancy: .fill, picture: picture)
  }

  private func error(_ contents: [PaneContent]) -> String? {
    var settings = PaneSettings()
    settings.contents = contents
    do throws(PaneError) {
      try settings.check()
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test func changeOfContentReplacesAllOfIt() throws {
    let contents = [content(Bitmap(width: 1, height: 2)), content(Bitmap(width: 3, height: 1))]
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "9x9+0+0")
    #expect(try Pane("x", settings).contents == [])
    settings.contents = contents
    let pane = try Pane("x", settings)
    #expect(pane.contents == contents)
    #expect(try pane.changed(by: PaneChange()) == pane)
    var change = PaneChange()
    change.settings.contents = [contents[1]]
    #expect(try pane.changed(by: change).contents == [contents[1]])
    change.settings.contents = []
    #expect(try pane.changed(by: change).contents == [])
    #expect(try pane.changed(by: PaneChange(reset: ["content"])).contents == [])
  }

  @Test func contentAboveLimitsIsNamed() {
    let one = content(Bitmap(width: 1, height: 1))
    #expect(error([PaneContent](repeating: one, count: 16)) == nil)
    #expect(error([PaneContent](repeating: one, count: 17))?.contains("at most 16") == true)
    let half = content(Bitmap(width: 4096, height: 2048))
    #expect(error([half, half]) == nil)
    #expect(error([half, half, one])?.contains("16777217 pixels in all") == true)
    #expect(error([content(Bitmap(width: 0, height: 4))])?.contains("picture of 0x4") == true)
    #expect(error([content(Bitmap(width: 1, height: 32768))])?.contains("1x32768") == true)
    let long = String(repeating: "x", count: 4096)
    let path = content(Bitmap(width: 1, height: 1), text: long)
    #expect(error([path, path]) == nil)
    #expect(error([path, path, one])?.contains("8193 bytes") == true)
  }

  /// A pane shows at least one pixel of each picture.
  @Test func contentOutsideThePaneIsNamed() throws {
    var dice = Dice(seed: 80)
    for _ in 0..<500 {
      let picture = Bitmap(width: dice.roll(1...9), height: dice.roll(1...9))
      func position() -> ContentPlace.Position {
        let distance = dice.roll(0...20)
        return [.center, .fromStart(distance), .fromEnd(distance)][dice.roll(0...2)]
      }
      var one = content(picture)
      one.place = ContentPlace(x: position(), y: position())
      let (width, height) = (dice.roll(1...15), dice.roll(1...15))
      let origin = one.place.origin(of: (picture.width, picture.height), on: (width, height))
      let isVisible = picture.bounds.rows.contains { y in
        picture.bounds.columns.contains { x in
          (0..<width).contains(x + origin.x) && (0..<height).contains(y + origin.y)
        }
      }
      var settings = PaneSettings()
      settings.contents = [one]
      settings.geometry = try Geometry(parsing: "\(width)x\(height)+0+0")
      do {
        _ = try Pane("x", settings)
        #expect(isVisible, "\(dice)")
      } catch {
        #expect(!isVisible, "\(dice)")
        #expect(
          "\(error)" == "at: the image x at \(one.place.text) lies outside the pane, which is "
            + "\(width)x\(height)")
      }
    }
  }

  /// A pane that becomes too small for its content keeps its size.
  @Test func changeThatPutsContentOutsideIsRefused() throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "100x100+0+0")
    settings.contents = [content(Bitmap(width: 10, height: 10))]
    settings.contents?[0].place = try ContentPlace(parsing: "60,60")
    let pane = try Pane("x", settings)
    var change = PaneChange()
    change.settings.geometry = try Geometry(parsing: "60x100+0+0")
    #expect(throws: PaneError.self) { try pane.changed(by: change) }
    change.settings.contents = []
    #expect(throws: Never.self) { try pane.changed(by: change) }
  }

  @Test func pixelsOnAllPanesAreLimited() {
    #expect(throws: Never.self) { try PaneContent.check(totalPixels: 1 << 26) }
    #expect {
      try PaneContent.check(totalPixels: (1 << 26) + 1)
    } throws: { error in
      "\(error)".hasPrefix("content: 67108865 pixels on all panes together is out of range")
    }
  }

  @Test func descriptionHasNoPixels() {
    let text = "\(content(Bitmap(width: 1000, height: 1000)))"
    #expect(text.contains("1000x1000 at center, fill"))
    var settings = PaneSettings()
    settings.contents = [content(Bitmap(width: 1000, height: 1000))]
    #expect("\(PaneChange(settings))".utf8.count < 2000)
  }

  @Test(arguments: Vibrancy.allCases)
  func vibrancyHasOneName(style: Vibrancy) throws {
    #expect(try Vibrancy(parsing: style.rawValue) == style)
    #expect(try Vibrancy.parsed(style.rawValue) == style)
    #expect(throws: PaneError.self) { try Vibrancy(parsing: style.rawValue + "-of-another") }
  }

  @Test func unknownVibrancyIsNamedWithTheNearest() throws {
    #expect(try Vibrancy.parsed("none") == nil)
    func error(_ text: String) -> String {
      do throws(PaneError) {
        return "\(try Vibrancy.parsed(text).map(\.rawValue) ?? "none")"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      error("secundary-fill")
        == "vibrancy: there is no style named 'secundary-fill'; did you mean secondary-fill?")
    #expect(error("non").hasSuffix("did you mean none?"))
    #expect(
      error("glow")
        == "vibrancy: there is no style named 'glow'; there are: none, label, secondary, tertiary, "
        + "quaternary, fill, secondary-fill, tertiary-fill, separator")
  }
}
