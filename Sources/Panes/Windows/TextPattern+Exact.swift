extension TextPattern {
  /// The characters that mean something in an expression.
  private static let special: Set<Unicode.Scalar> = [
    ".", "[", "\\", "(", ")", "*", "+", "?", "{", "|", "^", "$",
  ]

  /// An expression that is found in this text and in no shorter or longer one. If it would be too long, it is found in all
  /// texts with the same beginning. Control characters, which no terminal should get, fit any others. Nil if the
  /// text has no other characters.
  package static func exact(_ text: String) -> TextPattern? {
    let part = searchedPart(of: text)
    var pattern = "^"
    var isWhole = part.endIndex == text.endIndex
    for scalar in part.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control
      if isControl, pattern.hasSuffix(".+") { continue }
      let next =
        isControl ? ".+" : special.contains(scalar) ? "\\\(scalar)" : String(Character(scalar))
      if pattern.utf8.count + next.utf8.count >= lengthLimit {
        isWhole = false
        break
      }
      pattern += next
    }
    if ["^", "^.+"].contains(pattern) { return nil }
    return try? TextPattern(parsing: isWhole ? pattern + "$" : pattern, setting: "title")
  }
}
