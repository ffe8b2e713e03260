import Frost
import Panes
import RandomPanes
import Raster
import TestDice
import Testing

@testable import Configuration

private let path = "/c/backdropd.conf"

private func parse(_ text: some Collection<UInt8>) throws -> Configuration {
  try Configuration(parsing: Array(text), path: path, home: "/h")
}

/// Saves panes in a text that declares `old`.
private func save(_ text: String, from old: [Pane], to new: [Pane]) throws -> String {
  let read = try parse(text.utf8)
  let saved = try read.text(Array(text.utf8), path: path, home: "/h", from: old, to: new)
  return String(decoding: saved, as: UTF8.self)
}

private func randomPanes(_ count: Int, using dice: inout Dice) -> [Pane] {
  (0..<count).compactMap { number in
    let random = Pane.random(using: &dice)
    var settings = random.settings
    // Paths are absolute, as the daemon has them. A zero is refused.
    settings.contents = settings.contents?.map { content in
      var content = content
      switch content.source {
      case .image(let path): content.source = .image(path: "/" + path.filter { $0 != "\0" })
      case .label(var label):
        label.text.removeAll { $0 == "\0" }
        label.font.removeAll { $0 == "\0" }
        content.source = .label(label)
      }
      return content
    }
    let pane = try? Pane("p\(number)", settings, isShown: random.isShown)
    return pane?.placement.lacksContent == false ? pane?.declaration : nil
  }
}

@Suite struct SavingTests {
  @Test(arguments: 0..<300)
  func writtenPanesAreReadAgain(seed: Int) throws {
    var dice = Dice(seed: seed)
    let panes = randomPanes(dice.roll(0...4), using: &dice)
    let text = try save("", from: [], to: panes)
    let read = try parse(text.utf8)
    #expect(read.panes.map(\.declared) == panes.map { DeclaredPane(declaring: $0) }, "\(text)")
    // The output of `config show` is a configuration that declares the same.
    #expect(try parse(read.text.utf8).panes.map(\.declared) == read.panes.map(\.declared))
    #expect(try save(text, from: panes, to: panes) == text)
  }

  /// Whatever changes, the new text declares it, and what has not changed keeps its text and its comments.
  @Test(arguments: 0..<300)
  func unchangedPartsKeepTheirText(seed: Int) throws {
    var dice = Dice(seed: seed)
    let old = randomPanes(dice.roll(1...5), using: &dice)
    var text = "# head\nrate = 30; // rate\n/* before\n the panes */ panes = (\n"
    var groups: [String] = []
    for pane in old {
      let members = DeclaredPane(declaring: pane).writtenMembers.map { member in
        "    \(member.name)\t= \(member.value) ; # \(pane.name) \(member.name)\n"
      }
      groups.append("  # about \(pane.name)\n  {\n\(members.joined())  }")
    }
    text += groups.joined(separator: " /* a, b */, \n") + "\n // tail\n);\n# end\n"
    var new: [Pane] = []
    for pane in old where dice.roll(0...4) > 0 {
      let change = PaneChange.random(using: &dice)
      let isSame = dice.roll(0...1) == 0
      let changed = isSame ? nil : try? pane.changed(by: change).declaration
      new.append(changed?.placement.lacksContent == false ? changed ?? pane : pane)
    }
    if dice.roll(0...3) == 0 { new.shuffle(using: &dice) }
    if dice.roll(0...1) == 0, let random = randomPanes(9, using: &dice).last { new.append(random) }
    let saved = try save(text, from: old, to: new)
    let read = try parse(saved.utf8)
    let found = sortedByLayer(read.panes.map(\.declared), \.pane)
    let wanted = sortedByLayer(new, \.self).map { DeclaredPane(declaring: $0) }
    for (found, wanted) in zip(found, wanted) {
      for (found, wanted) in zip(found.writtenMembers, wanted.writtenMembers) {
        #expect(found == wanted, "\(text)\n\(saved)")
      }
    }
    #expect(found == wanted)
    #expect(saved.hasPrefix("# head\nrate = 30; // rate\n/* before\n the panes */ panes = ("))
    #expect(saved.hasSuffix(");\n# end\n"))
    for (pane, group) in zip(old, groups) {
      guard let now = new.first(where: { $0.name == pane.name }) else {
        #expect(!saved.contains("# about \(pane.name)\n"))
        continue
      }
      if now == pane {
        let isLast = pane.name == old.last?.name
        #expect(saved.contains(isLast ? group : group + " /* a, b */"), "\(saved)")
      }
      let before = DeclaredPane(declaring: pane).writtenMembers
      for member in DeclaredPane(declaring: now).writtenMembers where before.contains(member) {
        #expect(saved.contains("# \(pane.name) \(member.name)\n"), "\(member)\n\(text)\n\(saved)")
      }
    }
  }

  /// The order of panes has a meaning within a layer only, so a file keeps its own.
  @Test(arguments: 0..<100)
  func orderOfLayersKeepsTheText(seed: Int) throws {
    var dice = Dice(seed: seed)
    let panes = randomPanes(dice.roll(2...6), using: &dice)
    let text = try save("", from: [], to: panes)
    #expect(try save(text, from: panes, to: sortedByLayer(panes, \.self)) == text)
  }

  /// A setting that comes from a material of the file can be changed, and taken away.
  @Test func materialOfTheFileIsKeptWhereItCan() throws {
    let text = """
      materials = { frost = { material = "dark"; sigma = 12; }; };
      panes = ( { name = "a"; geometry = "9x9+0+0"; material = "frost"; } );
      """
    let old = try parse(text.utf8).panes.map(\.declared.pane)
    var change = PaneChange()
    change.settings.sigma = 20
    let changed = try save(text, from: old, to: [old[0].changed(by: change)])
    #expect(changed.contains(#"material = "frost"; sigma = 20;"#), "\(changed)")
    let reset = try save(text, from: old, to: [old[0].changed(by: PaneChange(reset: ["sigma"]))])
    #expect(reset.contains(#"material = "dark";"#) && !reset.contains("sigma = 20"), "\(reset)")
  }

  @Test func contentAsTheUserWroteItIsKept() throws {
    let text = """
      panes = ( { name = "a"; geometry = "99x99+0+0"; content = ( { label = "x"; }, { image = "y.png"; } ); } );
      """
    // The daemon has the whole path and a font.
    var settings = try parse(text.utf8).panes[0].declared.pane.settings
    settings.contents = [
      PaneContent(
        source: .label(text: "x", font: "Sans 18"), place: .center, vibrancy: .label,
        picture: Bitmap(width: 1, height: 1, filledWith: 0)),
      PaneContent(
        source: .image(path: "/c/y.png"), place: .center, vibrancy: nil,
        picture: Bitmap(width: 1, height: 1, filledWith: 0)),
    ]
    let old = try Pane("a", settings)
    #expect(try save(text, from: [old], to: [old]) == text)
    var change = PaneChange()
    change.settings.sigma = 20
    let changed = try save(text, from: [old], to: [old.changed(by: change)])
    #expect(
      changed.contains(#"( { label = "x"; }, { image = "y.png"; } ); sigma = 20; }"#), "\(changed)")
  }

  @Test func panesOfAnIncludedFileAreNotWritten() throws {
    let folder = FilePlace("/c/other.conf", line: 2)
    var read = Configuration()
    let pane = try Pane(
      "a",
      {
        var s = PaneSettings(); s.size = .auto; return s
      }())
    read.panes = [
      ConfiguredPane(declared: DeclaredPane(pane, contents: nil), place: folder, contents: [])
    ]
    #expect(throws: SavingError.included(file: "/c/other.conf")) {
      try read.text([], path: path, home: nil, from: [], to: [])
    }
  }
}

extension [Pane] {
  fileprivate mutating func shuffle(using dice: inout Dice) { self = shuffled(using: &dice) }
}
