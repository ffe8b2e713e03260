import Engine
import Frost
import Panes
import Raster
import TestDice
import Testing

/// The entries of the store in reports.
@Suite struct StoreEntryTests {
  private let scene = Scene(width: 200, height: 150)

  @Test func entriesAddUpToTheStore() throws {
    try scene.add("one", Rect(x: 10, y: 10, width: 60, height: 40))
    try scene.add("two", Rect(x: 90, y: 60, width: 60, height: 40), sigma: 20)
    try scene.change("two") {
      $0.shadow = Shadow(radius: 8, opacity: 1, color: Color(white: 0, alpha: 1))
    }
    #expect(try scene.settle())
    let (entries, store) = (scene.engine.storeEntries, scene.store)
    #expect(entries.reduce(0) { $0 + $1.byteCount } == store.byteCount)
    #expect(entries.reduce(0) { $0 + $1.tileCount } == store.tileCount)
    #expect(entries.reduce(0) { $0 + $1.pinnedTileCount } == store.pinnedTileCount)
    #expect(entries.reduce(0) { $0 + $1.hits } == store.statistics.hits)
    #expect(entries.reduce(0) { $0 + $1.misses } == store.statistics.misses)
    #expect(entries.contains { $0.cell == 1 } && Set(entries.map(\.cell)).count == 3)
    for entry in entries {
      #expect(entry.content == .windows(below: .normal) && entry.output == "screen")
      #expect(!entry.region.isEmpty && scene.screen.contains(entry.region))
      #expect(entry.age == .zero)
    }
  }

  /// The clock of the engine is not that of its steps; here it advances with each reading.
  @Test func entryOfAHiddenPaneGetsOlder() throws {
    scene.slowness = .milliseconds(5)
    try scene.add("pane", Rect(x: 10, y: 10, width: 60, height: 40))
    #expect(try scene.settle())
    let misses = scene.store.statistics.misses
    try scene.setShown("pane", false)
    let ages = (0..<3).compactMap { _ in scene.engine.storeEntries.first?.age }
    #expect(ages.count == 3 && ages[0] > .zero && ages[0] < ages[1] && ages[1] < ages[2])
    #expect(scene.engine.storeEntries.first?.pinnedTileCount == 0)
    try scene.setShown("pane", true)
    #expect(try scene.settle())
    #expect(scene.engine.storeEntries.first?.age == .zero)
    #expect(scene.store.statistics.misses == misses, "it is shown from the cache")
    try scene.setShown("pane", false)
    scene.shrinkCache()
    #expect(scene.engine.storeEntries.isEmpty)
  }

  /// An output has entries for each of its orientations.
  @Test func orientationsHaveEntriesOfTheirOwn() throws {
    var dice = Dice(seed: 3)
    try scene.add("pane", Rect(x: 10, y: 10, width: 60, height: 40))
    #expect(try scene.settle())
    let left = Orientation(quarterTurns: 1)
    scene.display.resize(to: dice.picture(width: 150, height: 200), orientation: left)
    #expect(try scene.settle())
    let entries = scene.engine.storeEntries
    #expect(entries.map(\.orientation) == [left, .normal])
    #expect(entries.map { $0.pinnedTileCount > 0 } == [true, false])
  }
}
