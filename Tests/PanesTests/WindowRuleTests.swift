import Linux
import Panes
import TestDice
import Testing

/// The conditions that are found for a window.
struct WindowRuleTests {
  private func window(
    _ id: UInt32, _ windowClass: String = "", instance: String = "", title: String = "",
    role: String = "", type: WindowType? = nil, isOverrideRedirect: Bool = false
  ) -> WindowProperties {
    WindowProperties(
      id: id, frame: id, windowClass: windowClass, instance: instance, title: title, role: role,
      types: type.map { [$0] } ?? [], isOverrideRedirect: isOverrideRedirect)
  }

  private func arguments(
    for window: WindowProperties, among others: WindowProperties...
  ) -> [String] {
    PaneSettings(matching: window, among: others + [window]).arguments
  }

  @Test func classIsEnoughAmongOtherClasses() {
    let kitty = window(1, "kitty", instance: "kitty", title: "vim")
    #expect(
      arguments(for: kitty, among: window(2, "XTerm"), window(3, "kitty", instance: "kitty"))
        == ["--class", "kitty"])
  }

  @Test func docksAndNotificationsHaveOnlyTheirType() {
    let dock = window(1, "Xfce4-panel", type: .dock)
    #expect(arguments(for: dock, among: window(2, "Plank", type: .dock)) == ["--type", "dock"])
    #expect(arguments(for: window(1, type: .notification)) == ["--type", "notification"])
  }

  @Test func windowsOfAnotherKindWithTheSameClassAreLeftOut() {
    let main = window(1, "Thunar")
    let menu = window(2, "Thunar", type: .popupMenu, isOverrideRedirect: true)
    let dialog = window(3, "Thunar", type: .dialog)
    #expect(
      arguments(for: main, among: menu, dialog) == ["--class", "Thunar", "--type", "normal"])
    #expect(arguments(for: menu, among: main) == ["--class", "Thunar", "--type", "popup-menu"])
    #expect(
      arguments(for: dialog, among: main, menu) == ["--class", "Thunar", "--type", "dialog"])
    let oldMenu = window(4, "XTerm", isOverrideRedirect: true)
    #expect(
      arguments(for: oldMenu, among: window(5, "XTerm"))
        == ["--class", "XTerm", "--override-redirect"])
    #expect(
      arguments(for: window(5, "XTerm"), among: oldMenu)
        == ["--class", "XTerm", "--no-override-redirect"])
  }

  @Test func menusHaveTheirTypeAlsoWhenTheyAreAlone() {
    #expect(
      arguments(for: window(1, "Thunar", type: .dropdownMenu))
        == ["--class", "Thunar", "--type", "dropdown-menu"])
    #expect(arguments(for: window(1, type: .popupMenu)) == ["--type", "popup-menu"])
  }

  @Test func instanceAndRoleSeparateWindowsOfOneClass() {
    let app = window(1, "Chrome", instance: "crx_mail")
    #expect(
      arguments(for: app, among: window(2, "Chrome", instance: "chrome"))
        == ["--class", "Chrome", "--instance", "crx_mail"])
    let list = window(1, "Pidgin", role: "buddy_list")
    #expect(
      arguments(for: list, among: window(2, "Pidgin", role: "conversation"))
        == ["--class", "Pidgin", "--role", "buddy_list"])
  }

  /// A role with a number is that of one window, which has another one when its program is started again.
  @Test func rolesOfSingleWindowsAreNotUsed() {
    let terminal = window(1, "Xfce4-terminal", role: "xfce4-terminal-1795608678-478832095")
    let other = window(2, "Xfce4-terminal", role: "xfce4-terminal-1795608699-112")
    #expect(arguments(for: terminal, among: other) == ["--class", "Xfce4-terminal"])
  }

  @Test func windowsWithoutAClassAreNamedByWhatElseTheyHave() {
    #expect(arguments(for: window(1, instance: "conky")) == ["--instance", "conky"])
    #expect(arguments(for: window(1, role: "panel")) == ["--role", "panel"])
    #expect(
      arguments(for: window(1, title: "50% (a.b) [c]*")) == [
        "--title", #"^50% \(a\.b\) \[c]\*$"#,
      ])
    #expect(arguments(for: window(0x1c0_0007)) == ["--window", "0x1c00007"])
    #expect(arguments(for: window(9, "a\u{1B}[2J")) == ["--window", "0x9"])
  }

  @Test func titlePatternsFitTheirTitleAlone() throws {
    let short = try #require(TextPattern.exact("a.b"))
    #expect(short.isFound(in: "a.b") && !short.isFound(in: "axb") && !short.isFound(in: "a.bc"))
    let long = String(repeating: "(é", count: 200)
    let pattern = try #require(TextPattern.exact(long))
    #expect(pattern.text.utf8.count <= TextPattern.lengthLimit)
    #expect(pattern.isFound(in: long) && !pattern.isFound(in: "x" + long))
    let control = try #require(TextPattern.exact("a\u{1B}\n\u{85}b"))
    #expect(control.text == "^a.{3}b$" && control.isFound(in: "a\u{1B}\n\u{85}b"))
    #expect(TextPattern.exact("") == nil && TextPattern.exact("\0\n") == nil)
    let zero = try #require(TextPattern.exact("a\0b"))
    #expect(zero.text == "^a.b$" && zero.isFound(in: "a\0b") && !zero.isFound(in: "ab"))
    let end = try #require(TextPattern.exact("a"))
    #expect(end.isFound(in: "a") && !end.isFound(in: "a\n") && !end.isFound(in: "A"))
  }

  @Test func patternOfATitleWithALateEndFitsItsBeginning() throws {
    let title = "a" + String(repeating: "\n", count: 2 * TextPattern.searchedLength) + "b"
    let pattern = try #require(TextPattern.exact(title))
    #expect(pattern.text == "^a.{\(TextPattern.searchedLength - 1)}")
    #expect(pattern.isFound(in: title))
  }

  /// A bidirectional override would show the rest of the command in another order than the shell reads it.
  @Test(arguments: [
    "\u{200E}", "\u{200F}", "\u{061C}", "\u{202A}", "\u{202E}", "\u{2066}", "\u{2069}", "\u{2028}",
    "\u{2029}", "\u{9B}", "\u{10FEE9}",
  ])
  func charactersThatATerminalShouldNotGetAreHidden(hidden: String) throws {
    let pattern = try #require(TextPattern.exact("a\(hidden)b\(hidden)\(hidden)"))
    #expect(pattern.text == "^a.b.{2}$" && pattern.isFound(in: "a\(hidden)b\(hidden)\(hidden)"))
    #expect(TextPattern.exact(hidden) == nil)
    #expect(
      arguments(for: window(1, "x\(hidden)", title: "a")) == ["--title", "^a$"],
      "nor does a class have them")
  }

  /// Each hidden character makes a part that fits anything.
  @Test func searchForATitleWithManyHiddenCharactersIsCheap() throws {
    let title = String(repeating: "a\u{202E}", count: 80)
    #expect(try #require(TextPattern.exact(title)).search(title) == .found)
  }

  @Test(arguments: 0..<300) func anyWindowFulfilsItsConditions(seed: Int) throws {
    var dice = Dice(seed: seed)
    let windows = (1...6).map { randomWindow(UInt32($0), &dice) }
    for window in windows {
      let settings = PaneSettings(matching: window, among: windows)
      let match = try #require(try settings.placement().behind?.match, "\(dice)")
      #expect(match.includes(window), "\(dice): \(settings.arguments), \(window)")
      let text = settings.arguments.joined()
      #expect(text.printable == text, "\(dice)")
    }
  }

  private func randomWindow(_ id: UInt32, _ dice: inout Dice) -> WindowProperties {
    let letters = [
      "a", "B", "é", ".", "*", "\\", "[", "]", "^", "$", "(", "{", "|", "\n", "\0", "'",
      "\u{202E}", "\u{2066}", "\u{9B}",
    ]
    func word(_ longest: Int) -> String {
      (0..<dice.roll(0...longest)).map { _ in letters[dice.roll(0...letters.count - 1)] }.joined()
    }
    return window(
      id, dice.roll(0...1) == 0 ? "" : word(2), instance: word(1), title: word(200),
      role: word(1),
      type: dice.roll(0...2) == 0 ? WindowType.allCases.randomElement(using: &dice) : nil,
      isOverrideRedirect: dice.roll(0...2) == 0)
  }
}

/// Settings as words of a command line.
struct ArgumentTests {
  @Test func wordsAreQuotedOnlyWhereAShellNeedsIt() {
    #expect(shellWord("--class") == "--class" && shellWord("a/b.c:1=2,@%+_") == "a/b.c:1=2,@%+_")
    #expect(shellWord("") == "''" && shellWord("a b") == "'a b'" && shellWord("~") == "'~'")
    #expect(shellWord("it's $HOME") == #"'it'\''s $HOME'"#)
    #expect(shellWord("é") == "'é'")
  }

  @Test func settingsOfEachKindAreOptions() throws {
    var settings = PaneSettings()
    settings.windowClass = "kitty"
    settings.sigma = 20
    settings.saturation = 1.25
    settings.overrideRedirect = false
    settings.exclude = [
      try WindowCondition(parsing: "title=a b"), try WindowCondition(parsing: "class=c"),
    ]
    #expect(
      settings.arguments == [
        "--class", "kitty", "--no-override-redirect", "--exclude", "title=a b", "--exclude",
        "class=c", "--sigma", "20", "--saturation", "1.25",
      ])
    settings.exclude = []
    #expect(settings.arguments.contains("none"))
  }
}
