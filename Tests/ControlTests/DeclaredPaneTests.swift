import Control
import Panes
import RandomPanes
import TestDice
import Testing

/// The error that a file of panes gives; nil if it is read.
private func fileError(_ text: String) -> RequestError? {
  do throws(RequestError) {
    _ = try DeclaredPane.parse(Array(text.utf8))
    return nil
  } catch {
    return error
  }
}

@Suite struct DeclaredPaneTests {
  @Test func paneHasAllThatItsObjectDeclares() throws {
    let text = """
      [
        {"name": "clock", "geometry": "400x120-40+40", "material": "regular-dark", "sigma": 12.5,
         "saturation": 1.5, "brightness": -0.25, "contrast": 2, "noise": 0.1,
         "blend": ["overlay:#10203040", "normal:#FFFFFF"], "tint": "#C02060",
         "corner": "continuous:24", "border": "1.5 #FFFFFF40", "shadow": "0,8 24 #00000080",
         "sees": "wallpaper", "input": "grab", "shown": false,
         "content": [{"label": "12:45", "font": "Sans Bold 40", "color": "#FFFFFF", "at": "8,-8"},
                     {"image": "a.png", "vibrancy": "fill"}]},
        {"name": "dock", "geometry": "20,40 600x80"}
      ]
      """
    let declared = try DeclaredPane.parse(Array(text.utf8))
    #expect(declared.map(\.pane.name) == ["clock", "dock"])
    let values: [String: SettingValue] = [
      "geometry": .text("400x120-40+40"), "material": .text("regular-dark"),
      "sigma": .number(12.5), "saturation": .number(1.5), "brightness": .number(-0.25),
      "contrast": .number(2), "noise": .number(0.1),
      "blend": .texts(["overlay:#10203040", "normal:#FFFFFFFF"]), "tint": .text("#C02060FF"),
      "corner": .text("continuous:24"), "border": .text("1.5 #FFFFFF40"),
      "shadow": .text("0,8 24 #00000080"), "sees": .text("wallpaper"), "input": .text("grab"),
    ]
    let settings = declared[0].pane.settings
    for setting in Setting.all where setting.kind != .contents {
      #expect(setting.write(settings) == values[setting.name], "\(setting.name)")
    }
    #expect(!declared[0].pane.isShown && declared[1].pane.isShown)
    let contents = try #require(declared[0].contents)
    #expect(contents.map(\.label) == ["12:45", nil])
    #expect(contents.map(\.image) == [nil, "a.png"])
    #expect(
      contents.map(\.attributes) == [
        ["font": "Sans Bold 40", "color": "#FFFFFF", "at": "8,-8"], ["vibrancy": "fill"],
      ])
    #expect(declared[1].contents == nil)
    #expect(settings.contents == [], "its content is not drawn yet")
  }

  /// The list of a request is a file of panes, but for content.
  @Test(arguments: 0..<200)
  func panesSurviveTheirJSON(seed: Int) throws {
    var dice = Dice(seed: seed)
    let panes = try (0..<dice.roll(0...4)).map { _ in
      let pane = Pane.random(using: &dice)
      return try pane.changed(by: PaneChange(reset: ["content"]))
    }
    let line = Request.apply(panes, isRehearsal: false).line
    let (start, end) = (#"{"panes":"#, #","request":"apply"}"# + "\n")
    try #require(line.starts(with: start.utf8) && line.reversed().starts(with: end.utf8.reversed()))
    let list = line.dropFirst(start.utf8.count).dropLast(end.utf8.count)
    #expect(try DeclaredPane.parse(Array(list)).map(\.pane) == panes)
  }

  @Test func nullIsTheDefault() throws {
    let nulls = Setting.all.filter { $0.name != "geometry" }.map { #""\#($0.name)":null"# }
    let text = #"[{"name":"x","geometry":"9x9+0+0","shown":null,\#(nulls.joined(separator: ","))}]"#
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "9x9+0+0")
    let declared = try DeclaredPane.parse(Array(text.utf8))
    #expect(declared.map(\.pane) == [try Pane("x", settings)])
    #expect(declared[0].contents == nil)
  }

  @Test(arguments: [
    (#""geometry":"9x9""#, "geometry: cannot read '9x9'"),
    (#""geometry":"9x9+0+0","sigma":201"#, "sigma: 201.0 is out of range"),
    (#""geometry":"9x9+0+0","corner":"5""#, "corner: 5.0 is out of range"),
    (#""geometry":"9x9+0+0","blend":["normal:#FFFFFF","x"]"#, "blend: cannot read 'x'"),
    (#""geometry":"9x9+0+0","material":"drak""#, "no material named 'drak'; did you mean dark?"),
    (#""sigma":3"#, "geometry is missing"),
    (#""geometry":null"#, "geometry is missing"),
  ])
  func valueThatIsNotAllowedIsNamedWithItsPane(fields: String, text: String) {
    let found = fileError(#"[{"name":"a","geometry":"9x9+0+0"},{"name":"dock",\#(fields)}]"#)
    guard case .paneNamed("dock", let error) = found else {
      Issue.record("\(fields): \(String(describing: found))")
      return
    }
    #expect("\(error)".contains(text), "\(error)")
    #expect(found.map { "\($0)" } == "pane 'dock': \(error)")
  }

  @Test func nameThatIsNotAllowedIsNamed() {
    #expect(
      fileError(#"[{"name":"a b","geometry":"9x9+0+0"}]"#)
        == .paneNamed("a b", .pane(.badName("a b"))))
    #expect(fileError(#"[{"geometry":"9x9+0+0"}]"#) == .missingKey("name"))
    #expect(
      fileError(#"[{"name":7,"geometry":"9x9+0+0"}]"#)
        == .wrongType(key: "name", expected: "a text"))
  }

  @Test func unknownKeyIsNamed() {
    let found = fileError(#"[{"name":"x","geometry":"9x9+0+0","zoom":1,"blur":3}]"#)
    let known = ["name"] + Setting.all.map(\.name) + ["shown"]
    #expect(
      found == .paneNamed("x", .unknownKey("blur", of: "panes", known: known)),
      "the first in the alphabet")
    for key in ["request", "fade", "dryRun", "panes", ""] {
      let found = fileError(#"[{"name":"x","geometry":"9x9+0+0","\#(key)":1}]"#)
      #expect(found == .paneNamed("x", .unknownKey(key, of: "panes", known: known)))
    }
  }

  @Test(arguments: [
    (#""sigma":"3""#, "sigma", "a number"), (#""tint":3"#, "tint", "a text"),
    (#""blend":"normal:#FFFFFF""#, "blend", "a list of texts"),
    (#""blend":[1]"#, "blend", "a list of texts"),
    (#""shown":1"#, "shown", "true or false"),
    (#""content":{}"#, "content", "a list of objects"),
    (#""content":[1]"#, "content", "a list of objects"),
    (#""content":[{"image":1}]"#, "image", "a text"),
    (#""content":[{"label":"x","color":1}]"#, "color", "a text"),
  ])
  func valueOfAnotherTypeIsNamed(field: String, key: String, expected: String) {
    #expect(
      fileError(#"[{"name":"x","geometry":"9x9+0+0",\#(field)}]"#)
        == .paneNamed("x", .wrongType(key: key, expected: expected)))
  }

  @Test func contentIsAnImageOrALabel() {
    func found(_ object: String) -> RequestError? {
      let error = fileError(#"[{"name":"x","geometry":"9x9+0+0","content":[{\#(object)}]}]"#)
      guard case .paneNamed("x", let inner) = error else { return error }
      return inner
    }
    #expect(found(#""image":"a.png","at":"center""#) == nil)
    #expect(found(#""label":"x""#) == nil, "the font has a default")
    #expect(found("") == .imageOrLabel)
    #expect(found(#""image":"a.png","label":"x""#) == .imageOrLabel)
    #expect(
      found(#""image":"a.png","font":"Sans""#)
        == .unknownContentKey("font", beside: "image", known: ["at", "vibrancy"]))
    #expect(
      found(#""label":"x","width":1"#)
        == .unknownContentKey(
          "width", beside: "label", known: ["at", "vibrancy", "font", "color", "wrap", "ellipsize"])
    )
  }

  @Test(arguments: [
    "", "hello", "{}", #"{"name":"x"}"#, "[", "[1]", "[null]", "[[]]", #"["x"]"#, "3",
    #"[{"name":"x","geometry":"9x9+0+0"}"#, #"[{"name":"x","geometry":"9x9+0+0","sigma":1e999}]"#,
    String(repeating: "[", count: 100_000), "\u{0}",
  ])
  func fileThatIsNoListOfObjectsIsRefused(text: String) {
    #expect(fileError(text) == .notAList)
  }

  @Test func emptyListIsRead() throws {
    #expect(try DeclaredPane.parse(Array(" [ ] \n".utf8)).isEmpty)
  }

  @Test(arguments: 0..<1000)
  func mutatedFileIsReadOrRefused(seed: Int) {
    var dice = Dice(seed: seed)
    var line = Request.apply([.random(using: &dice)], isRehearsal: false).line
    for _ in 0..<dice.roll(0...4) {
      line[dice.roll(0...line.count - 1)] = .random(in: .min ... .max, using: &dice)
    }
    let list = line.dropFirst(#"{"panes":"#.utf8.count).dropLast(#","request":"apply"}"#.utf8.count)
    // Neither traps.
    _ = try? DeclaredPane.parse(Array(list))
  }
}
