import Frost
import Panes
import RandomPanes
import TestDice
import Testing

/// The message of the error that reading a value as a setting gives; nil if it is read.
private func error(_ setting: String, _ value: SettingValue) throws -> String? {
  let setting = try Setting.named(setting)
  var settings = PaneSettings()
  do throws(PaneError) {
    try setting.read(value, &settings)
    return nil
  } catch {
    #expect(settings == PaneSettings(), "a value that is refused changes nothing")
    return "\(error)"
  }
}

@Suite struct SettingTests {
  @Test func namesAreUniqueAndEachSettingHasHelp() {
    #expect(Set(Setting.all.map(\.name)).count == Setting.all.count)
    for setting in Setting.all {
      #expect(!setting.name.isEmpty && setting.name.allSatisfy { "a"..."z" ~= $0 || $0 == "-" })
      #expect(setting.valueName.isEmpty == (setting.kind == .flag))
      #expect(setting.help.hasSuffix("."), "\(setting.name)")
    }
  }

  @Test func settingIsFoundByItsName() throws {
    for setting in Setting.all { #expect(try Setting.named(setting.name).name == setting.name) }
    #expect(throws: PaneError.unknownSetting("blur", all: Setting.all.map(\.name))) {
      try Setting.named("blur")
    }
    #expect("\(PaneError.unknownSetting("blur", all: ["sigma"]))".contains("'blur'"))
  }

  @Test(arguments: Setting.all.map(\.name))
  func valueSurvivesItsText(name: String) throws {
    let setting = try Setting.named(name)
    for seed in 0..<100 {
      var dice = Dice(seed: seed)
      let value = SettingValue.random(of: setting, using: &dice)
      var settings = PaneSettings()
      try setting.read(value, &settings)
      #expect(setting.write(settings) == value, "seed \(seed)")
      for other in Setting.all where other.name != name {
        #expect(other.write(settings) == nil, "\(other.name), seed \(seed)")
      }
    }
  }

  @Test(arguments: 0..<100)
  func declaredValueIsTheEffectiveOne(seed: Int) {
    var dice = Dice(seed: seed)
    let pane = Pane.random(using: &dice)
    for setting in Setting.all {
      guard let value = setting.write(pane.settings) else { continue }
      #expect(
        setting.effective(
          ShownPane(pane, in: .dark, size: pane.placement.fixedSize ?? (9000, 7000))) == value,
        "\(setting.name)")
    }
  }

  @Test(arguments: PaneStyle.allCases)
  func valueThatIsNotDeclaredIsTheDefault(style: PaneStyle) throws {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "100x40+0+0")
    settings.style = style
    let pane = try Pane("x", settings)
    var defaults: [String: SettingValue] = [
      "sigma": .number(20), "saturation": .number(1), "brightness": .number(0),
      "contrast": .number(1), "blend": .texts([]), "tint": .text("#00000000"),
      "noise": .number(0), "corner": .text("0"), "border": .text("none"),
      "shadow": .text("none"), "sees": .text("windows"), "input": .text("pass"),
      "content": .contents([]), "layer": .text("normal"), "scheme": .text("auto"),
      "style": .text(style.rawValue), "output": .text("screen"), "workarea": .flag(false),
      "units": .text("pixels"),
    ]
    if style != .plain {
      defaults.merge([
        "sigma": .number(30), "saturation": .number(style == .glass ? 1.8 : 1.5),
        "tint": .text(style == .glass ? "#1C1C1E99" : "#00000000"),
        "corner": .text("continuous:20"), "border": .text("1 #FFFFFF33"),
        "shadow": .text("0,8 32 #0000004D"),
      ]) { $1 }
    }
    for setting in Setting.all where setting.name != "geometry" {
      let value = setting.effective(
        ShownPane(pane, in: .dark, size: pane.placement.fixedSize ?? (9000, 7000)))
      #expect(value == defaults[setting.name], "\(setting.name)")
    }
    let others =
      [
        "geometry", "material", "size", "anchor", "margin", "edge", "peek", "elasticity",
        "drag-handle", "click",
      ] + Setting.all.filter { $0.group == .window }.map(\.name)
    #expect(Set(defaults.keys).union(others) == Set(Setting.all.map(\.name)))
  }

  @Test func namedMaterialGivesTheLookThatIsNotDeclared() throws {
    for named in NamedMaterial.all {
      var settings = PaneSettings()
      settings.geometry = try Geometry(parsing: "100x100+0+0")
      settings.material = try MaterialChoice(
        parsing: named.name + (named.standard == nil ? " #C02060" : ""))
      let pane = try Pane("x", settings)
      let material = pane.look(in: .light, size: (100, 100)).material
      #expect(material == settings.material?.material)
      #expect(pane.sees == named.sees)
      settings.sigma = 7
      settings.sees = .windows
      let changed = try Pane("x", settings)
      let other = changed.look(in: .light, size: (100, 100)).material
      #expect(other.sigma == 7 && other.tone == material.tone)
      #expect(changed.sees == .windows)
    }
  }

  // MARK: Invalid values

  @Test(arguments: [-1e9, 1e9, .infinity, -.infinity, .nan])
  func numberOutOfRangeIsNamed(number: Double) throws {
    for setting in Setting.all where setting.kind == .number {
      let error = try error(setting.name, .number(number))
      #expect(error?.hasPrefix("\(setting.name): \(number) is out of range") == true)
    }
  }

  @Test(arguments: [
    ("sigma", Material.sigmaRange), ("saturation", PaneSettings.saturationRange),
    ("brightness", PaneSettings.brightnessRange), ("contrast", PaneSettings.contrastRange),
    ("noise", Material.noiseRange),
  ])
  func rangeIncludesItsBounds(name: String, range: ClosedRange<Double>) throws {
    #expect(try error(name, .number(range.lowerBound)) == nil)
    #expect(try error(name, .number(range.upperBound)) == nil)
    for number in [range.lowerBound.nextDown, range.upperBound.nextUp] {
      #expect(try error(name, .number(number))?.contains("\(number) is out of range") == true)
    }
  }

  @Test(arguments: [
    ("geometry", "400x300"), ("geometry", "0x300+0+0"),
    ("material", "drak"), ("material", "tint"), ("material", "dark #C02060"),
    ("material", "acrylic red"),
    ("tint", "red"), ("tint", "#12345"), ("tint", "#12345g"), ("tint", "112233"),
    ("corner", "round"), ("corner", "sharp:3"), ("corner", "-1.0"), ("corner", "20000.0"),
    ("corner", "nan"), ("corner", "continuous:"),
    ("border", "1"), ("border", "thick #FFFFFF"), ("border", "1 white"),
    ("shadow", "soft"), ("shadow", "0,8 24"), ("shadow", "0;8 24 #000000"),
    ("shadow", "0,8 24 black"),
    ("sees", "all"), ("input", "steal"),
  ])
  func unreadableTextIsNamed(name: String, text: String) throws {
    let message = try #require(try error(name, .text(text)))
    let value = text.split(separator: " ").last.map(String.init) ?? text
    #expect(message.contains(name) && message.contains(value), "\(message)")
  }

  @Test(arguments: [
    ("border", "101 #FFFFFF", "101.0"), ("border", "-1 #FFFFFF", "-1.0"),
    ("shadow", "0,0 201 #000000", "201.0"), ("shadow", "201,0 1 #000000", "201,0"),
    ("shadow", "0,-201 1 #000000", "0,-201"), ("shadow", "0,0 nan #000000", "nan"),
  ])
  func partOutOfRangeIsNamed(name: String, text: String, part: String) throws {
    let message = try #require(try error(name, .text(text)))
    #expect(
      message.hasPrefix("\(name): ") && message.contains("\(part) is out of range"), "\(message)")
  }

  @Test func wrongLayerIsNamed() throws {
    for text in ["hard:#FFFFFF", "overlay", "overlay:#FF", ":", ""] {
      let message = try #require(try error("blend", .texts(["overlay:#FFFFFF", text])))
      let value = text == "overlay:#FF" ? "#FF" : text
      #expect(message.hasPrefix("blend: cannot read '\(value)'"), "\(message)")
    }
    let layers = [String](repeating: "overlay:#FFFFFF80", count: PaneSettings.layerLimit + 1)
    #expect(try error("blend", .texts(layers.dropLast())) == nil)
    #expect(
      try error("blend", .texts(layers)) == "blend: 17 values is out of range; it takes at most 16")
  }

  @Test func valueOfAnotherKindIsNamed() throws {
    let values = [SettingValue.number(1), .flag(true), .text("x"), .texts(["x"]), .contents([])]
    for setting in Setting.all {
      for value in values where value.kind != setting.kind {
        let message = try error(setting.name, value)
        #expect(message?.hasPrefix("\(setting.name): cannot read") == true)
      }
    }
  }
}

extension SettingValue {
  fileprivate var kind: Setting.Kind {
    switch self {
    case .number: .number
    case .flag: .flag
    case .text: .text
    case .texts: .texts
    case .contents: .contents
    }
  }
}
