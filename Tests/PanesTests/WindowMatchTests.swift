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

  /// A window with a title in which the expression `costly` needs too many steps.
  private let hostile = WindowProperties(
    id: 1, frame: 1, windowClass: "kitty", title: String(repeating: "a", count: 1000))
  private static let costly = "(a|aa)+$[yz]"

  @Test func costlySearchDecidesNothing() throws {
    var match = WindowMatch()
    match.title = try TextPattern(parsing: Self.costly, setting: "title")
    #expect(match.search(hostile) == .tooCostly && !match.includes(hostile))
    match.windowClass = "other"
    #expect(match.search(hostile) == .absent)
  }

  @Test func costlyExclusionDecidesNothing() throws {
    var match = WindowMatch()
    match.windowClass = "kitty"
    match.exclusions = [try WindowCondition(parsing: "title=\(Self.costly)")]
    #expect(match.search(hostile) == .tooCostly && !match.includes(hostile))
    match.exclusions.append(try WindowCondition(parsing: "class=kitty"))
    #expect(match.search(hostile) == .absent)
    match.exclusions.reverse()
    #expect(match.search(hostile) == .absent)
  }
}
