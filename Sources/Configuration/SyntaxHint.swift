/// The probable meaning of a line in which libconfig reports an error of the syntax; nil if unknown. The error may have its
/// cause in the line before.
func syntaxHint(_ text: String, line: Int) -> String? {
  // A line end of Windows is one character of Swift.
  let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  for number in [line, line - 1] where lines.indices.contains(number - 1) {
    let line = Substring(lines[number - 1])
    if let (name, number) = decimalComma(in: line) {
      return "a number has a point, not a comma: \(name) = \(number);"
    }
    for (name, word) in unquotedTexts(in: line) {
      return "a text must be in quotes: \(name) = \"\(word)\";"
    }
  }
  return nil
}

/// The assignments of a line whose value looks like a text without quotes.
private func unquotedTexts(in line: Substring) -> [(name: Substring, word: Substring)] {
  assignments(in: line).compactMap { name, value in
    let word = value.prefix { !" \t\r;,})]".contains($0) }
    return looksLikeText(word) ? (name, word.filter { $0 != "'" }[...]) : nil
  }
}

/// The first assignment of a number such as `2,5`, with a point in it.
private func decimalComma(in line: Substring) -> (name: Substring, number: String)? {
  for (name, value) in assignments(in: line) {
    let whole = value.prefix { $0.isNumber || "+-".contains($0) }
    let rest = value.dropFirst(whole.count)
    let decimals = rest.dropFirst().prefix { $0.isNumber }
    if rest.first == ",", !decimals.isEmpty, Int(whole) != nil {
      return (name, "\(whole).\(decimals)")
    }
  }
  return nil
}

/// The names of a line that have an equals sign after them, and what follows it.
private func assignments(in line: Substring) -> [(name: Substring, value: Substring)] {
  var found: [(Substring, Substring)] = []
  var start = line.startIndex
  while let sign = line[start...].firstIndex(of: "=") {
    let name = line[..<sign].reversed().drop { $0 == " " }.prefix {
      $0.isLetter || $0.isNumber || "-_*".contains($0)
    }
    start = line.index(after: sign)
    found.append(
      (Substring(String(name.reversed())), line[start...].drop { $0 == " " || $0 == "\t" }))
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
