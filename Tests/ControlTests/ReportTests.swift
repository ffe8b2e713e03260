import Control
import Panes
import RandomPanes
import TestDice
import Testing

@Suite struct ReportTests {
  @Test(arguments: 0..<200)
  func reportHasTheEffectiveValuesOfItsPane(seed: Int) throws {
    var dice = Dice(seed: seed)
    let pane = Pane.random(using: &dice)
    let scheme: ColorScheme = Bool.random(using: &dice) ? .light : .dark
    let size = pane.placement.fixedSize ?? (900, 700)
    let report = PaneReport(pane, in: scheme, size: size, places: [], frames: 7)
    #expect(report.name == pane.name && report.isShown == pane.isShown)
    for setting in Setting.all {
      let value = setting.effective(ShownPane(pane, in: scheme, size: size)).map {
        ReportedValue($0)
      }
      #expect(report.settings[setting.name] == value, "\(setting.name)")
    }
    #expect(try Reply(parsing: Reply.panes([report]).line) == .panes([report]))
  }

  @Test func reportHasDefaultsAndNoMaterialIfNoneIsDeclared() throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "9x8+7+6")
    let pane = try Pane("x", settings)
    let place = PlaceReport(output: "screen", frame: "9x8+7+6", rect: "2x2+7+6")
    let report = PaneReport(pane, in: .dark, size: (9, 8), places: [place], frames: 0)
    #expect(report.rect == "2x2+7+6")
    #expect(report.settings["sigma"] == .number(30))
    #expect(report.settings["material"] == nil)
    let others =
      [
        "material", "size", "anchor", "margin", "edge", "peek", "elasticity", "drag-handle",
        "click",
      ] + Setting.all.filter { $0.group == .window }.map(\.name)
    #expect(Set(report.settings.keys).union(others) == Set(Setting.all.map(\.name)))
  }

  @Test func settingsAreKeysOfThePanesObject() throws {
    let place = PlaceReport(output: "DP-1", frame: "9x8-1+6", rect: "8x8+0+6")
    let report = PaneReport(
      name: "x", places: [place], isShown: true,
      settings: ["sigma": .number(2.5), "blend": .texts(["a"]), "tint": .text("b")], frames: 3)
    let text = String(decoding: Reply.panes([report]).line, as: UTF8.self)
    #expect(
      text
        == #"{"panes":[{"blend":["a"],"frames":3,"isShown":true,"name":"x","places":[{"frame":"9x8-1+6","#
        + #""output":"DP-1","rect":"8x8+0+6"}],"rect":"8x8+0+6","#
        + #""sigma":2.5,"tint":"b"}],"reply":"panes"}"# + "\n")
  }

  @Test(arguments: 0..<100)
  func reportOfContentHasItsSourceAndSize(seed: Int) {
    var dice = Dice(seed: seed)
    let content = PaneContent.random(using: &dice)
    let report = ContentReport(content)
    #expect(report.width == content.picture.width && report.height == content.picture.height)
    #expect(report.at == content.place.text && report.vibrancy == content.vibrancy?.rawValue)
    switch content.source {
    case .image(let path):
      #expect(report.image == path && report.label == nil && report.font == nil)
    case .label(let label):
      #expect(report.image == nil && report.label == label.text && report.font == label.font)
    }
  }

  @Test(arguments: [
    (1, 1, 1, 1), (3, 2, 3, 6), (3, 2, 5, 8), (32767, 32767, 65536, 32766 * 65536 + 32767),
  ])
  func pictureHasPixelsUpToTheEndOfItsLastRow(width: Int, height: Int, stride: Int, count: Int) {
    #expect(PictureReport(width: width, height: height, stride: stride).pixelCount == count)
  }

  @Test(arguments: [
    (0, 1, 1), (1, 0, 1), (-1, 1, 1), (2, 1, 1), (1, 1, 65537), (32768, 1, 32768),
    (1, 32768, 1), (.max, .max, .max), (1, 1, .min),
  ])
  func impossiblePictureHasNoPixels(width: Int, height: Int, stride: Int) {
    #expect(PictureReport(width: width, height: height, stride: stride).pixelCount == nil)
  }
}
