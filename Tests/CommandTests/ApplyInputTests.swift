import TestSupport
import Testing

/// Files that `apply` cannot read: one line names the error. No daemon is needed for it.
@Suite struct ApplyInputTests {
  private let folder = CommandFolder()

  private func expectFailure(_ text: String?, _ status: Int32, _ words: String...) {
    if let text { folder.write("panes.json", Array(text.utf8)) }
    for option in ["--dry-run", "--display=:4999"] {
      let outcome = folder.run(
        "apply", "@panes.json", option,
        environment: ["DISPLAY": ":4999", "XDG_RUNTIME_DIR": folder.path])
      #expect(outcome.status == .exited(status), "\(outcome.err)")
      #expect(outcome.out.isEmpty && outcome.err.hasPrefix("backdropctl: "))
      #expect(outcome.err.count { $0 == "\n" } == 1, "\(outcome.err)")
      for word in words { #expect(outcome.err.contains(word), "\(outcome.err)") }
    }
  }

  @Test func missingFileIsNamed() {
    expectFailure(nil, 66, "panes.json", "No such file")
  }

  @Test(arguments: [
    "", "{}", "nonsense", "[", #"{"name": "a", "geometry": "9x9+0+0"}"#, "3", #""text""#, "\u{0}",
    #"[{"name": "a", "geometry": "9x9+0+0"}"#,
  ])
  func fileThatIsNoListIsRefused(text: String) { expectFailure(text, 65, "panes.json") }

  @Test func largeFileIsRefused() {
    expectFailure("[" + String(repeating: " ", count: 2 << 20) + "]", 65, "panes.json")
  }

  @Test(arguments: [
    (#"{"name": "a"}"#, "geometry is missing"), (#"{"geometry": "9x9+0+0"}"#, "'name'"),
    (#"{"name": "a", "geometry": "9x9+0+0", "sigmma": 3}"#, "'sigmma'"),
    (#"{"name": "a", "geometry": "9x9+0+0", "sigma": "3"}"#, "'sigma' must be a number"),
    (#"{"name": "a", "geometry": "9x9+0+0", "shown": 1}"#, "'shown' must be"),
    (#"{"name": "a", "geometry": "9x9+0+0", "material": "lihgt"}"#, "light"),
    (#"{"name": "a\nb", "geometry": "9x9+0+0"}"#, "cannot name a pane"),
    (#"{"name": "a", "geometry": "9x9+0+0", "content": [3]}"#, "content"),
    (#"{"name": "a", "geometry": "9x9+0+0", "content": {"label": "b"}}"#, "content"),
    (
      #"{"name": "a", "geometry": "9x9+0+0", "content": [{"label": "b", "image": "c.png"}]}"#,
      "content"
    ),
    (
      #"{"name": "a", "geometry": "9x9+0+0", "content": [{"image": "c.png", "font": "Sans"}]}"#,
      "font"
    ),
    ("3", "pane"), ("null", "pane"),
  ])
  func wrongPaneIsNamed(pane: String, words: String) {
    expectFailure(#"[{"name": "good", "geometry": "9x9+0+0"}, \#(pane)]"#, 65, "panes.json", words)
  }

  @Test func missingDaemonIsExplainedForACorrectFile() {
    expectFailure(#"[{"name": "good", "geometry": "9x9+0+0"}]"#, 69, "start it with")
    expectFailure("[]", 69, "start it with")
  }
}
