import Frost
import Linux
package import Panes

// Values as text in the syntax of libconfig.

/// A member of a group: a setting with its value as text.
struct WrittenMember: Equatable {
  let name: String
  let value: String

  var text: String { "\(name) = \(value);" }
}

/// A text in quotes.
func quoted(_ text: String) -> String {
  var result = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": result += "\\\""
    case "\\": result += "\\\\"
    case "\n": result += "\\n"
    case "\t": result += "\\t"
    case "\r": result += "\\r"
    case "\u{0C}": result += "\\f"
    case _ where !scalar.isPrintedUnchanged:
      for byte in String(scalar).systemBytes {
        result += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    default: result.unicodeScalars.append(scalar)
    }
  }
  return result + "\""
}

/// The value of a setting that is not content.
func written(_ value: SettingValue) -> String {
  switch value {
  case .number(let number):
    number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
  case .flag(let flag): "\(flag)"
  case .text(let text): quoted(text)
  case .texts(let texts):
    texts.isEmpty ? "( )" : "[ \(texts.map(quoted).joined(separator: ", ")) ]"
  case .contents: preconditionFailure("content is written by its declaration")
  }
}

/// The declared settings of a group.
func settingMembers(_ settings: PaneSettings) -> [WrittenMember] {
  Setting.all.compactMap { setting in
    if setting.kind == .contents { return nil }
    return setting.write(settings).map { WrittenMember(name: setting.name, value: written($0)) }
  }
}

extension DeclaredPane {
  /// The members of a group in the list of panes.
  var writtenMembers: [WrittenMember] {
    var members = [WrittenMember(name: "name", value: quoted(pane.name))]
    members += settingMembers(pane.settings)
    if !pane.isShown { members.append(WrittenMember(name: "shown", value: "false")) }
    if let contents {
      let groups = contents.map(\.text)
      let list =
        groups.isEmpty
        ? "( )" : "(\n      " + groups.joined(separator: ",\n      ") + "\n    )"
      members.append(WrittenMember(name: "content", value: list))
    }
    return members
  }

  /// The group, indented as an element of the list.
  var text: String {
    "  {\n" + writtenMembers.map { "    \($0.text)\n" }.joined() + "  }"
  }

  /// The declaration of a pane.
  package init(declaring pane: Pane) {
    let contents = pane.settings.contents?.map { DeclaredContent($0.declaration) }
    let bare = try? pane.changed(by: PaneChange(reset: ["content"]))
    self.init(bare ?? pane, contents: contents)
  }
}

extension DeclaredContent {
  fileprivate var text: String {
    let main = image.map { ("image", $0) } ?? ("label", label ?? "")
    let rest = Self.attributeNames(ofLabel: image == nil).compactMap { name in
      attributes[name].map { (name, $0) }
    }
    let members = ([main] + rest).map { "\($0.0) = \(quoted($0.1));" }
    return "{ \(members.joined(separator: " ")) }"
  }

  /// The attributes that are not the default ones.
  fileprivate init(_ declaration: PaneContent.Declaration) {
    var attributes: [String: String] = [:]
    if declaration.place != .center { attributes["at"] = declaration.place.text }
    let vibrancy = declaration.vibrancy?.rawValue
    switch declaration.source {
    case .image(let path):
      attributes["vibrancy"] = vibrancy
      self.init(image: path, label: nil, attributes: attributes)
    case .label(let label):
      if declaration.vibrancy != .label { attributes["vibrancy"] = vibrancy ?? "none" }
      attributes["font"] = label.font
      if label.color != Color(white: 1) { attributes["color"] = label.color.text }
      if label.fit.wrapping != .word { attributes["wrap"] = label.fit.wrapping.rawValue }
      if label.fit.ellipsis != .end { attributes["ellipsize"] = label.fit.ellipsis.rawValue }
      self.init(image: nil, label: label.text, attributes: attributes)
    }
  }
}

extension Configuration {
  /// All settings with their values, also those that are not declared, as a configuration file.
  package var text: String {
    var parts = [DaemonSetting.all.map { $0.line(daemon) + "\n" }.joined()]
    if !materials.isEmpty {
      parts.append("materials = {\n" + materials.map(\.text).joined(separator: "\n") + "\n};\n")
    }
    if !panes.isEmpty {
      let groups = panes.map(\.declared.text).joined(separator: ",\n")
      parts.append("panes = (\n\(groups)\n);\n")
    }
    return parts.joined(separator: "\n")
  }
}

extension DaemonSetting {
  fileprivate func line(_ settings: DaemonSettings) -> String {
    let declared = write(settings)
    let value = declared ?? standard
    // A default that depends on the machine is a description.
    if declared == nil, value.contains(" ") { return "# \(name): \(value)" }
    if name == Self.outputs.name, let scales = settings.outputScales { return scales.line }
    return "\(name) = \(Double(value) == nil ? quoted(value) : value);"
  }
}

extension OutputScales {
  /// The list of outputs, in a line.
  fileprivate var line: String {
    let groups = pairs.map { "{ name = \(quoted($0.name)); scale = \($0.scale); }" }
    return "outputs = ( \(groups.joined(separator: ", ")) );"
  }
}

extension CustomMaterial {
  var text: String {
    let members = settingMembers(settings).map(\.text).joined(separator: " ")
    return "  \(name) = { \(members) };"
  }
}
