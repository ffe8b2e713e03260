import Linux

extension TextPattern {
  /// The characters that mean something in an expression.
  private static let special: Set<Unicode.Scalar> = [
    ".", "[", "\\", "(", ")", "*", "+", "?", "{", "|", "^", "$",
  ]

  /// An expression that is found in this text and in no shorter or longer one. If it would be too long, it is found in all
  /// texts with the same beginning. Characters that a terminal should not get, such as control characters, fit any others. Nil if
  /// the text has no other characters.
  package static func exact(_ text: String) -> TextPattern? {
    let part = searchedPart(of: text)
    var rest = part.unicodeScalars[...]
    if !rest.contains(where: \.isPrintedUnchanged) { return nil }
    var pattern = "^"
    while let scalar = rest.first {
      let hidden = rest.prefix { !$0.isPrintedUnchanged }
      let next = hidden.isEmpty ? literal(scalar) : any(hidden.count)
      if pattern.utf8.count + next.utf8.count >= lengthLimit { break }
      pattern += next
      rest = rest.dropFirst(max(1, hidden.count))
    }
    let isWhole = rest.isEmpty && part.endIndex == text.endIndex
    return try? TextPattern(parsing: isWhole ? pattern + "$" : pattern, setting: "title")
  }

  private static func literal(_ scalar: Unicode.Scalar) -> String {
    special.contains(scalar) ? "\\\(scalar)" : String(Character(scalar))
  }

  /// An expression for so many characters. It needs as few steps as possible in a search.
  private static func any(_ count: Int) -> String { count == 1 ? "." : ".{\(count)}" }
}
