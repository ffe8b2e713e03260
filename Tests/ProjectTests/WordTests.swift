import Testing

struct WordTests {
  @Test func textsHaveNoBannedWords() throws {
    for file in try Checkout.texts where !#filePath.hasSuffix(file.path) {
      report(bannedWords(in: file))
    }
  }

  @Test(arguments: [
    "// Rooms, and their doors", "@Test func nobodyBlends() {", "a.knocks(twice)", "it takes part",
    "It is here\nfor whoever reads it",
  ])
  func bannedWordIsFound(_ text: String) {
    #expect(bannedWords(in: TextFile("docs/a.md", text)).count == 1)
  }

  @Test(arguments: ["There is room for a row.", "It takes a part of the frame.", "blurHouses"])
  func otherWordsAreAllowed(_ text: String) {
    #expect(bannedWords(in: TextFile("docs/a.md", text)).map(\.text) == [])
  }
}

/// Metaphors that stood for standard terms. Only words that are never right in this project; names of
/// tests and other names in camel case are several words.
private let banned = [
  ["knock"], ["knocks"], ["nobody"], ["somebody"], ["whoever"], ["rooms"], ["the", "house"],
  ["astray"],
  ["take", "part"], ["takes", "part"], ["taking", "part"],
]

private func bannedWords(in file: TextFile) -> [Finding] {
  file.lines.enumerated().flatMap { index, line in
    let words = words(of: line)
    return banned.filter { words.ranges(of: $0).isEmpty == false }
      .map { Finding(file, index: index, "'\($0.joined(separator: " "))': use the standard term") }
  }
}
