import ArgumentParser
import Configuration
import Linux
import Panes

/// A selection of the settings that a command has as options.
protocol SettingSelection: Sendable {
  static func includes(_ setting: Setting) -> Bool
}

/// The settings of a pane at a place of its own, except content, which has separate options.
enum PaneSelection: SettingSelection {
  static func includes(_ setting: Setting) -> Bool {
    setting.kind != .contents && setting.group != .window
  }
}

/// The settings of a pane behind windows.
enum BehindSelection: SettingSelection {
  static func includes(_ setting: Setting) -> Bool {
    [.window, .look, .decoration].contains(setting.group) || setting.name == "units"
  }
}

/// All settings except content.
enum ChangeSelection: SettingSelection {
  static func includes(_ setting: Setting) -> Bool { setting.kind != .contents }
}

/// The settings of the look of glass behind windows.
enum LookSelection: SettingSelection {
  static func includes(_ setting: Setting) -> Bool {
    [.look, .decoration].contains(setting.group)
  }
}

/// The conditions on windows.
enum WindowSelection: SettingSelection {
  /// The settings of windows that say where their glass is.
  private static let others = [
    "inset", "translucent", "background", "background-opacity", "keep-pictures",
  ]

  static func includes(_ setting: Setting) -> Bool {
    setting.group == .window && !others.contains(setting.name)
  }
}

/// The settings that apply to a picture in a file.
enum PictureSelection: SettingSelection {
  static func includes(_ setting: Setting) -> Bool {
    (setting.group == .look && setting.name != "sees") || setting.group == .decoration
  }
}

/// Options for settings, generated from the table of settings.
///
/// The parser finds the options of a type by its mirror. So the mirror of this type has one child
/// for each setting, named like the storage of a property wrapper, and `init(from:)` decodes the
/// parsed values by these names.
struct SettingOptions<Selection: SettingSelection>: ParsableArguments, CustomReflectable {
  fileprivate var values: [String: [String]] = [:]

  init() {}

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: OptionKey.self)
    for setting in Self.settings {
      let key = OptionKey(setting.name)
      if setting.kind == .texts {
        let option = try container.decode(Option<[String]>.self, forKey: key)
        if !option.wrappedValue.isEmpty { values[setting.name] = option.wrappedValue }
      } else if setting.kind == .flag {
        let flag = try container.decode(Flag<Bool?>.self, forKey: key)
        if let value = flag.wrappedValue { values[setting.name] = ["\(value)"] }
      } else {
        let option = try container.decode(Option<String?>.self, forKey: key)
        if let value = option.wrappedValue { values[setting.name] = [value] }
      }
    }
  }

  private static var settings: [Setting] { Setting.all.filter(Selection.includes) }

  var customMirror: Mirror {
    Mirror(self, children: Self.settings.map { ("_\($0.name)", Self.option(for: $0)) })
  }

  private static func option(for setting: Setting) -> any Sendable {
    let help = ArgumentHelp("\(setting.help)", valueName: setting.valueName)
    let name = NameSpecification.customLong(setting.name)
    if setting.kind == .flag {
      return Flag<Bool?>(name: name, inversion: .prefixedNo, help: help)
    }
    // These parsing strategies accept values that start with a minus sign.
    if setting.kind == .texts {
      return Option<[String]>(
        wrappedValue: [], name: name, parsing: .unconditionalSingleValue, help: help,
        completion: setting.completion)
    }
    return Option<String?>(
      wrappedValue: nil, name: name, parsing: .unconditional, help: help,
      completion: setting.completion)
  }

  /// The given settings; those of a material of the configuration in place of its name. Throws if a value is wrong.
  func settings() throws(Failure) -> PaneSettings {
    let custom = try chosenMaterial()
    var settings = custom?.settings ?? PaneSettings()
    for setting in Self.settings {
      guard let texts = values[setting.name] else { continue }
      if setting.name == "material", custom != nil { continue }
      do throws(PaneError) {
        // The arguments of a command may be file names.
        if setting.name != "click", let text = texts.first(where: { $0 != $0.repaired }) {
          throw .unreadable(setting: setting.name, text: text, expected: "text in UTF-8")
        }
        try setting.read(setting.value(of: texts), &settings)
      } catch {
        throw Failure(error)
      }
    }
    return settings
  }
}

extension SettingOptions {
  /// The change to the given settings. A material replaces the whole look, also one of the configuration.
  func change() throws(Failure) -> PaneChange {
    var change = PaneChange(try settings())
    if try chosenMaterial() != nil {
      change.reset = Set(Setting.all.filter { $0.group == .look }.map(\.name))
    }
    return change
  }

  private func chosenMaterial() throws(Failure) -> CustomMaterial? {
    try values["material"]?.first.flatMap { text throws(Failure) in try customMaterial(text) }
  }
}

extension Setting {
  /// The value for the texts from the command line.
  fileprivate func value(of texts: [String]) throws(PaneError) -> SettingValue {
    switch kind {
    case .number:
      guard let number = Double(texts[0]) else {
        throw .unreadable(setting: name, text: texts[0], expected: "a number")
      }
      return .number(number)
    case .flag: return .flag(texts[0] == "true")
    case .texts: return .texts(texts == ["none"] ? [] : texts)
    case .text, .contents: return .text(texts[0])
    }
  }
}

/// The name of an option.
private struct OptionKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(_ name: String) { stringValue = name }
  init?(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
