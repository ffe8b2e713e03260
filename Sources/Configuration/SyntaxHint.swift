/// What was probably meant where libconfig reports an error of the syntax; nil if it is not known. The error may have its
/// cause in the line before.
func syntaxHint(_ text: String, line: Int) -> String? {
  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  for number in [line, line - 1] where lines.indices.contains(number - 1) {
    let line = lines[number - 1]
    if line.drop(while: { $0 == " " }).hasPrefix("@include") {
      return "the path of a file that is included is relative to the folder of this one"
    }
    for (name, word) in unquotedTexts(in: line) {
      return "a text must be in quotes: \(name) = \"\(word)\";"
    }
  }
  return nil
}

/// The assignments of a line whose value looks like a text without quotes.
private func unquotedTexts(in line: Substring) -> [(name: Substring, word: Substring)] {
  var found: [(Substring, Substring)] = []
  var start = line.startIndex
  while let sign = line[start...].firstIndex(of: "=") {
    let name = line[..<sign].reversed().drop { $0 == " " }.prefix {
      $0.isLetter || $0.isNumber || "-_*".contains($0)
    }
    let value = line[line.index(after: sign)...].drop { $0 == " " || $0 == "\t" }
    let word = value.prefix { !" \t;,})]".contains($0) }
    if looksLikeText(word) {
      found.append((Substring(String(name.reversed())), word.filter { $0 != "'" }[...]))
    }
    start = line.index(after: sign)
  }
  return found
}

private func looksLikeText(_ word: Substring) -> Bool {
  guard let first = word.first, !"\"{([".contains(first) else { return false }
  let isFlag = ["true", "false"].contains(word.lowercased())
  // A number may end with L.
  let isNumber = Double(word) != nil || word.last == "L" && Int(word.dropLast()) != nil
  return !isFlag && !isNumber
}
