import Testing

struct NameTests {
  @Test func swiftFilesHaveDifferentNames() throws {
    report(duplicateFiles(try Checkout.swiftFiles))
  }

  @Test func typesHaveDifferentNames() throws { report(duplicateTypes(try Checkout.swiftFiles)) }

  /// The layout of the project. A new entry is a decision that is made here.
  @Test func topLevelHasOnlyKnownEntries() {
    report(unknownEntries(Checkout.topLevelNames))
  }

  /// SwiftPM accepts a filter that matches no test, and then tests nothing.
  @Test func testFiltersMatchSuites() throws {
    let suites = try Checkout.swiftFiles.filter { $0.path.hasPrefix("Tests/") }
    report(unknownFilters(in: try Checkout.file("Makefile"), suites))
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

  @Test func duplicateFileIsFound() {
    let files = ["Sources/A/Rect.swift", "Tests/B/Rect.swift", "Sources/A/Rect+Lines.swift"]
    let findings = duplicateFiles(files.map { TextFile($0, "") })
    #expect(findings.map(\.path) == ["Tests/B/Rect.swift"])
  }

  @Test func duplicateTypeIsFound() {
    let files = [
      TextFile("Sources/A/A.swift", "package struct A {\n  enum Kind {\n  }\n}\nextension A {\n}"),
      TextFile("Tests/B/B.swift", "private enum A {\n}\nstruct B {\n  enum Kind {\n  }\n}"),
      TextFile("Tests/B/D.swift", "#if D\n  struct D {\n  }\n#else\n  struct D {\n  }\n#endif"),
      TextFile("Tests/B/C.swift", "\nfinal class A {\n}"),
    ]
    #expect(duplicateTypes(files).map(\.description).count == 1)
    #expect(duplicateTypes(files)[0].description.hasPrefix("Tests/B/C.swift:2: class A"))
  }

  @Test func unknownTopLevelEntryIsFound() {
    #expect(unknownEntries(["Sources", ".build-2", "notes.txt"]).map(\.path) == ["notes.txt"])
  }
}

private func duplicateFiles(_ files: [TextFile]) -> [Finding] {
  var paths: [String: String] = [:]
  return files.compactMap { file in
    guard let other = paths.updateValue(file.path, forKey: file.name) else { return nil }
    return Finding(file.path, "has the name of \(other)")
  }
}

/// Types that only their file sees may have the name of another. Types of the same name in one file are for different
/// processors.
private func duplicateTypes(_ files: [TextFile]) -> [Finding] {
  var paths: [String: String] = [:]
  var findings: [Finding] = []
  for file in files {
    for type in Declaration.all(in: file)
    where type.isType && type.owner == nil
      && type.modifiers.isDisjoint(with: ["private", "fileprivate"])
    {
      let other = paths.updateValue(file.path, forKey: type.names[0])
      if let other, other != file.path {
        let text = "\(type.kind) \(type.names[0]) has the name of a type in \(other)"
        findings.append(Finding(file, index: type.index, text))
      }
    }
  }
  return findings
}

private func unknownEntries(_ names: [String]) -> [Finding] {
  let known: Set = [
    "Package.swift", "Sources", "Tests", "systemd", "docs", "packaging", "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md", "LICENSE", "Makefile", ".ci", ".git", ".gitignore", ".swift-format",
    // Made by builds and by the demo; git ignores them.
    "Package.resolved", "demo.png",
  ]
  return names.filter { !known.contains($0) && !$0.hasPrefix(".build") && !$0.hasSuffix(".swp") }
    .map { Finding($0, "is not part of the project's layout") }
}

/// Arguments of `--filter` and `--skip` that name neither a test target nor a type in the tests.
private func unknownFilters(in makefile: TextFile, _ tests: [TextFile]) -> [Finding] {
  let targets = tests.compactMap { $0.path.split(separator: "/").dropFirst().first }
  let types = tests.flatMap { Declaration.all(in: $0).filter(\.isType).flatMap(\.names) }
  return makefile.lines.enumerated().flatMap { index, line in
    let words = line.split { " \t".contains($0) }
    return zip(words, words.dropFirst()).filter { option, name in
      ["--filter", "--skip"].contains(option) && !targets.contains(name)
        && !types.contains(String(name)) && !name.hasPrefix("'$")
    }.map { Finding(makefile, index: index, "\($1) is no test target and no suite") }
  }
}
