import Testing

struct CommentTests {
  @Test func exportedDeclarationsHaveComments() throws {
    let files = try Checkout.swiftFiles
    let declarations = files.map(Declaration.all)
    let rule = CommentRule(declarations)
    #expect(declarations.joined().count { $0.isExported } > 500)
    for (file, declarations) in zip(files, declarations) {
      report(rule.findings(in: file, declarations))
    }
  }

  /// Each declaration lacks a comment that it needs.
  @Test(arguments: [
    "package struct Glass {\n}",
    "package func blur(_ sigma: Double) {}",
    "public func blur(_ sigma: Double) {}",
    "/// A value.\nstruct A {\n  package static let zero = 0\n}",
    "/// A value.\nstruct A {\n  package init(a: Int, b: Int, c: [Int: Int]) {}\n}",
    "/// A value.\nstruct A {\n  package init(\n    a: Int, b: Int,\n    c: Int\n  ) {}\n}",
    "/// A value.\nstruct A {\n  package init(a: Int) throws {}\n}",
    "/// A value.\nstruct A {\n  package init?(a: Int) {}\n}",
    "/// A value.\nstruct A {\n  package var limit: Int?\n}",
    "/// A value.\nstruct A {\n  package var countOfStaleShownTiles: Int\n}",
    "/// A value.\nstruct A {\n  package func check() throws {}\n}",
    "/// A value.\nstruct A {\n  package func next() -> Int? { nil }\n}",
    "/// A value.\nstruct A {\n  package func draw(_ b: Int) {}\n}",
    "/// A value.\nstruct A {\n  @inline(__always)\n  package func draw(_ b: Int) {}\n}",
    "struct A {\n  package let width: Int\n}",
    "/// A display.\npackage protocol Display {\n  func move(to x: Int)\n}",
    "/// A state.\npackage enum State {\n  case waitingForTheNextFrame\n}",
    "/// An extension.\npackage extension A {\n  func move(to x: Int) {}\n}",
  ])
  func declarationNeedsComment(_ source: String) {
    #expect(findings(in: source).count == 1)
  }

  /// Each declaration is obvious, has a comment, or is not visible to other targets.
  @Test(arguments: [
    "/// A value.\npackage struct A {\n}",
    "func draw(_ b: Int) {}",
    "package import Frost",
    "/// Draws.\n@discardableResult\npackage func draw(_ b: Int) -> Int { b }",
    "/// A size.\nstruct A {\n  package private(set) var width, height: Int\n}",
    "/// A change; nil changes nothing.\nstruct A {\n  package var width: Int?\n}",
    "/// A value.\nstruct A {\n  package init(a: Int, b: (Int, Int) -> Void) {}\n}",
    "/// A value.\nstruct A {\n  let a, b: Int\n  let c: Int\n  package init(a: Int, b: Int, c: Int) {}\n}",
    "/// A state.\npackage enum State {\n  case hidden, shown(Int)\n}",
    "/// A value.\nstruct A: Equatable {\n  package static func == (a: Self, b: Self) -> Bool { true }\n}",
    "/// A value.\nstruct A {}\nextension A: Decodable {\n  package init(from decoder: D) throws {}\n}",
    "/// A.\nprotocol P {\n  func a(b: Int)\n}\n/// B.\nstruct B: P {\n  package func a(b: Int) {}\n}",
    "/// A value.\nstruct A {\n  package func draw() {\n    switch self {\n    case .a: let b = 1\n    }\n  }\n}",
    "let text = \"\"\"\n  package func draw(_ b: Int)\n  \"\"\"",
  ])
  func declarationNeedsNoComment(_ source: String) {
    #expect(findings(in: source).map(\.text) == [])
  }

  @Test func findingNamesFileAndLine() {
    let text = "/// A value.\nstruct A {\n  var a = \"(\"\n  package static let zero = 0\n}"
    #expect(findings(in: text).map(\.description) == ["Sources/A.swift:4: let zero has no comment"])
  }

  private func findings(in source: String) -> [Finding] {
    let file = TextFile("Sources/A.swift", source)
    let declarations = Declaration.all(in: file)
    return CommentRule([declarations]).findings(in: file, declarations)
  }
}
