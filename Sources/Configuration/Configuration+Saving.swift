package import Panes

/// Why panes cannot be saved in a configuration.
package enum SavingError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The panes are in another file, which this one includes.
  case included(file: String)
  /// A text of the pane has a zero, which libconfig cannot hold.
  case zero(pane: String)
  /// The new text would not declare what it should; the first difference.
  case unexpected(String)

  package var description: String {
    switch self {
    case .included(let file):
      "the panes are in \(file), which is included; move them to the file itself, or change them there"
    case .zero(let pane):
      "the pane '\(pane)' has a text with a zero character, which a configuration cannot hold"
    case .unexpected(let text):
      "the new text would not declare what is on the screen, so it is not written; this is a bug: \(text)"
    }
  }
}

extension Configuration {
  /// The text of a configuration file in which the panes of a list replace the former ones. Panes that have not changed keep
  /// their text with its comments; other panes keep the text of the settings that have not changed.
  ///
  /// - Parameters:
  ///   - text: The text of the file, of which this is the configuration. Empty if there is no file.
  ///   - path: The file.
  ///   - old: The panes that the file declares, as the daemon has them: fonts and places in their usual form.
  ///   - new: The panes, the lowest first. The content of both needs no pictures. They keep the order of the file where it has no
  ///     meaning: between layers.
  package func text(
    _ text: [UInt8], path: String, home: String?, from old: [Pane], to new: [Pane]
  ) throws(SavingError) -> [UInt8] {
    if let other = panes.first(where: { $0.place.file != path })?.place.file {
      throw .included(file: other)
    }
    if let pane = new.first(where: { DeclaredPane(declaring: $0).hasZero }) {
      throw .zero(pane: pane.name)
    }
    let changes = arranged(new, asIn: old).map { pane in
      Change(
        file: panes.firstIndex { $0.declared.pane.name == pane.name },
        old: old.first { $0.name == pane.name }.map { DeclaredPane(declaring: $0) },
        new: DeclaredPane(declaring: pane))
    }
    let edited = Array(newText(text, changes, path: path, home: home).utf8)
    do throws(ConfigurationErrors) {
      let result = try Configuration(parsing: edited, path: path, home: home).panes.map(\.declared)
      let index = changes.indices.first { index in
        !result.indices.contains(index) || !changes[index].isDone(by: result[index], of: self)
      }
      if let index { throw ConfigurationErrors(path, changes[index].new.text) }
      if result.count > changes.count { throw ConfigurationErrors(path, "there are other panes") }
    } catch {
      throw .unexpected("\(error.all[0])")
    }
    return edited
  }

  /// The change of a pane in the new text.
  private struct Change {
    /// Its index among the panes of the file; nil if it is new there.
    let file: Int?
    let old: DeclaredPane?
    let new: DeclaredPane

    /// Whether a group of the new text declares what it should. Content that has not changed is as the user wrote it.
    func isDone(by written: DeclaredPane, of former: Configuration) -> Bool {
      let kept = file.map { former.panes[$0].declared.contents }
      let isContentRight =
        written.contents == new.contents
        || old?.contents == new.contents && written.contents == kept
      return isContentRight && written.bareMembers == new.bareMembers
    }
  }

  private func newText(
    _ text: [UInt8], _ changes: [Change], path: String, home: String?
  ) -> String {
    func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    let members = ConfigurationScan.members(of: text)
    guard let list = members.first(where: { $0.name == "panes" })?.value else {
      let head = text.isEmpty || text.last == UInt8(ascii: "\n") ? "" : "\n"
      let gap = text.isEmpty ? "" : "\n"
      return part(0..<text.count) + head + gap + Self.list(changes.map(\.new.text))
    }
    let elements = ConfigurationScan.elements(ofList: list, in: text)
    // Text before an element, such as a comment, belongs to the element; text behind the last one belongs to the list.
    let starts =
      [list.lowerBound + 1]
      + elements.dropLast().map(\.end)
    let groups = changes.map { change in
      guard let index = change.file else { return "\n" + change.new.text }
      let element = elements[index]
      // Text behind the last element is at the end of the list.
      let trail = index + 1 < elements.count ? part(element.trail) : ""
      return part(starts[index]..<element.range.lowerBound)
        + newGroup(element.range, in: text, change, path, home) + trail
    }
    let tail = elements.last.map { part($0.range.upperBound..<list.upperBound) } ?? "\n)"
    return part(0..<list.lowerBound) + "(" + groups.joined(separator: ",")
      + (groups.isEmpty ? ")" : String(tail.drop { $0 == "," }))
      + part(list.upperBound..<text.count)
  }

  private static func list(_ groups: [String]) -> String {
    groups.isEmpty ? "" : "panes = (\n\(groups.joined(separator: ",\n"))\n);\n"
  }

  /// The text of the group of a pane.
  private func newGroup(
    _ group: Range<Int>, in text: [UInt8], _ change: Change, _ path: String, _ home: String?
  ) -> String {
    let former = String(decoding: text[group], as: UTF8.self)
    guard let old = change.old else { return String(change.new.text.drop { $0 == " " }) }
    if old == change.new { return former }
    let edited = editedGroup(group, in: text, old, change.new)
    // An edited group cannot remove settings that the pane gets from a material of the file. Then the whole pane is written anew.
    let whole = "materials = {\n\(materials.map(\.text).joined())};\npanes = (\n\(edited)\n);"
    let result = try? Configuration(parsing: Array(whole.utf8), path: path, home: home)
    let isDone = result?.panes.first.map { change.isDone(by: $0.declared, of: self) } ?? false
    return isDone ? edited : String(change.new.text.drop { $0 == " " })
  }

  /// The group with other values, and without settings that have none.
  private func editedGroup(
    _ group: Range<Int>, in text: [UInt8], _ old: DeclaredPane, _ new: DeclaredPane
  ) -> String {
    let members = ConfigurationScan.members(ofGroup: group, in: text)
    let (before, after) = (old.writtenMembers, new.writtenMembers)
    func part(_ range: Range<Int>) -> String { String(decoding: text[range], as: UTF8.self) }
    var result = ""
    var index = group.lowerBound
    for member in members {
      let wanted = after.first { $0.name == member.name }
      let isSame = wanted == before.first { $0.name == member.name }
      if isSame { continue }
      if let wanted {
        result += part(index..<member.value.lowerBound) + wanted.value
        index = member.value.upperBound
      } else {
        let removed = wholeLine(of: member.range, in: text)
        result += part(index..<max(index, removed.lowerBound))
        index = removed.upperBound
      }
    }
    result += part(index..<group.upperBound - 1)
    // An unchanged value without a member in the group comes from a material.
    let added = after.filter { member in
      !before.contains(member) && !members.contains { $0.name == member.name }
    }
    let indent = indentation(of: members.first?.range.lowerBound ?? group.lowerBound, in: text)
    let closing = result.reversed().prefix { $0 == " " || $0 == "\t" || $0 == "\n" }
    var body = result.dropLast(closing.count)
    let lineEnd = indent == nil ? " " : "\n"
    for member in added {
      // The last member may have no semicolon.
      if body.last.map({ !";,{".contains($0) }) ?? false, !endsWithComment(body) { body += ";" }
      body += lineEnd + (indent ?? "") + member.text
    }
    return body + String(closing.reversed()) + "}"
  }

  /// The line of a setting with its comment; only the setting if there is another one in the line.
  private func wholeLine(of setting: Range<Int>, in text: [UInt8]) -> Range<Int> {
    guard let indent = indentation(of: setting.lowerBound, in: text) else { return setting }
    let rest = text[setting.upperBound...].prefix { $0 != UInt8(ascii: "\n") }
    let first = rest.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    guard first == nil || first == UInt8(ascii: "#") || first == UInt8(ascii: "/"),
      rest.endIndex < text.endIndex
    else { return setting }
    return setting.lowerBound - indent.utf8.count..<rest.endIndex + 1
  }

  /// Whether the last line has a comment.
  private func endsWithComment(_ text: Substring) -> Bool {
    let line = text.split(separator: "\n", omittingEmptySubsequences: false).last ?? ""
    return line.contains("#") || line.contains("//") || line.hasSuffix("*/")
  }

  /// The white space before a setting that begins a line; nil if it is inside of a line.
  private func indentation(of start: Int, in text: [UInt8]) -> String? {
    let line = text[..<start].reversed().prefix { $0 != UInt8(ascii: "\n") }
    guard line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) else {
      return nil
    }
    return String(decoding: line.reversed(), as: UTF8.self)
  }
}

extension DeclaredPane {
  fileprivate var hasZero: Bool {
    let settings = Setting.all.compactMap { $0.write(pane.settings) }
    let texts = settings.flatMap { value -> [String] in
      switch value {
      case .text(let text): [text]
      case .texts(let texts): texts
      default: []
      }
    }
    let contents = (contents ?? []).flatMap { content in
      [content.image ?? "", content.label ?? ""] + content.attributes.values
    }
    return (texts + contents).contains { $0.unicodeScalars.contains("\0") }
  }

  /// All that a group has, without content.
  fileprivate var bareMembers: [WrittenMember] { writtenMembers.filter { $0.name != "content" } }
}
