import Panes
import Testing

/// Conditions on windows.
struct WindowMatchTests {
  private func match(_ edit: (inout WindowMatch) throws -> Void) rethrows -> WindowMatch {
    var match = WindowMatch()
    try edit(&match)
    return match
  }

  @Test func namesAreOfWindowsThatTheUserKnows() throws {
    #expect(match { $0.windowClass = "kitty" }.namesWindows)
    #expect(match { $0.instance = "kitty" }.namesWindows)
    #expect(match { $0.role = "browser" }.namesWindows)
    #expect(match { $0.window = WindowNumber(7) }.namesWindows)
    for title in ["vim", "^vim$", ".", "^.+$"] {
      #expect(
        try match { $0.title = try TextPattern(parsing: title, setting: "title") }.namesWindows)
    }
  }

  @Test func generalConditionsNameNoWindow() throws {
    #expect(!WindowMatch().namesWindows)
    #expect(!match { $0.type = .normal }.namesWindows)
    #expect(!match { $0.isOverrideRedirect = true }.namesWindows)
    #expect(!match { $0.asksForBlur = true }.namesWindows)
    #expect(try !match { $0.exclusions = [try WindowCondition(parsing: "class=a")] }.namesWindows)
    for title in [".*", "^(?!vim)", "a|"] {
      #expect(
        try !match { $0.title = try TextPattern(parsing: title, setting: "title") }.namesWindows)
    }
  }
}
