import Testing

@testable import Configuration

/// What picom does with windows, from its options and its file.
@Suite struct PicomRulesTests {
  private func rules(_ options: [String] = [], _ file: String? = nil) -> PicomRules {
    PicomRules(options: options, file: file.map { Array($0.utf8) })
  }

  @Test(arguments: [
    ("", []), ("inactive-opacity = 0.85;", ["inactive-opacity"]), ("inactive-opacity = 1.0;", []),
    ("inactive-opacity: 1", []), ("opacity-rule = [];", []), ("opacity-rule: 3", []),
    ("opacity-rule = [ \"80:class_g = 'URxvt'\" ];", ["opacity-rule"]),
    ("wintypes: { dock = { shadow = false; }; popup_menu = { opacity = 0.8; } };", ["wintypes"]),
    ("wintypes: { dock = { shadow = false; opacity = 1; } };", []),
    ("rules = ({ match = \"x\"; opacity = 0.9; }, { shadow = false; });", ["rules"]),
    ("rules = ({ match = \"x\"; shadow = false; });", []),
    ("active-opacity = .9; opacity-rule = [\"1:a\"]", ["active-opacity", "opacity-rule"]),
    ("this is = no { configuration", []), ("shadow = true; rules = 5; wintypes = \"x\";", []),
  ])
  func settingsThatMakeWindowsTranslucentAreNamed(file: String, names: [String]) {
    #expect(rules([], file).translucency == names)
  }

  @Test func cornersAreRead() {
    #expect(rules([], "corner-radius = 10;").cornerRadius == 10)
    #expect(rules([], "corner-radius = \"a\";").cornerRadius == 0)
    #expect(rules(["--corner-radius", "7"], "corner-radius = 10;").cornerRadius == 7)
    #expect(rules(["--corner-radius=0"], "corner-radius = 10;").cornerRadius == 0)
    #expect(rules(["--corner-radius", "-3"]).cornerRadius == 0)
  }

  @Test func optionsComeBeforeTheFile() {
    #expect(rules(["-i", "0.9"]).translucency == ["inactive-opacity"])
    #expect(rules(["-i"]).translucency.isEmpty && rules(["-i", "x"]).translucency.isEmpty)
    #expect(rules(["-i", "1"], "inactive-opacity = .5;").translucency.isEmpty)
    #expect(rules(["--backend", "glx", "--opacity-rule", "9:a"]).translucency == ["opacity-rule"])
  }
}
