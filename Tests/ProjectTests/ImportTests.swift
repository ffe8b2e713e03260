import Testing

struct ImportTests {
  /// The demo and the bench are built where no test framework is.
  @Test func onlyTestTargetsImportTesting() throws {
    for file in try Checkout.swiftFiles { report(importsOfTesting(in: file)) }
  }

  @Test func importOfTestingIsFound() {
    let text = "import Glibc\nimport Testing\n"
    #expect(importsOfTesting(in: TextFile("Tests/AbcTests/A.swift", text)).isEmpty)
    #expect(
      importsOfTesting(in: TextFile("Tests/TestSupport/A.swift", text)).map(\.description) == [
        "Tests/TestSupport/A.swift:2: imports Testing, but is not part of a test target"
      ])
  }
}

private func importsOfTesting(in file: TextFile) -> [Finding] {
  let target = file.path.split(separator: "/").dropFirst().first ?? ""
  if target.hasSuffix("Tests") { return [] }
  return file.lines.indices.filter { file.lines[$0].hasSuffix("import Testing") }.map {
    Finding(file, index: $0, "imports Testing, but is not part of a test target")
  }
}
