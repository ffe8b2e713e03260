import Engine
import TestDice
import Testing

@testable import X11Display

/// The rule for lock screens.
@Suite struct LockRuleTests {
  /// A window over an output, with its verdicts while the keyboard is unknown, free and held.
  struct Example: CustomTestStringConvertible {
    let testDescription: String
    let facts: CoverFacts
    let verdicts: [CoverFacts.Verdict]

    init(_ name: String, _ facts: CoverFacts, _ verdicts: [CoverFacts.Verdict]) {
      testDescription = name
      self.facts = facts
      self.verdicts = verdicts
    }
  }

  @Test(arguments: [
    Example("a lock screen, a game", CoverFacts(), [.inFront, .inFront, .lock]),
    Example(
      "a lock screen before all other windows", CoverFacts(isLow: true),
      [.inFront, .wallpaper, .lock]),
    Example(
      "an animated wallpaper", CoverFacts(isDesktop: true, isLow: true),
      [.wallpaper, .wallpaper, .wallpaper]),
    Example(
      "a low window without input", CoverFacts(isLow: true, takesInput: false),
      [.wallpaper, .wallpaper, .wallpaper]),
    Example("a launcher, a selector", CoverFacts(isOpaque: false), [.inFront, .inFront, .inFront]),
    Example(
      "an annotation", CoverFacts(isOpaque: false, takesInput: false),
      [.inFront, .inFront, .inFront]),
    Example(
      "an opaque window without input", CoverFacts(takesInput: false),
      [.inFront, .inFront, .inFront]),
    Example(
      "a window that is named for glass", CoverFacts(isNamed: true),
      [.inFront, .inFront, .inFront]),
    Example("a fullscreen window", CoverFacts(isManaged: true), [.ordinary, .ordinary, .ordinary]),
    Example("a menu", CoverFacts(covers: false), [.ordinary, .ordinary, .ordinary]),
  ])
  func windowsHaveTheirVerdicts(_ example: Example) {
    #expect([.unknown, .free, .held].map { example.facts.verdict($0) } == example.verdicts)
  }

  /// All windows that there are.
  private var allFacts: [CoverFacts] {
    (0..<128).map { bits in
      func bit(_ number: Int) -> Bool { bits >> number & 1 == 1 }
      return CoverFacts(
        covers: bit(0), isManaged: bit(1), isDesktop: bit(2), isLow: bit(3), isOpaque: bit(4),
        takesInput: bit(5), isNamed: bit(6))
    }
  }

  @Test func panesAreHiddenOnlyWhereTheDesktopIsKnownToBeHidden() {
    for facts in allFacts {
      for keyboard in KeyboardState.allCases where facts.verdict(keyboard) == .lock {
        #expect(keyboard == .held && facts.covers && facts.isOpaque && facts.takesInput, "\(facts)")
        #expect(!facts.isManaged && !facts.isDesktop && !facts.isNamed, "\(facts)")
      }
    }
  }

  @Test func panesAreAboveAnUnmanagedCoverOnlyIfItIsTheWallpaper() {
    for facts in allFacts where facts.covers && !facts.isManaged {
      for keyboard in KeyboardState.allCases {
        let verdict = facts.verdict(keyboard)
        #expect(verdict != .ordinary)
        if verdict == .wallpaper { #expect(facts.isDesktop || facts.isLow) }
        // A lock screen may have started before all other windows.
        if keyboard != .free, facts.takesInput, !facts.isDesktop { #expect(verdict != .wallpaper) }
      }
    }
  }

  /// The keyboard is asked for only if the answer decides.
  @Test func translucentWindowsNeedNoAnswer() {
    for facts in allFacts where !facts.isOpaque && !facts.isLow {
      #expect(!facts.dependsOnKeyboard, "\(facts)")
    }
  }

  @Test func screenSaverThatShowsNothingHidesNothing() {
    #expect(ScreenFacts(isSaverActive: true).reason == nil)
    #expect(ScreenFacts(isSaverActive: true, isSaverShown: true).reason == .screenSaver)
    #expect(ScreenFacts(isSaverActive: true, hasMonitors: true).reason == .darkMonitors)
    #expect(ScreenFacts(hasMonitors: true).reason == nil)
    #expect(ScreenFacts(hasTerminal: false).reason == .otherTerminal)
  }
}
