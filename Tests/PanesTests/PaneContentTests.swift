import Frost
import Panes
import Raster
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
