/// A declaration in a Swift file, as far as the rule of comments needs it.
///
/// The scanner relies on the layout of swift-format, which `make check` enforces: a declaration begins a
/// line, and what lies in its braces is indented deeper.
struct Declaration {
  /// The keyword, such as `func`.
  let kind: String
  /// The declared name; names, if the line declares several properties or cases.
  let names: [String]
  /// From the keyword to the brace of the body or the initial value, on one line.
  let header: String
  /// The line of the file, from 0.
  let index: Int
  /// The text of its `///` comment; empty if it has none.
  let comment: String
  let modifiers: Set<String>
  /// Whether other targets see it.
  let isExported: Bool
  /// The type or extension around it, as an index into the file's declarations.
  let owner: Int?

  var isStatic: Bool { modifiers.contains("static") }
  var isType: Bool { Self.typeKinds.contains(kind) }

  static let typeKinds: Set = ["struct", "class", "enum", "protocol", "actor"]
  static let scopeKinds = typeKinds.union(["extension"])
  static let kinds = scopeKinds.union([
    "func", "var", "let", "case", "init", "subscript", "typealias", "associatedtype",
  ])
}

extension Declaration {
  /// The declarations of a file outside the bodies of functions, in the order of the file.
  static func all(in file: TextFile) -> [Declaration] {
    var found: [Declaration] = []
    // The declarations around a line, the innermost last.
    var open: [(indent: Int, declaration: Int)] = []
    var isInText = false
    for (index, line) in file.lines.enumerated() {
      defer { if line.ranges(of: "\"\"\"").count % 2 == 1 { isInText.toggle() } }
      guard !isInText, let (modifiers, kind) = beginning(of: line) else { continue }
      let indent = line.prefix { $0 == " " }.count
      while let last = open.last, last.indent >= indent { open.removeLast() }
      let owner = open.last?.declaration
      // In the body of a function or a property.
      if let owner, !scopeKinds.contains(found[owner].kind) { continue }
      let header = Header(file.lines[index...], keyword: kind)
      open.append((indent, found.count))
      found.append(
        Declaration(
          kind: kind, names: header.names, header: header.text, index: index,
          comment: comment(above: index, in: file), modifiers: modifiers,
          isExported: isExported(kind, modifiers, in: owner.map { found[$0] }), owner: owner))
    }
    return found
  }

  /// The modifiers and the keyword of a line that begins a declaration.
  private static func beginning(of line: Substring) -> (Set<String>, String)? {
    var modifiers: Set<String> = []
    for word in line.split(separator: " ") where !word.hasPrefix("@") {
      let name = String(word.prefix { $0.isLetter })
      let rest = word.dropFirst(name.count)
      if kinds.contains(name), rest.isEmpty || rest.first == "(" || rest.first == "?" {
        return (modifiers, name)
      }
      guard modifierNames.contains(name) else { return nil }
      modifiers.insert(String(word))
    }
    return nil
  }

  private static let modifierNames: Set = [
    "package", "public", "open", "internal", "private", "fileprivate", "static", "final",
    "mutating", "nonmutating", "borrowing", "consuming", "override", "nonisolated", "lazy", "weak",
    "unowned", "indirect", "convenience", "required", "unsafe",
  ]

  private static func isExported(
    _ kind: String, _ modifiers: Set<String>, in owner: Declaration?
  ) -> Bool {
    if !modifiers.isDisjoint(with: ["package", "public", "open"]) { return true }
    guard let owner, owner.isExported else { return false }
    return kind == "case" || owner.kind == "protocol" || owner.kind == "extension"
  }

  private static func comment(above index: Int, in file: TextFile) -> String {
    var lines: [Substring] = []
    for line in file.lines[..<index].reversed() {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("///") {
        lines.append(text.dropFirst(3))
      } else if !text.hasPrefix("@") {
        break
      }
    }
    return lines.reversed().joined(separator: "\n")
  }
}

/// The first lines of a declaration, up to its body or its value.
private struct Header {
  let text: String
  let names: [String]

  init(_ lines: ArraySlice<Substring>, keyword: String) {
    var joined = ""
    for line in lines.prefix(20) {
      let part = line.drop { $0 == " " }
      // A parameter list that is closed may be followed by a line with the result.
      if !joined.isEmpty, depth(joined) == 0,
        !["->", "throws", "where"].contains(where: part.hasPrefix)
      {
        break
      }
      joined += joined.isEmpty ? part : " " + part
    }
    let start = joined.ranges(of: keyword).first?.lowerBound ?? joined.startIndex
    text = String(upToBody(joined[start...]))
    names = Self.names(text, keyword: keyword)
  }

  private static func names(_ text: String, keyword: String) -> [String] {
    let rest = text.dropFirst(keyword.count).drop { $0 == " " }
    switch keyword {
    case "init", "subscript": return [keyword]
    case "case", "let", "var":
      return splitAtCommas(rest).map { String($0.drop { $0 == " " }.prefix(while: isNamePart)) }
    // An operator, which a space follows.
    case "func" where rest.first.map(isNamePart) != true: return [String(rest.prefix { $0 != " " })]
    case "extension": return [String(rest.prefix { isNamePart($0) || $0 == "." || $0 == "[" })]
    default: return [String(rest.prefix(while: isNamePart))]
    }
  }
}

private func isNamePart(_ character: Character) -> Bool {
  character.isLetter || character.isNumber || character == "_" || character == "`"
}

/// How many brackets are open at the end of a text.
private func depth(_ text: some StringProtocol) -> Int {
  text.reduce(0) { depth, character in
    switch character {
    case "(", "[": depth + 1
    case ")", "]": depth - 1
    default: depth
    }
  }
}

private func upToBody(_ text: Substring) -> Substring {
  var depth = 0
  for index in text.indices {
    switch text[index] {
    case "(", "[": depth += 1
    case ")", "]": depth -= 1
    case "{" where depth == 0: return text[..<index]
    case "=" where depth == 0 && text[..<index].hasSuffix(" ") && !text[index...].hasPrefix("=="):
      return text[..<index]
    default: break
    }
  }
  return text
}

/// The parts between the commas outside of all brackets.
func splitAtCommas(_ text: some StringProtocol) -> [String] {
  var parts = [""]
  var depth = 0
  // The arrow is no bracket.
  for character in String(text).replacing("->", with: "→") {
    if "([<".contains(character) { depth += 1 }
    if ")]>".contains(character) { depth -= 1 }
    if character == ",", depth == 0 {
      parts.append("")
    } else {
      parts[parts.count - 1].append(character)
    }
  }
  return parts
}
