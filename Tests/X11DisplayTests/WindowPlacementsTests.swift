import Raster
import TestDice
import Testing

@testable import X11Display

/// The meaning of exposure events for a window that moves.
@Suite struct WindowPlacementsTests {
  private let old = Rect(x: 10, y: 20, width: 100, height: 50)
  private let exposed = Rect(x: 0, y: 0, width: 8, height: 4)

  @Test func exposureIsInCoordinatesOfItsTime() {
    var placements = WindowPlacements(old, mapped: 5)
    placements.append(old.translated(x: 3, y: -2), by: 7, processed: 5)
    placements.append(old.translated(x: 9, y: 9), by: 9, processed: 5)
    for (processed, x, y) in [(5, 10, 20), (6, 10, 20), (7, 13, 18), (8, 13, 18), (9, 19, 29)] {
      let lost = placements.lostParts(exposed, processed: RequestSequence(processed))
      #expect(lost == [Rect(x: x, y: y, width: 8, height: 4)])
    }
  }

  @Test func pixelsSentLaterAreNotLost() {
    var placements = WindowPlacements(old, mapped: 5)
    placements.recordUpdate([Rect(x: 10, y: 20, width: 100, height: 3)], after: 6)
    #expect(
      placements.lostParts(exposed, processed: 6) == [Rect(x: 10, y: 23, width: 8, height: 1)])
    #expect(
      placements.lostParts(exposed, processed: 7) == [Rect(x: 10, y: 20, width: 8, height: 4)])
    placements.recordUpdate([old], after: 8)
    #expect(placements.lostParts(exposed, processed: 7).isEmpty)
  }

  @Test func onlyTheLastPlacementIsCurrent() {
    var placements = WindowPlacements(old, mapped: 5)
    #expect(placements.isCurrent(processed: 5))
    placements.append(old, by: 7, processed: 5)
    #expect(!placements.isCurrent(processed: 6))
    #expect(placements.isCurrent(processed: 7))
  }

  /// Placements that are forgotten do not matter: each event has the position of its time.
  @Test(arguments: 0..<20)
  func anySequenceAgreesWithTheModel(seed: Int) {
    var dice = Dice(seed: seed)
    var placements = WindowPlacements(old, mapped: 1)
    var history: [(request: Int, rect: Rect)] = [(1, old)]
    var (request, processed) = (1, 1)
    for _ in 0..<200 {
      request += dice.roll(1...3)
      processed = dice.roll(processed...request)
      if dice.roll(0...1) == 0 {
        request += 1
        let rect = old.translated(x: dice.roll(-99...99), y: dice.roll(-99...99))
        placements.append(
          rect, by: RequestSequence(request), processed: RequestSequence(processed))
        history.append((request, rect))
      }
      let lost = placements.lostParts(exposed, processed: RequestSequence(processed))
      let place = history.last { $0.request <= processed }?.rect ?? old
      #expect(lost == [exposed.translated(x: place.x, y: place.y)], "\(dice)")
    }
  }
}
