import Frost
import Panes
import RandomPanes
import Raster
import TestDice
import Testing

@Suite struct PaneSettingsTests {
  @Test(arguments: 0..<200)
  func changeReplacesAndResetsOnlyItsOwnSettings(seed: Int) {
    var dice = Dice(seed: seed)
    let old = PaneSettings.random(using: &dice)
    let change = PaneChange.random(using: &dice)
    let new = change.applied(to: old)
    for setting in Setting.all {
      // Other tests are about the two forms of a position, and about clicks.
      if (Self.positions + Self.clicks).contains(setting.name) { continue }
      // A named material replaces the look.
      let isReset =
        change.reset.contains(setting.name)
        || change.settings.material != nil && setting.group == .look
      let kept = isReset ? nil : setting.write(old)
      #expect(setting.write(new) == setting.write(change.settings) ?? kept, "\(setting.name)")
    }
  }

  @Test(arguments: Setting.all.map(\.name))
  func changeOfOneSettingTouchesNoOther(name: String) throws {
    let setting = try Setting.named(name)
    for seed in 0..<30 {
      var dice = Dice(seed: seed)
      let old = PaneSettings.random(using: &dice)
      var change = PaneChange()
      change.settings.setRandomValue(of: setting, using: &dice)
      let new = change.applied(to: old)
      #expect(setting.write(new) == setting.write(change.settings), "seed \(seed)")
      for other in Setting.all where other.name != name {
        let related = [Self.positions, Self.clicks]
        if related.contains(where: { $0.contains(name) && $0.contains(other.name) }) { continue }
        let isReplaced = name == "material" && other.group == .look
        let expected = isReplaced ? nil : other.write(old)
        #expect(other.write(new) == expected, "\(other.name), seed \(seed)")
      }
    }
  }

  private static let drawerSettings = ["peek", "elasticity", "drag-handle"]
  private static let clicks = ["input", "click"]
  private static let positions = ["geometry", "size", "anchor", "margin", "edge"] + drawerSettings

  private func drawer(_ edit: (inout PaneSettings) -> Void = { _ in }) throws -> PaneSettings {
    var settings = PaneSettings()
    settings.size = try PaneSize(parsing: "400x300")
    settings.edge = .top
    edit(&settings)
    return settings
  }

  private func changed(
    _ settings: PaneSettings, reset: Set<String> = [],
    _ edit: (inout PaneSettings) -> Void = { _ in }
  ) -> PaneSettings {
    var change = PaneChange(reset: reset)
    edit(&change.settings)
    return change.applied(to: settings)
  }

  @Test func drawerFollowsItsEdge() throws {
    let settings = try drawer {
      $0.peek = 20
      $0.anchor = .topLeft
    }
    let left = changed(settings) { $0.edge = .left }
    #expect(left.anchor == .topLeft && left.peek == 20)
    #expect(changed(settings) { $0.edge = .right }.anchor == nil, "it was at the other side")
    #expect(try Pane("x", changed(settings) { $0.edge = .right }).drawer?.edge == .right)
    let plain = changed(settings, reset: ["edge"])
    #expect(plain.edge == nil && plain.peek == nil && plain.anchor == .topLeft)
    let fixed = changed(settings) { $0.geometry = try? Geometry(parsing: "9x9+0+0") }
    #expect(fixed.edge == nil && fixed.peek == nil && fixed.size == nil)
    let size = try PaneSize(parsing: "9x9")
    let again = changed(fixed) { $0.edge = .bottom }
    #expect(again.geometry == nil && again.size == size)
  }

  @Test func impossibleDrawersAreRefused() throws {
    for (setting, edit) in [
      ("peek", { $0.peek = 5 }), ("elasticity", { $0.elasticity = 0.5 }),
      ("drag-handle", { $0.dragHandle = try? Geometry(parsing: "9x9+0+0") }),
    ] as [(String, (inout PaneSettings) -> Void)] {
      #expect(throws: PaneError.needless(setting: setting, without: "edge")) {
        try Pane(
          "x",
          drawer {
            $0.edge = nil
            edit(&$0)
          })
      }
    }
    #expect(throws: PaneError.contradiction(setting: "edge", other: "geometry")) {
      try Pane(
        "x",
        drawer {
          $0.size = nil
          $0.geometry = try? Geometry(parsing: "9x9+0+0")
        })
    }
    func message(_ edit: (inout PaneSettings) -> Void) throws -> String {
      var text = ""
      let settings = try drawer(edit)
      do { _ = try Pane("x", settings) } catch { text = "\(error)" }
      return text
    }
    #expect(
      try message { $0.anchor = .left }
        == "anchor: left is out of range; it takes top-left or top or top-right for a drawer at the edge 'top'"
    )
    #expect(
      try message { $0.elasticity = .nan }
        == "elasticity: nan is out of range; it takes 0.0 to 0.9")
    #expect(try message { $0.elasticity = 1 }.hasPrefix("elasticity: 1.0 is out of range"))
    #expect(try message { $0.peek = -1 }.hasPrefix("peek: -1.0 is out of range"))
    #expect(
      try message { $0.dragHandle = try? Geometry(parsing: "9x9+400+0") }
        == "drag-handle: 9x9+400+0 is out of range; it takes a part of the pane, which is 400x300")
  }

  @Test func travelEndsWithThePeek() throws {
    let output = Output(
      name: "x", bounds: Rect(x: 100, y: 50, width: 1000, height: 800),
      workArea: Rect(x: 100, y: 80, width: 1000, height: 770))
    for (edge, closed) in [
      (Edge.top, "400x300+400+-230"), (.bottom, "400x300+400+830"), (.left, "400x300+-280+300"),
      (.right, "400x300+1080+300"),
    ] {
      let pane = try Pane(
        "x",
        drawer {
          $0.workArea = false
          $0.edge = edge
          $0.peek = 20
          $0.margin = Margin(top: 10, right: 10, bottom: 10, left: 10)
        })
      let travel = try #require(pane.travel(on: output))
      #expect("\(travel.frame(at: 0))" == closed)
      #expect(travel.frame(at: Double(travel.length)) == pane.placement.frame(on: output))
      #expect(travel.length == (edge == .top || edge == .bottom ? 290 : 390))
    }
    let clear = try Pane("x", drawer())
    #expect(clear.travel(on: output)?.frame(at: 0).maxY == 80)
    let small = try Pane("x", drawer { $0.peek = 999 })
    #expect(small.travel(on: output)?.length == 0)
  }

  @Test func positionReplacesOneInTheOtherForm() throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "400x300-20+40")
    var change = PaneChange()
    change.settings.anchor = .topRight
    let anchored = change.applied(to: settings)
    #expect(anchored.geometry == nil && anchored.anchor == .topRight)
    #expect(anchored.size == PaneSize(width: .pixels(400), height: .pixels(300)))
    change = PaneChange()
    change.settings.size = try PaneSize(parsing: "25%x100%")
    let sized = change.applied(to: anchored)
    #expect(sized.anchor == .topRight && sized.size == change.settings.size)
    change = PaneChange()
    change.settings.geometry = settings.geometry
    #expect(change.applied(to: sized) == settings)
  }

  @Test func placeAndConditionsOnWindowsDoNotReplaceEachOther() throws {
    var settings = PaneSettings()
    settings.windowClass = "kitty"
    let behind = try Pane("x", settings)
    settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "400x300-20+40")
    let placed = try Pane("x", settings)
    let edits: [(Pane, String, (inout PaneSettings) throws -> Void)] = [
      (behind, "geometry", { $0.geometry = try Geometry(parsing: "9x9+0+0") }),
      (behind, "size", { $0.size = .auto }), (behind, "anchor", { $0.anchor = .top }),
      (behind, "layer", { $0.stackingLayer = .top }),
      (placed, "geometry", { $0.windowClass = "kitty" }),
    ]
    for (pane, name, edit) in edits {
      var change = PaneChange()
      try edit(&change.settings)
      let error = PaneError.contradiction(setting: name, other: "conditions on windows")
      #expect(throws: error) { try pane.changed(by: change) }
    }
    // A reset says that it is meant.
    var change = PaneChange(placed.settings, reset: ["class"])
    #expect(try behind.changed(by: change) == placed)
    change = PaneChange(behind.settings, reset: ["geometry"])
    #expect(try placed.changed(by: change) == behind)
  }

  @Test func commandForClicksAndPassReplaceEachOther() throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "40x30+0+0")
    settings.input = .pass
    var change = PaneChange()
    change.settings.click = try ShellCommand(parsing: "date", setting: "click")
    let clickable = try Pane("x", settings).changed(by: change)
    #expect(clickable.input == .grab && clickable.click == change.settings.click)
    #expect(clickable.settings.input == nil)
    change = PaneChange()
    change.settings.input = .grab
    #expect(try clickable.changed(by: change).click == clickable.click)
    change.settings.input = .pass
    #expect(try clickable.changed(by: change) == Pane("x", settings))
    settings.click = clickable.click
    #expect(throws: PaneError.contradiction(setting: "click", other: "input pass")) {
      try Pane("x", settings)
    }
  }

  @Test(arguments: ["", " \t", "a\0b", String(repeating: "x", count: 4097)])
  func badCommandIsRefused(text: String) throws {
    #expect(throws: PaneError.self) { try ShellCommand(parsing: text, setting: "click") }
    let longest = String(repeating: "é", count: 2048)
    #expect(try ShellCommand(parsing: longest, setting: "click").text == longest)
  }

  @Test(arguments: ["size", "anchor", "margin"])
  func positionInBothFormsIsRefused(name: String) throws {
    var dice = Dice(seed: 1)
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "400x300-20+40")
    settings.setRandomValue(of: try Setting.named(name), using: &dice)
    #expect(throws: PaneError.contradiction(setting: name, other: "geometry")) {
      try Pane("x", settings)
    }
  }

  @Test(arguments: Setting.all.map(\.name).filter { $0 != "geometry" && $0 != "size" })
  func resetGoesBackToTheDefault(name: String) throws {
    let setting = try Setting.named(name)
    for seed in 0..<30 {
      var dice = Dice(seed: seed)
      let old = Pane.random(using: &dice)
      let new = try old.changed(by: PaneChange(reset: [name]))
      #expect(setting.write(new.settings) == nil, "seed \(seed)")
      for other in Setting.all where other.name != name {
        if name == "edge", Self.drawerSettings.contains(other.name) { continue }
        #expect(other.write(new.settings) == other.write(old.settings), "seed \(seed)")
      }
      // The value depends only on what is still declared.
      #expect(new == (try Pane(old.name, new.settings, isShown: old.isShown)), "seed \(seed)")
    }
  }

  @Test func resetSettingHasTheValueOfTheNamedMaterial() throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "100x100+0+0")
    settings.sigma = 3
    let glass = try Pane("x", settings).changed(by: PaneChange(reset: ["sigma"]))
    #expect(glass.look(in: .dark, size: (100, 100)).material.sigma == 30)
    settings.style = .plain
    let plain = try Pane("x", settings).changed(by: PaneChange(reset: ["sigma"]))
    #expect(plain.look(in: .dark, size: (100, 100)).material == .plain)
    settings.sigma = 3
    settings.material = try MaterialChoice(parsing: "light")
    let named = try Pane("x", settings).changed(by: PaneChange(reset: ["sigma"]))
    #expect(named.look(in: .dark, size: (100, 100)).material.sigma == 30)
  }

  @Test func emptyChangeIsEmpty() {
    #expect(PaneChange().isEmpty)
    #expect(!PaneChange(reset: ["sigma"]).isEmpty)
    var settings = PaneSettings()
    settings.input = .grab
    #expect(!PaneChange(settings).isEmpty)
  }

  @Test(arguments: 0..<100)
  func emptyChangeChangesNothing(seed: Int) throws {
    var dice = Dice(seed: seed)
    let pane = Pane.random(using: &dice)
    #expect(try pane.changed(by: PaneChange()) == pane)
  }

  @Test func geometryCannotBeReset() throws {
    var settings = PaneSettings()
    #expect(throws: PaneError.missing(setting: "geometry", other: "size")) {
      try Pane("x", settings)
    }
    settings.geometry = try Geometry(parsing: "100x100+0+0")
    let pane = try Pane("x", settings)
    #expect(throws: PaneError.missing(setting: "geometry", other: "size")) {
      try pane.changed(by: PaneChange(reset: ["geometry"]))
    }
  }

  @Test func valueThatWasNotParsedIsCheckedToo() throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "100x100+0+0")
    settings.sigma = 201
    #expect {
      try Pane("x", settings)
    } throws: { error in
      "\(error)".hasPrefix("sigma: 201.0 is out of range")
    }
    settings.sigma = nil
    settings.layers = [Layer](repeating: Layer(.overlay, .none), count: 17)
    #expect {
      try Pane("x", settings)
    } throws: { error in
      "\(error)".hasPrefix("blend: 17 values is out of range")
    }
  }

  @Test func cornerMustFitItsPane() throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "100x40+0+0")
    settings.corner = Corner(radius: 20)
    let pane = try Pane("x", settings)
    var change = PaneChange()
    change.settings.geometry = try Geometry(parsing: "100x39+0+0")
    #expect {
      try pane.changed(by: change)
    } throws: { error in
      "\(error)".hasPrefix("corner: 20.0 is out of range") && "\(error)".contains("19.5")
    }
  }

  @Test(arguments: ["x", "a.b_c-9", "Z", String(repeating: "x", count: 64)])
  func nameOfLettersDigitsAndSignsIsAllowed(name: String) throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "1x1+0+0")
    #expect(try Pane(name, settings).name == name)
  }

  @Test(arguments: [
    "", " ", "a b", "a/b", "ä", "x\n", "\0", "９", "🪟", String(repeating: "x", count: 65),
  ])
  func otherNameIsNamed(name: String) throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "1x1+0+0")
    #expect(throws: PaneError.badName(name)) { try Pane(name, settings) }
    #expect("\(PaneError.badName(name))".contains("'\(name)'"))
  }

  @Test func fadeIsLimitedToTenSeconds() throws {
    #expect(try Fade(milliseconds: 0) == .none)
    #expect(try Fade(milliseconds: 10_000).duration == .seconds(10))
    for number in [-1, 10_001, .nan, .infinity] {
      #expect {
        try Fade(milliseconds: number)
      } throws: { error in
        "\(error)".hasPrefix("fade: \(number) is out of range")
      }
    }
  }
}
