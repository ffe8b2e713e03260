import Panes
import Testing

@Suite struct LifetimeTests {
  @Test(arguments: [
    ("500ms", 500.0), ("5s", 5000), ("1.5s", 1500), ("2min", 120_000), ("24h", 86_400_000),
    ("1ms", 1), (".5s", 500),
  ])
  func timeHasAUnit(text: String, milliseconds: Double) throws {
    #expect(try Lifetime(parsing: text).milliseconds == milliseconds)
  }

  @Test(arguments: [
    "", "5", "s", "five s", "5 s", "-5s", "+5s", "1e3s", "0x5s", "5m", "5S", "1.2.3s",
  ])
  func otherTextsAreUnreadable(text: String) {
    #expect {
      try Lifetime(parsing: text)
    } throws: { error in
      if case .unreadable("for", text, _) = error as? PaneError { true } else { false }
    }
  }

  @Test(arguments: ["0s", "0.5ms", "25h", "99999999999999999999h"])
  func longestTimeIsADay(text: String) {
    #expect {
      try Lifetime(parsing: text)
    } throws: { error in
      if case .outOfRange("for", text, _) = error as? PaneError { true } else { false }
    }
  }
}
