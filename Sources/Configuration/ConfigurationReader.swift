import Linux
import Panes

/// Makes a configuration from the values of a file, and collects all errors.
struct ConfigurationReader {
  var configuration = Configuration()
  var errors: [ConfigurationError] = []
  private let home: String?

  private static let materials = "materials"
  private static let panes = "panes"

  init(home: String?) { self.home = home }

  mutating func read(_ root: ConfigurationValue) {
    let names = DaemonSetting.all.map(\.name) + [Self.materials, Self.panes]
    for (name, value) in root.members ?? [] {
      if name == DaemonSetting.outputs.name {
        readOutputs(value)
      } else if let setting = DaemonSetting.all.first(where: { $0.name == name }) {
        read(value, as: setting)
      } else if !names.contains(name) {
        report(value, unknown(name, "setting", among: names))
      }
    }
    // The panes may have any of the materials.
    if let value = root.member(Self.materials) { readMaterials(value) }
    if let value = root.member(Self.panes) { readPanes(value) }
    errors.sort { $0.place < $1.place }
  }

  private mutating func report(_ value: ConfigurationValue, _ text: String) {
    errors.append(ConfigurationError(value.place, text))
  }

  private mutating func read(_ value: ConfigurationValue, as setting: DaemonSetting) {
    guard var text = value.text else {
      let example = setting.textExample.map { "a text, such as \(setting.name) = \"\($0)\";" }
      return report(
        value, "\(setting.name): it takes \(example ?? "a number, such as \(setting.name) = 60;")")
    }
    if setting.name == DaemonSetting.wallpaper.name {
      configuration.wallpaperPlace = value.place
      if !text.isEmpty { text = resolvedPath(text, besides: value.place.file, home: home) }
    }
    do throws(PaneError) {
      try setting.read(text, &configuration.daemon)
    } catch {
      report(value, "\(error)")
    }
  }

  private mutating func readOutputs(_ value: ConfigurationValue) {
    let example = "{ name = \"eDP-1\"; scale = 2; }"
    guard let elements = value.elements else {
      return report(value, "outputs: it takes a list of groups, such as outputs = ( \(example) );")
    }
    var scales = OutputScales()
    for element in elements {
      guard let members = element.members, let name = element.member("name")?.text else {
        report(element, "outputs: each is a group with a name, such as \(example)")
        continue
      }
      let subject = "output '\(name)'"
      let names = ["name", "scale"]
      for (name, value) in members where !names.contains(name) {
        report(value, "\(subject): \(unknown(name, "setting", among: names))")
      }
      guard let scale = element.member("scale") else { continue }
      guard case .number(let number, _) = scale.content else {
        report(scale, "\(subject): scale: it takes a number, such as scale = 1.5;")
        continue
      }
      do throws(PaneError) { try scales.add(number, to: name) } catch { report(scale, "\(error)") }
    }
    configuration.daemon.outputScales = scales
  }

  // MARK: Materials

  private mutating func readMaterials(_ value: ConfigurationValue) {
    guard let members = value.members else {
      return report(
        value, "materials: it takes a group, such as materials = { frost = { sigma = 12; }; };")
    }
    for (name, value) in members {
      let subject = "material '\(name)'"
      guard let settings = value.members else {
        report(value, "\(subject): it takes a group, such as \(name) = { sigma = 12; };")
        continue
      }
      if NamedMaterial.all.contains(where: { $0.name == name }) {
        report(value, "\(subject): backdropd has a material of this name; choose another one")
      }
      let known = Setting.all.filter { $0.group == .look }
      let read = readSettings(settings, of: subject, known, besides: [])
      configuration.materials.append(CustomMaterial(name: name, settings: read))
    }
  }

  // MARK: Panes

  private mutating func readPanes(_ value: ConfigurationValue) {
    guard let elements = value.elements else {
      return report(
        value, "panes: it takes a list of groups, such as panes = ( { name = \"clock\"; ... } );")
    }
    for element in elements { readPane(element) }
  }

  private mutating func readPane(_ value: ConfigurationValue) {
    guard let members = value.members else {
      return report(value, "panes: each is a group, such as { name = \"clock\"; ... }")
    }
    guard let name = value.member("name")?.text else {
      return report(value, "a pane needs a name, such as name = \"clock\";")
    }
    let subject = "pane '\(name)'"
    let count = errors.count
    let settings = readSettings(
      members, of: subject, Setting.all, besides: ["name", "shown"])
    let contents = value.member("content").map { readContents($0, of: name) }
    let isShown = readShown(value.member("shown"), of: subject)
    if configuration.panes.contains(where: { $0.declared.pane.name == name }) {
      report(value, "\(subject): there is one of this name above")
    }
    // A pane with wrong settings is not made: the missing settings would cause further errors.
    if errors.count > count {
      configuration.contentsOfWrongPanes += contents ?? []
      return
    }
    do throws(PaneError) {
      let pane = try Pane(name, settings, isShown: isShown)
      if pane.placement.lacksContent, contents?.isEmpty ?? true {
        throw .needless(setting: "size auto", without: "content")
      }
      let declared = DeclaredPane(pane, contents: contents.map { $0.map(\.declared) })
      configuration.panes.append(
        ConfiguredPane(declared: declared, place: value.place, contents: contents ?? []))
    } catch {
      configuration.contentsOfWrongPanes += contents ?? []
      report(value, "\(subject): \(error)")
    }
  }

  private mutating func readShown(_ value: ConfigurationValue?, of subject: String) -> Bool {
    guard let value else { return true }
    if case .flag(let flag) = value.content { return flag }
    report(value, "\(subject): shown: it takes true or false")
    return true
  }

  /// The settings of a pane or a material. Any other name, but those of `others`, is an error.
  private mutating func readSettings(
    _ members: [(name: String, value: ConfigurationValue)], of subject: String, _ known: [Setting],
    besides others: [String]
  ) -> PaneSettings {
    let names = known.map(\.name) + others
    for (name, value) in members where !names.contains(name) {
      report(value, "\(subject): \(unknown(name, "setting", among: names))")
    }
    var settings = PaneSettings()
    if let value = members.first(where: { $0.name == "material" })?.value,
      let custom = configuration.materials.first(where: { $0.name == value.text })
    {
      settings = custom.settings
    }
    // In the order of the table, because the meaning of some depends on others.
    for setting in known where setting.kind != .contents {
      guard let value = members.first(where: { $0.name == setting.name })?.value else { continue }
      let isCustom = configuration.materials.contains { $0.name == value.text }
      if setting.name == "material", isCustom { continue }
      do throws(PaneError) {
        try setting.read(settingValue(value, for: setting), &settings)
      } catch {
        report(value, "\(subject): \(explain(error))")
      }
    }
    return settings
  }

  /// An unknown material may be meant to be one of the file.
  private func explain(_ error: PaneError) -> String {
    guard case .unknownMaterial(let name, let nearest) = error else { return "\(error)" }
    let own = name.nearest(in: configuration.materials.map(\.name))
    return "\(PaneError.unknownMaterial(name, nearest: own + nearest))"
  }

  private func settingValue(
    _ value: ConfigurationValue, for setting: Setting
  ) throws(PaneError) -> SettingValue {
    func wrong(_ expected: String) -> PaneError {
      .unreadable(setting: setting.name, text: value.text ?? value.kind, expected: expected)
    }
    // The arguments of a command may be file names.
    let texts = [value.text ?? ""] + (value.elements ?? []).compactMap(\.text)
    if setting.name != "click", texts.contains(where: { $0 != $0.repaired }) {
      throw wrong("text in UTF-8")
    }
    switch (setting.kind, value.content) {
    case (.number, .number(let number, _)): return .number(number)
    case (.number, _): throw wrong("a number, such as \(setting.name) = 1.5;")
    case (.flag, .flag(let flag)): return .flag(flag)
    case (.flag, _): throw wrong("true or false")
    case (.texts, .list(let elements)):
      let texts = elements.compactMap(\.text)
      if texts.count < elements.count { throw wrong("a list of texts") }
      return .texts(texts)
    case (.texts, .text(let text)): return .texts([text])
    case (.texts, _): throw wrong("a list of texts, such as \(setting.name) = [ \"...\" ];")
    case (_, .number(_, let text)), (_, .text(let text)): return .text(text)
    default: throw wrong("a text, such as \(setting.name) = \"...\";")
    }
  }

  // MARK: Content

  private mutating func readContents(
    _ value: ConfigurationValue, of pane: String
  ) -> [ConfiguredContent] {
    let subject = "pane '\(pane)'"
    guard let elements = value.elements else {
      report(
        value, "\(subject): content: it takes a list, such as content = ( { label = \"12:45\"; } );"
      )
      return []
    }
    return elements.compactMap { element in
      readContent(element, of: subject).map { content in
        ConfiguredContent(declared: content, pane: pane, place: element.place)
      }
    }
  }

  private mutating func readContent(
    _ value: ConfigurationValue, of subject: String
  ) -> DeclaredContent? {
    let members = value.members ?? []
    let kinds = ["image", "label"].filter { value.member($0) != nil }
    guard kinds.count == 1 else {
      report(value, "\(subject): content: each is a group with either 'image' or 'label'")
      return nil
    }
    let isLabel = kinds[0] == "label"
    let names = kinds + DeclaredContent.attributeNames(ofLabel: isLabel)
    var attributes: [String: String] = [:]
    var main: String?
    for (name, member) in members {
      if !names.contains(name) {
        let hint = unknown(name, "attribute of \(isLabel ? "a label" : "an image")", among: names)
        report(member, "\(subject): content: \(hint)")
      } else if let text = member.text {
        if name == kinds[0] { main = text } else { attributes[name] = text }
      } else {
        report(member, "\(subject): content: \(name): it takes a text")
      }
    }
    guard let main else { return nil }
    return isLabel
      ? DeclaredContent(image: nil, label: main, attributes: attributes)
      : DeclaredContent(
        image: resolvedPath(main, besides: value.place.file, home: home), label: nil,
        attributes: attributes)
  }
}

/// An error text: there is no such name, and the names that were probably meant, or else all names.
private func unknown(_ name: String, _ kind: String, among names: [String]) -> String {
  let nearest = name.replacing("_", with: "-").nearest(in: names)
  let hint =
    nearest.isEmpty
    ? "there are: \(names.joined(separator: ", "))"
    : "did you mean \(nearest.joined(separator: ", "))?"
  return "there is no \(kind) '\(name)'; \(hint)"
}

extension DaemonSetting {
  /// A value as an example; nil if it is a number.
  fileprivate var textExample: String? {
    switch name {
    case Self.wallpaper.name: "~/wallpaper.png"
    case Self.wallpaperMode.name: "fit"
    case Self.wallpaperColor.name: "#203040"
    default: nil
    }
  }
}

extension ConfigurationValue {
  /// The kind of a value that has no text.
  fileprivate var kind: String {
    switch content {
    case .group: "{ ... }"
    case .list: "( ... )"
    case .flag(let flag): "\(flag)"
    case .number(_, let text), .text(let text): text
    }
  }
}
