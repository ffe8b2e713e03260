import Panes
import RandomPanes
import TestDice
import Testing

/// Panes that follow a configuration, and what commands have changed of them.
@Suite struct FollowedPanesTests {
  private func pane(_ name: String, _ edit: (inout PaneSettings) -> Void = { _ in }) throws -> Pane
  {
    var settings = PaneSettings()
    settings.geometry = try Geometry(parsing: "90x80+1+2")
    edit(&settings)
    return try Pane(name, settings)
  }

  private func random(_ name: String, using dice: inout Dice) throws -> Pane {
    let random = Pane.random(using: &dice)
    return try Pane(name, random.settings, isShown: random.isShown)
  }

  /// Without commands the panes are what is declared, whatever was declared before; so the result does not depend on the way.
  @Test(arguments: 0..<200)
  func panesAreWhatIsDeclared(seed: Int) throws {
    var dice = Dice(seed: seed)
    var declared: [Pane] = []
    var panes: [Pane] = []
    for _ in 0..<4 {
      var next: [Pane] = []
      for name in ["a", "b", "c", "d"] where dice.roll(0...2) > 0 {
        let old = declared.first { $0.name == name }
        let isSame = old != nil && dice.roll(0...1) == 0
        let changed = try? old?.changed(by: .random(using: &dice))
        next.append(try isSame ? old! : changed ?? random(name, using: &dice))
      }
      panes = followedPanes(panes, from: declared.map(\.declaration), to: next)
      #expect(panes.map(\.name) == next.map(\.name))
      for (pane, wanted) in zip(panes, next) { #expect(pane.declaresSame(as: wanted)) }
      declared = next
      // The same again changes nothing.
      #expect(followedPanes(panes, from: declared.map(\.declaration), to: declared) == panes)
    }
  }

  @Test func commandsCountUntilTheDeclarationChanges() throws {
    let old = [try pane("a") { $0.sigma = 3 }, try pane("b")]
    var change = PaneChange()
    change.settings.sigma = 7
    change.settings.noise = 0.125
    let panes = [try old[0].changed(by: change), try pane("mine")]
    // Another setting of one changes; the other one was removed.
    let next = [
      try pane("a") {
        $0.sigma = 3
        $0.contrast = 2
      }, old[1],
    ]
    let followed = followedPanes(panes, from: old, to: next)
    #expect(followed.map(\.name) == ["a", "mine"])
    #expect(followed[0].settings.sigma == 7 && followed[0].settings.contrast == 2)
    #expect(followed[0].settings.noise == 0.125)
    // The same setting changes, and the other declaration too.
    let last = [try pane("a"), try pane("b") { $0.sigma = 1 }]
    let result = followedPanes(followed, from: next, to: last)
    #expect(result.map(\.name) == ["a", "b", "mine"])
    #expect(result[0].settings.sigma == nil && result[0].settings.contrast == nil)
    #expect(result[0].settings.noise == 0.125)
    // A pane that is no longer declared goes, whatever was changed.
    #expect(followedPanes(result, from: last, to: []).map(\.name) == ["mine"])
  }

  @Test func declarationWinsWhereBothContradict() throws {
    let old = try pane("a")
    var change = PaneChange()
    change.settings.input = .pass
    let changed = try old.changed(by: change)
    let next = try pane("a") { $0.click = try? ShellCommand(parsing: "true", setting: "click") }
    let result = followedPanes([changed], from: [old], to: [next])
    #expect(result.count == 1 && result[0].declaresSame(as: next))
  }

  @Test func ephemeralChangesAreNotKept() throws {
    let old = try pane("a") { $0.sigma = 3 }
    var change = PaneChange()
    change.settings.noise = 0.125
    let changed = try old.changed(by: change, isEphemeral: true)
    #expect(changed.kept == old)
    let next = try pane("a") { $0.sigma = 4 }
    let result = followedPanes([changed], from: [old], to: [next])
    #expect(result[0].settings.noise == 0.125 && result[0].settings.sigma == 4)
    #expect(result[0].kept.map { $0.declaresSame(as: next) } == true)
  }
}
