import Panes
import Raster
import TestDice
import Testing

@Suite struct DrawingScopeTests {
  private func content(
    _ scope: DrawingScope?, at place: ContentPlace = .center
  ) -> PaneContent {
    PaneContent(
      source: .label(text: "x", font: "Sans"), place: place, vibrancy: nil,
      drawing: ContentDrawing(Bitmap(width: 3, height: 2), scope: scope))
  }

  private func isDrawn(_ scope: DrawingScope?, for pane: ContentTarget) -> Bool {
    content(scope).isDrawn(for: pane)
  }

  @Test func drawingSuitsItsScaleAndItsSizes() {
    let pane = ContentTarget(scale: 1, width: 116, height: 96)
    let room = ContentPlace.center.room(on: pane)
    #expect(room == (100, 80))
    #expect(isDrawn(nil, for: pane))
    #expect(isDrawn(DrawingScope(scale: 1), for: pane))
    #expect(!isDrawn(DrawingScope(scale: 2), for: pane))
    for (width, height, isAtLeast, isExactly) in [
      (100, 80, true, true), (99, 80, true, false), (100, 79, true, false),
      (101, 80, false, false), (100, 81, false, false),
    ] {
      let least = DrawingScope(scale: 1, sizes: .atLeast(width: width, height: height))
      #expect(isDrawn(least, for: pane) == isAtLeast)
      let exact = DrawingScope(scale: 1, sizes: .exactly(width: width, height: height))
      #expect(isDrawn(exact, for: pane) == isExactly)
    }
  }

  /// The position of content is in the unit of length of its pane, so the room for it is, too.
  @Test func distancesOfContentHaveTheUnitOfTheirPane() throws {
    let place = try ContentPlace(parsing: "10,-20")
    let pane = ContentTarget(scale: 2, unit: 2, width: 400, height: 200)
    #expect(place.room(on: pane) == (400 - 20 - 20, 200 - 40 - 32))
    let drawn = content(DrawingScope(scale: 2), at: place).drawn(for: pane)
    #expect(drawn.place.text == "20,-40")
  }

  /// After any additions there is a drawing for each pane for which there was one or the new one is right, and no other
  /// one but the new one.
  @Test(arguments: 0..<200)
  func additionsKeepWhatPanesNeed(seed: Int) {
    var dice = Dice(seed: seed)
    func pane() -> ContentTarget {
      ContentTarget(
        scale: [1, 2][dice.roll(0...1)], width: dice.roll(1...40), height: dice.roll(1...40))
    }
    func scope() -> DrawingScope {
      let (width, height) = (dice.roll(1...30), dice.roll(1...30))
      return DrawingScope(
        scale: [1, 2][dice.roll(0...1)],
        sizes: [
          .any, .atLeast(width: width, height: height), .exactly(width: width, height: height),
        ][dice.roll(0...2)])
    }
    var item = content(scope())
    for _ in 0..<20 {
      let panes = (0..<dice.roll(0...4)).map { _ in pane() }
      let before = item
      let new = ContentDrawing(Bitmap(width: 3, height: 2), scope: scope())
      let other = content(new.scope)
      item.add(new, for: panes)
      for pane in panes {
        #expect(item.isDrawn(for: pane) == (before.isDrawn(for: pane) || other.isDrawn(for: pane)))
      }
      #expect(item.drawings.last == new && item.includes(other))
      for pane in panes where other.isDrawn(for: pane) {
        #expect(item.drawn(for: pane).drawing.scope == new.scope)
      }
      for old in item.drawings.dropLast() {
        let own = content(old.scope)
        #expect(panes.contains { own.isDrawn(for: $0) && !other.isDrawn(for: $0) })
      }
    }
  }
}
