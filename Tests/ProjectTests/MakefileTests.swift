import Testing

struct MakefileTests {
  /// SwiftPM accepts a filter that matches no test, and then tests nothing.
  @Test func testFiltersMatchSuites() throws {
    let tests = try Checkout.swiftFiles.filter { $0.path.hasPrefix("Tests/") }
    report(unknownFilters(in: try Checkout.file("Makefile"), tests))
  }

  @Test func unknownFilterIsFound() {
    let makefile = TextFile(
      "Makefile", "all:\n\tswift test --filter ATests --filter BTests --skip CTests")
    let suites = [TextFile("Tests/ATests/C.swift", "struct CTests {\n}")]
    #expect(
      unknownFilters(in: makefile, suites).map(\.description) == [
        "Makefile:2: BTests is no test target and no suite"
      ])
  }
}

/// Arguments of `--filter` and `--skip` that name neither a test target nor a suite.
private func unknownFilters(in makefile: TextFile, _ tests: [TextFile]) -> [Finding] {
  let targets = tests.compactMap { $0.path.split(separator: "/").dropFirst().first }
  func isSuite(_ name: Substring) -> Bool {
    tests.contains { file in
      file.lines.contains { $0.hasSuffix("struct \(name) {") || $0.hasSuffix("class \(name) {") }
    }
  }
  return makefile.lines.enumerated().flatMap { index, line in
    let words = line.split { " \t".contains($0) }
    return zip(words, words.dropFirst()).filter { option, name in
      ["--filter", "--skip"].contains(option) && !name.hasPrefix("'$") && !targets.contains(name)
        && !isSuite(name)
    }.map { Finding(makefile, index: index, "\($1) is no test target and no suite") }
  }
}
