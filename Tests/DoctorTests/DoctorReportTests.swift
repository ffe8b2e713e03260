import Doctor
import FoundationEssentials
import Testing

struct DoctorReportTests {
  private static let report = DoctorReport(
    version: "1.2",
    groups: [
      CheckGroup(
        "session",
        [
          Check("DISPLAY", .good, ":0"),
          Check(
            "XDG_RUNTIME_DIR", .problem, "not set",
            remedy: "export XDG_RUNTIME_DIR=/run/user/$(id -u)"),
        ]),
      CheckGroup("empty", []),
      CheckGroup("display", [Check("glass", .warning, "still", remedy: "backdropctl refresh")]),
    ])

  @Test func checksAreAlignedAboveTheirRemedies() {
    #expect(
      Self.report.text == """
        session
          good     DISPLAY          :0
          problem  XDG_RUNTIME_DIR  not set
                   -> export XDG_RUNTIME_DIR=/run/user/$(id -u)

        display
          warning  glass  still
                   -> backdropctl refresh

        problems: XDG_RUNTIME_DIR
        warnings: glass
        """)
  }

  @Test func nothingIsWrongIfAllIsGoodOrANote() {
    let checks = [Check("a", .good, "b"), Check("c", .note, "d")]
    let report = DoctorReport(version: "", groups: [CheckGroup("e", checks)])
    #expect(report.text.hasSuffix("\n\nNothing is wrong."))
    #expect(report.exitStatus == 0)
  }

  @Test func longTextsAreWrappedTo80Columns() {
    let words = (1...60).map { "word\($0)" }.joined(separator: " ")
    let report = DoctorReport(
      version: "", groups: [CheckGroup("group", [Check("name", .good, words, remedy: words)])])
    let lines = report.text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines.contains { $0.count > 70 })
    let found = lines.dropFirst().dropLast().joined(separator: " ").split(separator: " ")
      .filter { $0.hasPrefix("word") }
    #expect(found.joined(separator: " ") == "\(words) \(words)")
  }

  @Test func wordLongerThanALineIsKept() {
    let path = "/" + String(repeating: "a", count: 100)
    let report = DoctorReport(
      version: "", groups: [CheckGroup("group", [Check("name", .good, "see \(path) there")])])
    #expect(report.text.contains("\n              \(path)\n              there\n"))
  }

  @Test func controlCharactersAreReplaced() {
    let report = DoctorReport(
      version: "",
      groups: [CheckGroup("a\u{1b}", [Check("b\n", .warning, "c\u{1b}[2J", remedy: "d\u{7}")])])
    #expect(!report.text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
    #expect(report.text.contains("c?[2J"))
    #expect(report.text.hasSuffix("warnings: b?"))
  }

  @Test(arguments: Check.State.allCases)
  func onlyAProblemHasANonZeroStatus(_ state: Check.State) {
    let checks = [Check("a", .good, ""), Check("b", state, ""), Check("c", .note, "")]
    let report = DoctorReport(version: "", groups: [CheckGroup("d", checks)])
    #expect(report.exitStatus == (state == .problem ? 1 : 0))
    #expect(report.state == max(state, .note))
  }

  @Test func jsonHasAllChecks() throws {
    struct Entry: Decodable, Equatable {
      let group, name, state, found: String
      let remedy: String?
    }
    struct Object: Decodable {
      let version, state: String
      let checks: [Entry]
    }
    let object = try JSONDecoder().decode(Object.self, from: JSONEncoder().encode(Self.report))
    #expect(object.version == "1.2")
    #expect(object.state == "problem")
    #expect(object.checks.map(\.name) == ["DISPLAY", "XDG_RUNTIME_DIR", "glass"])
    #expect(
      object.checks[2]
        == Entry(
          group: "display", name: "glass", state: "warning", found: "still",
          remedy: "backdropctl refresh"))
    #expect(object.checks[0].remedy == nil)
  }
}
