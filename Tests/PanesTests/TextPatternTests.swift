import Panes
import TestDice
import Testing

/// Regular expressions for titles. Both the expressions and the titles may be hostile.
struct TextPatternTests {
  private func pattern(_ text: String) throws(PaneError) -> TextPattern {
    try TextPattern(parsing: text, setting: "title")
  }

  /// The error of an expression; nil if it has none.
  private func error(_ text: String) -> String? {
    do throws(PaneError) {
      _ = try pattern(text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: [
    ("[", "character 2: missing terminating ] for character class"),
    ("(", "character 2: missing closing parenthesis"),
    ("a)", "character 2: unmatched closing parenthesis"),
    ("*", "character 1: quantifier does not follow a repeatable item"),
    ("éé+*?{", "character 4: quantifier does not follow a repeatable item"),
    ("éa**b", "character 4: quantifier does not follow a repeatable item"),
    ("a{2,1}", "character 6: numbers out of order in {} quantifier"),
    ("\\", "character 2: \\ at end of pattern"),
    ("\\C", "character 3: using \\C is disabled by the application"),
    ("", "1 to 256 bytes"),
    ("a\0", "1 to 256 bytes"),
    (String(repeating: "é", count: 129), "1 to 256 bytes"),
    (String(repeating: "(", count: 40), "parentheses are too deeply nested"),
    ("((x{1,255}){1,255}){1,255}", "regular expression is too large"),
  ])
  func errorNamesReasonAndPlace(text: String, expected: String) {
    #expect("\(error(text) ?? "nil")".contains(expected), "\(error(text) ?? "nil")")
  }

  @Test func charactersAreMatchedWhateverTheirBytes() throws {
    #expect(try pattern("^Caf.$").isFound(in: "Café"))
    #expect(try pattern("^.{3}$").isFound(in: "é漢🖥"))
    #expect(try pattern(#"^\w+$"#).isFound(in: "Übung"))
    #expect(try pattern("(?i)übung").isFound(in: "ÜBUNG"))
    #expect(try pattern("^[é-ü]+$").isFound(in: "éü") && !pattern("^[é-ü]+$").isFound(in: "Ã"))
    #expect(try pattern("^a.b$").isFound(in: "a\nb") && !pattern("a$").isFound(in: "a\n"))
    #expect(try pattern("b").isFound(in: "a\0b"))
  }

  /// The last part is a class, because PCRE2 looks first whether a letter that must be there is there.
  @Test(arguments: [
    #"(.*)(.*)(.*)(.*)\4\3\2\1[yz]"#, "(a+a+)+[yz]", "(a|aa)+$[yz]", "(?:(?:(?:a*)*)*)*[yz]",
    "(?R)?a(?R)?[yz]", "((a?){30}){30}[yz]", "(?=(a+))*(a|a)*[yz]", ".*.*.*[yz]",
  ])
  func costlySearchEnds(text: String) throws {
    let title = String(repeating: "a", count: TextPattern.searchedLength)
    #expect(try pattern(text).search(title) == .tooCostly)
  }

  @Test(arguments: [
    "z$", ".*z$", "[a-z]+z$", "(foo|bar|z)$", ".*(a|b)z", #"\bword\b.*z"#, "^(word |a+ ?)*z$",
    "a{3}z",
  ])
  func usualExpressionsAreFoundInLongTitles(text: String) throws {
    let title = String(repeating: "word aaa ", count: 100) + "aaaz"
    #expect(try pattern(text).search(title) == .found)
  }

  @Test func onlyTheBeginningOfATitleIsSearched() throws {
    let limit = TextPattern.searchedLength
    let title = String(repeating: "é", count: limit / 2) + "z"
    #expect(try !pattern("z").isFound(in: title) && pattern("é$").isFound(in: title))
    // The limit is in the middle of a character.
    #expect(try pattern("^aé*$").isFound(in: "a" + title))
    #expect(try pattern("z").isFound(in: String(repeating: "é", count: limit / 2 - 1) + "z"))
  }

  @Test(arguments: 0..<400) func validPatternsFindWhatTheirModelFinds(seed: Int) throws {
    var dice = Dice(seed: seed)
    let model = PatternModel.random(depth: 4, &dice)
    if model.text.isEmpty || model.text.utf8.count > TextPattern.lengthLimit { return }
    let pattern = try pattern(model.text)
    for _ in 0..<20 {
      let title = (0..<dice.roll(0...8)).map { _ in PatternModel.letter(&dice) }
      let finding = pattern.search(String(title))
      #expect(
        finding == .tooCostly || (finding == .found) == model.isFound(in: title),
        "\(dice): \(model.text) in \(String(title))")
    }
  }

  /// The parts make most expressions invalid, each in another way.
  @Test(arguments: 0..<2000) func anyTextIsAPatternOrANamedError(seed: Int) {
    var dice = Dice(seed: seed)
    let parts = [
      "[", "]", "(", ")", "{", "}", "*", "+", "?", "|", "^", "$", "\\", ".", "-", ",", ":", "=",
      "!",
      "<", "#", "a", "é", "1", "9", "255", "(?", "(?<", "(?=", "(?R)", "\\1", "\\x{", "\\p{", "\\Q",
      "\\K", "\\X", "[[:", ":]]", "(*", "UTF)", "{2,", "{65535}", "(?C", "(?(", "\u{10ffff}", "\n",
    ]
    let text = (0..<dice.roll(1...30)).map { _ in
      dice.roll(0...9) == 0
        ? String(decoding: [UInt8(dice.roll(0...255))], as: UTF8.self)
        : parts[dice.roll(0...parts.count - 1)]
    }.joined()
    do throws(PaneError) {
      let pattern = try pattern(text)
      for title in [text, String(repeating: "a", count: 2000), "é1\n", ""] {
        _ = pattern.search(title)
      }
      #expect(pattern.text == text)
    } catch {
      guard case .unreadable("title", text, let expected) = error else {
        Issue.record("\(dice): \(error)")
        return
      }
      #expect(expected.hasPrefix("a regular expression "), "\(dice): \(expected)")
    }
  }
}

/// An expression as a tree, which is searched for without any optimization.
private indirect enum PatternModel {
  case letter(Character), any
  case oneOf([Character], isNegated: Bool)
  case start, end
  case sequence([PatternModel])
  case choice([PatternModel])
  case repeated(PatternModel, ClosedRange<Int>)

  static func letter(_ dice: inout Dice) -> Character { ["a", "b", "é", "漢"][dice.roll(0...3)] }

  static func random(depth: Int, _ dice: inout Dice) -> PatternModel {
    switch depth == 0 ? dice.roll(0...4) : dice.roll(0...9) {
    case 0, 1: return .letter(letter(&dice))
    case 2: return .any
    case 3:
      let letters = (0...dice.roll(0...2)).map { _ in letter(&dice) }
      return .oneOf(letters, isNegated: dice.roll(0...1) == 0)
    case 4: return dice.roll(0...1) == 0 ? .start : .end
    case 5, 6:
      return .choice((0...dice.roll(1...2)).map { _ in random(depth: depth - 1, &dice) })
    case 7:
      let least = dice.roll(0...2)
      return .repeated(random(depth: depth - 1, &dice), least...least + dice.roll(0...2))
    default: return .sequence((0...dice.roll(1...3)).map { _ in random(depth: depth - 1, &dice) })
    }
  }

  var text: String {
    switch self {
    case .letter(let letter): "\(letter)"
    case .any: "."
    case .oneOf(let letters, let isNegated): "[\(isNegated ? "^" : "")\(String(letters))]"
    case .start: "^"
    case .end: "$"
    case .sequence(let parts): parts.map(\.text).joined()
    case .choice(let parts): "(\(parts.map(\.text).joined(separator: "|")))"
    case .repeated(let part, let range): "(\(part.text)){\(range.lowerBound),\(range.upperBound)}"
    }
  }

  func isFound(in title: [Character]) -> Bool {
    (0...title.count).contains { !ends(from: [$0], in: title).isEmpty }
  }

  /// The places after the part, if it begins at one of some places.
  private func ends(from starts: Set<Int>, in title: [Character]) -> Set<Int> {
    func after(_ isAccepted: (Character) -> Bool) -> Set<Int> {
      Set(starts.filter { $0 < title.count && isAccepted(title[$0]) }.map { $0 + 1 })
    }
    switch self {
    case .letter(let letter): return after { $0 == letter }
    case .any: return after { _ in true }
    case .oneOf(let letters, let isNegated): return after { letters.contains($0) != isNegated }
    case .start: return starts.filter { $0 == 0 }
    case .end: return starts.filter { $0 == title.count }
    case .sequence(let parts):
      return parts.reduce(starts) { starts, part in part.ends(from: starts, in: title) }
    case .choice(let parts):
      return parts.reduce(into: []) { $0.formUnion($1.ends(from: starts, in: title)) }
    case .repeated(let part, let range):
      var (ends, result) = (starts, range.lowerBound == 0 ? starts : [])
      for count in 1...max(range.upperBound, 1) where count <= range.upperBound {
        ends = part.ends(from: ends, in: title)
        if count >= range.lowerBound { result.formUnion(ends) }
      }
      return result
    }
  }
}
